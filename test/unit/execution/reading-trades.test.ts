/** The list of trades: in pages, late, out of order and from long ago. */
import { describe, expect, test } from 'vitest';
import { amountOf, formatAmount } from '../../../src/domain/amount.ts';
import type { UserTrade } from '../../../src/venues/luno/api/operations/order-operations.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { AccountListing, placeOpen } from './account-listing.ts';
import { book, startMs, tradeOf } from './execution-fixture.ts';

const hour = 3_600_000;

describe('the list of trades', () => {
  test('RD9: a trade that is listed late, behind newer ones, is booked by the overlap', () => {
    const listing = new AccountListing();
    const order = placeOpen(listing);
    const late = tradeOf(order, 10, { sequence: '5', timestamp: startMs + 1 });
    listing.trade(tradeOf(order, 10, { sequence: '6', timestamp: startMs + 2 }));
    listing.run(listing.trades.pass());
    listing.trade(late);
    listing.run(listing.trades.pass());
    expect(formatAmount(order.booked.base)).toBe('0.002');
  });

  test('RD10: pages by sequence, whatever their size, book every trade once', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = new SeededRandom(seed);
      const listing = new AccountListing();
      const order = placeOpen(listing);
      listing.pageMax = random.pick([1_000, 1_000, 7, 50]);
      let sequence = 0n;
      const count = random.integer(0, 90);
      for (let n = 0; n < count; n++) {
        sequence += BigInt(random.integer(1, 3));
        listing.trade(tradeOf(order, 1, { sequence: String(sequence), timestamp: startMs + n }));
      }
      // A page smaller than requested is only suspicious while a trade is missing.
      for (let pass = 0; pass < 30; pass++) {
        listing.run(listing.ledger.pass());
        listing.harness.advance(11_000);
        listing.run(listing.trades.pass());
      }
      expect(order.booked.base / amountOf('0.0001'), `seed ${seed}`).toBe(BigInt(count));
      const asked = listing.asked.filter((one) => one.operation === 'listtrades');
      for (const { parameters } of asked)
        expect(Object.keys(parameters).sort()).toEqual(['after_seq', 'limit', 'pair', 'since']);
    }
  });

  test('RD11: 2,500 trades in one window are read to their end', () => {
    const listing = new AccountListing();
    const order = placeOpen(listing);
    for (let n = 1; n <= 2_500; n++)
      listing.trade(tradeOf(order, 1, { sequence: String(n), timestamp: startMs + n }));
    listing.run(listing.trades.pass());
    expect(formatAmount(order.booked.base)).toBe('0.25');
    expect(listing.count('listtrades')).toBe(3);
  });

  test('RD13: consecutive sequences beyond 2^53 are two trades', () => {
    const listing = new AccountListing();
    const order = placeOpen(listing);
    for (const sequence of ['9007199254740992', '9007199254740993'])
      listing.trade(tradeOf(order, 10, { sequence, timestamp: startMs }));
    listing.run(listing.trades.pass());
    listing.run(listing.ledger.pass());
    const booked = listing.harness.records.flatMap((one) => (one.kind === 'fill' ? [one.row] : []));
    expect(booked.map(({ sequence }) => sequence)).toEqual([
      '9007199254740992',
      '9007199254740993',
    ]);
    expect(listing.fills.proofs.openCount).toBe(0);
  });

  test.each([true, false])("RD14: our side is `type`, and the taker's side %s is not", (isBuy) => {
    const listing = new AccountListing();
    const order = placeOpen(listing);
    listing.trade(tradeOf(order, 10, { is_buy: isBuy }));
    listing.run(listing.trades.pass());
    const [fill] = listing.harness.records.flatMap((one) => (one.kind === 'fill' ? [one.row] : []));
    // The order is a bid: if the taker bought, it was ours.
    expect(fill).toMatchObject({ side: 'BID', maker: !isBuy });
    expect(formatAmount(listing.fills.positions.holding('mm', 'XBTZAR').bought.base)).toBe('0.001');
  });

  test.each<[string, Partial<UserTrade>]>([
    ['of the other side', { type: 'ASK' }],
    ['of a side that nobody knows', { type: 'MAYBE' }],
    ['of a negative value', { counter: '-1' }],
  ])(
    'RD27: a trade of our order %s halts the bot, and is booked as soon as it is right',
    (_, change) => {
      const listing = new AccountListing();
      const order = placeOpen(listing);
      expect(book(listing.fills, tradeOf(order, 10, change))).toBe(false);
      expect(book(listing.fills, tradeOf(order, 10, change))).toBe(false);
      expect(listing.harness.incidents).toEqual(['FILL_INVALID']);
      expect(listing.harness.tradingStates).toEqual(['bot HALTED']);
      expect(order.booked.base).toBe(0n);
      expect(book(listing.fills, tradeOf(order, 10))).toBe(true);
      expect(formatAmount(order.booked.base)).toBe('0.001');
    },
  );
});

describe('an order that rests for weeks', () => {
  const restFor = (listing: AccountListing, hours: number): void => {
    listing.harness.advance(hours * hour);
    listing.harness.calls.length = 0;
  };
  const sinceOf = (listing: AccountListing): number =>
    Number(listing.asked.findLast((one) => one.operation === 'listtrades')?.parameters['since']);

  test('extends a pass back to it only as far as the ledger has not been read', () => {
    const listing = new AccountListing();
    const order = placeOpen(listing);
    restFor(listing, 14 * 24);
    listing.run(listing.trades.pass());
    expect(sinceOf(listing)).toBe(startMs - 60_000);
    const { nowMs } = listing.harness;
    listing.trade(tradeOf(order, 1, { sequence: '7', timestamp: nowMs - 1_000 }));
    listing.run(listing.ledger.pass());
    listing.run(listing.trades.pass());
    listing.run(listing.trades.pass());
    expect(formatAmount(order.booked.base)).toBe('0.0001');
    expect(sinceOf(listing)).toBeGreaterThan(nowMs - 700_000);
  });

  test('gets an old fill that the ledger shows and the list delayed', () => {
    const listing = new AccountListing();
    const order = placeOpen(listing);
    const hidden = tradeOf(order, 3, { sequence: '3', timestamp: startMs + 1_000 });
    listing.trade(hidden, { isListed: false });
    restFor(listing, 14 * 24);
    listing.trade(tradeOf(order, 1, { sequence: '9', timestamp: listing.harness.nowMs - 1_000 }));
    listing.run(listing.ledger.pass());
    listing.run(listing.trades.pass());
    expect(sinceOf(listing)).toBe(startMs + 1_000 - 60_000);
    listing.listedTrades.push(hidden);
    listing.run(listing.trades.pass());
    expect(formatAmount(order.booked.base)).toBe('0.0004');
    expect(listing.fills.proofs.openCount).toBe(0);
  });
});
