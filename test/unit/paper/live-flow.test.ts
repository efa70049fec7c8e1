/** A live stream as the history of a fill model: our queue places, also across lost streams. */
import { describe, expect, test } from 'vitest';
import type { BookMessage } from '../../../src/domain/book-message.ts';
import type { Side } from '../../../src/domain/market.ts';
import type { Ticks } from '../../../src/domain/money.ts';
import { LiveFlow } from '../../../src/paper/live-flow.ts';
import type { ModelEvent } from '../../../src/replay-exchange/fill-models/fill-event.ts';
import type { OwnOrder } from '../../../src/replay-exchange/fill-models/own-order.ts';
import { decodeMarketFrame } from '../../../src/venues/luno/api/market-messages.ts';
import {
  createQueueModel,
  lastAccepted,
  replayMarket,
  request,
} from '../../support/replay-market.ts';

type Resting = readonly [id: string, price: string, volume: string];

class Live {
  readonly recorded = createQueueModel();
  readonly model = this.recorded.model;
  readonly orders = this.recorded.orders;
  readonly events: ModelEvent[] = this.recorded.events;
  readonly warnings: string[] = [];
  #live: LiveFlow;
  #sequence = 1;
  #atMicros = 1_795_000_000_000_000;

  constructor(own?: ReadonlyMap<string, Side>) {
    this.#live = new LiveFlow({
      market: replayMarket,
      replay: this.model,
      onWarning: (text) => this.warnings.push(text),
      own,
    });
  }

  snapshot(bids: readonly Resting[], asks: readonly Resting[], status = 'ACTIVE'): void {
    const written = (orders: readonly Resting[]) =>
      orders.map(([id, price, volume]) => ({ id, price, volume }));
    this.#take({ bids: written(bids), asks: written(asks), status });
  }

  create(id: string, type: Side, price: string, volume: string): void {
    const create = { order_id: id, type, price, volume };
    this.#take({ trade_updates: [], create_update: create });
  }

  remove(id: string): void {
    this.#take({ trade_updates: [], delete_update: { order_id: id } });
  }

  trade(maker: string, base: string, counter: string, taker = 'taker'): void {
    const trade = { sequence: 1, base, counter, maker_order_id: maker, taker_order_id: taker };
    this.#take({ trade_updates: [trade] });
  }

  lose(): void {
    this.#atMicros += 1_000;
    this.#live.lose(this.#atMicros);
  }

  /** Sends a frame with a wrong sequence number, which is also a gap. */
  skip(): void {
    this.#sequence++;
  }

  place(side: Side, price: number, volume: number): OwnOrder {
    this.#atMicros += 1_000;
    this.model.place(request(side, price, volume), this.#atMicros);
    return lastAccepted(this.events);
  }

  fills(): readonly number[] {
    return this.events.flatMap((event) => (event.kind === 'filled' ? [event.base] : []));
  }

  #take(body: object): void {
    const sequence = String(this.#sequence++);
    this.#atMicros += 1_000;
    const timestamp = this.#atMicros / 1_000;
    const message = decodeMarketFrame(JSON.stringify({ sequence, timestamp, ...body }));
    this.#live.take(message as BookMessage, this.#atMicros);
  }
}

const asks: readonly Resting[] = [['a1', '1.10', '5']];

test('an order of ours is behind the orders at its price, and fills when they are gone', () => {
  const live = new Live();
  live.snapshot([['b1', '1.00', '0.0005']], asks);
  const order = live.place('BID', 100, 10);
  expect(live.model.aheadOf(order)).toBe(5);
  live.create('b2', 'BID', '1.00', '0.0004');
  live.trade('b1', '0.0005', '0.0005');
  expect(live.model.aheadOf(order)).toBe(0);
  expect(live.fills()).toEqual([]);
  live.trade('b2', '0.0004', '0.0004');
  expect(live.fills()).toEqual([4]);
  expect(live.model.counts.fillsOutOfQueue).toBe(0);
});

