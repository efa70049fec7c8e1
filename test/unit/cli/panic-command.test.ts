/** `millrace panic` beside a bot that runs: it says so, since the bot places its orders again. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { runPanic } from '../../../src/cli/commands/panic-command.ts';
import { openSqliteStore } from '../../../src/store/sqlite-store.ts';
import { Output } from '../../../src/terminal/output.ts';
import { workspace } from '../../support/package-root.ts';
import { printed } from '../../support/printed.ts';

const config = join(import.meta.dirname, '../../../config/demo.yaml');
const home = mkdtempSync(join(tmpdir(), 'millrace-panic-'));
afterAll(() => rmSync(home, { recursive: true }));

/** Returns what a panic prints; it ends soon, since no simulated exchange has a key in `home`. */
async function panicOutput(): Promise<string> {
  const stderr = new PassThrough();
  const output = new Output({ workspace, isJson: true, stdout: new PassThrough(), stderr });
  const options = { config, home, defaultHome: home, isAll: false, isConfirmed: false };
  await expect(
    runPanic({
      workspace,
      ...options,
      namespace: undefined,
      venue: undefined,
      environment: {},
      output,
    }),
  ).rejects.toThrow(/no simulated exchange/u);
  return printed(stderr);
}

test('names the running bot and the command that stops it', async () => {
  const run = { configHash: 'c', codeHash: 'd', nodeVersion: process.version };
  const name = { namespace: 'demo2345', identity: '', bot: 'demo' };
  const path = join(home, 'demo.sqlite');
  const store = openSqliteStore(path, { nowMs: 0, ...name, run });
  expect(await panicOutput()).toMatch(
    /^! a bot runs on .*demo\.sqlite and may place orders again; .* kill config\/demo\.yaml/u,
  );
  store.close();
  expect(await panicOutput()).toBe('');
});
