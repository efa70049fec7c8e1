/** What the orders by key have traded, as long as they are among the newest. */
import { expect, test } from 'vitest';
import { keptFills } from '../../../../src/domain/kept-fills.ts';
import { PlacedOrders } from '../../../../src/strategy/account/placed-orders.ts';

const sums = (base: bigint) => ({ base, counter: 2n * base, feeBase: 0n, feeCounter: 1n });
const nothing = { base: 0n, counter: 0n, feeBase: 0n, feeCounter: 0n };

test('an order has traded nothing until it has a fill, and then only on its pair', () => {
  const placed = new PlacedOrders();
  placed.note('a', 'XBTZAR', sums(1n));
  expect(placed.tradedOn('XBTZAR', 'a')).toBeUndefined();
  placed.add('a');
  expect(placed.tradedOn('XBTZAR', 'a')).toEqual(nothing);
  placed.note('a', 'XBTZAR', sums(1n));
  placed.note('a', 'XBTZAR', sums(3n));
  expect(placed.tradedOn('XBTZAR', 'a')).toEqual(sums(3n));
  expect(placed.tradedOn('ETHZAR', 'a')).toEqual(nothing);
});

test('the newest are kept, whether or not they have traded', () => {
  const placed = new PlacedOrders();
  for (let count = 0; count < keptFills.ordersMax + 3; count++) placed.add(`k${count}`);
  placed.note('k2', 'XBTZAR', sums(1n));
  placed.note('k3', 'XBTZAR', sums(1n));
  expect(placed.tradedOn('XBTZAR', 'k2')).toBeUndefined();
  expect(placed.tradedOn('XBTZAR', 'k3')).toEqual(sums(1n));
  expect(placed.tradedOn('XBTZAR', `k${keptFills.ordersMax + 2}`)).toEqual(nothing);
});
