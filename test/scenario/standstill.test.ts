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

const root = join(import.meta.dirname, '..', '..');
const strategies = join(root, 'test', 'fixtures', 'strategies');
const first = join(root, 'backtests', 'first');
const graceMs = 2_000;
/** The recording begins at 12:00:30; the fourth turn of every ten seconds does not return. */
const said =
  'has not returned for 2 s: a loop without end, or more to do than --grace gives it; ended without results, at 2026-11-20T12:0';

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
  const script = join(root, 'test', 'support', 'backtest-process.ts');
  const ended = run(script, join(folder, 'scenario.yaml'), strategies, String(graceMs));
  expect(ended.stderr).toContain(`a strategy (mm-xbt) ${said}`);
  expect(ended.signal).toBe('SIGKILL');
  expect(readdirSync(join(folder, 'results'))).toEqual([]);
});

test('of a check of the strategy', () => {
  const file = join(strategies, 'never-returns', 'strategy.ts');
  const main = join(root, 'src', 'main.ts');
  const ended = run(main, 'check-strategy', file, '--grace', '2s');
  expect(ended.stderr).toContain(`a strategy (never-returns) ${said}`);
  expect(ended.signal).toBe('SIGKILL');
});
