/** What an order's attempts leave open, and how that is stored. */
import { expect, test } from 'vitest';
import { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { market, rowOf } from './execution-fixture.ts';

const sentOrder = (ambiguous = false) => TrackedOrder.restore(rowOf({ ambiguous }), market);

test('a doubt only grows', () => {
  const order = sentOrder();
  const seen: string[] = [order.doubt];
  const raised = [
    'unanswered',
    'none',
    'refused-later',
    'lookup-only',
    'unanswered',
    'reported-to-exist',
    'lookup-only',
  ];
  for (const doubt of raised as readonly (typeof order.doubt)[]) {
    order.raiseDoubt(doubt);
    seen.push(order.doubt);
  }
  expect(seen).toEqual([
    ...['none', 'unanswered', 'unanswered', 'refused-later', 'lookup-only', 'lookup-only'],
    ...['reported-to-exist', 'reported-to-exist'],
  ]);
});

test.each([
  ['none', false],
  ['unanswered', true],
  ['refused-later', true],
  ['lookup-only', true],
  ['reported-to-exist', true],
] as const)('with doubt %s it is stored with ambiguous: %s', (doubt, ambiguous) => {
  const order = sentOrder();
  order.raiseDoubt(doubt);
  expect(order.toRow().ambiguous).toBe(ambiguous);
});

test('one that was ambiguous when it was stored is only looked up', () => {
  expect(sentOrder(true).doubt).toBe('lookup-only');
  expect(sentOrder(true).toRow()).toEqual(rowOf({ ambiguous: true }));
});
