/** A process that ends while a strategy runs: by the command itself, or by other code. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const guard = join(import.meta.dirname, '../../../src/bot/guards/exit-guard.ts');

/** What runs `work` with a guard that says more. */
function argumentsOf(work: string): readonly string[] {
  const ended = `() => ({ lines: ['orders may be open'], exitCode: 6 })`;
  const script = `
    import { withExitGuard } from ${JSON.stringify(guard)};
    await withExitGuard('strategy mm', async (exit) => { ${work} }, ${ended});`;
  return ['--input-type=module', '-e', script];
}

/** Returns the exit code and standard error. */
function runGuarded(work: string) {
  const { status, stderr } = spawnSync(process.execPath, argumentsOf(work), { encoding: 'utf8' });
  return [status, stderr];
}

test('an exit by the command has its own code, and no strategy is reported', () => {
  expect(runGuarded('exit(3);')).toEqual([3, '']);
  expect(runGuarded('')).toEqual([0, '']);
});

test.each(['process.exit(0)', 'process.reallyExit(0)'])(
  'an exit by other code, with %s, is reported with the remaining orders and the exit code',
  (work) => {
    const [status, told] = runGuarded(work);
    expect(status).toBe(6);
    expect(told).toMatch(
      /^millrace: .* while strategy mm ran \(MR_STRATEGY\)\norders may be open\n$/u,
    );
  },
);

test('the exit code is the same if nobody reads standard error any more', async () => {
  const child = spawn(process.execPath, argumentsOf('process.exit(0);'));
  child.stderr.destroy();
  expect(await once(child, 'exit')).toEqual([6, null]);
});
