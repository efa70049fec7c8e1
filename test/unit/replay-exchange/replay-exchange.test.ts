/** The replay exchange behind the engine's port: latencies, refusals, records, ledgers. */

import { describe, expect, test } from 'vitest';
import { amountOf } from '../../../src/domain/amount.ts';
import { lotsOf, ticksOf } from '../../../src/domain/ticks-and-lots.ts';
import type { Latency } from '../../../src/domain/trading-conditions.ts';
import type { EngineEvent } from '../../../src/engine/event.ts';
import type { OrderFlowRow } from '../../../src/market/flow/order-flow-row.ts';
import { answerRequest } from '../../../src/replay-exchange/account/replay-answers.ts';
import type { DelayedFeed } from '../../../src/replay-exchange/port/delayed-feed.ts';
import { LatencyModel } from '../../../src/replay-exchange/port/latency-model.ts';
import {
  type PortLatencies,
  ReplayExchange,
} from '../../../src/replay-exchange/port/replay-exchange.ts';
import type { PlaceRequest, VenueRequest } from '../../../src/venue/venue-request.ts';
import type { TransactionEntry } from '../../../src/venues/luno/api/operations/account-operations.ts';
import type {
  OrderRecord,
  UserTrade,
} from '../../../src/venues/luno/api/operations/order-operations.ts';
import type { OperationName } from '../../../src/venues/luno/api/operations.ts';
import type { Reply } from '../../../src/venues/luno/api/reply.ts';
import { replayMarket, replayRates, row } from '../../support/replay-market.ts';

const startMicros = 1_700_000_000_000_000;
const startMs = startMicros / 1_000;

const us = (count: number): Latency => ({ kind: 'fixed', us: count });

type Received = { readonly atMicros: number; readonly event: EngineEvent | OrderFlowRow };

/** An exchange with 10 XBT asked at 1.01, 10 bid at 0.99, and an account of 1 XBT, 100 EUR. */
class Bench {
  readonly received: Received[] = [];
  readonly port: ReplayExchange;
  readonly feed: DelayedFeed;
  #nowMicros = startMicros;
  #requests = 0;

