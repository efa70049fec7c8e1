/**
 * The operations that change something. Each is one function that checks a call and plans its
 * change, so that the check and the change cannot disagree.
 *
 *     handler:  plan = calls[name](parameters, context) ─ refused or answered ─▶ no line in the log
 *                  └ change ─▶ log { kind: 'call', userId, operation, parameters } ─▶ world
 *     world:    calls[name](parameters, context).change()      now, and again in every replay
 *
 * To add an operation, write a `Call` (plan.ts) in a group typed `Pick<Calls, 'name'>` and spread
 * the group into {@link calls}. Its handler and its replay follow from that.
 */

import type { CallContext, Plan } from '../core/plan.ts';
import { accountCalls } from '../money/account-calls.ts';
import { validationCalls } from '../money/address-validation.ts';
import { beneficiaryCalls } from '../money/beneficiaries.ts';
import { conversionCalls } from '../money/conversions.ts';
import { grantCalls } from '../money/grants.ts';
import { moveCalls } from '../money/moves.ts';
import { receiveAddressCalls } from '../money/receive-addresses.ts';
import { sendCalls } from '../money/sends.ts';
import { withdrawalCalls } from '../money/withdrawals.ts';
import { marketOrderCalls } from '../trading/market-orders.ts';
import { orderCalls } from '../trading/order-calls.ts';
import { quoteCalls } from '../trading/quotes.ts';
import { allWalletCalls } from '../wallet/all-wallet-calls.ts';

export const calls = {
  ...orderCalls,
  ...marketOrderCalls,
  ...quoteCalls,
  ...accountCalls,
  ...conversionCalls,
  ...moveCalls,
  ...beneficiaryCalls,
  ...receiveAddressCalls,
  ...validationCalls,
  ...sendCalls,
  ...withdrawalCalls,
  ...grantCalls,
  ...allWalletCalls,
};

export type CallName = keyof typeof calls;

/**
 * Returns the plan of the named operation. `parameters` must be those of the operation, decoded.
 */
export function planOf(name: string, parameters: unknown, context: CallContext): Plan<unknown> {
  type AnyCall = (parameters: unknown, context: CallContext) => Plan<unknown>;
  const call = (calls as unknown as Readonly<Record<string, AnyCall | undefined>>)[name];
  if (call === undefined) throw new TypeError(`${name} is not an operation that changes anything`);
  return call(parameters, context);
}
