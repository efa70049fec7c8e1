/** A strategy that never returns ends a run over a recording with a message, without results. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minuteOf, writeFirst } from '../support/first-scenario.ts';
import { writePlugin } from '../support/planted-plugin.ts';

const root = join(import.meta.dirname, '..', '..');
const strategies = join(root, 'test', 'fixtures', 'strategies');
const first = join(root, 'backtests', 'first');
const main = join(root, 'src', 'main.ts');
const backtestProcess = join(root, 'test', 'support', 'backtest-process.ts');
const graceMs = 2_000;
/** The recording begins at 12:00:30; the fourth turn of every ten seconds does not return. */
const said =
  'has not returned for 2 s: an endless loop, or more work than --grace allows; ended without results, at 2026-11-20T12:0';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-standstill-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(script: string, ...commandLine: string[]) {
  const { stderr, signal, status } = spawnSync(process.execPath, [script, ...commandLine], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGTERM',
  });
  return { stderr, signal, status };
}

test('of a backtest', () => {
  const text = readFileSync(join(first, 'scenario.yaml'), 'utf8')
    .replace('plugin: simple-mm', 'plugin: never-returns')
    .replace(/parameters: \{.*\}/u, 'parameters: {}');
  writeFileSync(join(folder, 'scenario.yaml'), text);
  copyFileSync(join(first, 'recording.mrec'), join(folder, 'recording.mrec'));
  const ended = run(backtestProcess, join(folder, 'scenario.yaml'), strategies, String(graceMs));
  expect(ended.stderr).toContain(`a strategy (mm-xbt) ${said}`);
  expect(ended.signal).toBe('SIGKILL');
  expect(readdirSync(join(folder, 'results'))).toEqual([]);
});

test('of a check of the strategy', () => {
  const file = join(strategies, 'never-returns', 'strategy.ts');
  const ended = run(main, 'check-strategy', file, '--grace', '2s');
  expect(ended.stderr).toContain(`a strategy (never-returns) ${said}`);
  expect(ended.signal).toBe('SIGKILL');
});

const loading =
  'has not returned for 1 s: an endless loop, or more work than --grace allows; ended without results, at the loading of its plugin';
const loop = 'for (;;);';

test.each([
  ['is-loaded', '', loop],
  ['warms-up', `return rx.NEVER; }, warmUp() { ${loop}`, ''],
  ['quotes', `return rx.NEVER; }, quoting() { ${loop}`, ''],
  ['refines', `return rx.NEVER; }, parameters: z.object({}).refine(() => { ${loop} }), x() {`, ''],
])('of a backtest before it begins: one that never returns when it %s', (name, body, top) => {
  const plugins = writePlugin(folder, name, body, top);
  const scenario = writeFirst(join(plugins, name), minuteOf(name));
  const ended = run(backtestProcess, scenario, plugins, '1000');
  expect(ended.stderr).toContain(`a strategy (mm-xbt) ${loading}`);
  expect(ended.signal).toBe('SIGKILL');
});

test('of a check of the strategy before it begins', () => {
  const file = join(writePlugin(folder, 'is-checked', '', loop), 'is-checked');
  const ended = run(main, 'check-strategy', file, '--grace', '1s');
  expect(ended.stderr).toContain(`a strategy (is-checked) ${loading}`);
  expect(ended.signal).toBe('SIGKILL');
});

test('a plugin that waits for what never comes ends the process, which says so', () => {
  const name = 'waits';
  const file = join(writePlugin(folder, name, '', 'await new Promise(() => {});'), name);
  const ended = run(main, 'check-strategy', file);
  expect(ended.stderr).toContain('the process was ended while strategy waits ran (MR_STRATEGY)');
  expect(ended.status).toBe(1);
});

test('a plugin whose loading takes long, with the loop turning, is waited for', () => {
  const name = 'slow';
  // Longer than the grace, by stretches that are shorter.
  const slowly = `for (let n = 0; n < 30; n++) await new Promise((done) => setTimeout(done, 100));`;
  const plugins = writePlugin(folder, name, 'return rx.NEVER;', slowly);
  const scenario = writeFirst(join(plugins, name), minuteOf(name));
  const ended = run(backtestProcess, scenario, plugins, String(graceMs));
  expect(ended.signal).toBe(null);
});