  constructor(latencies: PortLatencies = { feed: us(10), request: us(100), answer: us(1_000) }) {
    this.port = new ReplayExchange({
      markets: [
        {
          market: replayMarket,
          rates: replayRates,
          snapshot: { sequence: '0', bids: [], asks: [], status: 'ACTIVE', timestamp: startMs },
          onRows: (rows) => rows.forEach(this.#receive, this),
        },
      ],
      balances: { XBT: '1', EUR: '100' },
      latencies,
      seed: 1,
      nowMicros: () => this.#nowMicros,
    });
    this.feed = this.port.feeds[0] as DelayedFeed;
    this.feed.accountMarket.fillModel.start({ bids: [], asks: [] });
    this.port.open((event) => this.#receive(event));
    this.offer(row.create('a', 'ASK', 101, 100_000), row.create('b', 'BID', 99, 100_000));
  }

  get nowMicros(): number {
    return this.#nowMicros;
  }

  #receive(event: EngineEvent | OrderFlowRow): void {
    this.received.push({ atMicros: this.#nowMicros - startMicros, event });
  }

  /** Processes everything up to `afterMicros` from the start. */
  runTo(afterMicros: number): void {
    while (this.port.nextDueMicros < startMicros + afterMicros) {
      this.#nowMicros = this.port.nextDueMicros;
      this.port.deliverNext();
    }
    this.#nowMicros = startMicros + afterMicros;
  }

  offer(...rows: readonly OrderFlowRow[]): void {
    for (const one of rows) this.port.offer(this.feed, { ...one, atMicros: this.#nowMicros });
  }

  send(call: VenueRequest, deadlineMs = 4_000): void {
    this.port.request({ kind: 'request', request: ++this.#requests, call, deadlineMs });
  }

  /** What the exchange answers a moment later, as the wire has it. */
  ask(operation: OperationName, parameters: object): Reply {
    this.runTo(this.#nowMicros - startMicros + 100);
    const reply = answerRequest(this.port.account, { operation, parameters }, this.#nowMicros);
    this.runTo(this.#nowMicros - startMicros + 9_900);
    return reply;
  }

  body<Body>(operation: OperationName, parameters: object): Body {
    const reply = this.ask(operation, parameters);
    if (reply.kind !== 'ok') throw new Error(`${operation}: ${JSON.stringify(reply)}`);
    return reply.body as Body;
  }

  place(part: object = {}): string {
    return this.body<{ order_id: string }>('postorder', { ...order, ...part }).order_id;
  }
}

const bid: PlaceRequest = {
  ...{ kind: 'place', pair: 'XBTEUR', side: 'BID', price: ticksOf(100), volume: lotsOf(20_000) },
  ...{ timeInForce: 'GTC', postOnly: true, baseAccountId: '1', counterAccountId: '2' },
  ...{ clientOrderId: 'mine', timestampMs: startMs, ttlMs: 60_000 },
};
const order = { pair: 'XBTEUR', type: 'BID', price: '1.00', volume: '2', post_only: true };

test('requests, replies, user messages and rows each have their own latency', () => {
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
  [{ pair: 'XBTZAR' }, 'ErrMarketUnavailable', 400],
  [{ timestamp: startMs - 3_000, ttl: 2_000 }, 'ErrDeadlineExceeded', 400],
  [{ client_order_id: 'used' }, 'ErrDuplicateClientOrderID', 409],
  [{ client_order_id: 'used', volume: '1000' }, 'ErrDuplicateClientOrderID', 409],
  [{ time_in_force: 'IOC' }, 'ErrPostOnlyNotAllowed', 400],
  [{ price: '1.001' }, 'ErrPriceDenominationNotAllowed', 400],
  [{ volume: '0.00001' }, 'ErrVolumeDenominationNotAllowed', 400],
  [{ price: '0.09' }, 'ErrPriceTooLow', 400],
  [{ price: '10000.01' }, 'ErrPriceTooHigh', 400],
  [{ volume: '0' }, 'ErrInvalidVolume', 400],
  [{ volume: '101' }, 'ErrVolumeTooHigh', 400],
  [{ base_account_id: '2' }, 'ErrInvalidAccountID', 400],
  [{ counter_account_id: '77' }, 'ErrAccountNotFound', 404],
  [{ volume: '100' }, 'ErrInsufficientBalance', 400],
  [{ type: 'ASK', price: '1.02', volume: '1.0001' }, 'ErrInsufficientBalance', 400],
  [{ price: '1.01' }, 'ErrOrderCanceled', 400],
])('%j is refused with %s', (part, code, status) => {
  const bench = new Bench();
  bench.place({ client_order_id: 'used' });
  expect(bench.ask('postorder', { ...order, ...part })).toMatchObject({
    kind: 'refused',
    status,
    code,
  });
  expect(bench.feed.accountMarket.orders.size).toBe(1);
});

test('a late cancel counts as a refusal, an order that is not found does not', () => {
  const bench = new Bench();
  bench.send({ ...bid, price: ticksOf(101) });
  bench.send({ kind: 'order', clientOrderId: 'mine' });
  bench.send({ kind: 'cancel', orderId: 'BXNONE' });
  bench.runTo(10_000);
  expect(Object.fromEntries(bench.port.refusals.postorder)).toEqual({ ErrOrderCanceled: 1 });
  expect(Object.fromEntries(bench.port.refusals.stoporder)).toEqual({
    ErrCannotStopUnknownOrNonPendingOrder: 1,
  });
});

test('a resend within its time to live and an order that empties the account are accepted', () => {
  const bench = new Bench();
  bench.place({ timestamp: startMs - 1_000, ttl: 2_000 });
  bench.place({ price: '0.98', volume: '100' });
  const all = { balance: 10n ** 20n, reserved: 10n ** 20n };
  expect(bench.feed.accountMarket.accounts.get('EUR')).toMatchObject(all);
});

describe('after a partial fill and a cancel', () => {
  const bench = new Bench();
  bench.runTo(3_000);
  const id = bench.place({ client_order_id: 'one', volume: '4' });
  bench.offer(row.create('c', 'ASK', 100, 15_000));
  const other = bench.place({ client_order_id: 'two', type: 'ASK', price: '1.05', volume: '1' });
  bench.ask('stoporder', { order_id: id });

  test('the order record has its sums and fees, by either id', () => {
    const record = bench.body<OrderRecord>('getOrderV3', { id });
    // A maker pays 2 bps of the received amount.
    expect(record).toMatchObject({
      order_id: id,
      client_order_id: 'one',
      side: 'BUY',
      status: 'COMPLETE',
      limit_price: '1.00',
      limit_volume: '4.0000',
      base: '1.5000',
      counter: '1.500000',
      fee_base: '0.0003',
      fee_counter: '0',
    });
    expect(record.expiration_timestamp).toBe(record.completed_timestamp);
    expect(bench.body('getOrderV3', { client_order_id: 'one' })).toEqual(record);
    expect(bench.ask('getOrderV3', { id: 'nobody' })).toMatchObject({ code: 'ErrOrderNotFound' });
    expect(bench.ask('getOrderV3', { id, client_order_id: 'one' })).toMatchObject({
      code: 'ErrInvalidArguments',
    });
  });

  test('the lists contain open and closed orders', () => {
    const listed = (parameters: object): string[] =>
      bench
        .body<{ orders: OrderRecord[] }>('listOrdersV2', parameters)
        .orders.map((record) => record.order_id);
    expect(listed({})).toEqual([other]);
    expect(listed({ closed: true })).toEqual([id]);
    expect(listed({ pair: 'XBTZAR' })).toEqual([]);
  });

  test('a complete order cannot be stopped', () => {
    for (const orderId of [id, 'nobody'])
      expect(bench.ask('stoporder', { order_id: orderId })).toMatchObject({
        status: 400,
        code: 'ErrCannotStopUnknownOrNonPendingOrder',
      });
  });

  test('each ledger is continuous from row 1 and ends at the sum of the fills', () => {
    for (const [account, balance, available] of [
      ['1', '2.4997', '1.4997'],
      ['2', '98.5', '98.5'],
    ] as const) {
      const { transactions } = bench.body<{ transactions: TransactionEntry[] }>('transactions', {
        id: account,
        min_row: '1',
        max_row: '1001',
      });
      expect(transactions.map((entry) => entry.row_index)).toEqual(
        transactions.map((_, index) => index + 1),
      );
      let before = 0;
      for (const entry of transactions) {
        expect(before + Number(entry.balance_delta)).toBeCloseTo(Number(entry.balance), 8);
        before = Number(entry.balance);
      }
      expect(transactions.at(-1)).toMatchObject({ balance, available });
      const newest = { id: account, min_row: '0', max_row: '0' };
      expect(bench.body('transactions', newest)).toMatchObject({ transactions: [] });
    }
  });

  test('balances include the reserved amounts', () => {
    expect(bench.body('balance', {})).toMatchObject({
      balance: [
        { account_id: '1', asset: 'XBT', balance: '2.4997', reserved: '1' },
        { account_id: '2', asset: 'EUR', balance: '98.5', reserved: '0' },
      ],
    });
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

test('trades are listed by time, sequence and number, each sequence once and ascending', () => {
  const bench = new Bench();
  bench.place({ volume: '5' });
  for (let i = 0; i < 4; i++) {
    bench.offer(row.create(`s${i}`, 'ASK', 100, 10_000));
    bench.offer(row.delete(`s${i}`));
    bench.runTo(bench.nowMicros - startMicros + 1_000_000);
  }
  const listed = (parameters: object): UserTrade[] =>
    bench.body<{ trades: UserTrade[] }>('listtrades', { pair: 'XBTEUR', ...parameters }).trades;
  const all = listed({});
  const sequences = all.map((trade) => BigInt(trade.sequence));
  expect(all.length).toBe(4);
  expect(sequences.every((one, index) => index === 0 || one > (sequences[index - 1] ?? 0n))).toBe(
    true,
  );
  // The taker sold to our bid.
  expect(all[0]).toMatchObject({
    is_buy: false,
    type: 'BID',
    fee_base: '0.0002',
    volume: '1.0000',
  });
  expect(listed({ since: all[2]?.timestamp })).toEqual(all.slice(2));
  expect(listed({ before: all[2]?.timestamp })).toEqual(all.slice(0, 2).reverse());
  expect(listed({ before: all[2]?.timestamp, sort_desc: false })).toEqual(
    all.slice(0, 2).reverse(),
  );
  expect(listed({ after_seq: all[1]?.sequence })).toEqual(all.slice(1));
  expect(listed({ before_seq: all[1]?.sequence })).toEqual(all.slice(0, 1));
  expect(listed({ limit: 3 })).toEqual(all.slice(0, 3));
  expect(listed({ sort_desc: true, limit: 1 })).toEqual(all.slice(3));
});

test('a taker pays the taker fee, and the unfilled rest of an IOC order is cancelled', () => {
  const bench = new Bench();
  const id = bench.place({
    price: '1.02',
    volume: '12',
    post_only: false,
    time_in_force: 'IOC',
  });
  const { trades } = bench.body<{ trades: UserTrade[] }>('listtrades', { pair: 'XBTEUR' });
  expect(trades).toMatchObject([
    { is_buy: true, type: 'BID', price: '1.01', volume: '10.0000', fee_base: '0.01' },
  ]);
  expect(bench.body('getOrderV3', { id })).toMatchObject({ status: 'COMPLETE', base: '10.0000' });
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
