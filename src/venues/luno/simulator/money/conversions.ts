/** Conversions between ZAR and ZARU at a fixed rate. The counterparty is the exchange itself. */

import { type Amount, amountOf, formatWireAmount } from '../../../../domain/amount.ts';
import type { Account } from '../core/account.ts';
import type { Exchange } from '../core/exchange.ts';
import { houseUserId } from '../core/exchange-state.ts';
import { moneyOf, mutableMoneyOf } from '../core/money-state.ts';
import { type Calls, change } from '../core/plan.ts';
import { refuse } from '../core/refusal.ts';
import { refusalOf } from '../core/restrictions.ts';
import { accountTypeFault, canPay, ownAccount, shortageMessage } from './account-access.ts';

const pairs: readonly string[] = ['ZAR/ZARU', 'ZARU/ZAR'];

export const conversionCalls: Pick<Calls, 'convert'> = {
  convert: (parameters, context) => {
    const { exchange, user } = context;
    const { idempotency_key: key } = parameters;
    const amount = amountOf(parameters.amount);
    const { source_account_id: sourceId, target_account_id: targetId } = parameters;
    const request = [formatWireAmount(amount), sourceId, targetId].join(' ');
    const earlier = moneyOf(exchange.state.money, user.id).conversions.get(key);
    if (earlier !== undefined && earlier.request !== request)
      return refuse('ErrIdempotencyKeyRequestMismatch', 'The key was used with another request');
    if (earlier?.answer !== undefined) return { kind: 'answer', answer: earlier.answer };
    if (earlier !== undefined)
      return refuse(
        'ErrIdempotencyKeyConflict',
        'The conversion of this key failed: use a new key',
      );

    if (amount === 0n) return refuse('ErrInvalidAmount', 'The amount must be more than zero');
    const source = ownAccount(context, sourceId);
    if (source.kind === 'refused') return source;
    const target = ownAccount(context, targetId);
    if (target.kind === 'refused') return target;
    const { currency } = source.account;
    const fault = accountTypeFault(source.account, target.account);
    if (fault !== undefined) return fault;
    if (!pairs.includes(`${currency}/${target.account.currency}`))
      return refuse('ErrConvertPairNotSupported', 'Only ZAR and ZARU are converted');
    const refusal =
      refusalOf(exchange.state, 'migrating-accounts', user.id) ??
      refusalOf(exchange.state, 'conversion-rate', user.id);
    if (refusal !== undefined) return refusal;
    return change(() => {
      const { conversions } = mutableMoneyOf(exchange.state.money, user.id);
      if (!canPay(source.account, amount)) {
        conversions.set(key, { request, answer: undefined });
        return refuse('ErrInsufficientBalance', shortageMessage(source.account, amount));
      }
      const id = exchange.nextId();
      swap(exchange, { source: source.account, target: target.account, amount, id });
      const answer = {
        id,
        converted_amount: formatWireAmount(amount),
        source_account_balance: formatWireAmount(source.account.balance),
        target_account_balance: formatWireAmount(target.account.balance),
        source_currency: currency,
        target_currency: target.account.currency,
      };
      conversions.set(key, { request, answer });
      return answer;
    });
  },
};

function swap(
  exchange: Exchange,
  terms: {
    readonly source: Account;
    readonly target: Account;
    readonly amount: Amount;
    readonly id: string;
  },
): void {
  const { source, target, amount, id } = terms;
  exchange.ownAccountOf(houseUserId, source.currency).balance += amount;
  exchange.ownAccountOf(houseUserId, target.currency).balance -= amount;
  const entry = {
    kind: 'EXCHANGE' as const,
    description: `Converted ${source.currency} to ${target.currency}`,
    reference: id,
  };
  exchange.record(source, { ...entry, balanceDelta: -amount });
  exchange.record(target, { ...entry, balanceDelta: amount });
}
