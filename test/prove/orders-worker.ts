/** Runs seeds of the proof of orders in a thread of its own, with what the proof has broken. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ExchangeRule } from '../support/virtual-rules.ts';
import type { WorldOptions } from '../support/virtual-run.ts';
import { runWorld } from '../support/virtual-world.ts';
import { type CrashRuns, runCrashes } from './crash-runs.ts';
import { crashScenarios } from './crash-scenarios.ts';
import { installPlant } from './orders-plants.ts';
import { findStory, type Story } from './orders-story.ts';
import type { SeedSummary } from './orders-summary.ts';

export type WorkerSetting = {
  readonly broken: readonly ExchangeRule[];
  readonly plant: string | undefined;
  /** Only what the plant needs around it, without its fault. */
  readonly isControl: boolean;
};
export type WorkerOrder =
  | { readonly kind: 'run'; readonly from: number; readonly to: number }
  | { readonly kind: 'story'; readonly seed: number }
  | { readonly kind: 'crashes'; readonly scenario: number; readonly stride: number };
export type WorkerAnswer =
  | { readonly kind: 'ran'; readonly seeds: readonly SeedSummary[] }
  | { readonly kind: 'story'; readonly story: Story | undefined }
  | { readonly kind: 'crashed'; readonly runs: CrashRuns };

const { broken, plant, isControl } = workerData as WorkerSetting;
const planted = plant === undefined ? undefined : installPlant(plant, isControl);
const world = {
  ...planted?.world,
  broken: [...broken, ...(planted?.world.broken ?? [])],
};

function run(options: WorldOptions): SeedSummary {
  planted?.begin();
  try {
    const { seed, violations, hash, orders, fills, lives, faults } = runWorld(options);
    return { seed, violations, hash, orders, fills, lives, faults };
  } catch (error) {
    const text = error instanceof Error ? error.stack : String(error);
    const nothing = { hash: '', orders: 0, fills: 0, lives: 1, faults: {} };
    return { seed: options.seed, violations: [`the run ended: ${text}`], ...nothing };
  }
}

function answer(order: WorkerOrder): WorkerAnswer {
  if (order.kind === 'story')
    return { kind: 'story', story: findStory({ ...world, seed: order.seed }, run) };
  if (order.kind === 'crashes') {
    const scenario = crashScenarios[order.scenario];
    if (scenario === undefined) throw new RangeError(`no scenario ${order.scenario}`);
    return { kind: 'crashed', runs: runCrashes(scenario, order.stride) };
  }
  const seeds: SeedSummary[] = [];
  for (let seed = order.from; seed <= order.to; seed++) seeds.push(run({ ...world, seed }));
  return { kind: 'ran', seeds };
}

parentPort?.on('message', (order: WorkerOrder) => parentPort?.postMessage(answer(order)));
