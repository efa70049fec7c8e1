/** A booked trade is found while it is kept, and no other trade ever is. */
import { expect, test } from 'vitest';
import type { UserTrade } from '../../../src/exchange-api/operations/order-operations.ts';
import { BookedTrades } from '../../../src/execution/fills/booked-trades.ts';
import { createSeededRandom } from '../../../src/runtime/seeded-random.ts';

/** Only the time of a trade matters here, and which object it is. */
function tradeAt(timestamp: number): UserTrade {
  return { timestamp } as UserTrade;
}

test('lists that repeat the newest trades, with others between them', () => {
  const random = createSeededRandom('booked-trades');
  const booked = new BookedTrades();
  const added: UserTrade[] = [];
  for (let timeMs = 1; timeMs <= 3_000; timeMs++) {
    const trade = tradeAt(timeMs);
    expect(booked.has(trade)).toBe(false);
    booked.add(trade);
    added.push(trade);
    const from = Math.max(0, added.length - random.integer(1, 500));
    for (const known of added.slice(from)) expect(booked.has(known)).toBe(true);
    expect(booked.has(tradeAt(timeMs))).toBe(false);
  }
});

test('a trade that is older than those that are kept is not found', () => {
  const booked = new BookedTrades();
  const first = tradeAt(1);
  expect(booked.has(first)).toBe(false);
  booked.add(first);
  expect(booked.has(first)).toBe(true);
  for (let timeMs = 2; timeMs <= 2_000; timeMs++) booked.add(tradeAt(timeMs));
  expect(booked.has(first)).toBe(false);
});
