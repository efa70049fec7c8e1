/**
 * A handler answers one operation. It gets decoded parameters and a caller who may call, and
 * answers in the operation's own terms or refuses.
 *
 * With the context below a handler can only read; an operation that changes something is a call,
 * see plan.ts.
 */
import type { ParametersOf, ResponseOf } from '../../exchange-api/operation.ts';
import type { OperationName, Operations } from '../../exchange-api/operations.ts';
import type { Exchange } from './exchange.ts';
import type { User } from './exchange-state.ts';
import type { Refusal } from './refusal.ts';

/** Answers of market data by market and operation, with the time when each was made. */
export type MarketDataCache = Map<string, { readonly timeMs: number; readonly answer: unknown }>;

export type HandlerContext = {
  readonly exchange: Exchange;
  readonly cache: MarketDataCache;
  /** The caller. Only operations without authentication are called without one. */
  readonly user: () => User;
};

export type Handler<Name extends OperationName, Context = HandlerContext> = (
  parameters: ParametersOf<Operations[Name]>,
  context: Context,
) => ResponseOf<Operations[Name]> | Refusal;

export type Handlers<Context = HandlerContext> = {
  readonly [Name in OperationName]: Handler<Name, Context>;
};
