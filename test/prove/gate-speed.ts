/**
 * What a judgement costs inside a backtest, and what the gate costs a backtest. For information.
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
  readonly medianMicros: number;
  readonly bestMs: number;
};

/** Runs a backtest with the gate and without its checks, in processes of their own. */
export async function measureGate(): Promise<{
  readonly judgements: number;
  readonly judgementMicros: number;
  readonly gateRatio: number;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-gate-'));
  try {
    writeRecordedSet(folder, { name: smallSet, seed: 5, actions });
    writeScenario(folder, scenarioText());
    const on = await run('on', folder);
    const off = await run('off', folder);
    return {
      judgements: on.judgements,
      judgementMicros: Math.round(on.medianMicros * 100) / 100,
      gateRatio: Math.round((on.bestMs / off.bestMs) * 1_000) / 1_000,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(way: 'on' | 'off', folder: string): Promise<Timed> {
  const script = new URL('./gate-speed-run.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [script, way, folder]);
  return JSON.parse(stdout) as Timed;
}
