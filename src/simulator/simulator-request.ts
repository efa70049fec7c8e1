/** One request to the simulated exchange and its answer, without any transport. */
import type { Pairs } from '../interface/request-parameters.ts';
import type { Credentials } from './api-key.ts';

export type SimulatorRequest = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Query and form together. */
  readonly pairs: Pairs;
  readonly credentials: Credentials | undefined;
  readonly bodyKind: 'none' | 'form' | 'other';
};

export type SimulatorResponse = {
  readonly status: number;
  /** Undefined for an empty body. */
  readonly body: string | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};
