/** The role of a provisional fill: maker or taker. */

import { describe, expect, test } from 'vitest';
import { amountOf } from '../../../src/domain/amount.ts';
import { isMakerFill } from '../../../src/execution/fills/fill-role.ts';
import { ticks } from '../risk/open-gate.ts';

const terms = {
  ...({ side: 'BID', timeInForce: 'GTC', postOnly: false } as const),
  ...{ price: ticks(100), volume: 100 as never },
};
const fees = { maker: -0.0001, taker: 0.001 };

function roleOf(
  change: object,
  told: { readonly fee?: string; readonly isAtLimit?: boolean; readonly fees?: typeof fees } = {},
): boolean {
  const { fee = '0', isAtLimit = true } = told;
  const sums = {
    ...{ base: amountOf('0.004'), counter: amountOf('4000') },
    ...{ feeBase: amountOf(fee), feeCounter: amountOf(fee) },
  };
  const { state = 'open', ...changed } = change as { readonly state?: 'open' };
  const order = { state, terms: { ...terms, ...changed } };
  return isMakerFill(order, sums, { fees: told.fees, isAtLimit });
}

describe('a provisional fill', () => {
  test('of an open order is a maker’s at its own price, and a taker’s at a better one', () => {
    expect(roleOf({})).toBe(true);
    expect(roleOf({}, { isAtLimit: false })).toBe(false);
    // Its acceptance is not confirmed, so it may have traded at once.
    expect(roleOf({ state: 'sending' })).toBe(false);
  });

  test('of an order that cannot rest is a taker’s, and of a post-only order a maker’s', () => {
    expect(roleOf({ timeInForce: 'IOC' })).toBe(false);
    expect(roleOf({ postOnly: true }, { isAtLimit: false })).toBe(true);
  });

  test('has the role of its fee, in the received currency', () => {
    expect(roleOf({}, { fee: '0.000004', fees })).toBe(false);
    expect(roleOf({}, { fee: '-0.0000004', fees, isAtLimit: false })).toBe(true);
    expect(roleOf({ side: 'ASK' }, { fee: '4', fees })).toBe(false);
    expect(roleOf({ side: 'ASK' }, { fee: '-0.4', fees, isAtLimit: false })).toBe(true);
  });
});
