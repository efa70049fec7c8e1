/**
 * One handler for every declared operation: the type makes the compiler refuse a missing one.
 *
 * A handler gets parameters that are decoded and a caller who may call; it answers in the
 * operation's own terms or refuses.
 */
import type { ParametersOf, ResponseOf } from '../interface/operation.ts';
import type { OperationName, Operations } from '../interface/operations.ts';
import { accountHandlers } from './account-handlers.ts';
import type { Command } from './command.ts';
import type { Exchange } from './exchange.ts';
import type { User } from './exchange-state.ts';
import { type MarketDataCache, marketDataHandlers } from './market-data-handlers.ts';
import type { Refusal } from './order-check.ts';
import { orderHandlers } from './order-handlers.ts';

type Untimed<C> = C extends unknown ? Omit<C, 'timeMicros'> : never;

export type HandlerContext = {
  readonly exchange: Exchange;
  readonly cache: MarketDataCache;
  /** Writes a command to the log and applies it; returns the order it concerns. */
  readonly apply: (command: Untimed<Extract<Command, { kind: 'place' | 'stop' }>>) => string;
  /** The caller. Only operations without authentication are called without one. */
  readonly user: () => User;
};

export type Handlers = {
  readonly [Name in OperationName]: (
    parameters: ParametersOf<Operations[Name]>,
    context: HandlerContext,
  ) => ResponseOf<Operations[Name]> | Refusal;
};

export const handlers: Handlers = {
  ...marketDataHandlers,
  ...accountHandlers,
  ...orderHandlers,
};
