/**
 * The README's strategy in the scenario of nine lines of docs/backtests.md, with the demo's
 * limits: it trades to the end. One that does not look at its budget is halted, and every report
 * of the run begins with that.
 */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { Output } from '../../src/terminal/output.ts';
import { workspace } from '../support/package-root.ts';
import { pageContentIn } from '../support/page-content.ts';
import { linkModules } from '../support/planted-plugin.ts';
import { printed } from '../support/printed.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-readme-'));
  for (const name of ['backtests/yours']) mkdirSync(join(folder, name), { recursive: true });
  linkModules(folder);
  const recording = 'backtests/first/recording.mrec';
  cpSync(join(root, recording), join(folder, 'backtests/yours/day.mrec'));
  const [scenario = ''] =
    /^version: 1 +# backtests\/yours[\s\S]*?(?=^```)/mu.exec(read('docs/backtests.md')) ?? [];
  expect(scenario.trimEnd().split('\n')).toHaveLength(9);
  writeFileSync(join(folder, 'backtests/yours/scenario.yaml'), scenario);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Plays the plugin of that code, with the demo's settings as `change` makes them. */
async function backtest(
  plugin: string,
  code: string,
  change: (settings: string) => string = (settings) => settings,
) {
  const bot = read('config/demo.yaml').replace(/^bot: \w+/mu, 'bot: yours');
  writeFileSync(join(folder, 'millrace.yaml'), change(bot));
  const strategies = join(folder, plugin);
  mkdirSync(join(strategies, plugin), { recursive: true });
  const placed = code.replace("'millrace'", `'${join(root, 'src/index.ts')}'`);
  writeFileSync(join(strategies, plugin, 'strategy.ts'), placed);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const exit = await runBacktestCommand({
    scenario: join(folder, 'backtests/yours/scenario.yaml'),
    graceMs: 60_000,
    workspace: { ...workspace, strategies },
    output: new Output({ workspace, isJson: true, stdout, stderr }),
  });
  const value = JSON.parse(printed(stdout).trimEnd().split('\n').at(-1) ?? '');
  return { exit, value, page: pageContentIn(value.report) };
}

test("the README's strategy is not halted, and trades within its budget", async () => {
  const code = /```ts\n(?<code>[\s\S]*?)```/u.exec(read('README.md'))?.groups?.['code'] ?? '';
  const { exit, value } = await backtest('simple-mm', code);
  expect(exit).toBe(0);
  expect(value.incidents).toEqual({});
  expect(value.fills).toBeGreaterThan(100);
  expect(Math.abs(Number(value.position))).toBeLessThanOrEqual(0.2);
  expect(value.metrics.cautions.join()).not.toMatch(/HALTED|refused/u);
}, 60_000);

test('a strategy that is halted is the first that page and metrics say, with what was left', async () => {
  const looks = 'market.position.base + volume > most';
  const code = read('strategies/join-the-bid/strategy.ts');
  expect(code).toContain(looks);
  const { exit, value, page } = await backtest(
    'join-the-bid',
    code.replace(` || ${looks}`, ''),
    (settings) =>
      settings
        .replace(/plugin: \S+/u, 'plugin: join-the-bid')
        .replace(/^ {6}(?:halfSpread|refresh|tolerance): .*\n/gmu, ''),
  );
  expect(exit).toBe(0);
  const [first, second] = value.metrics.cautions;
  expect(first).toMatch(/^strategy mm-xbt was HALTED from 2026-11-20T12:01:\d\d\.\d{3}Z on, /u);
  expect(first).toMatch(/ for the last 9[67]\.\d % of the run: \d+ refused orders within 60 s, /u);
  expect(second).toMatch(
    /^the gate refused \d+ of \d+ requested orders, mostly with mm-xbt BUDGET$/u,
  );
  expect(page.markets[0]?.cautions[0]).toBe(first);
}, 60_000);
