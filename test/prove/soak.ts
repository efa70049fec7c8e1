/**
 * `npm run prove -- soak`: a bot that runs for long does not grow. The whole bot on real files in
 * virtual time, seven days unless `--days` says otherwise.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { isLong } from '../support/soak-slope.ts';
import { type SoakFigures, type SoakPlant, soakBounds, soakPlants } from '../support/soak-world.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

/** More than this in an hour, after the first day, is a leak. */
const slopeBytesMax = 1_000_000;
/** In its first day the bot fills its memory of a day's orders, too. */
const slopeBytesMaxOfShort = 12_000_000;
const daysUsual = 7;
/** With a plant two hours are enough. */
const daysPlanted = 2 / 24;
const restartEveryHours = 12;

export type SoakResult = {
  readonly figures: SoakFigures & { readonly unhandled: number };
  readonly violations: readonly string[];
};

/** Runs the bot for `hours` of virtual time in a process of its own. */
export async function runSoak(options: {
  readonly hours: number;
  readonly seed: number;
  readonly plant: SoakPlant | undefined;
  readonly isQuiet: boolean;
}): Promise<SoakResult> {
  const script = join(import.meta.dirname, 'soak-process.ts');
  const argument = JSON.stringify({ ...options, restartEveryHours });
  const child = spawn(process.execPath, ['--expose-gc', script, argument], {
    stdio: ['ignore', 'pipe', options.isQuiet ? 'ignore' : 'inherit'],
  });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`the long run ended with ${code}: ${text.slice(0, 2_000)}`);
  return JSON.parse(text) as SoakResult;
}

/** Returns what is beyond its bound, in words. */
export function beyondBounds({ figures }: SoakResult): string[] {
  const { slopeBytesPerHour, unhandled } = figures;
  const isShort = !isLong(figures.virtualDays * 24);
  const files = soakBounds.logBytes * (soakBounds.logFiles + 1);
  const bounds = {
    'heap growth an hour': [slopeBytesPerHour ?? 0, isShort ? slopeBytesMaxOfShort : slopeBytesMax],
    'write-ahead log': [figures.walBytesMax, 64 * 2 ** 20],
    // The segment that is written, and one that is being compressed.
    journals: [figures.journalBytesMax, soakBounds.journalBytes + 2 * soakBounds.segmentBytes],
    logs: [figures.logBytesMax, files + 4_096],
    'unhandled rejections': [unhandled, 0],
  } as const;
  return Object.entries(bounds)
    .filter(([, [found, most]]) => found > most)
    .map(([what, [found, most]]) => `${what}: ${found}, at most ${most}`);
}

async function run({ seeds, plant, days }: ProverOptions): Promise<ProverResult> {
  const usual = plant === undefined ? daysUsual : daysPlanted;
  const hours = Math.max(1, Math.round((days ?? usual) * 24));
  const result = await runSoak({
    hours,
    seed: seeds ?? 1,
    plant: plant as SoakPlant | undefined,
    isQuiet: plant !== undefined,
  });
  const beyond = beyondBounds(result);
  const { slopeBytesPerHour } = result.figures;
  const notes = [...beyond, ...result.violations.slice(0, 10)];
  if (slopeBytesPerHour === null) notes.push('too short a run to fit the growth of the heap');
  return {
    figures: { ...result.figures },
    violations: beyond.length + result.violations.length,
    notes,
  };
}

export const soakProver: Prover = {
  name: 'soak',
  title: 'a bot that runs for long does not grow, and loses nothing',
  compared: ['events', 'orders', 'fills'],
  plants: soakPlants,
  run,
};
