/** Strategies whose code ends the process, or fails where nobody catches it, as processes. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minuteOf, writeFirst } from '../support/first-scenario.ts';
import { writePlugin } from '../support/planted-plugin.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-guard-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const idle = `{ kind: 'idle', pair, reason: 'planted' }`;
const doing = (what: string): string =>
  `return context.every(1_000).pipe(rx.map(() => { ${what}; return ${idle}; }));`;

describe.each([
  ['exits', doing('process.exit(0)'), /the process was ended by exits\/strategy\.ts:\d+ while/u],
  [
    'rejects',
    doing(`void Promise.reject(new Error('boom'))`),
    /code outside the engine failed while strategy \S+ ran: boom, at rejects\/strategy\.ts:\d+/u,
  ],
  [
    'throws-later',
    doing(`setTimeout(() => { throw new Error('late'); }, 0)`),
    /code outside the engine failed while strategy \S+ ran: late, at throws-later\/strategy\.ts/u,
  ],
])('a strategy that %s', (name, run, told) => {
  test('ends check-strategy with 1 and is named', () => {
    const file = join(writePlugin(folder, name, run), name);
    const scenario = writeFirst(join(folder, name), minuteOf(name));
    const { status, stderr } = spawnSync(
      process.execPath,
      [main, 'check-strategy', file, '--scenario', scenario],
      { encoding: 'utf8' },
    );
    expect(stderr).toMatch(told);
    expect(stderr).toContain('(MR_STRATEGY)');
    expect(status).toBe(1);
  }, 60_000);
});

test('a strategy that exits while it is loaded ends backtest with 1', () => {
  const name = 'exits-at-once';
  const { status, stderr } = backtestOf(name, '}, x: process.exit(0), y() {');
  expect(stderr.match(/was ended by exits-at-once\/strategy\.ts:\d+ while/gu)).toHaveLength(1);
  expect(status).toBe(1);
}, 60_000);

// The recording is so short that it is read without ever letting the event loop turn.
test.each([
  ['rejects-last', `void Promise.reject(new Error('boom'))`, 'boom'],
  ['throws-last', `setTimeout(() => { throw new Error('late'); }, 0)`, 'late'],
])(
  'a strategy that %s leaves no result of a short backtest',
  (name, what, told) => {
    const { status, stdout, stderr } = backtestOf(name, doing(what));
    expect(stderr).toMatch(
      /StrategyError: code outside the engine failed while strategy \S+ ran:/u,
    );
    expect(stderr).toContain(`${told}, at ${name}/strategy.ts`);
    expect(stdout).toBe('');
    expect(status).toBe(1);
  },
  60_000,
);

/** Runs the backtest command over a minute with such a plugin, as a process. */
function backtestOf(name: string, run: string) {
  const strategies = writePlugin(folder, name, run);
  const scenario = writeFirst(join(folder, name), minuteOf(name));
  const source = join(main, '..');
  const support = join(import.meta.dirname, '../support');
  const program = `import { runBacktestCommand } from '${source}/cli/commands/backtest-command.ts';
    import { Output } from '${source}/terminal/output.ts';
    import { workspace } from '${support}/package-root.ts';
    const { stdout, stderr } = process;
    const output = new Output({ isJson: true, stdout, stderr, workspace });
    const given = ${JSON.stringify({ scenario, graceMs: 60_000 })};
    const place = { ...workspace, strategies: ${JSON.stringify(strategies)} };
    process.exitCode = await runBacktestCommand({ ...given, workspace: place, output });`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
}

test.each([
  ['the current folder is gone', 'cd gone && rmdir ../gone', 'ENOENT'],
  ['no thread can be made', 'ulimit -n 24', 'EMFILE'],
])(
  'where %s, no strategy is blamed',
  (_, before, code) => {
    const name = 'blameless';
    const file = join(writePlugin(folder, name, 'return rx.NEVER;'), name);
    const scenario = writeFirst(file, minuteOf(name));
    mkdirSync(join(folder, 'gone'), { recursive: true });
    const command = `${before} && exec "$0" "$@"`;
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', command, process.execPath, main, 'check-strategy', file, '--scenario', scenario],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(stderr).toContain(code);
    expect(stderr).not.toContain('strategy blameless');
    expect(stderr).not.toContain('MR_STRATEGY');
    expect(status).toBe(1);
  },
  60_000,
);
