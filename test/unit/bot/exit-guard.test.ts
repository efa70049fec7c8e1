/** A process that ends while a strategy runs: by the verb itself, or by code that may not. */
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

test('what the verb ends itself has its own code, and nothing is said of a strategy', () => {
  expect(runGuarded('exit(3);')).toEqual([3, '']);
  expect(runGuarded('')).toEqual([0, '']);
});

test.each(['process.exit(0)', 'process.reallyExit(0)'])(
  'what somebody else ends by %s is told, with what is left and its code',
  (work) => {
    const [status, told] = runGuarded(work);
    expect(status).toBe(6);
    expect(told).toMatch(
      /^millrace: .* while strategy mm ran \(MR_STRATEGY\)\norders may be open\n$/u,
    );
  },
);

test('its code is the same where nobody reads any more', async () => {
  const child = spawn(process.execPath, argumentsOf('process.exit(0);'));
  child.stderr.destroy();
  expect(await once(child, 'exit')).toEqual([6, null]);
});
