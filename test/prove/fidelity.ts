/**
 * Proves that the queue fill model predicts what really happened: real resting orders of others are
 * given to it as if they were ours, and the predicted outcome is compared with theirs.
 *
 * Not measured: market impact, that is, how others would have reacted to our order.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OrderFlowReader, readFlowSnapshot } from '../../src/recording/import/order-flow-reader.ts';
import { createSeededRandom } from '../../src/runtime/seeded-random.ts';
import { writeRecordedSet } from '../support/recorded-set.ts';
import { type FidelityScore, type ModelScore, Scoreboard } from './fidelity/fidelity-score.ts';
import { type ModelName, measureFidelity, modelNames } from './fidelity/measure-fidelity.ts';
import { createTestedModel, fidelityPlants } from './fidelity-plants.ts';
import { howToGet, outsideData } from './outside-data.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

const scales = { priceScale: 2, volumeScale: 0 };
const sources = { sse: 'sse_600519_20230207', cme: 'cme_es_mbo_20231225' };
const syntheticActions = 20_000;
const rivals = ['touch', 'crossed', 'level'] as const;
/** Of all orders; what is missing is hidden volume and orders served out of turn. */
const rightOutcomeMin = 0.99;
const timeErrorMsMedianMax = 1;

type Board = Scoreboard<ModelName>;

async function run({ seeds = 1, plant }: ProverOptions): Promise<ProverResult> {
  const notes: string[] = ['market impact is not measured'];
  const missing = Object.values(sources).filter((name) => outsideData(name) === undefined);
  const all: Board = new Scoreboard<ModelName>(modelNames);
  const bySource: Record<string, object> = {};
  let violations = 0;
  for (const [source, board] of await boardsOf(seeds, plant)) {
    all.merge(board);
    const score = board.score();
    bySource[source] = figuresOf(score);
    const wrong = wrongIn(score);
    violations += wrong.length;
    notes.push(...wrong.map((text) => `${source}: ${text}`));
  }
  return {
    figures: { ...figuresOf(all.score()), bySource },
    ...{ violations, notes, missing: missing.map(howToGet) },
  };
}

/** Measures each source that is there, one after the other. */
async function boardsOf(
  seed: number,
  plant: string | undefined,
): Promise<readonly (readonly [source: string, Board])[]> {
  const boards: (readonly [string, Board])[] = [['synthetic', await syntheticBoard(seed, plant)]];
  for (const [source, name] of Object.entries(sources)) {
    const folder = outsideData(name);
    if (folder !== undefined)
      boards.push([source, await boardOf(join(folder, 'derived'), seed, plant)]);
  }
  return boards;
}

/** Random honest order flow, for a machine without recordings. */
async function syntheticBoard(seed: number, plant: string | undefined): Promise<Board> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-fidelity-'));
  try {
    writeRecordedSet(folder, { name: 'synthetic', seed, actions: syntheticActions });
    return await boardOf(join(folder, 'synthetic'), seed, plant);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function boardOf(folder: string, seed: number, plant: string | undefined): Promise<Board> {
  return measureFidelity({
    resting: await readFlowSnapshot(join(folder, 'snapshot.json.gz'), scales),
    batches: new OrderFlowReader(join(folder, 'events.ndjson.gz'), scales).batches(),
    scales,
    random: createSeededRandom(seed),
    createQueuePredictor: (market, order) => createTestedModel(market, order, plant),
  });
}

function figuresOf({ models, ...counts }: FidelityScore<ModelName>) {
  const { queue, shuffled } = models;
  return {
    ...counts,
    ...queue,
    rivals: Object.fromEntries(rivals.map((name) => [name, models[name]])),
    shuffled,
  };
}

/** Returns what is not as promised. */
function wrongIn({ models, reached }: FidelityScore<ModelName>): string[] {
  const { queue } = models;
  const wrong: string[] = [];
  if (reached === 0) wrong.push('no order was reached by a trade: nothing was shown');
  if (queue.rightOutcome < rightOutcomeMin)
    wrong.push(`rightOutcome is ${queue.rightOutcome}, at least ${rightOutcomeMin} is promised`);
  if (queue.fillTimeErrorMsMedian > timeErrorMsMedianMax)
    wrong.push(
      `fillTimeErrorMsMedian is ${queue.fillTimeErrorMsMedian}, at most ${timeErrorMsMedianMax} is promised`,
    );
  for (const name of rivals)
    if (!isAtLeast(queue, models[name])) wrong.push(`model ${name} is better than ours`);
  if (models.shuffled.rightOutcomeReached >= queue.rightOutcomeReached)
    wrong.push('the shuffled control is as good as ours: the score shows nothing');
  return wrong;
}

function isAtLeast(ours: ModelScore, theirs: ModelScore): boolean {
  return (
    ours.rightOutcome >= theirs.rightOutcome &&
    ours.rightOutcomeReached >= theirs.rightOutcomeReached &&
    ours.fillTimeErrorMs <= theirs.fillTimeErrorMs
  );
}

export const fidelityProver: Prover = {
  name: 'fidelity',
  title: 'fills of a backtest are what really happened to real orders',
  compared: ['orders', 'reached'],
  plants: fidelityPlants,
  run,
};
