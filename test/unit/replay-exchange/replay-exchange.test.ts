/** The replay exchange behind the engine's port: latencies, refusals, records, ledgers. */

import { describe, expect, test } from 'vitest';
import { amountOf } from '../../../src/domain/amount.ts';
import { ticksOf } from '../../../src/domain/ticks-and-lots.ts';
import type { Latency } from '../../../src/domain/trading-conditions.ts';
import { LatencyModel } from '../../../src/replay-exchange/port/latency-model.ts';
import type { TradeView } from '../../../src/venue/venue-reply.ts';
import type { OrdersRequest } from '../../../src/venue/venue-request.ts';
import { Bench, bid, maker, startMicros, startMs, us } from '../../support/replay-bench.ts';
import { row } from '../../support/replay-market.ts';

test('requests, replies, reports and rows each have their own latency', () => {
  const bench = new Bench();
  bench.runTo(5_000);
  bench.received.length = 0;
  bench.send(bid);
  bench.runTo(20_000);
  expect(bench.received.map(({ atMicros, event }) => `${atMicros} ${event.kind}`)).toEqual([
    // Reserved and open at the exchange at 5,100.
    '5110 report',
    '5110 report',
    '6100 reply',
  ]);
  const reply = bench.received.at(-1)?.event;
  expect(reply).toMatchObject({ reply: { kind: 'ok', venueTimeMs: startMs + 5 } });
});

test('a reply after its deadline has no content, but the order exists', () => {
  const bench = new Bench({ feed: us(0), request: us(900_000), answer: us(200_000) });
  bench.send(bid, 1_000);
  bench.runTo(2_000_000);
  expect(bench.received.at(-1)).toMatchObject({
    atMicros: 1_100_000,
    event: { kind: 'reply', reply: { kind: 'no-answer' } },
  });
  expect(bench.feed.accountMarket.orders.byClientId('mine')?.status).toBe('PENDING');
});

test.each([
  [{ pair: 'XBTZAR' }, 'market-unknown', 'market-closed'],
  [{ timestampMs: startMs - 3_000, ttlMs: 2_000 }, 'expired', 'expired'],
  [{ clientOrderId: 'used' }, 'id-used', 'exists'],
  [{ clientOrderId: 'used', volume: '1000' }, 'id-used', 'exists'],
  [{ timeInForce: 'IOC' }, 'post-only-time-in-force', 'rejected'],
  [{ price: '0.09' }, 'price-below-minimum', 'rejected'],
  [{ price: '10000.01' }, 'price-above-maximum', 'rejected'],
  [{ volume: '0' }, 'volume-not-positive', 'rejected'],
  [{ volume: '101' }, 'volume-above-maximum', 'rejected'],
  [{ baseAccountId: '2' }, 'account-currency', 'rejected'],
  [{ counterAccountId: '77' }, 'account-unknown', 'rejected'],
  [{ volume: '100' }, 'insufficient-funds', 'rejected'],
  [{ side: 'ASK', price: '1.02', volume: '1.0001' }, 'insufficient-funds', 'rejected'],
  [{ price: '1.01' }, 'would-take', 'would-take'],
] as const)('%j is refused with %s', (part, code, reason) => {
  const bench = new Bench();
  bench.place({ clientOrderId: 'used' });
  expect(bench.ask(maker(part))).toMatchObject({ kind: 'refused', code, reason });
  expect(bench.feed.accountMarket.orders.size).toBe(1);
  expect(bench.port.refusals.place.get(code)).toBe(1);
});

test('a late cancel counts as a refusal, an order that is not found does not', () => {
  const bench = new Bench();
  bench.send({ ...bid, price: ticksOf(101) });
  bench.send({ kind: 'order', clientOrderId: 'mine' });
  bench.send({ kind: 'cancel', orderId: 'BXNONE' });
  bench.runTo(10_000);
  expect(Object.fromEntries(bench.port.refusals.place)).toEqual({ 'would-take': 1 });
  expect(Object.fromEntries(bench.port.refusals.cancel)).toEqual({ 'not-open': 1 });
});

