/** Fills: reported by streams, booked once from the list of trades, in every state of the order. */

import { describe, expect, test } from 'vitest';
import { amountOf, formatAmount, parseAmount } from '../../../src/domain/amount.ts';
import type { Ticks } from '../../../src/domain/money.ts';
import { noSums } from '../../../src/execution/orders/sums.ts';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import type { FillReport } from '../../../src/venue/venue-report.ts';
import {
  book,
  ExecutionFixture,
  idOf,
  market,
  ok,
  recordOf,
  refused,
  rowOf,
  startMs,
  tradeOf,
} from './execution-fixture.ts';
import { noHolding } from './fill-samples.ts';

const hour = 3_600_000;

function openOrder() {
  const harness = new ExecutionFixture();
  const order = harness.place();
  harness.answer('postorder', ok({ order_id: idOf(order) }));
  return { harness, order };
}

/** A report of the venue: 0.004 is filled, or `filled`, by a fill of `base` for `counter`. */
function reportOf(
  order: TrackedOrder,
  told: { readonly filled?: string; readonly base?: string; readonly counter?: string } = {},
): FillReport {
  const { filled = '0.004', base = filled, counter = '4000' } = told;
  const sums = { base: amountOf(base), counter: amountOf(counter), feeBase: 0n, feeCounter: 0n };
  const ids = { orderId: idOf(order), clientOrderId: order.clientOrderId, pair: 'XBTZAR' };
  return { kind: 'filled', ...ids, atMs: startMs, filled: amountOf(filled), sums };
}

