/**
 * The live book of one market: when it is usable or unusable, and what readers see.
 */
import { describe, expect, test } from 'vitest';
import type { BookSnapshot, BookUpdate } from '../../../src/domain/book-message.ts';
import { MarketFeed } from '../../../src/market/feed/market-feed.ts';

const scales = { priceScale: 2, volumeScale: 4 };

const snapshot: BookSnapshot = {
  sequence: '100',
  bids: [
    { id: 'b1', price: '99.00', volume: '1.0' },
    { id: 'b2', price: '99.00', volume: '2.0' },
    { id: 'b3', price: '98.50', volume: '5' },
  ],
  asks: [{ id: 'a1', price: '101.00', volume: '0.5' }],
  status: 'ACTIVE',
  timestamp: 1_700_000_000_000,
};

function update(part: Partial<BookUpdate> = {}): BookUpdate {
  return { sequence: '101', trades: [], timestamp: 1_700_000_000_100, ...part };
}

const trade = (makerOrderId: string, base: string, counter: string) => ({
  sequence: '7',
  base,
  counter,
  makerOrderId,
  takerOrderId: 't1',
});

function liveFeed(): MarketFeed {
  const feed = new MarketFeed(scales);
  feed.applySnapshot(snapshot, 1_000);
  return feed;
}

test('before a snapshot there is no book, and updates are ignored', () => {
  const feed = new MarketFeed(scales);
  expect(feed.isUsable).toBe(false);
  expect(feed.reason).toBe('no snapshot yet');
  expect(feed.top).toBeUndefined();
  expect(feed.book).toBeUndefined();
  expect(feed.applyUpdate(update(), 1)).toEqual({ kind: 'ignored' });
  expect(feed.lastMessageMicros).toBe(1);
});

test('a snapshot makes it live, with a frozen top in exact integers', () => {
  const feed = liveFeed();
  expect(feed.isUsable).toBe(true);
  expect(feed.reason).toBeUndefined();
  expect(feed.top).toEqual({
    bid: 9900,
    bidVolume: 30_000,
    ask: 10_100,
    askVolume: 5_000,
    timeMs: 1_700_000_000_000,
  });
  expect(Object.isFrozen(feed.top)).toBe(true);
  expect(feed.status).toBe('ACTIVE');
  expect(feed.sequence).toBe('100');
});

test('an empty book is a usable book', () => {
  const feed = new MarketFeed(scales);
  feed.applySnapshot({ ...snapshot, bids: [], asks: [] }, 1);
  expect(feed.isUsable).toBe(true);
  expect(feed.top).toMatchObject({ bid: undefined, bidVolume: 0, ask: undefined, askVolume: 0 });
});

test('M5: a message applies trades, create, delete in this order, and readers see only its end', () => {
  const feed = liveFeed();
  // A sell order takes both bids at 99.00 and its remainder rests there.
  const result = feed.applyUpdate(
    update({
      trades: [trade('b1', '1', '99'), trade('b2', '2', '198')],
      create: { orderId: 't1', side: 'ASK', price: '99.00', volume: '0.25' },
      delete: { orderId: 'a1' },
      status: 'POST_ONLY',
    }),
    2_000,
  );
  expect(result).toEqual({
    kind: 'applied',
    topChange: 'price',
    trades: [
      {
        side: 'ASK',
        price: 9900,
        volume: 10_000,
        sequence: '7',
        timeMs: 1_700_000_000_100,
        makerOrderId: 'b1',
        takerOrderId: 't1',
      },
      {
        side: 'ASK',
        price: 9900,
        volume: 20_000,
        sequence: '7',
        timeMs: 1_700_000_000_100,
        makerOrderId: 'b2',
        takerOrderId: 't1',
      },
    ],
  });
  expect(feed.top).toMatchObject({ bid: 9850, ask: 9900, askVolume: 2_500 });
  expect(feed.book?.levels('BID').map(({ price }) => price)).not.toContain(9900);
  expect(feed.status).toBe('POST_ONLY');
});

test('the top is the same value until it changes', () => {
  const feed = liveFeed();
  const before = feed.top;
  const far = { orderId: 'x', side: 'BID', price: '1.00', volume: '1' } as const;
  expect(feed.applyUpdate(update({ create: far }), 2)).toMatchObject({ topChange: 'none' });
  expect(feed.top).toBe(before);
  feed.applyUpdate(update({ sequence: '102', trades: [trade('a1', '0.1', '10.1')] }), 3);
  expect(feed.top).not.toBe(before);
  expect(before).toMatchObject({ askVolume: 5_000 });
});

