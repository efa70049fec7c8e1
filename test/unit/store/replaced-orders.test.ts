/** Of several states of an order in one commit only the last is written, unless it is refused. */
import { expect, test } from 'vitest';
import type { StoreRecord } from '../../../src/domain/records.ts';
import { isReplaced } from '../../../src/store/replaced-orders.ts';
import { order, proof } from './store-samples.ts';

const replacedIn = (records: readonly StoreRecord[]): readonly number[] =>
  records.flatMap((_, index) => (isReplaced(records, index) ? [index] : []));

test('an earlier state of an order is replaced by the next one', () => {
  const records = [
    order(1, { state: 'waiting' }),
    order(2),
    proof('1'),
    order(1, { state: 'sending' }),
    order(1, { state: 'open' }),
  ];
  expect(replacedIn(records)).toEqual([0, 3]);
});

test('a row before one that the database must refuse is written', () => {
  expect(replacedIn([order(1), order(1, { price: '7' })])).toEqual([]);
  expect(replacedIn([order(1), order(1, { clientOrderId: 'other' })])).toEqual([]);
  expect(replacedIn([order(1, { orderId: 'BX1' }), order(1, { orderId: undefined })])).toEqual([]);
});
