/**
 * A backtest's memory does not grow with the length of its recording: a process of its own plays
 * 150 million messages through the whole of it, and is measured after forced collections.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Prover } from './prover.ts';

/** What the process prints at the end. */
export type MemoryRun = {
  /** After every few million messages: heap and buffers that are in use, bytes. */
  readonly samples: readonly { readonly messages: number; readonly bytes: number }[];
  readonly rssMaxBytes: number;
  readonly orders: number;
  readonly fills: number;
};

/**
 * In fewer, what is kept for a day of the recording still grows, and so do the samples of a run's
 * figures and what V8 compiles.
 */
const messagesUsual = 150_000_000;
/** Bytes for each million messages. */
const slopeMax = 8_000;
const plantKeepsRows = 'keeps-rows';

/** Bytes a message by least squares, without the first two fifths. */
function slopeOf(samples: MemoryRun['samples']): number {
  const last = samples.at(-1)?.messages ?? 0;
  const warm = samples.filter(({ messages }) => messages > last * 0.4);
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const messages = mean(warm.map((sample) => sample.messages));
  const bytes = mean(warm.map((sample) => sample.bytes));
  let above = 0;
  let below = 0;
  for (const sample of warm) {
    above += (sample.messages - messages) * (sample.bytes - bytes);
    below += (sample.messages - messages) ** 2;
  }
  return above / below;
}

async function runProcess(words: readonly string[]): Promise<MemoryRun> {
  const script = join(import.meta.dirname, 'memory-process.ts');
  const all = ['--expose-gc', script, ...words];
  const { stdout } = await promisify(execFile)(process.execPath, all, { maxBuffer: 1e8 });
  return JSON.parse(stdout) as MemoryRun;
}

export const memoryProver: Prover = {
  name: 'memory',
  title: 'a backtest takes no more memory for a longer recording',
  compared: ['samples', 'orders', 'fills'],
  plants: { [plantKeepsRows]: 'the backtest keeps a row of each hundred' },
  run: async ({ messages, plant }) => {
    const count = messages ?? messagesUsual;
    const folder = mkdtempSync(join(tmpdir(), 'millrace-memory-'));
    try {
      const keep = plant === plantKeepsRows ? 'keep' : '';
      const run = await runProcess([String(count), folder, '60s', keep]);
      const slope = Math.round(slopeOf(run.samples) * 1e6);
      // What is left of the growth when nobody trades is that of the messages themselves.
      const idle = await runProcess([String(Math.ceil(count / 2)), folder, '100d', keep]);
      const slopeWithoutOrders = Math.round(slopeOf(idle.samples) * 1e6);
      const missed = Object.entries({ slopeBytesPerMillionEvents: slope, slopeWithoutOrders })
        .filter(([, found]) => !(found < slopeMax))
        .map(([name]) => `${name} must be below ${slopeMax}`);
      return {
        figures: {
          events: count,
          slopeBytesPerMillionEvents: slope,
          slopeWithoutOrders,
          bytesPerOrder: Math.round((slope * count) / 1e6 / run.orders),
          rssMax: run.rssMaxBytes,
          orders: run.orders,
          fills: run.fills,
          samples: run.samples.length,
        },
        violations: missed.length,
        notes: missed,
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
