/**
 * What a judgement costs inside a backtest, and what the gate costs a backtest. For information.
 *
 * A judgement is one call of `Gate.judge` with facts that are written: all 24 checks and the
 * approval. It is timed where it happens in a backtest, sixteen times over so that the clock's own
 * cost does not count; the rest of the bot's work lies between one order and the next. The first
 * of them, for which code and data come from further away, is given apart.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scenarioText, smallSet, writeScenario } from '../support/backtest-scenario.ts';
import { writeRecordedSet } from '../support/recorded-set.ts';

const actions = 40_000;

type Timed = {
  readonly judgements: number;
  readonly medianMicros?: number;
  readonly firstMedianMicros?: number;
  readonly bestMs: number;
};

/** Runs backtests with and without the gate, in processes of their own. */
export async function measureGate(): Promise<{
  readonly judgements: number;
  readonly judgementMicros: number;
  readonly firstJudgementMicros: number;
  readonly gateRatio: number;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-gate-'));
  try {
    writeRecordedSet(folder, { name: smallSet, seed: 5, actions });
    writeScenario(folder, scenarioText());
    const cost = await run('cost', folder);
    const on = await run('on', folder);
    const off = await run('off', folder);
    return {
      judgements: cost.judgements,
      judgementMicros: hundredths(cost.medianMicros),
      firstJudgementMicros: hundredths(cost.firstMedianMicros),
      gateRatio: Math.round((on.bestMs / off.bestMs) * 1_000) / 1_000,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hundredths(value: number | undefined): number {
  return Math.round((value ?? Number.NaN) * 100) / 100;
}

async function run(way: 'cost' | 'on' | 'off', folder: string): Promise<Timed> {
  const script = new URL('./gate-speed-run.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [script, way, folder]);
  return JSON.parse(stdout) as Timed;
}
