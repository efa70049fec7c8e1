/**
 * Proves that the book is right and fast: it equals the exchange's own snapshots of a recorded day,
 * equals the slow obvious book on random changes, and is many times as fast as a Map-and-decimal.js
 * one.
 */
import { bookPlants, createBook } from './book-plants.ts';
import { countDifferences } from './book-random.ts';
import { type ReplayFigures, replayAgainstOracle } from './book-replay.ts';
import { measureSpeed } from './book-speed.ts';
import { howToGet, outsideData } from './outside-data.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

const dataSet = 'sse_600519_20230207';
const speedRatioGoal = 20;
const eventsPerSeed = 1_000_000;
/** Enough to find a fault; a whole run for each plant would take minutes. */
const eventsPerPlant = 100_000;

async function run({ seeds = 1, plant }: ProverOptions): Promise<ProverResult> {
  const notes: string[] = [];
  let violations = 0;
  const folder = outsideData(dataSet);
  const missing = folder === undefined ? [howToGet(dataSet)] : [];
  const replay = folder === undefined ? nothingReplayed : await replayDay(folder, plant);
  if (folder !== undefined && replay.snapshotsCompared === 0) {
    violations++;
    notes.push(`${folder} has no snapshot of the exchange: nothing was compared`);
  }
  violations += replay.snapshotsCompared - replay.snapshotsEqual + replay.rowsRefused;
  const events = plant === undefined ? eventsPerSeed : eventsPerPlant;
  let differences = 0;
  for (let seed = 1; seed <= seeds; seed++)
    differences += countDifferences({
      events,
      seed: seed * 100,
      create: (windowBits) => createBook({ windowBits, ordersExpected: 16 }, plant),
    });
  violations += differences;
  const figures = { ...replay, randomEvents: events * seeds, differences };
  // A plant is no slower than the book, so there is nothing to measure.
  if (plant !== undefined) return { figures, violations, notes, missing };
  const speed = measureSpeed(200_000, 5);
  if (!speed.speedSumsEqual) violations++;
  if (!(speed.speedRatio >= speedRatioGoal)) violations++;
  notes.push(`speedRatio must be at least ${speedRatioGoal}`);
  return { figures: { ...figures, ...speed }, violations, notes, missing };
}

const nothingReplayed: ReplayFigures = {
  replayedEvents: 0,
  snapshotsCompared: 0,
  snapshotsEqual: 0,
  rowsRefused: 0,
};

function replayDay(folder: string, plant: string | undefined): Promise<ReplayFigures> {
  const scales = { priceScale: 2, volumeScale: 0 };
  return replayAgainstOracle(folder, scales, createBook({}, plant));
}

export const bookProver: Prover = {
  name: 'book',
  title: 'the book is the exchange’s book, and fast',
  compared: ['snapshotsCompared', 'randomEvents'],
  plants: bookPlants,
  run,
};
