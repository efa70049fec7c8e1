/** A cancel that the exchange refuses is reported once, with the exchange's code and text. */
import { expect, test } from 'vitest';
import { ExecutionFixture, idOf, noAnswer, ok, refused } from './execution-fixture.ts';

const reply = refused(403, 'ErrInsufficientPerms');

test('a refused cancel is reported once, although it is repeated', () => {
  const harness = new ExecutionFixture({});
  const order = harness.place();
  harness.answer('postorder', ok({ order_id: idOf(order) }));
  harness.orders.cancel(order, 'moved');
  for (let attempt = 0; attempt < 2; attempt++) {
    harness.answer('stoporder', reply);
    harness.answer('getOrderV3', noAnswer);
    harness.advance(2_000);
  }
  expect(harness.refusedCancels).toEqual([expect.stringMatching(/^403 ErrInsufficientPerms: /u)]);
});

test('a refused cancel of an order that is complete is no news', () => {
  const harness = new ExecutionFixture({});
  const order = harness.place();
  harness.answer('postorder', ok({ order_id: idOf(order) }));
  harness.orders.cancel(order, 'moved');
  order.noteEnd({ clientOrderId: order.clientOrderId, orderId: idOf(order) });
  harness.answer('stoporder', reply);
  expect(harness.refusedCancels).toEqual([]);
});
