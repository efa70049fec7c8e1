/**
 * Rows of a recording give the market's view the same book, top and trades as the messages they
 * were made from, and never a state within a message.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BookUpdate } from '../../../src/domain/book-message.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import type { FeedResult } from '../../../src/market/feed/feed-result.ts';
import { MarketFeed } from '../../../src/market/feed/market-feed.ts';
import type { RestingBlock } from '../../../src/market/flow/flow-block.ts';
import { FlowCursor } from '../../../src/market/flow/flow-cursor.ts';
import type { OrderFlowRow } from '../../../src/market/flow/order-flow-row.ts';
import { EncodedHistory } from '../../support/encoded-history.ts';
import { randomFlow } from '../../support/recorded-set.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const scales = { priceScale: 2, volumeScale: 0 };
const nothing: RestingBlock = {
  bids: 0,
  status: 0,
  slots: new Uint32Array(0),
  prices: new Float64Array(0),
  volumes: new Float64Array(0),
};

function liveFeed(): MarketFeed {
  const feed = new MarketFeed(scales);
  const empty = { sequence: '0', bids: [], asks: [], status: 'ACTIVE', timestamp: 1 } as const;
  feed.applySnapshot(empty, 1_000);
  return feed;
}

/** A feed of recorded rows, given by id, a message at a time. */
class RowFeed {
  readonly feed = new MarketFeed(scales);
  readonly #history = new EncodedHistory(() => {});
  readonly #cursor = new FlowCursor();

  constructor() {
    this.feed.startFlow(nothing, 1, 1);
  }

  apply(rows: readonly OrderFlowRow[], atMicros: number): FeedResult {
    this.#cursor.load(this.#history.block(rows));
    return this.feed.applyFlow(this.#cursor, atMicros);
  }
}

const money = (ticks: number): string => (ticks / 100).toFixed(2);

/** Returns the message for the rows of one action. */
function updateOf(rows: readonly OrderFlowRow[], sequence: number): BookUpdate {
  const trades = rows.filter((row) => row.kind === 'trade');
  const create = rows.find((row) => row.kind === 'create');
  const gone = rows.find((row) => row.kind === 'delete');
  return {
    sequence: String(sequence),
    trades: trades.map((row) => ({
      sequence: String(row.sequence),
      base: String(row.volume),
      counter: money(row.price * row.volume),
      makerOrderId: row.makerId,
      takerOrderId: row.takerId ?? '',
    })),
    ...(create === undefined
      ? {}
      : {
          create: {
            orderId: create.id,
            side: create.side,
            price: money(create.price),
            volume: String(create.volume),
          },
        }),
    ...(gone === undefined ? {} : { delete: { orderId: gone.id } }),
    timestamp: (rows[0]?.atMicros ?? 0) / 1_000,
  };
}

/** Recorded trades do not have the ids of their orders. */
function withoutIds(result: FeedResult): FeedResult {
  if (result.kind !== 'applied') return result;
  const trades = result.trades.map((trade) => ({ ...trade, makerOrderId: '', takerOrderId: '' }));
  return { ...result, trades };
}

test('rows and the corresponding messages give the same market', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      const [byRow, byMessage] = [new RowFeed(), liveFeed()];
      // The stream has no message for a change in place.
      const rows = randomFlow(new SeededRandom(seed), 120)
        .filter((row) => row.kind !== 'resize')
        .map((row, index) => ({ ...row, sequence: index + 1 }));
      let action: OrderFlowRow[] = [];
      let sequence = 0;
      for (const row of rows) {
        action.push(row);
        if (!row.endsMessage) continue;
        const result = byRow.apply(action, row.atMicros);
        const expected = byMessage.applyUpdate(updateOf(action, ++sequence), row.atMicros);
        action = [];
        // Without the resize, the order's later rows are inconsistent.
        if (expected.kind === 'unusable') return;
        expect(result).toEqual(withoutIds(expected));
        expect(byRow.feed.top).toEqual(byMessage.top);
        expect(byRow.feed.recentTrades(row.atMicros)?.median(row.atMicros)).toBe(
          byMessage.recentTrades(row.atMicros)?.median(row.atMicros),
        );
      }
    }),
    { numRuns: 30 },
  );
});

const place = { sequence: 1, atMicros: 2_000, endsMessage: true };
const order = (id: string, side: 'BID' | 'ASK', price: number): OrderFlowRow => ({
  ...place,
  kind: 'create',
  id,
  side,
  price: price as Ticks,
  volume: 5 as Lots,
});

test('a crossed book is unusable until a row ends it, and is reported once', () => {
  const rows = new RowFeed();
  const { feed } = rows;
  rows.apply([order('a', 'ASK', 101)], 1);
  expect(rows.apply([order('b', 'BID', 102)], 2)).toMatchObject({
    kind: 'unusable',
    fault: 'BOOK_CROSSED',
  });
  expect(feed.top).toBeUndefined();
  expect(rows.apply([order('c', 'BID', 90)], 3)).toEqual({ kind: 'ignored' });
  expect(rows.apply([{ ...place, kind: 'delete', id: 'b' }], 4).kind).toBe('applied');
  expect(feed.top).toMatchObject({ bid: 90, ask: 101 });
});

test('an inconsistent row changes nothing', () => {
  const rows = new RowFeed();
  const { feed } = rows;
  rows.apply([order('a', 'BID', 100)], 1);
  rows.apply([order('a', 'BID', 101)], 2);
  rows.apply([{ ...place, kind: 'delete', id: 'nobody' }], 3);
  expect(feed.book?.levels('BID')).toEqual([{ price: 100, volume: 5 }]);
  for (const [resize, left] of [
    [{ volume: 9 as Lots }, { price: 100, volume: 9 }],
    [{ volume: 2 as Lots }, { price: 100, volume: 2 }],
    [
      { volume: 2 as Lots, price: 99 as Ticks },
      { price: 99, volume: 2 },
    ],
  ] as const) {
    rows.apply([{ ...place, kind: 'resize', id: 'a', ...resize }], 4);
    expect(feed.book?.levels('BID')).toEqual([left]);
  }
});
