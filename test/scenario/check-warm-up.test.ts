/** `check-strategy` says how much the orders of a strategy depend on its warm-up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { runCheckStrategy } from '../../src/cli/commands/check-strategy-command.ts';
import { Output } from '../../src/terminal/output.ts';
import { minuteOf, writeFirst } from '../support/first-scenario.ts';
import { workspace } from '../support/package-root.ts';
import { writePlugin } from '../support/planted-plugin.ts';
import { printed } from '../support/printed.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-check-warm-up-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bids every ten seconds at a price that `price` makes of the closes before the run. */
const bids = (candles: number, price: string) => `
    const closes = market.history.map(({ close }) => close);
    return context.every(10_000).pipe(rx.map((count) => ({ kind: 'place', pair,
      key: String(context.nowMs()), reason: 'planted',
      terms: { side: 'BID', price: ${price}, volume: 1000, postOnly: true } })));
}, warmUp: () => ({ intervalMs: 60_000, candles: ${candles} }), quoting() { return undefined;`;

/** Checks it over a minute that begins at `from`; returns what is said of its warm-up. */
async function said(name: string, run: string, from = '2026-11-20T12:20:30Z') {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const until = new Date(Date.parse(from) + 60_000).toISOString();
  const span = [
    [/^from: .*$/mu, `from: "${from}"`],
    [/^to: .*$/mu, `to: "${until}"`],
  ] as const;
  const code = await runCheckStrategy({
    file: join(writePlugin(folder, name, run), name),
    scenario: writeFirst(join(folder, name), [...minuteOf(name), ...span]),
    graceMs: 60_000,
    workspace,
    output: new Output({ workspace, isJson: false, stdout, stderr }),
  });
  const out = printed(stdout);
  expect(code, out).toBe(0);
  return /^warm-up: .*$/mu.exec(out)?.[0];
}

const average = 'Math.floor(closes.reduce((sum, one) => sum + one, 0) / closes.length) - 5000';

test('one whose prices depend on all its history has other orders with twice as much', async () => {
  expect(await said('depends', bids(5, average))).toMatch(
    /^warm-up: with 10 .* instead of 5, 10 orders differ, the first at 2026-11-20T12:20:4/u,
  );
}, 60_000);

test('one that uses the last candle has the same orders', async () => {
  expect(await said('forgets', bids(5, 'closes.at(-1) - 5000'))).toMatch(
    /^warm-up: with 10 candles from .* instead of 5, it places the same [1-9]\d* orders$/u,
  );
}, 60_000);

test('without more history it says so, and without a warm-up nothing', async () => {
  expect(await said('has-all', bids(9_000, 'closes.at(-1) - 5000'))).toMatch(
    /^warm-up: the recording has no more than its \d+ candles from before the run/u,
  );
  expect(await said('needs-none', bids(0, '995000'))).toBeUndefined();
}, 60_000);
