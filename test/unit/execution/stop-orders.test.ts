/** The life of a stop-limit order: what is sent, how its trigger becomes known, and a restart. */
import { describe, expect, test } from 'vitest';
import { UserStreamHandler } from '../../../src/engine/user-stream-handler.ts';
import { applyOpenOrders } from '../../../src/execution/reconcile/check-open-orders.ts';
import type { GateFacts } from '../../../src/risk/gate-facts.ts';
import { hasAllInputs } from '../../../src/risk/missing-inputs.ts';
import type { Proposal } from '../../../src/risk/proposal.ts';
import type { OrderView } from '../../../src/venue/venue-reply.ts';
import { orderViewOf } from '../../../src/venues/luno/adapter/decode-orders.ts';
import { ticks } from '../risk/open-gate.ts';
import {
  book,
  ExecutionFixture,
  idOf,
  market,
  noAnswer,
  notFound,
  ok,
  recordOf,
  rowOf,
  tradeOf,
} from './execution-fixture.ts';

const stop = { direction: 'ABOVE', price: ticks(104_000_000) } as const;
const terms: Partial<Proposal> = { price: ticks(104_010_000), stop };
const shown = { type: 'STOP_LIMIT', stop_price: '1040000.00', stop_direction: 'ABOVE' } as const;
const waits = { ...shown, status: 'AWAITING' } as const;

function placed() {
  const harness = new ExecutionFixture();
  const order = harness.place(terms);
  const { parameters } = harness.waiting('postorder');
  harness.answer('postorder', ok({ order_id: idOf(order) }));
  const stream = new UserStreamHandler({
    ...{ orders: harness.orders, fills: harness.fills, markets: new Map() },
    readers: undefined as never,
  });
  const accepted = (isAwaiting?: true) => report({ isAwaiting });
  const report = (change: {
    readonly isAwaiting?: true | undefined;
    readonly isStatusNew?: true;
  }) =>
    stream.apply({
      ...{ kind: 'accepted', orderId: idOf(order), clientOrderId: order.clientOrderId },
      ...{ pair: market.pair, atMs: harness.nowMs, ...change },
    });
  return { harness, order, parameters, accepted, report };
}

const proofs = ({ records }: ExecutionFixture) =>
  records.flatMap((one) => (one.kind === 'evidence' ? [`${one.state}: ${one.proof}`] : []));

test('its stop is sent, stored, and part of its id', () => {
  const { order, parameters } = placed();
  expect(parameters).toMatchObject({ stop_price: '1040000.00', stop_direction: 'ABOVE' });
  expect(order.toRow()).toMatchObject({ stopPrice: '1040000.00', stopDirection: 'ABOVE' });
  const plain = new ExecutionFixture().place({
    ...terms,
    price: ticks(100_000_000),
    stop: undefined,
  });
  const higher = { ...stop, price: ticks(103_500_000) };
  const other = new ExecutionFixture().place({ ...terms, stop: higher });
  expect(new Set([order, other, plain].map((one) => one.clientOrderId)).size).toBe(3);
});

describe('its trigger becomes known', () => {
  test('by the user stream, once', () => {
    const { harness, order, accepted } = placed();
    accepted(true);
    expect([order.awaiting, harness.triggered]).toEqual([true, []]);
    accepted();
    accepted();
    accepted(true);
    expect([order.awaiting, order.state, harness.triggered]).toEqual([false, 'open', [order]]);
    expect(proofs(harness).at(-1)).toBe('open: triggered: the user stream');
  });

  test('by its record', () => {
    const { harness, order } = placed();
    harness.advance(15_000);
    harness.answer('getOrderV3', ok(recordOf(order, waits)));
    expect([order.awaiting, harness.tradingStates]).toEqual([true, []]);
    harness.advance(15_000);
    harness.answer('getOrderV3', ok(recordOf(order, shown)));
    expect([order.awaiting, harness.triggered.length, harness.tradingStates]).toEqual([
      ...[false, 1],
      [],
    ]);
  });

  test('by a fill', () => {
    const { harness, order } = placed();
    book(harness.fills, tradeOf(order, 40));
    expect([order.awaiting, harness.triggered.length]).toEqual([false, 1]);
  });

  test('not by a status that the venue has added, in a report or in its record', () => {
    const { harness, order, report } = placed();
    report({ isStatusNew: true });
    harness.advance(15_000);
    harness.answer('getOrderV3', ok(recordOf(order, { ...shown, status: 'ROUTED' })));
    expect([order.awaiting, order.state, harness.triggered]).toEqual([true, 'open', []]);
  });

  test('not by its end: it was cancelled while it waited', () => {
    const { harness, order } = placed();
    harness.orders.cancel(order, 'not wanted');
    harness.answer('stoporder', ok({ success: true }));
    harness.answer('getOrderV3', ok(recordOf(order, { ...waits, status: 'COMPLETE' })));
    expect([order.state, order.awaiting, harness.triggered]).toEqual(['cancelled', true, []]);
  });
});

