/** A strategy that asks for more calls than there are, against the simulated exchange. */
import { map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { CallsLeft, Intent, Lots, MarketContext, Side, Ticks } from '../../src/index.ts';
import { begin, placeAt, posts } from '../support/scripted-world.ts';

const everyMs = 200;
const sides: readonly Side[] = ['BID', 'ASK'];

/** Both sides, far from the market, at other prices each time. */
function quoteAt(market: MarketContext, count: number, wanted: readonly Side[]): Intent {
  const mid = ((market.top?.bid ?? 1_000_000) + (market.top?.ask ?? 1_000_000)) / 2;
  const orders = wanted.map((side) => {
    const share = (side === 'BID' ? 0.99 : 1.01) + (count % 2) * 0.001;
    const price = market.round(mid * share, 'down') as Ticks;
    return { level: side, side, price, volume: 1_000 as Lots, postOnly: true };
  });
  return { kind: 'quote', pair: market.pair, orders, reason: `move ${count}` };
}

/** Only the limit on calls applies. */
const limits = <Given extends { account: object; eachStrategy: object }>(given: Given): Given => ({
  ...given,
  account: { ...given.account, ordersPerMinuteMax: 10_000, ordersPerSecondMax: 10_000 },
  eachStrategy: {
    ...given.eachStrategy,
    ...{ ordersPerMinuteMax: 10_000, ordersPerSecondMax: 10_000 },
    ...{ ordersPerFillMax: 100_000, cancelShareMax: '100' },
  },
});

describe('quotes that move all the time', () => {
  const notices: string[] = [];
  const read: CallsLeft[] = [];
  let wanted = sides;
  const world = begin(
    (context, market) =>
      context.every(everyMs).pipe(
        map((count) => {
          read.push(context.callsLeft());
          return quoteAt(market, count, wanted);
        }),
      ),
    { limits, onNotice: (line) => notices.push(line) },
    180,
  );
  const postsBefore = posts(world);

  test('have an order on each side, also when the calls are used up', () => {
    expect(world.engine?.coverage.longest?.ms).toBeLessThan(5_000);
    expect(postsBefore).toBeGreaterThan(50);
    expect(notices.filter((line) => line.includes('(429)'))).toEqual([]);
  });

  test('are replaced in each ten seconds of a minute', () => {
    const before = posts(world);
    for (let part = 1; part <= 6; part++) {
      const already = posts(world);
      world.pass(10);
      expect(posts(world), `ten seconds ${part} from post ${before} on`).toBeGreaterThan(already);
    }
  });

  test('are announced with their wait, at most every ten seconds for each side', () => {
    const lines = notices.filter((line) => line.includes('for the call limit'));
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.length).toBeLessThanOrEqual(2 * 25);
    expect(lines[0]).toMatch(/own (?:BID|ASK) \S+ at \S+ waits \d+\.\d s for the call limit /u);
    expect(lines[0]).toMatch(/\(300 a minute\); the order at \S+ rests until then$/u);
    for (const wait of world.engine?.waits.all() ?? []) {
      expect(wait).toMatchObject({ strategy: 'own', reason: 'call limit' });
      expect(wait.waitedMs).toBeGreaterThanOrEqual(0);
      expect(wait.restsAt).not.toBe(wait.price);
    }
  });

  test('their strategy can read how many calls are left', () => {
    expect(read[0]?.forOrders).toBeGreaterThan(100);
    const used = read.slice(-100);
    expect(Math.max(...used.map(({ forOrders }) => forOrders))).toBeLessThan(100);
    expect(used.every(({ perMinute }) => perMinute > 270 && perMinute <= 278)).toBe(true);
  });

  test('a side that the quote no longer names is cancelled at once', () => {
    wanted = ['BID'];
    world.pass(1.5);
    const asks = world.engine?.orders.tracker.live.filter(({ terms }) => terms.side === 'ASK');
    expect(asks).toEqual([]);
    expect(world.engine?.waits.all().filter(({ side }) => side === 'ASK')).toEqual([]);
  });
});

test('waiting orders by key are announced, with nothing resting', () => {
  const notices: string[] = [];
  const world = begin(
    (context, market) =>
      context.every(100).pipe(
        map((count): Intent => {
          const change = { key: `order-${count >> 1}`, side: 'BID' as const };
          if (count % 2 === 0) return placeAt(market, 0.99, change);
          return { kind: 'cancel', pair: market.pair, key: change.key, reason: 'test' };
        }),
      ),
    { limits, onNotice: (line) => notices.push(line) },
    40,
  );
  const lines = notices.filter((line) => line.includes('for the call limit'));
  expect(lines[0]).toMatch(/own BID \S+ at \S+ waits \d+\.\d s .*; nothing rests until then$/u);
  expect(lines.length).toBeLessThanOrEqual(4);
  expect(posts(world)).toBeLessThanOrEqual(150);
});
