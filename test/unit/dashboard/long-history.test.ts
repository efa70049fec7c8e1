/** A history of 100,000 fills is answered fast, in about as many points as were asked for. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  DaysAnswer,
  FillsAnswer,
  HistoryAnswer,
} from '../../../src/dashboard/api/history-answers.ts';
import { longHistory } from '../../support/page-records.ts';
import { askPage, bearer } from '../../support/page-requests.ts';
import { openPageWorld, type PageWorld } from '../../support/page-world.ts';

const fills = 100_000;
let world: PageWorld;
beforeAll(async () => {
  world = await openPageWorld({ records: longHistory(fills) });
}, 120_000);
afterAll(() => world.close());

/** Returns the answer, and the processor time that it took. */
async function asked<Answer>(path: string): Promise<{ value: Answer; ms: number }> {
  const began = process.cpuUsage();
  const answer = await askPage(world.target, `/api/v1/bots/${world.bot.id}/${path}`, {
    headers: bearer(world.target),
  });
  const { user, system } = process.cpuUsage(began);
  const ms = (user + system) / 1_000;
  expect(answer.status, answer.text.slice(0, 200)).toBe(200);
  return { value: JSON.parse(answer.text) as Answer, ms };
}

test('history and fills come within the second of the first paint', async () => {
  const history = await asked<HistoryAnswer>('history?pair=XBTZAR&points=2000');
  const shown = await asked<FillsAnswer>('fills?pair=XBTZAR&points=2000');
  console.log(`history ${history.ms.toFixed(0)} ms, fills ${shown.ms.toFixed(0)} ms`);
  expect(history.ms + shown.ms).toBeLessThan(2_000);
  const { columns } = history.value;
  expect(columns.timesMs.length).toBeGreaterThan(1_000);
  expect(columns.timesMs.length).toBeLessThanOrEqual(2_001);
  for (const column of Object.values(columns)) expect(column).toHaveLength(columns.timesMs.length);
  expect(shown.value.total).toBe(fills);
  expect(shown.value.columns.timesMs.length).toBeLessThanOrEqual(2_000);
  expect(shown.value.columns.count.reduce((sum, count) => sum + count, 0)).toBe(fills);
  const volume = shown.value.columns.volume.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  expect(volume).toBeCloseTo(fills / 1_000, 6);
  // The highest and the lowest price of all fills are among the points.
  const prices = shown.value.columns.price.map((price) => price ?? 0);
  expect([Math.min(...prices), Math.max(...prices)]).toEqual([950_000, 1_050_000]);
});

test('position and profit are those of every fill, also where only the end is shown', async () => {
  const whole = await asked<HistoryAnswer>('history?pair=XBTZAR&points=500');
  const end = await asked<HistoryAnswer>(
    `history?pair=XBTZAR&points=500&from=${whole.value.toMs - 3_600_000}`,
  );
  const last = ({ columns }: HistoryAnswer, name: 'position' | 'profit' | 'fees') =>
    columns[name].at(-1);
  expect(last(whole.value, 'position')).toBeCloseTo(0, 9);
  expect(last(whole.value, 'fees')).toBeCloseTo(fills * 0.2, 3);
  for (const name of ['position', 'profit', 'fees'] as const)
    expect(last(end.value, name)).toBeCloseTo(last(whole.value, name) ?? Number.NaN, 6);
});

test('few fills are answered one by one', async () => {
  const { value } = await asked<FillsAnswer>('fills?pair=XBTZAR&points=2000');
  const fromMs = value.fromMs;
  const few = await asked<FillsAnswer>(
    `fills?pair=XBTZAR&points=2000&from=${fromMs}&to=${fromMs + 100_000}`,
  );
  expect(few.value.total).toBe(few.value.columns.count.length);
  expect(few.value.columns.count.every((count) => count === 1)).toBe(true);
});

test('days add up exactly', async () => {
  const { value, ms } = await asked<DaysAnswer>('days?pair=XBTZAR');
  console.log(`days ${ms.toFixed(0)} ms`);
  expect(value.days.length).toBeGreaterThan(1);
  expect(value.days.reduce((sum, day) => sum + day.fills, 0)).toBe(fills);
  for (const { fills: count, base } of value.days) expect(base).toBe(String(count / 1_000));
});

test('a page of orders, a filter that finds nothing and an order story are quick', async () => {
  for (const path of ['orders?limit=50', 'orders?pair=ETHZAR', 'orders/99999', 'status']) {
    const { ms } = await asked(path);
    console.log(`${path} ${ms.toFixed(0)} ms`);
    expect(ms).toBeLessThan(3_000);
  }
});
