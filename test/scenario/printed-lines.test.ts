/**
 * What a strategy prints with `console` is a line of that strategy, in every way to run it: never
 * an error, never a finding, and nothing depends on it.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { runCheckStrategy } from '../../src/cli/commands/check-strategy-command.ts';
import { Output } from '../../src/terminal/output.ts';
import { minuteOf, writeFirst } from '../support/first-scenario.ts';
import { workspace } from '../support/package-root.ts';
import { pageContentIn } from '../support/page-content.ts';
import { writePlugin } from '../support/planted-plugin.ts';
import { printed } from '../support/printed.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-printed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const main = join(import.meta.dirname, '../../src/main.ts');

/** Quotes every ten seconds; `say` is a statement at each of them. */
function plugin(name: string, say: string, loading = ''): string {
  const run = `return context.every(10_000).pipe(rx.map((count) => { ${say}; return {
    kind: 'quote', pair, reason: 'planted', orders: [
      { level: 'bid', side: 'BID', price: 990000 - count * 10, volume: 10000, postOnly: true },
    ] }; }));`;
  return writePlugin(folder, name, run, loading);
}

async function backtest(name: string, strategies: string) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runBacktestCommand({
    scenario: writeFirst(join(folder, `of-${name}`), minuteOf(name)),
    graceMs: 60_000,
    workspace: { ...workspace, strategies },
    output: new Output({ workspace, isJson: true, stdout, stderr }),
  });
  const [out, told] = [printed(stdout), printed(stderr)];
  const value = JSON.parse(out);
  return { code, value, told, page: pageContentIn(value.report) };
}

test('a backtest shows the lines, keeps them in its result and has the same hash', async () => {
  const say = `console.log('count %d', count, { count }); console.warn('careful\\nreally');
    console.log('</script><!--');
    console.table([{ a: 1 }])`;
  const loud = await backtest('loud', plugin('loud', say));
  const quiet = await backtest('quiet', plugin('quiet', ''));
  expect([loud.code, loud.value.ambient, loud.value.partial]).toEqual([0, [], undefined]);
  expect(loud.value.hash).toBe(quiet.value.hash);
  const { lines, leftOut } = loud.value.printed;
  expect(leftOut).toBe(0);
  expect(lines[0]).toMatch(/^2026-11-20T12:0\d:\d\d\.\d{3}Z mm-xbt: count 0 \{ count: 0 \}$/u);
  expect(lines[1]).toMatch(/Z mm-xbt: careful$/u);
  expect(lines[2]).toMatch(/Z mm-xbt: really$/u);
  expect(loud.told).toMatch(/^2026-\S+ {3}print {5}mm-xbt: count 0 \{ count: 0 \}$/mu);
  expect(loud.told).toMatch(/^2026-\S+ ! print {5}mm-xbt: careful$/mu);
  expect(loud.page.printed).toEqual(loud.value.printed);
  expect(quiet.value.printed).toEqual({ lines: [], leftOut: 0 });
}, 60_000);

test('a strategy that prints for ever is bounded, and says how much was left out', async () => {
  const say = `for (let at = 0; at < 3_000; at++) console.log('again', 'x'.repeat(9_000))`;
  const { value, told } = await backtest('floods', plugin('floods', say));
  const { lines } = value.printed;
  expect(lines.length).toBeLessThan(1_000);
  const shown = lines.filter((line: string) => line.includes('again'));
  expect(Math.max(...shown.map((line: string) => line.length))).toBeLessThan(600);
  const left = lines.flatMap(
    (line: string) => /: (\d+) more lines in that minute were left out/u.exec(line)?.slice(1) ?? [],
  );
  const counted = left.reduce((sum: number, text: string) => sum + Number.parseInt(text, 10), 0);
  expect((shown.length + counted) % 3_000).toBe(0);
  expect(counted).toBeGreaterThan(10_000);
  expect(told).toMatch(/more lines in that minute were left out/u);
}, 60_000);

test('check-strategy prints the lines of one run, and finds nothing', async () => {
  plugin('checked', `console.error('at', count)`);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCheckStrategy({
    file: join(folder, 'strategies', 'checked'),
    scenario: writeFirst(join(folder, 'of-checked'), minuteOf('checked')),
    graceMs: 60_000,
    workspace,
    output: new Output({ workspace, isJson: false, stdout, stderr }),
  });
  const out = printed(stdout);
  expect(code, out).toBe(0);
  expect(out.match(/ print {5}mm-xbt: at 0$/gmu)).toHaveLength(1);
}, 60_000);

test('also while it is loaded, and in promises, in a process whose output is no terminal', () => {
  const say = `console.log('in an event'); Promise.resolve().then(() => console.log('in a promise'))`;
  plugin('everywhere', say, `console.log('while it is loaded');`);
  const scenario = writeFirst(join(folder, 'of-everywhere'), minuteOf('everywhere'));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...[main, 'check-strategy', join(folder, 'strategies', 'everywhere')],
      ...['--scenario', scenario, '--json'],
    ],
    { encoding: 'utf8' },
  );
  expect(status, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ problems: 0, ambient: [] });
  for (const text of ['printed by a plugin: while it is loaded', 'mm-xbt: in an event'])
    expect(stderr).toContain(text);
  expect(stderr).toContain('printed by a plugin: in a promise');
}, 60_000);
