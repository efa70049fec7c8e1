/** The handlers of all declared operations. A missing handler is a compile error. */
import type { HandlerContext, Handlers } from '../core/handler.ts';
import { accountHandlers } from '../money/account-handlers.ts';
import { beneficiaryHandlers } from '../money/beneficiaries.ts';
import { linkedUserHandlers } from '../money/linked-users.ts';
import { moveHandlers } from '../money/moves.ts';
import { receiveAddressHandlers } from '../money/receive-addresses.ts';
import { sendHandlers } from '../money/sends.ts';
import { transferHandlers } from '../money/transfers.ts';
import { withdrawalHandlers } from '../money/withdrawals.ts';
import { candleHandlers } from '../trading/candle-handlers.ts';
import { marketDataHandlers } from '../trading/market-data-handlers.ts';
import { orderHandlers } from '../trading/order-handlers.ts';
import { orderRecordHandlers } from '../trading/order-record-handlers.ts';
import { quoteHandlers } from '../trading/quotes.ts';
import { allWalletHandlers } from '../wallet/all-wallet-handlers.ts';
import { type CallName, calls, planOf } from './calls.ts';

/** The context of a handler; those of calls can also change the exchange. */
export type OperationContext = HandlerContext & {
  /** Logs and applies a call, and returns its answer. The call must have been checked. */
  readonly call: (operation: string, parameters: Readonly<Record<string, unknown>>) => unknown;
};

export const handlers: Handlers<OperationContext> = {
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

/**
 * Returns the handlers of the calls: each checks a call, then logs and applies it if it changes
 * something.
 */
function handlersOfCalls(): Pick<Handlers<OperationContext>, CallName> {
  const handle =
    (operation: string) =>
    (parameters: Readonly<Record<string, unknown>>, { exchange, user, call }: OperationContext) => {
      const plan = planOf(operation, parameters, { exchange, user: user() });
      if (plan.kind === 'refused') return plan;
      if (plan.kind === 'answer') return plan.answer;
      return call(operation, parameters);
    };
  const handlers = Object.fromEntries(Object.keys(calls).map((name) => [name, handle(name)]));
  // The table of calls ties the parameters and the answer of each call to its name.
  return handlers as unknown as Pick<Handlers<OperationContext>, CallName>;
}
