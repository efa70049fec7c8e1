/** The parts of a profit add up to it, also when the mid at some fills is not known. */
import { expect, test } from 'vitest';
import { profitPartsOf } from '../../../../src/bot/status/traded-figures.ts';
import { Decimal } from '../../../../src/domain/money.ts';

const value = { profit: new Decimal('12.5'), fees: new Decimal('0.5') };

test('a fill without a mid leaves the parts known, counted, and its distance in the inventory', () => {
  const known = { fills: 3, sum: new Decimal(4) };
  expect(profitPartsOf({ position: 0n, value, fills: 5 }, known)).toEqual({
    ...{ spread: '4', fees: '0.5', inventory: '9' },
    fillsWithoutMid: 2,
  });
});

test('without a mid now there are no parts', () => {
  const known = { fills: 5, sum: new Decimal(4) };
  expect(profitPartsOf({ position: 1n, value: undefined, fills: 5 }, known)).toBeNull();
});
