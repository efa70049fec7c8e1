/**
 * The outcome of one request, as a value that can be stored and replayed.
 *
 * Invariant: only `ok` and `refused` are statements of the exchange. `not-sent` is proof that no
 * byte was sent; everything else is `no-answer`, which proves nothing.
 */
import type { ResponseOf } from './operation.ts';
import type { OperationName, Operations } from './operations.ts';

/** The operation's declared response; unknown unless `Name` is a single operation. */
type BodyOf<Name extends OperationName> = OperationName extends Name
  ? unknown
  : ResponseOf<Operations[Name]>;

/** The exchange's limit of calls in a minute, and how many of them are left. */
export type CallLimitReport = { readonly perMinute: number; readonly remaining: number };

/** The outcome of a request of operation `Name`, or of any operation. */
export type Reply<Name extends OperationName = OperationName> =
  | {
      readonly kind: 'ok';
      readonly status: number;
      readonly body: BodyOf<Name>;
      readonly exchangeTimeMs?: number | undefined;
      readonly callLimit?: CallLimitReport | undefined;
    }
  | {
      /** A well-formed error body, or a 401, 403 or 429 without one. */
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly exchangeTimeMs?: number | undefined;
      readonly callLimit?: CallLimitReport | undefined;
      readonly retryAfterMs?: number | undefined;
    }
  | {
      /** A name or connection failure before the first byte, or refused locally. */
      readonly kind: 'not-sent';
      readonly reason: string;
      /** Blocked by the egress guard: the request differs from the committed order. */
      readonly isBlocked?: true;
    }
  | {
      /** Timeout, reset, an unreadable or oversized body, a redirect, a status without a code. */
      readonly kind: 'no-answer';
      readonly reason: string;
      readonly status?: number | undefined;
      readonly exchangeTimeMs?: number | undefined;
    };

/** A reply without a decoded response. */
export type Failure = Exclude<Reply, { kind: 'ok' }>;
