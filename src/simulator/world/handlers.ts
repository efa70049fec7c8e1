/**
 * One handler for every declared operation: the type makes the compiler refuse a missing one.
 *
 * A handler gets parameters that are decoded and a caller who may call; it answers in the
 * operation's own terms or refuses.
 */
import type { ParametersOf, ResponseOf } from '../../exchange-api/operation.ts';
import type { OperationName, Operations } from '../../exchange-api/operations.ts';
import type { Exchange } from '../core/exchange.ts';
import type { User } from '../core/exchange-state.ts';
import { accountHandlers } from '../money/account-handlers.ts';
import { beneficiaryHandlers } from '../money/beneficiaries.ts';
import { linkedUserHandlers } from '../money/linked-users.ts';
import { moveHandlers } from '../money/moves.ts';
import { receiveAddressHandlers } from '../money/receive-addresses.ts';
import { sendHandlers } from '../money/sends.ts';
import { transferHandlers } from '../money/transfers.ts';
import { withdrawalHandlers } from '../money/withdrawals.ts';
import { candleHandlers } from '../trading/candle-handlers.ts';
import { type MarketDataCache, marketDataHandlers } from '../trading/market-data-handlers.ts';
import type { Refusal } from '../trading/order-check.ts';
import { orderHandlers } from '../trading/order-handlers.ts';
import { orderRecordHandlers } from '../trading/order-record-handlers.ts';
import { quoteHandlers } from '../trading/quotes.ts';
import { allWalletHandlers } from '../wallet/all-wallet-handlers.ts';
import { type CallName, calls, planOf } from './calls.ts';
import type { Command } from './world-command.ts';

type Untimed<C> = C extends unknown ? Omit<C, 'timeMicros'> : never;

export type HandlerContext = {
  readonly exchange: Exchange;
  readonly cache: MarketDataCache;
  /** Writes a call to the log, applies it and returns its answer; it must have been checked. */
  readonly call: (command: Untimed<Extract<Command, { kind: 'call' }>>) => unknown;
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
  ...moveHandlers,
  ...beneficiaryHandlers,
  ...receiveAddressHandlers,
  ...sendHandlers,
  ...transferHandlers,
  ...linkedUserHandlers,
  ...withdrawalHandlers,
  ...orderHandlers,
  ...orderRecordHandlers,
  ...candleHandlers,
  ...quoteHandlers,
  ...allWalletHandlers,
  ...handlersOfCalls(),
};

/** Checks a call, and logs and applies it only when it changes something. */
function handlersOfCalls(): Pick<Handlers, CallName> {
  const handle =
    (operation: string) =>
    (parameters: Readonly<Record<string, unknown>>, { exchange, user, call }: HandlerContext) => {
      const plan = planOf(operation, parameters, { exchange, user: user() });
      if (plan.kind === 'refused') return plan;
      if (plan.kind === 'answer') return plan.answer;
      return call({ kind: 'call', userId: user().id, operation, parameters });
    };
  const handlers = Object.fromEntries(Object.keys(calls).map((name) => [name, handle(name)]));
  // The types of each call in the table tie its parameters and its answer to its name.
  return handlers as unknown as Pick<Handlers, CallName>;
}
