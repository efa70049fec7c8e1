/** `status`, `why` and `why --refused` show what a running bot says of orders that wait. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runStatus } from '../../src/cli/commands/status-command.ts';
import { runWhy } from '../../src/cli/commands/why-command.ts';
import { controlPathOf } from '../../src/control/control-message.ts';
import { type ControlServer, openControl } from '../../src/control/control-server.ts';
import type { BotStatus } from '../../src/domain/bot-status.ts';
import { createTimers } from '../../src/runtime/timers.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { Output } from '../../src/terminal/output.ts';
import { workspace } from '../support/package-root.ts';
import { printed } from '../support/printed.ts';
import { orderRow } from '../unit/store/store-samples.ts';

const config = join(import.meta.dirname, '../../config/demo.yaml');
const home = mkdtempSync(join(tmpdir(), 'millrace-waiting-'));
const path = join(home, 'demo.sqlite');
const resting = orderRow(1);
const wait = {
  ...{ strategy: 'mm-xbt', pair: 'XBTZAR', side: 'BID', price: '997007', volume: '0.01' },
  ...{ reason: 'call limit', waitedMs: 1_200, leavesInMs: 2_000, restsAt: '995000' },
  clientOrderId: resting.clientOrderId,
  text: 'mm-xbt BID 0.01 at 997007 waits 3.2 s for the call limit (300 a minute)',
};
let server: ControlServer | undefined;

beforeAll(async () => {
  const run = { configHash: 'c', codeHash: 'd', nodeVersion: process.version };
  const name = { namespace: 'demo2345', identity: '', bot: 'demo' };
  const store = openSqliteStore(path, { nowMs: 0, ...name, run });
  store.commit(
    [
      { kind: 'order', row: resting },
      { kind: 'order', row: orderRow(2) },
    ],
    1,
  );
  store.close();
  const status = {
    ...{ calls: { waits: [wait], forOrders: null }, notTrading: [], markets: [] },
    ...{ strategies: [], parameters: [], series: [], feeds: [], limits: [], latency: null },
  } as unknown as BotStatus;
  server = await openControl(controlPathOf(path) ?? '', createTimers(), (_request, answer) =>
    answer({ isDone: true, isRefused: false, text: 'reconciled', status }),
  );
});

afterAll(() => {
  server?.close();
  rmSync(home, { recursive: true });
});

/** Returns what a command prints. */
async function outputOf(
  isJson: boolean,
  command: (output: Output) => Promise<number>,
): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  expect(await command(new Output({ workspace, isJson, stdout, stderr }))).toBe(0);
  return printed(stdout);
}

const commands = {
  status: (output: Output) => runStatus({ workspace, config, home, output }),
  'why --refused': (output: Output) =>
    runWhy({ workspace, config, home, order: undefined, sinceMs: undefined, output }),
  'why of the order that rests': (output: Output) =>
    runWhy({ workspace, config, home, order: resting.clientOrderId, sinceMs: undefined, output }),
};

test.each(Object.entries(commands))('%s has it in words and as numbers', async (_, command) => {
  expect(await outputOf(false, command)).toContain(`waits      ${wait.text}\n`);
  const answer = JSON.parse(await outputOf(true, command));
  expect(answer.waits ?? answer.live.calls.waits).toEqual([wait]);
});

test('why of another order does not have it', async () => {
  const order = orderRow(2).clientOrderId;
  const answer = await outputOf(true, (output) =>
    runWhy({ workspace, config, home, order, sinceMs: undefined, output }),
  );
  expect(JSON.parse(answer).waits).toEqual([]);
});
