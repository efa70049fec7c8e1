/** Of several states of an order in one commit only the last is written, unless it is refused. */
import { expect, test } from 'vitest';
import type { StoreRecord } from '../../../src/domain/records.ts';
import { withLastStates } from '../../../src/store/last-order-states.ts';
import { order, proof } from './store-samples.ts';

test('the last state of an order is in the place of its first', () => {
  const last = order(1, { state: 'open' });
  const [other, note] = [order(2), proof('1')];
  const records: StoreRecord[] = [
    ...[order(1, { state: 'waiting' }), other, note],
    ...[order(1, { state: 'sending' }), last],
  ];
  expect(withLastStates(records)).toEqual([last, other, note]);
});

test.each([
  ['other terms', order(1), order(1, { price: '7' })],
  ['another id', order(1), order(1, { clientOrderId: 'other' })],
  ['a lost id', order(1, { orderId: 'BX1' }), order(1, { orderId: undefined })],
])(
  'a state with %s, which the database must refuse, is written after the one before',
  (...given) => {
    const [, first, second] = given;
    const third = order(1, { ...(second.kind === 'order' ? second.row : {}), state: 'cancelled' });
    expect(withLastStates([first, second])).toEqual([first, second]);
    expect(withLastStates([first, second, third])).toEqual([first, third]);
  },
);
