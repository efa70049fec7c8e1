/** A process that hangs is killed, whether or not its last words can be written. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const module = join(import.meta.dirname, '../../../src/runtime/hang-watchdog.ts');

/** Hangs in its second watch, which has the thread of the first. */
const hanging = `
  import { withHangWatchdog } from ${JSON.stringify(module)};
  await withHangWatchdog({ what: 'first', graceMs: 60_000 }, async (beat) => beat(0));
  await withHangWatchdog({ what: 'it hung at', graceMs: 300 }, async (beat) => {
    beat(0);
    for (;;);
  });`;

function hang() {
  const script = ['--input-type=module', '--eval', hanging];
  return spawn(process.execPath, script, {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 20_000,
    killSignal: 'SIGTERM',
  });
}

test('it says what hung', async () => {
  const child = hang();
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
  expect(said).toContain('millrace: it hung at 1970-01-01T00:00:00.000Z');
}, 30_000);

test('it says in which file and line of a plugin', async () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'millrace-hangs-'));
  const file = join(folder, 'strategy.ts');
  writeFileSync(file, 'type Never = never;\nexport function run(): Never {\n  for (;;);\n}\n');
  const program = `
    import { withHangWatchdog } from ${JSON.stringify(module)};
    import { run } from ${JSON.stringify(file)};
    await withHangWatchdog({ what: 'it hung at', graceMs: 300 }, async (beat) => {
      beat(0);
      run();
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 20_000,
  });
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
  rmSync(folder, { recursive: true, force: true });
  const place = `${basename(folder)}/strategy.ts:3`;
  expect(said).toBe(`millrace: it hung at 1970-01-01T00:00:00.000Z; it runs ${place}\n`);
}, 30_000);

test('nobody reads what it says', async () => {
  const child = hang();
  child.stderr.destroy();
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}, 30_000);
