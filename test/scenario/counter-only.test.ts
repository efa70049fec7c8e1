/**
 * The scenarios of the repository with an account that owns none of the base currency: they trade,
 * they sell what they bought, and no order lacks its funds.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';

const project = join(import.meta.dirname, '../..');
const recording = join(project, 'backtests/first/recording.mrec');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-counter-only-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a scenario of the repository without its base currency. */
async function run(name: string, ...changes: readonly (readonly [RegExp, string])[]) {
  let text = readFileSync(join(project, 'backtests', name, 'scenario.yaml'), 'utf8');
  for (const [from, to] of [
    [/^balances: \{ XBT: "1",/mu, 'balances: { XBT: "0",'] as const,
    [/recording: [^ ]*recording\.mrec/u, `recording: ${recording}`] as const,
    ...changes,
  ]) {
    expect(text).toMatch(from);
    text = text.replace(from, to);
  }
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, text.replace(/^expect: .*$/mu, ''));
  const { result } = await runBacktest({
    scenario: loadScenario(path),
    dataFolder: folder,
    strategiesFolder: join(project, 'strategies'),
  });
  return result;
}

test('ma-cross sells its whole position each time', async () => {
  const result = await run('ma-cross', [/fast: 3, slow: 12/u, 'fast: 1, slow: 2']);
  expect(result.refusals).toEqual({ gate: {}, exchange: {} });
  expect(result.ordersAccepted).toBe(20);
  expect(result.position).toBe('0');
}, 120_000);

const manyRejections = '{ max: 100000, within: "60s", action: refuse }';

test.each([
  ['as it is', []],
  [
    'close to the mid, where it waits for calls',
    [
      [/halfSpread: "20bps".*tolerance: "2bps"/u, 'halfSpread: "2bps", size: "0.01"'],
      // So near to the mid, many orders would trade, and the breaker of rejections would halt.
      [/^ {2}pairs:$/mu, `  eachStrategy: { rejections: ${manyRejections} }\n  pairs:`],
    ],
  ],
] as const)(
  'simple-mm quotes an ask as soon as it has bought, %s',
  async (_, changes) => {
    const result = await run('first', ...changes);
    expect(Object.keys(result.refusals.exchange)).not.toContain('insufficient-funds');
    // What it bought counts at once, and what it sold is deducted only once.
    expect(Object.keys(result.refusals.gate).join()).not.toContain('FUNDS');
    expect(result.fills).toBeGreaterThan(500);
    // Nearly all of what was bought was sold again.
    expect(Number(result.position)).toBeLessThan(Number(result.volume) / 20);
  },
  120_000,
);

test('join-the-bid buys until its budget is used up', async () => {
  const result = await run('join-the-bid');
  expect(Object.keys(result.refusals.exchange)).not.toContain('insufficient-funds');
  expect(Object.keys(result.refusals.gate).join()).not.toContain('FUNDS');
  expect(Number(result.position)).toBeGreaterThan(0.19);
}, 120_000);
