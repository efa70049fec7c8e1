/** What it costs a strategy to read what it decides by. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { makeGround } from './speed-ground.ts';
import { writeMakerScenario } from './speed-maker.ts';
import { speedStrategies } from './speed-scenario.ts';

const refreshMs = 5;
const messagesUsual = 60_000;
const roundsUsual = 6;

/**
 * Returns the CPU time of a decision that reads the best prices, its own orders, its position, its
 * budget and its balance, in microseconds, less that of one that reads nothing; in a market of so
 * many messages, 20 ms apart, with orders and fills between decisions. Of each kind the fastest
 * round counts, in turns.
 */
export async function decisionMicros(
  messages = messagesUsual,
  rounds = roundsUsual,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-decision-'));
  try {
    await makeGround(folder, { messages, linesMax: 0, seed: 1 });
    const fastest = { reads: Infinity, none: Infinity };
    let decisions = 0;
    for (let round = 0; round < rounds; round++)
      for (const kind of ['reads', 'none'] as const) {
        const { millis, seconds } = await run(folder, kind === 'reads');
        fastest[kind] = Math.min(fastest[kind], millis);
        decisions = (seconds * 1_000) / refreshMs;
      }
    return (1_000 * (fastest.reads - fastest.none)) / decisions;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the CPU time that a run took, and how long it was in the recording's time. */
async function run(
  folder: string,
  reads: boolean,
): Promise<{ readonly millis: number; readonly seconds: number }> {
  const parameters = `{ size: "0.01", refresh: "${refreshMs}ms", reads: ${reads} }`;
  const scenario = loadScenario(writeMakerScenario(folder, { plugin: 'reader', parameters }));
  const before = process.cpuUsage();
  const options = { scenario, dataFolder: '', strategiesFolder: speedStrategies };
  const { result, run: played } = await runBacktest(options);
  played.store.close();
  const { user, system } = process.cpuUsage(before);
  return { millis: (user + system) / 1_000, seconds: result.virtualSeconds };
}
