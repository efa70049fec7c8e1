/**
 * Proves that a run replays: journals of simulated runs with faults and crashes, recorded by one
 * process, are replayed by another one that lives in another time zone and another language, and
 * every effect and record is compared.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';
import { replayPlants } from './replay-plants.ts';
import { addSums, nothingReplayed, type ReplaySums } from './replay-sums.ts';

const seedsUsual = 100;
const notesMax = 20;
const seedsPerFolder = 10;

const here = { TZ: 'UTC', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
const elsewhere = { TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };

async function run({ seeds, plant }: ProverOptions): Promise<ProverResult> {
  const last = seeds ?? seedsUsual;
  const lots: { readonly from: number; readonly to: number }[] = [];
  for (let from = 1; from <= last; from += seedsPerFolder)
    lots.push({ from, to: Math.min(last, from + seedsPerFolder - 1) });
  let sums = nothingReplayed;
  const notes: string[] = [];
  const work = async (): Promise<void> => {
    for (let lot = lots.shift(); lot !== undefined; lot = lots.shift()) {
      // Which seed restarts with orders, or is long enough, is chance; one that differs is enough.
      if (plant !== undefined && sums.different > 0) return;
      const found = await recordAndReplay(lot, plant);
      sums = addSums(sums, found.sums);
      notes.push(...found.notes);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const { different, ...rest } = sums;
  return {
    figures: { sessions: last, ...rest, different, timeZones: [here.TZ, elsewhere.TZ] },
    violations: different + (plant === undefined && rest.lives < last ? 1 : 0),
    notes: notes.slice(0, notesMax),
  };
}

async function recordAndReplay(
  { from, to }: { readonly from: number; readonly to: number },
  plant: string | undefined,
): Promise<{ readonly sums: ReplaySums; readonly notes: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-prove-replay-'));
  try {
    await session('record', [folder, String(from), String(to), plant ?? ''], here);
    return JSON.parse(await session('replay', [folder, plant ?? ''], elsewhere));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs one side of it as a process of its own; returns what it printed. */
function session(
  side: 'record' | 'replay',
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const script = join(import.meta.dirname, 'replay-session.ts');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, side, ...parameters], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(text) : reject(new Error(`replay ${side} ended with ${code}`)),
    );
  });
}

export const replayProver: Prover = {
  name: 'replay',
  title: 'a run replays to the same effects and records',
  compared: ['lives', 'events', 'effects'],
  plants: replayPlants,
  run,
};
