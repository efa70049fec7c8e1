/**
 * The simulated exchange keeps little of what is over: 100,000 orders are placed and cancelled over
 * HTTP, six minutes pass without a request, and its process is measured, and its snapshot.
 *
 * The exchange is a process of its own, with the flags and the allocator's setting of the
 * launcher. The minutes are of its own clock, which the control interface moves on.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { collecting } from '../../src/bot-flags.mjs';
import { controlPath } from '../../src/venues/luno/simulator/server/control-http.ts';
import { controlTokenPath } from '../../src/venues/luno/simulator/server/control-token.ts';
import { loadOrders } from '../support/order-load.ts';
import type { Prover } from './prover.ts';

const ordersUsual = 100_000;
const growthMax = 60_000_000;
const snapshotMax = 100_000_000;
const quietMinutes = 6;
const plantKeepsAll = 'keeps-all';

/** Started by its launcher, the exchange has this too; see src/run-script.mjs. */
const environment = { ...process.env, MALLOC_ARENA_MAX: '1' };

export const simulatorProver: Prover = {
  name: 'simulator',
  title: 'the simulated exchange keeps little of 100,000 orders that are over',
  compared: ['placed', 'cancelled'],
  plants: { [plantKeepsAll]: 'the exchange keeps every order and every ledger row' },
  run: async ({ messages, plant }) => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-simulator-'));
    try {
      const found = await measure(folder, messages ?? ordersUsual, plant === plantKeepsAll);
      const growth = found.quietBytes - found.startBytes;
      const notes = [...found.faults];
      if (found.refused > 0) notes.push(`${found.refused} requests were refused`);
      if (growth > growthMax)
        notes.push(`it takes ${growth} bytes more than at its start, at most ${growthMax}`);
      if (found.snapshotBytes > snapshotMax)
        notes.push(`its snapshot has ${found.snapshotBytes} bytes, at most ${snapshotMax}`);
      const { faults: _, ...figures } = found;
      return { figures: { ...figures, growthBytes: growth }, violations: notes.length, notes };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function measure(folder: string, orders: number, keepsAll: boolean) {
  const home = join(folder, 'exchange');
  const exchange = start(home, keepsAll);
  try {
    const target = (await exchange.next()) as { port: number; id: string; secret: string };
    const startBytes = await exchange.resident();
    const shape = { connections: 16, depth: 32, run: 'load' };
    const limit = { forMs: 1_800_000, ordersMax: orders };
    const { placed, cancelled, refused } = await loadOrders({ ...target, ...shape, ...limit });
    const loadedBytes = await exchange.resident();
    await passQuietMinutes(target.port, home);
    const quietBytes = await exchange.resident();
    exchange.end();
    const { faults } = (await exchange.next()) as { faults: string[] };
    const snapshotBytes = Math.max(...readdirSync(home).map((name) => sizeOf(home, name)));
    return {
      ...{ placed, cancelled, refused, faults },
      ...{ startBytes, loadedBytes, quietBytes, snapshotBytes },
    };
  } finally {
    exchange.kill();
  }
}

/** Returns the size of a snapshot; 0 for any other file. */
function sizeOf(home: string, name: string): number {
  return name.startsWith('snapshot-') ? statSync(join(home, name)).size : 0;
}

async function passQuietMinutes(port: number, home: string): Promise<void> {
  const token = readFileSync(controlTokenPath(home), 'utf8').trim();
  const response = await fetch(`http://127.0.0.1:${port}${controlPath}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'advance-time', ms: quietMinutes * 60_000 }),
  });
  if (response.status !== 200) throw new Error(`advance-time: ${await response.text()}`);
  // What the exchange does when it notices that nobody calls, it does at its next tick.
  await wait(2_000);
}

function start(home: string, keepsAll: boolean) {
  const script = join(import.meta.dirname, '../support/throughput-server.ts');
  const words = keepsAll ? [script, home, 'keep-all'] : [script, home];
  const child = spawn(process.execPath, [...collecting, ...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: environment,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('the exchange ended by itself');
    return JSON.parse(value as string);
  };
  return {
    next,
    resident: async (): Promise<number> => {
      child.stdin.write('resident\n');
      return ((await next()) as { rss: number }).rss;
    },
    end: () => child.stdin.end(),
    kill: () => child.kill('SIGKILL'),
  };
}