describe('after the stream was lost', () => {
  test('an earlier order keeps its place; new orders are behind it', () => {
    const live = new Live();
    live.snapshot(
      [
        ['b1', '1.00', '0.0005'],
        ['b2', '1.00', '0.0003'],
      ],
      asks,
    );
    const order = live.place('BID', 100, 10);
    // The order must have rested at the last message before the gap.
    live.create('b3', 'BID', '0.99', '0.0001');
    live.lose();
    live.snapshot(
      [
        ['b2', '1.00', '0.0002'],
        ['b4', '1.00', '0.0009'],
        ['b3', '0.99', '0.0001'],
      ],
      asks,
    );
    expect(live.model.aheadOf(order)).toBe(2);
    expect(live.orders.gaps).toMatchObject({ count: 1, kept: 1, wentBehind: 0 });
    live.trade('b2', '0.0002', '0.0002');
    live.trade('b4', '0.0009', '0.0009');
    expect(live.fills()).toEqual([9]);
  });

  test('an order that came to rest after the last message goes to the back of the queue', () => {
    const live = new Live();
    live.snapshot([['b1', '1.00', '0.0005']], asks);
    const order = live.place('BID', 100, 10);
    live.lose();
    live.snapshot(
      [
        ['b1', '1.00', '0.0005'],
        ['b4', '1.00', '0.0009'],
      ],
      asks,
    );
    expect(live.model.aheadOf(order)).toBe(14);
    expect(live.orders.gaps).toMatchObject({ count: 1, kept: 0, wentBehind: 1 });
    live.trade('b4', '0.0009', '0.0009');
    expect(live.fills()).toEqual([]);
  });

  test('so does an order that arrives during the gap', () => {
    const live = new Live();
    live.snapshot([['b1', '1.00', '0.0005']], asks);
    live.lose();
    expect(live.orders.gaps.isOpen).toBe(true);
    const order = live.place('BID', 100, 10);
    live.snapshot([['b7', '1.00', '0.0007']], asks);
    expect(live.orders.gaps.isOpen).toBe(false);
    expect(live.model.aheadOf(order)).toBe(7);
    expect(live.orders.gaps.wentBehind).toBe(1);
  });

  test('trades during the gap fill nothing, unless the new book crosses the order', () => {
    const live = new Live();
    live.snapshot([['b1', '1.00', '0.0005']], asks);
    const bid = live.place('BID', 100, 10);
    live.create('b3', 'BID', '0.99', '0.0001');
    live.lose();
    // All orders at the price are gone, but they may have been cancelled.
    live.snapshot([['b3', '0.99', '0.0001']], asks);
    expect(live.fills()).toEqual([]);
    expect(live.model.aheadOf(bid)).toBe(0);
    live.lose();
    // An ask below our bid would have traded with it.
    live.snapshot([['b3', '0.99', '0.0001']], [['a9', '1.00', '0.0004'], ...asks]);
    expect(live.fills()).toEqual([4]);
  });

  test('a missing message is a gap with a warning, which the next snapshot ends', () => {
    const live = new Live();
    live.snapshot([['b1', '1.00', '0.0005']], asks);
    live.skip();
    live.create('b2', 'BID', '1.00', '0.0004');
    expect(live.warnings.join()).toContain('out of sequence');
    expect(live.orders.gaps.isOpen).toBe(true);
    live.snapshot([['b1', '1.00', '0.0005']], asks);
    expect(live.orders.gaps.isOpen).toBe(false);
  });

  test('an amount with too many decimals for the market is also a gap', () => {
    const live = new Live();
    live.snapshot([['b1', '1.00', '0.0005']], asks);
    live.create('b2', 'BID', '1.001', '0.0004');
    expect(live.warnings.join()).toContain('does not fit');
    expect(live.orders.gaps.count).toBe(1);
  });
});

describe('our own orders in the stream', () => {
  test('are removed from history, and their trades are offered to our replayed orders', () => {
    const live = new Live(new Map([['own', 'BID']]));
    live.snapshot([], asks);
    live.create('own', 'BID', '1.00', '0.0006');
    expect(live.orders.book.bestPrice('BID')).toBeUndefined();
    live.place('BID', 100, 6);
    live.trade('own', '0.0004', '0.0004');
    live.remove('own');
    expect(live.fills()).toEqual([4]);
    expect(live.model.counts.unknownOrders).toBe(0);
  });

  test('took volume that nobody can take a second time', () => {
    const live = new Live(new Map([['own', 'ASK']]));
    live.snapshot([['b1', '1.00', '0.0005']], asks);
    live.place('BID', 100, 10);
    live.trade('b1', '0.0002', '0.0002', 'own');
    expect(live.orders.book.volumeAt('BID', 100 as Ticks)).toBe(3);
    live.trade('b1', '0.0003', '0.0003', 'own');
    expect(live.orders.book.bestPrice('BID')).toBeUndefined();
    expect(live.fills()).toEqual([]);
  });
});

test.each([
  // A SUSPENDED market is streamed as POSTONLY.
  ['ACTIVE', 'ACTIVE'],
  ['POSTONLY', 'POST_ONLY'],
  ['DISABLED', 'DISABLED'],
])('a market that is streamed as %s is %s for paper orders', (streamed, status) => {
  const live = new Live();
  live.snapshot([], [], streamed);
  expect(live.orders.status).toBe(status);
});
