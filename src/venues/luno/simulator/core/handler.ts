/**
 * A handler answers one operation: it gets decoded parameters and an authorized caller, and returns
 * the answer of the operation or a refusal.
 *
 * With the context below a handler can only read. An operation that changes something is a call,
 * see plan.ts.
 */
import type { ParametersOf, ResponseOf } from '../../api/operation.ts';
import type { OperationName, Operations } from '../../api/operations.ts';
import type { Exchange } from './exchange.ts';
import type { User } from './exchange-state.ts';
import type { Refusal } from './refusal.ts';

/** Cached market-data answers by market and operation, with the time at which each was computed. */
export type MarketDataCache = Map<string, { readonly timeMs: number; readonly answer: unknown }>;

export type HandlerContext = {
  readonly exchange: Exchange;
  readonly cache: MarketDataCache;
  /** Returns the caller. Must not be called for an operation without authentication. */
  readonly user: () => User;
};

export type Handler<Name extends OperationName, Context = HandlerContext> = (
  parameters: ParametersOf<Operations[Name]>,
  context: Context,
) => ResponseOf<Operations[Name]> | Refusal;

export type Handlers<Context = HandlerContext> = {
  readonly [Name in OperationName]: Handler<Name, Context>;
};