describe('the fill book', () => {
  test('U2: books a trade once, even if it is listed repeatedly', () => {
    const { harness, order } = openOrder();
    expect(book(harness.fills, tradeOf(order, 40))).toBe(true);
    expect(book(harness.fills, tradeOf(order, 40))).toBe(false);
    expect(formatAmount(order.booked.base)).toBe('0.004');
    expect(harness.records.filter((record) => record.kind === 'fill')).toHaveLength(1);
  });

  test('RD12: trading with ourselves is two fills of one sequence', () => {
    const { harness, order } = openOrder();
    // The gate would refuse such an ask, but an improved price can have the same effect.
    const price = (order.terms.price + 1) as Ticks;
    const ask = harness.place({ side: 'ASK', price });
    harness.answer('postorder', ok({ order_id: idOf(ask) }));
    expect(book(harness.fills, tradeOf(order, 40))).toBe(true);
    expect(book(harness.fills, tradeOf(ask, 40))).toBe(true);
    expect([formatAmount(order.booked.base), formatAmount(ask.booked.base)]).toEqual([
      '0.004',
      '0.004',
    ]);
  });

  test.each(['99999999999999999', '-5', '0.0100001', '0.02'])(
    'a stream that says %s of 0.01 is filled is not believed',
    (base) => {
      const { harness, order } = openOrder();
      harness.fills.noteUserFill(reportOf(order, { filled: base, counter: '1' }));
      expect(harness.told).toEqual([]);
      expect(order.filledLots).toBe(0);
    },
  );

  test.each([
    ['7', 1],
    ['', 0],
  ])('a trade of the market stream with the sequence "%s" adds %i witnesses', (sequence, count) => {
    const { harness, order } = openOrder();
    const requested = harness.tradesRequests;
    const ids = { makerOrderId: idOf(order), takerOrderId: 'BXSTRANGER' };
    harness.fills.noteMarketTrade({ pair: order.pair, sequence, ...ids });
    expect(harness.tradesRequests).toBe(requested + 1);
    // No store accepts a witness without a sequence: the run would end with its orders open.
    expect(harness.records.filter(({ kind }) => kind === 'witness')).toHaveLength(count);
  });

  test.each(['99999999999999999', '0'])(
    'a trade over %s halts the bot and is not booked',
    (base) => {
      const { harness, order } = openOrder();
      const trade = { ...tradeOf(order, 40), base, volume: base };
      expect(book(harness.fills, trade)).toBe(false);
      expect(harness.records.some((record) => record.kind === 'fill')).toBe(false);
      expect(harness.incidents).toEqual(['FILL_INVALID']);
    },
  );

  test('a stream fill is provisional: reported, not booked, and reported again only when it grows (U1)', () => {
    const { harness, order } = openOrder();
    const report = reportOf(order);
    harness.fills.noteUserFill(report);
    harness.fills.noteUserFill(report);
    expect(harness.told).toMatchObject([{ booked: false, volume: 40, price: 100_000_000 }]);
    expect(order.booked.base).toBe(0n);
    expect(harness.records.some((record) => record.kind === 'fill')).toBe(false);
    book(harness.fills, tradeOf(order, 40));
    harness.fills.noteUserFill(
      reportOf(order, { filled: '0.007', base: '0.003', counter: '3000' }),
    );
    expect(harness.told.map(({ booked, volume }) => [booked, volume])).toEqual([
      [false, 40],
      [true, 40],
      [false, 30],
    ]);
  });

  test('a fill that the record of the order shows before its report is still told once', () => {
    const { harness, order } = openOrder();
    order.reported = { ...noSums, base: parseAmount('0.004') ?? 0n };
    harness.fills.noteUserFill(reportOf(order));
    harness.fills.noteUserFill(reportOf(order));
    expect(harness.told).toMatchObject([{ booked: false, volume: 40, isFirstReport: true }]);
    book(harness.fills, tradeOf(order, 40));
    expect(harness.told.map(({ booked, isFirstReport }) => [booked, isFirstReport])).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  test('a fill that the record shows and the list of trades has is not told again by its report', () => {
    const { harness, order } = openOrder();
    order.reported = { ...noSums, base: parseAmount('0.004') ?? 0n };
    book(harness.fills, tradeOf(order, 40));
    harness.fills.noteUserFill(reportOf(order));
    expect(harness.told).toMatchObject([{ booked: true, volume: 40, isFirstReport: true }]);
  });

  test('U8: a fill reported only by the stream is discarded after two minutes, with an incident', () => {
    const { harness, order } = openOrder();
    harness.fills.noteUserFill(reportOf(order));
    for (let poll = 1; poll <= 8; poll++) {
      harness.advance(15_000);
      harness.answer('getOrderV3', ok(recordOf(order)));
      expect(order.filledLots).toBe(40);
    }
    harness.advance(15_000);
    harness.answer('getOrderV3', ok(recordOf(order)));
    expect([order.filledLots, harness.incidents]).toEqual([0, ['UNCONFIRMED_FILL']]);
  });

  test('A23: a fill beyond the volume is booked, gives an incident and halts the pair', () => {
    const { harness, order } = openOrder();
    book(harness.fills, tradeOf(order, 150));
    expect(formatAmount(order.booked.base)).toBe('0.015');
    expect(harness.incidents).toEqual(['OVERFILL']);
    expect(harness.tradingStates).toEqual(['pair:XBTZAR HALTED']);
  });

  test.each(['unsent', 'rejected', 'absent'] as const)(
    'a fill of an order that is %s revives it: the order existed after all',
    (state) => {
      const harness = new ExecutionFixture();
      const order = harness.executor.restore(rowOf({ state, orderId: undefined }), market);
      book(harness.fills, tradeOf(order, 40));
      expect([order.state, harness.incidents]).toEqual(['open', ['ENDED_ORDER_OPEN']]);
      expect(harness.waiting('stoporder').parameters).toEqual({ order_id: 'BX7' });
    },
  );

  test('a fill beyond the volume of a filled order does not reopen it', () => {
    const harness = new ExecutionFixture();
    const order = harness.executor.restore(rowOf({ state: 'filled', base: '0.0100' }), market);
    book(harness.fills, tradeOf(order, 100));
    book(harness.fills, tradeOf(order, 1, { sequence: '101' }));
    expect([order.state, harness.incidents]).toEqual(['filled', ['OVERFILL']]);
  });

  test('C11: a fill beyond the sums of a finished order reopens it', () => {
    const harness = new ExecutionFixture();
    const row = rowOf({ state: 'cancelled', cancelRequestedMs: harness.nowMs, completedMs: 1 });
    const order = harness.executor.restore(row, market);
    book(harness.fills, tradeOf(order, 40));
    expect([order.state, harness.incidents]).toEqual(['open', ['ENDED_ORDER_OPEN']]);
    harness.answer('stoporder', refused(400, 'ErrCannotStopUnknownOrNonPendingOrder'));
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 40, status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
  });

  test('a trade of our namespace without an order is an incident; one of others is not', () => {
    const { harness, order } = openOrder();
    book(
      harness.fills,
      tradeOf(order, 1, { order_id: 'X', client_order_id: 'b1-unittest-9z-abc' }),
    );
    book(harness.fills, tradeOf(order, 1, { order_id: 'Y', client_order_id: '', sequence: '5' }));
    expect(harness.incidents).toEqual(['ORPHAN_FILL']);
    expect(harness.fills.orphanCount).toBe(1);
    expect(harness.fills.positions.holding('mm', 'XBTZAR')).toEqual(noHolding);
  });

  test('S5: such a trade halts the bot if it is newer than the start, and is reported once', () => {
    const { harness, order } = openOrder();
    const orphan = { order_id: 'X', client_order_id: 'b1-unittest-9z-abc' };
    book(harness.fills, tradeOf(order, 1, { ...orphan, timestamp: startMs - 1 }));
    expect(harness.tradingStates).toEqual([]);
    book(harness.fills, tradeOf(order, 1, { ...orphan, sequence: '6', timestamp: startMs }));
    expect(harness.tradingStates).toEqual(['bot HALTED']);
    expect(harness.incidents).toEqual(['ORPHAN_FILL']);
  });

  test('a fill of an order that rests for days is booked once, even if it is listed again', () => {
    const { harness, order } = openOrder();
    book(harness.fills, tradeOf(order, 10, { sequence: '1' }));
    for (let day = 1; day <= 3; day++) {
      harness.nowMs += 25 * hour;
      book(
        harness.fills,
        tradeOf(order, 10, { sequence: String(day + 1), timestamp: harness.nowMs }),
      );
      for (let sequence = 1; sequence <= day; sequence++)
        expect(book(harness.fills, tradeOf(order, 10, { sequence: String(sequence) }))).toBe(false);
    }
    expect(formatAmount(order.booked.base)).toBe('0.004');
  });

  test('an old trade whose order is no longer in memory is not a lost fill', () => {
    const { harness, order } = openOrder();
    const old = tradeOf(order, 5, {
      order_id: 'BX0',
      client_order_id: 'b1-unittest-0-aaaaaaaaaaaa',
      timestamp: startMs - 30 * hour,
    });
    expect(book(harness.fills, old)).toBe(false);
    expect(harness.incidents).toEqual([]);
    expect(harness.fills.proofs.openCount).toBe(0);
  });
});
