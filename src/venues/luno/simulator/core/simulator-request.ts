/** A request to the simulated exchange and its response, independent of the transport. */
import type { Pairs } from '../../api/request-parameters.ts';
import type { Credentials } from './api-key.ts';

export type SimulatorRequest = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Query and form together. */
  readonly pairs: Pairs;
  /** Address of the client. Earlier revisions of the API limit public calls by address. */
  readonly address?: string;
  readonly credentials: Credentials | undefined;
  readonly bodyKind: 'none' | 'form' | 'json' | 'other';
  /** What a signature covers besides the method; used only by the wallet API. */
  readonly signed?: SignedParts;
};

export type SignedParts = {
  /** Path and query as received. */
  readonly target: string;
  /** Names in lower case; includes at least those of `signatureHeaders` that were sent. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As received; empty if there was none. */
  readonly body: string;
};

export type SimulatorResponse = {
  readonly status: number;
  /** Undefined for an empty body. */
  readonly body: string | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the operator should know, once: the same text for every request of this kind. */
  readonly notice?: string;
};
