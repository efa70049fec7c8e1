/** Ids of orders in a run whose exchange exists only during the run. */
import { expect, test } from 'vitest';
import {
  base36Of,
  clientOrderIdPrefix,
  numberedOrderId,
} from '../../../src/execution/orders/client-order-id.ts';

test('a number in base 36, whatever was written before it', () => {
  for (let number = 0; number < 3_000; number++) expect(base36Of(number)).toBe(number.toString(36));
  for (const number of [0, 36 ** 5, 35, 36, 36 ** 5 - 1, Number.MAX_SAFE_INTEGER, 1])
    expect(base36Of(number)).toBe(number.toString(36));
});

test('an id names the bot and the intent', () => {
  expect(numberedOrderId(clientOrderIdPrefix('mm'), 37)).toBe('b1-mm-11');
});
