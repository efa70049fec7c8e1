/** The profit of each day, also of one that is not over, and databases that cannot be read. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dayRowsOf } from '../../../src/dashboard/history/day-rows.ts';
import type { StoreRecord } from '../../../src/domain/records.ts';
import { createTimers } from '../../../src/runtime/timers.ts';
import { openStoreHistory } from '../../../src/store/store-history.ts';
import { makeBot } from '../../support/page-world.ts';
import { dayMs, fill, noonMs, order } from '../store/store-samples.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'days-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The best prices of a minute, around `mid`. */
function sample(atMs: number, mid: number): StoreRecord {
  return { kind: 'market-sample', atMs, pair: 'XBTZAR', bid: `${mid - 1}`, ask: `${mid + 1}` };
}

/** A BID of 0.001 XBT at 1,000,000 ZAR without fees. */
function bought(id: number, tradedMs: number): StoreRecord[] {
  const orderId = `BX${id}`;
  const traded = { price: '1000000', volume: '0.001', base: '0.001', counter: '1000' };
  return [
    order(id, { orderId, state: 'filled', createdMs: tradedMs }),
    fill(String(id), {
      ...{ intentId: id, orderId, tradedMs, side: 'BID', feeBase: '0', feeCounter: '0' },
      ...traded,
    }),
  ];
}

test('a day has its profit by its last mid, also before it is over or after a stop', async () => {
  const records = [
    ...bought(1, noonMs),
    ...[sample(noonMs + 60_000, 1_000_500), sample(noonMs + 120_000, 1_001_000)],
    ...bought(2, noonMs + dayMs),
    sample(noonMs + dayMs + 60_000, 1_003_000),
  ];
  const { store } = makeBot(folder, 'desk', records);
  const history = openStoreHistory(store);
  const { days } = await dayRowsOf(history, { pair: 'XBTZAR', limit: 10 }, createTimers());
  history.close();
  expect(days.map(({ day, position, profit }) => [day, position, profit])).toEqual([
    ['2026-03-03', 0.001, 1],
    ['2026-03-04', 0.002, 5],
  ]);
});

test('an archive that is no database is an error, and nothing stays open', () => {
  const { store } = makeBot(folder, 'desk', []);
  writeFileSync(`${store}.archive`, 'x'.repeat(4_096));
  expect(() => openStoreHistory(store)).toThrow(/not a database/u);
});