test('a resend within its time to live and an order that empties the account are accepted', () => {
  const bench = new Bench();
  bench.place({ timestampMs: startMs - 1_000, ttlMs: 2_000 });
  bench.place({ price: '0.98', volume: '100' });
  const all = { balance: 10n ** 20n, reserved: 10n ** 20n };
  expect(bench.feed.accountMarket.accounts.get('EUR')).toMatchObject(all);
});

describe('after a partial fill and a cancel', () => {
  const bench = new Bench();
  bench.runTo(3_000);
  const id = bench.place({ clientOrderId: 'one', volume: '4' });
  bench.offer(row.create('c', 'ASK', 100, 15_000));
  const other = bench.place({ clientOrderId: 'two', side: 'ASK', price: '1.05', volume: '1' });
  bench.ask({ kind: 'cancel', orderId: id });

  test('the order has its sums and fees, by either id', () => {
    const view = bench.value({ kind: 'order', orderId: id });
    // A maker pays 2 bps of the received amount.
    expect(view).toMatchObject({
      ...{ orderId: id, clientOrderId: 'one', side: 'BID', isEnded: true },
      ...{ price: amountOf('1'), volume: amountOf('4') },
      sums: {
        ...{ base: amountOf('1.5'), counter: amountOf('1.5') },
        ...{ feeBase: amountOf('0.0003'), feeCounter: 0n },
      },
    });
    expect(bench.value({ kind: 'order', clientOrderId: 'one' })).toEqual(view);
    expect(bench.ask({ kind: 'order', orderId: 'nobody' })).toMatchObject({ reason: 'not-found' });
  });

  test('the lists contain open and ended orders', () => {
    const listed = (request: Omit<OrdersRequest, 'kind'>): string[] =>
      bench.value({ kind: 'orders', ...request }).rows.map(({ orderId }) => orderId);
    expect(listed({ which: 'open' })).toEqual([other]);
    expect(listed({ which: 'ended' })).toEqual([id]);
    expect(listed({ which: 'open', pair: 'XBTZAR' })).toEqual([]);
  });

  test('an order that has ended cannot be cancelled', () => {
    for (const orderId of [id, 'nobody'])
      expect(bench.ask({ kind: 'cancel', orderId })).toMatchObject({ reason: 'not-open' });
  });

  test('each ledger is continuous from row 1 and ends at the sum of the fills', () => {
    for (const [account, balance, available] of [
      ['1', '2.4997', '1.4997'],
      ['2', '98.5', '98.5'],
    ] as const) {
      const { rows } = bench.value({ kind: 'movements', account });
      expect(rows.map((one) => one.row)).toEqual(rows.map((_, index) => index + 1));
      let before = 0n;
      for (const one of rows) {
        expect(before + one.delta).toBe(one.balance);
        before = one.balance;
      }
      const last = { balance: amountOf(balance), available: amountOf(available) };
      expect(rows.at(-1)).toMatchObject(last);
      const fromRow = rows.length + 1;
      expect(bench.value({ kind: 'movements', account, fromRow }).rows).toEqual([]);
    }
  });

  test('balances say what is not reserved', () => {
    expect(bench.value({ kind: 'balances' })).toEqual([
      { account: '1', currency: 'XBT', balance: amountOf('2.4997'), available: amountOf('1.4997') },
      { account: '2', currency: 'EUR', balance: amountOf('98.5'), available: amountOf('98.5') },
    ]);
  });

  test('every step is reported, with sums', () => {
    const reports = bench.received.flatMap(({ event }) =>
      event.kind === 'report' && 'orderId' in event.report ? [event.report] : [],
    );
    const base = amountOf('1.5');
    expect(reports.slice(0, 2)).toMatchObject([
      { kind: 'accepted', orderId: id },
      {
        ...{ kind: 'filled', clientOrderId: 'one', filled: base },
        sums: { base, counter: base, feeBase: amountOf('0.0003') },
      },
    ]);
    expect(reports.at(-1)).toMatchObject({ kind: 'ended', orderId: id });
  });
});

