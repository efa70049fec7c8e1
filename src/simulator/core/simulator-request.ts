/** One request to the simulated exchange and its answer, without any transport. */
import type { Pairs } from '../../exchange-api/request-parameters.ts';
import type { Credentials } from './api-key.ts';

export type SimulatorRequest = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Query and form together. */
  readonly pairs: Pairs;
  /** Where it came from; the earlier revisions limit public calls by it. */
  readonly address?: string;
  readonly credentials: Credentials | undefined;
  readonly bodyKind: 'none' | 'form' | 'json' | 'other';
  /** What a signature covers besides the method; only the wallet document needs it. */
  readonly signed?: SignedParts;
};

export type SignedParts = {
  /** Path and query as they came. */
  readonly target: string;
  /** Names in lower case; at least those of `signatureHeaders` that came. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As it came; empty if there was none. */
  readonly body: string;
};

export type SimulatorResponse = {
  readonly status: number;
  /** Undefined for an empty body. */
  readonly body: string | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};
