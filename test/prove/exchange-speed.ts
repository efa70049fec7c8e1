/**
 * How many order operations the simulated exchange answers in a second, over HTTP on this machine,
 * each of them on the disk before its answer: this process places and cancels without pause, the
 * exchange is another one.
 *
 * Compared, in the same run, with one connection that waits for every answer, so that each
 * operation waits for the disk by itself, and with what the disk alone can do.
 */
import { spawn } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type LoadResult, loadOrders } from '../support/order-load.ts';
import type { Prover } from './prover.ts';

const root = join(import.meta.dirname, '../..');
const goal = 10_000;
/** How much faster many are served than one, at least, where a busy machine misses the goal. */
const ratioMin = 3;
const many = { connections: 16, depth: 32 };
const one = { connections: 1, depth: 1 };
const plants = {
  'one-at-a-time': 'the load is a single connection that waits, as if no wait were shared',
  'lost-order': 'an order that was answered is not at the exchange',
};

export const exchangeSpeedProver: Prover = {
  name: 'exchange-speed',
  title: 'the simulated exchange answers 10,000 order operations a second, each of them durable',
  compared: ['placed', 'cancelled'],
  plants,
  run: async ({ plant }) => {
    // In the project's own folder: the temporary one may be in memory, where waiting is free.
    const folder = mkdtempSync(join(root, '.speed-'));
    try {
      const diskWaits = measureDisk(join(folder, 'probe'));
      const measured = await measure(folder, plant === 'one-at-a-time' ? one : many);
      const { single, load, faults } = measured;
      const answered = measured.answered + (plant === 'lost-order' ? 1 : 0);
      const perSecond = perSecondOf(load);
      const ratio = perSecond / perSecondOf(single);
      const notes = [...faults];
      if (answered !== measured.orders)
        notes.push(`${answered} orders were answered, ${measured.orders} are at the exchange`);
      if (load.refused > 0) notes.push(`${load.refused} requests were refused`);
      if (perSecond < goal && ratio < ratioMin)
        notes.push(`${Math.round(perSecond)} operations a second, ${ratio.toFixed(1)} times one's`);
      return {
        figures: {
          operationsPerSecond: Math.round(perSecond),
          goal,
          isGoalReached: perSecond >= goal,
          placed: load.placed,
          cancelled: load.cancelled,
          seconds: Math.round(load.seconds * 100) / 100,
          oneAtATimePerSecond: Math.round(perSecondOf(single)),
          timesOneAtATime: Math.round(ratio * 10) / 10,
          diskWaitsPerSecond: Math.round(diskWaits),
        },
        violations: notes.length,
        notes,
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function perSecondOf({ placed, cancelled, seconds }: LoadResult): number {
  return (placed + cancelled) / seconds;
}

/** Returns how many small writes a second the disk makes durable one after the other. */
function measureDisk(path: string): number {
  const descriptor = openSync(path, 'w');
  const line = Buffer.alloc(250, 'x');
  const startedMs = performance.now();
  let count = 0;
  for (; count < 10_000 && performance.now() - startedMs < 1_000; count++) {
    writeSync(descriptor, line);
    fdatasyncSync(descriptor);
  }
  closeSync(descriptor);
  return count / ((performance.now() - startedMs) / 1000);
}

type Measured = {
  readonly single: LoadResult;
  readonly load: LoadResult;
  /** Orders that were answered for, over all loads. */
  readonly answered: number;
  readonly orders: number;
  readonly faults: readonly string[];
};

async function measure(
  folder: string,
  shape: { readonly connections: number; readonly depth: number },
): Promise<Measured> {
  const script = join(root, 'test/support/throughput-server.ts');
  const child = spawn(process.execPath, [script, join(folder, 'exchange'), 'keep-all'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('the exchange ended by itself');
    return JSON.parse(value as string);
  };
  try {
    const target = (await next()) as { port: number; id: string; secret: string };
    // Both processes compile what they run while it is warmed up.
    const warm = await loadOrders({ ...target, ...many, forMs: 1_000, run: 'warm' });
    const single = await loadOrders({ ...target, ...one, forMs: 1_500, run: 'one' });
    const load = await loadOrders({ ...target, ...shape, forMs: 4_000, run: 'load' });
    child.stdin.end();
    const end = (await next()) as { faults: string[]; orders: number };
    return { single, load, answered: warm.placed + single.placed + load.placed, ...end };
  } finally {
    child.kill('SIGKILL');
  }
}