test.each([
  ['no stop', { type: 'LIMIT' }],
  ['another stop price', { ...waits, stop_price: '1040000.01' }],
  ['the other direction', { ...waits, stop_direction: 'BELOW' }],
])('a record with %s halts the bot', (_name, change) => {
  const { harness, order } = placed();
  harness.advance(15_000);
  harness.answer('getOrderV3', ok(recordOf(order, change as never)));
  expect(harness.incidents).toEqual(['ORDER_DIFFERS']);
});

test('a limit order whose record has a stop halts the bot', () => {
  const harness = new ExecutionFixture();
  const order = harness.place();
  harness.answer('postorder', ok({ order_id: idOf(order) }));
  harness.advance(15_000);
  harness.answer('getOrderV3', ok(recordOf(order, waits)));
  expect(harness.incidents).toEqual(['ORDER_DIFFERS']);
});

test('an unknown outcome is looked up by our id, and shows that it waits', () => {
  const harness = new ExecutionFixture();
  const order = harness.place(terms);
  harness.answer('postorder', noAnswer);
  expect(order.state).toBe('unknown');
  harness.advance(10_000);
  harness.answer('getOrderV3', notFound);
  harness.advance(10_000);
  harness.answer('getOrderV3', ok(recordOf(order, waits)));
  expect([order.state, order.awaiting]).toEqual(['open', true]);
});

test('the first list after a restart shows a trigger without a fill; no order is judged before it', () => {
  const row = rowOf({ price: '1040100.00', stopPrice: '1040000.00', stopDirection: 'ABOVE' });
  const harness = new ExecutionFixture();
  const order = harness.executor.restore(row, market);
  harness.executor.resume(order);
  expect(order.awaiting).toBe(true);
  const view = orderViewOf(recordOf(order, { ...shown, order_id: 'BX7' }));
  applyOpenOrders(harness.orders, { views: [view as OrderView], wrong: [] });
  expect(order.awaiting).toBe(false);
  const facts = { health: { reconciled: false, clockSkewMs: 0 } } as unknown as GateFacts;
  expect(hasAllInputs(['XBTZAR'], facts)).toBe(false);
});

test('a restart keeps the stop, and learns from the record whether it was triggered', () => {
  const row = rowOf({ price: '1040100.00', stopPrice: '1040000.00', stopDirection: 'ABOVE' });
  const harness = new ExecutionFixture();
  const order = harness.executor.restore(row, market);
  expect([order.terms.stop, order.awaiting]).toEqual([stop, true]);
  expect(order.toRow()).toEqual(row);
  harness.executor.resume(order);
  const bid = { strategyId: 'mm', pair: 'XBTZAR', side: 'ASK', price: order.terms.price } as const;
  expect(harness.exposure.orders.bestOpposite(bid.side, bid.pair)).toBe(-Infinity);
  harness.advance(15_000);
  harness.answer('getOrderV3', ok(recordOf(order, { ...shown, order_id: 'BX7' })));
  expect(order.awaiting).toBe(false);
  expect(harness.exposure.orders.bestOpposite(bid.side, bid.pair)).toBe(104_010_000);
});
