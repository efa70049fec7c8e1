/** Recorded order flow as a feed sees it: gaps and statuses, messages skipped, and its delay. */
import { expect, test } from 'vitest';
import type { Side } from '../../../src/domain/market.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { MarketFeed } from '../../../src/market/feed/market-feed.ts';
import {
  type FlowBlock,
  type RestingBlock,
  sliceBlock,
} from '../../../src/market/flow/flow-block.ts';
import { FlowCursor } from '../../../src/market/flow/flow-cursor.ts';
import { decodeFlowBlock, encodeFlowBlock } from '../../../src/recording/file/flow-block-codec.ts';
import type { FlowItem, RestingOrder } from '../../../src/recording/file/flow-item.ts';
import type { AccountMarket } from '../../../src/replay-exchange/account/account-market.ts';
import { DelayedFeed } from '../../../src/replay-exchange/port/delayed-feed.ts';
import { DelayedFlow } from '../../../src/replay-exchange/port/delayed-flow.ts';
import { rowsOf } from '../../support/compiled-flow.ts';
import { EncodedHistory } from '../../support/encoded-history.ts';
import { randomFlow, recordedStartMs } from '../../support/recorded-set.ts';
import { createQueueModel } from '../../support/replay-market.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const scales = { priceScale: 2, volumeScale: 0 };
const nothing: RestingBlock = {
  bids: 0,
  status: 0,
  slots: new Uint32Array(0),
  prices: new Float64Array(0),
  volumes: new Float64Array(0),
};

/** Compiles items into one block, which is encoded and decoded. */
function blockOf(items: readonly FlowItem[]): FlowBlock {
  const encoded = new EncodedHistory(() => {}).block(items);
  return decodeFlowBlock(encodeFlowBlock(encoded), 'here');
}

test('after a gap the book is unusable until the next message has corrected it', () => {
  const place = { sequence: 0, endsMessage: true, volume: 5 as Lots };
  const order = (id: string, side: Side, price: number) => ({
    id,
    side,
    price: price as Ticks,
    volume: 5 as Lots,
  });
  const block = blockOf([
    { ...place, kind: 'create', ...order('a', 'BID', 99), atMicros: 1_000_000 },
    { ...place, kind: 'create', ...order('b', 'ASK', 101), atMicros: 2_000_000 },
    { kind: 'gap', atMicros: 3_000_000 },
    {
      ...{ kind: 'snapshot', atMicros: 4_000_000, status: 'POST_ONLY' },
      orders: [order('c', 'BID', 100), order('b', 'ASK', 101)],
    },
    { kind: 'status', atMicros: 5_000_000, status: 'ACTIVE' },
  ]);
  const feed = new MarketFeed(scales);
  const cursor = new FlowCursor();
  cursor.load(block);
  feed.startFlow(nothing, 1, 1);
  const kinds = [];
  const tops = [];
  for (let message = 0; message < 5; message++) {
    kinds.push(feed.applyFlow(cursor, message).kind);
    tops.push([feed.top?.bid, feed.top?.ask, feed.status]);
  }
  expect(kinds).toEqual(['applied', 'applied', 'unusable', 'applied', 'applied']);
  expect(tops).toEqual([
    [99, undefined, 'ACTIVE'],
    [99, 101, 'ACTIVE'],
    [undefined, undefined, 'ACTIVE'],
    [100, 101, 'POST_ONLY'],
    [100, 101, 'ACTIVE'],
  ]);
});

test('after a gap orders that are still in the book keep their place, and all others lose it', () => {
  const order = (id: string, volume = 5): RestingOrder => ({
    id,
    side: 'BID',
    price: 99 as Ticks,
    volume: volume as Lots,
  });
  const orders = ['a', 'b', 'c', 'd', 'e'].map((id) => order(id));
  const items: FlowItem[] = orders.map((one, at) => ({
    ...{ kind: 'create', ...one, sequence: 0, endsMessage: true, atMicros: at },
  }));
  items.push({ kind: 'gap', atMicros: 9 });
  items.push({
    ...{ kind: 'snapshot', atMicros: 10, status: 'ACTIVE' },
    // b is gone, c is smaller, d lost its place to the new x, e is larger and goes to the back.
    orders: [order('a'), order('c', 3), order('x'), order('d'), order('e', 9)],
  });
  const rows = rowsOf(blockOf(items)).slice(6);
  expect(
    rows.map(({ kind, slot, volume, endsMessage }) => [kind, slot, volume, endsMessage]),
  ).toEqual([
    [1, 2, 0, false],
    [1, 4, 0, false],
    [1, 5, 0, false],
    [3, 3, 3, false],
    [0, 5, 5, false],
    [0, 4, 5, false],
    [0, 2, 9, false],
    [4, 0, 0, true],
  ]);
});

