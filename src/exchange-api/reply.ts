/**
 * What became of one request, as a value that can be stored and replayed.
 *
 * Invariant: only `ok` and `refused` carry the exchange's word. `not-sent` is our own proof that no
 * byte left this machine; everything else is `no-answer` and proves nothing.
 */
import type { ResponseOf } from './operation.ts';
import type { OperationName, Operations } from './operations.ts';

/** The response as the operation declares it. Of an unknown operation nothing is known. */
type BodyOf<Name extends OperationName> = OperationName extends Name
  ? unknown
  : ResponseOf<Operations[Name]>;

/** What became of a request of operation `Name`, or of any operation. */
export type Reply<Name extends OperationName = OperationName> =
  | {
      readonly kind: 'ok';
      readonly status: number;
      readonly body: BodyOf<Name>;
      readonly exchangeTimeMs?: number | undefined;
    }
  | {
      /** A well-formed error body, or 401, 403 or 429, which say as much by themselves. */
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly exchangeTimeMs?: number | undefined;
      readonly retryAfterMs?: number | undefined;
    }
  | {
      /** Name or connection failure before the first byte, or refused locally. */
      readonly kind: 'not-sent';
      readonly reason: string;
      /** The egress guard stopped it: what left the engine is not what was committed. */
      readonly isBlocked?: true;
    }
  | {
      /** Timeout, reset, an unreadable or oversized body, a redirect, a status without a code. */
      readonly kind: 'no-answer';
      readonly reason: string;
      readonly status?: number | undefined;
      readonly exchangeTimeMs?: number | undefined;
    };

/** A reply without a response. */
export type Failure = Exclude<Reply, { kind: 'ok' }>;