test('trades are listed from a time and from a sequence on, each once and ascending', () => {
  const bench = new Bench();
  bench.place({ volume: '5' });
  for (let i = 0; i < 4; i++) {
    bench.offer(row.create(`s${i}`, 'ASK', 100, 10_000));
    bench.offer(row.delete(`s${i}`));
    bench.runTo(bench.nowMicros - startMicros + 1_000_000);
  }
  const listed = (bounds: object): readonly TradeView[] =>
    bench.value({ kind: 'own-trades', pair: 'XBTEUR', ...bounds }).rows;
  const all = listed({});
  const sequences = all.map((trade) => BigInt(trade.sequence));
  expect(all.length).toBe(4);
  expect(sequences.every((one, index) => index === 0 || one > (sequences[index - 1] ?? 0n))).toBe(
    true,
  );
  // The taker sold to our bid.
  expect(all[0]).toMatchObject({ side: 'BID', isMaker: true, volume: amountOf('1') });
  expect(all[0]?.sums.feeBase).toBe(amountOf('0.0002'));
  expect(listed({ sinceMs: all[2]?.atMs })).toEqual(all.slice(2));
  expect(listed({ from: all[1]?.sequence })).toEqual(all.slice(1));
});

test('a taker pays the taker fee, and the unfilled rest of an IOC order is cancelled', () => {
  const bench = new Bench();
  const terms = { price: '1.02', volume: '12', postOnly: false, timeInForce: 'IOC' } as const;
  const orderId = bench.place(terms);
  const { rows } = bench.value({ kind: 'own-trades', pair: 'XBTEUR' });
  const base = amountOf('10');
  expect(rows).toMatchObject([
    { side: 'BID', isMaker: false, price: amountOf('1.01'), volume: base },
  ]);
  expect(rows[0]?.sums.feeBase).toBe(amountOf('0.01'));
  expect(bench.value({ kind: 'order', orderId })).toMatchObject({ isEnded: true, sums: { base } });
  const balances = [...bench.feed.accountMarket.accounts.values()].map(({ balance, reserved }) => [
    balance / 10n ** 14n,
    reserved,
  ]);
  expect(balances).toEqual([
    [109_900n, 0n],
    [899_000n, 0n],
  ]);
});

test('an invalid latency is an error', () => {
  const wrong: Latency[] = [
    us(-1),
    us(0.5),
    { kind: 'between', fromUs: 2, toUs: 1 },
    { kind: 'measured', samplesUs: [] },
    { kind: 'measured', samplesUs: [1, Number.NaN] },
  ];
  for (const feed of wrong)
    expect(() => new Bench({ feed, request: us(0), answer: us(0) })).toThrow(RangeError);
});

describe('a latency that varies', () => {
  const request: Latency = { kind: 'between', fromUs: 100, toUs: 900 };
  const answers = (): readonly number[] => {
    const bench = new Bench({ feed: us(10), request, answer: us(0) });
    bench.runTo(1_000);
    for (let index = 0; index < 50; index++) bench.send({ kind: 'balances' });
    bench.runTo(3_000);
    return bench.received
      .filter(({ event }) => 'kind' in event && event.kind === 'reply')
      .map(({ atMicros }) => atMicros - 1_000);
  };

  test('is drawn within its bounds, and messages never overtake each other', () => {
    const times = answers();
    expect(times.length).toBe(50);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...times)).toBeLessThanOrEqual(900);
    expect(new Set(times).size).toBeGreaterThan(2);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });

  test('is the same for the same seed', () => {
    expect(answers()).toEqual(answers());
  });

  test('takes its values from the measurements, if it has them', () => {
    const latency = new LatencyModel('feed', { kind: 'measured', samplesUs: [5, 7] }, 1);
    const drawn = Array.from(
      { length: 40 },
      (_, index) => latency.dueMicros(index * 100) - index * 100,
    );
    expect(new Set(drawn)).toEqual(new Set([5, 7]));
  });
});