test.each([1, 2, 3])('a feed that skips messages sees the same market, seed %i', (seed) => {
  const random = new SeededRandom(seed);
  const rows = randomFlow(random, 3_000);
  const whole = blockOf(rows);
  const ends = [...rows.entries()].filter(([, row]) => row.endsMessage).map(([index]) => index + 1);
  const cuts = [0, ...[1, 2, 3].map((part) => ends[(ends.length * part) >> 2] ?? 0), whole.rows];
  const { model } = createQueueModel();
  const account = { market: { pair: 'ABCEUR' }, replay: model } as unknown as AccountMarket;
  const delayed = new DelayedFeed(account, 'feed', { kind: 'fixed', us: 7 }, 1);
  const [reading, skipping] = [new MarketFeed(scales), new MarketFeed(scales)];
  for (const feed of [reading, skipping]) feed.startFlow(nothing, 1, 1);
  const [offered, read] = [new FlowCursor(), new FlowCursor()];
  const listeners = { clock: { observe: () => {} }, collectors: [] };
  let skipped = 0;
  for (const [index, cut] of cuts.slice(1).entries()) {
    const block = sliceBlock(whole, cuts[index] ?? 0, cut);
    delayed.begin(block);
    offered.load(block);
    read.load(block);
    while (offered.next()) {
      const due = offered.atMicros + 7;
      delayed.offer(offered);
      if (!offered.endsMessage) continue;
      reading.applyFlow(read, due);
      // The skipping feed must take a message that leaves the book crossed, and the next one.
      if (delayed.mustNotify || !skipping.isUsable) {
        skipping.applyNext(delayed.flow, due, false);
      } else if (random.integer(0, 1) === 0) {
        skipping.fastForward(delayed.flow, due + 1, listeners);
        skipped++;
      } else skipping.applyNext(delayed.flow, due, random.integer(0, 9) === 0);
      expect(skipping.top).toEqual(reading.top);
      expect(skipping.status).toBe(reading.status);
      expect(skipping.lastTradeMicros).toBe(reading.lastTradeMicros);
      expect(skipping.recentTrades(due)?.median(due)).toBe(reading.recentTrades(due)?.median(due));
      const price = reading.top?.bid;
      if (price !== undefined && random.integer(0, 200) === 0)
        expect(skipping.prices?.volumeAt('BID', price)).toBe(
          reading.prices?.volumeAt('BID', price),
        );
    }
  }
  expect(skipped).toBeGreaterThan(100);
  for (const side of ['BID', 'ASK'] as const)
    expect(skipping.book?.levels(side)).toEqual(reading.book?.levels(side));
});

test('delayed history arrives message by message, over any number of blocks', () => {
  const rows = randomFlow(new SeededRandom(8), 3_000);
  const whole = blockOf(rows);
  const cuts = [...rows.entries()].filter(([, row]) => row.endsMessage).map(([index]) => index + 1);
  const middle = cuts[cuts.length >> 1] ?? 0;
  const delayed = new DelayedFlow();
  expect(delayed.dueMicros).toBe(Infinity);
  delayed.add(sliceBlock(whole, 0, middle));
  delayed.add(sliceBlock(whole, middle, whole.rows));
  for (const row of rows) if (row.endsMessage) delayed.note(row.atMicros, row.atMicros + 7);
  const seen: number[] = [];
  while (delayed.dueMicros !== Infinity) {
    const due = delayed.dueMicros;
    const end = delayed.take();
    expect(due).toBe(end + 7);
    do {
      delayed.cursor.next();
      seen.push(delayed.cursor.atMicros);
    } while (!delayed.cursor.endsMessage);
    expect(delayed.cursor.atMicros).toBe(end);
  }
  expect(seen).toEqual(rows.map(({ atMicros }) => atMicros));
  expect(seen[0]).toBeGreaterThan(recordedStartMs * 1_000);
});