describe('a message that does not fit makes the book unusable until the next snapshot', () => {
  const order = { orderId: 'n', side: 'BID', price: '98.00', volume: '1' } as const;
  const cases: readonly (readonly [string, string, BookUpdate])[] = [
    ['M1: a gap', 'SEQUENCE_GAP', update({ sequence: '102' })],
    ['M1: a repeat', 'SEQUENCE_REPEATED', update({ sequence: '100' })],
    ['M1: an old sequence', 'SEQUENCE_REPEATED', update({ sequence: '99' })],
    ['a sequence that is no number', 'SEQUENCE_INVALID', update({ sequence: '1e2' })],
    [
      'M4: a trade of an unknown order',
      'UNKNOWN_ORDER',
      update({ trades: [trade('zz', '1', '99')] }),
    ],
    [
      'a trade of more than the order',
      'VOLUME_EXCEEDS_ORDER',
      update({ trades: [trade('a1', '0.6', '60')] }),
    ],
    ['a trade of nothing', 'VOLUME_INVALID', update({ trades: [trade('a1', '0', '0')] })],
    ['M4: a negative trade', 'VOLUME_INVALID', update({ trades: [trade('a1', '-0.1', '1')] })],
    ['a trade without value', 'AMOUNT_INVALID', update({ trades: [trade('a1', '0.1', 'x')] })],
    ['M4: a known order', 'DUPLICATE_ORDER', update({ create: { ...order, orderId: 'b3' } })],
    ['a volume of 0', 'VOLUME_INVALID', update({ create: { ...order, volume: '0' } })],
    ['a negative volume', 'VOLUME_INVALID', update({ create: { ...order, volume: '-1' } })],
    ['a fifth decimal', 'VOLUME_INVALID', update({ create: { ...order, volume: '1.00001' } })],
    ['a price off scale', 'PRICE_INVALID', update({ create: { ...order, price: '98.001' } })],
    ['a price of 0', 'PRICE_INVALID', update({ create: { ...order, price: '0' } })],
    ['a price in exponents', 'PRICE_INVALID', update({ create: { ...order, price: '9e1' } })],
    ['M6: a crossed end', 'BOOK_CROSSED', update({ create: { ...order, price: '101.00' } })],
  ];
  for (const [name, fault, message] of cases)
    test(name, () => {
      const feed = liveFeed();
      expect(feed.applyUpdate(message, 2)).toMatchObject({ kind: 'unusable', fault });
      expect(feed.isUsable).toBe(false);
      expect(feed.reason).not.toBe('');
      expect(feed.top).toBeUndefined();
      expect(feed.book).toBeUndefined();
      expect(feed.applyUpdate(update(), 3)).toEqual({ kind: 'ignored' });
      expect(feed.applySnapshot(snapshot, 4)).toMatchObject({ kind: 'applied' });
      expect(feed.top).toMatchObject({ bid: 9900, ask: 10_100 });
    });
});

describe('an invalid snapshot leaves the feed unusable', () => {
  const bids = snapshot.bids;
  const cases: readonly (readonly [string, string, Partial<BookSnapshot>])[] = [
    ['an order twice', 'DUPLICATE_ORDER', { bids: [...bids, ...bids] }],
    ['a crossed book', 'BOOK_CROSSED', { asks: [{ id: 'a', price: '99.00', volume: '1' }] }],
    ['a negative volume', 'VOLUME_INVALID', { asks: [{ id: 'a', price: '102', volume: '-1' }] }],
    ['no sequence', 'SEQUENCE_INVALID', { sequence: '' }],
  ];
  for (const [name, fault, part] of cases)
    test(name, () => {
      const feed = liveFeed();
      expect(feed.applySnapshot({ ...snapshot, ...part }, 2)).toMatchObject({ fault });
      expect(feed.isUsable).toBe(false);
    });
});

test('M4: a delete of an unknown order changes nothing', () => {
  const feed = liveFeed();
  expect(feed.applyUpdate(update({ delete: { orderId: 'zz' } }), 2)).toMatchObject({
    kind: 'applied',
  });
  expect(feed.isUsable).toBe(true);
});

test('an update without content moves the sequence, and sequences beyond 2^53 count exactly', () => {
  const feed = new MarketFeed(scales);
  feed.applySnapshot({ ...snapshot, sequence: '9007199254740993' }, 1);
  expect(feed.applyUpdate(update({ sequence: '9007199254740994' }), 2)).toMatchObject({
    kind: 'applied',
    topChange: 'none',
  });
  expect(feed.sequence).toBe('9007199254740994');
  expect(feed.applyUpdate(update({ sequence: '9007199254740996' }), 3)).toMatchObject({
    fault: 'SEQUENCE_GAP',
  });
});

test('the sequence carries over from 15 to 16 digits', () => {
  const feed = new MarketFeed(scales);
  feed.applySnapshot({ ...snapshot, sequence: '999999999999999' }, 1);
  expect(feed.applyUpdate(update({ sequence: '1000000000000000' }), 2)).toMatchObject({
    kind: 'applied',
  });
});

test('a disconnect makes the book unusable', () => {
  const feed = liveFeed();
  feed.invalidate('DISCONNECTED', 'closed by the exchange');
  expect(feed.reason).toBe('closed by the exchange');
});

test('the median price of recent trades is known without a usable book, within its window', () => {
  const feed = liveFeed();
  feed.applyUpdate(
    update({
      trades: [trade('b1', '1', '99'), trade('a1', '0.1', '10.1'), trade('a1', '0.1', '10.1')],
    }),
    2_000_000,
  );
  feed.invalidate('DISCONNECTED', 'gone');
  expect(feed.recentTrades(61_999_999)?.median(61_999_999)).toBe(10_100);
  expect(feed.recentTrades(62_000_000)?.median(62_000_000)).toBeUndefined();
});
