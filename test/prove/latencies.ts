/**
 * `npm run prove -- latencies`: a backtest learns of fills, ends and balances in one way, whatever
 * its latencies are. Each world is played with fixed latencies, and with latencies that are drawn
 * between two equal bounds; the results must be the same, hash included.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import {
  compareLatencies,
  createLatencyWorld,
  hasFixedLatencies,
  type LatencyOutcome,
  type LatencyPlant,
} from '../support/latency-worlds.ts';
import { packageRoot, workspace } from '../support/package-root.ts';
import { howToGet, outsideData } from './outside-data.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

const worldsUsual = 500;
/** A planted fault shows in the first worlds that trade. */
const worldsPlanted = 10;
const sources: Readonly<Record<string, string>> = { 'sse-600519': 'sse_600519_20230207' };

const plants: Readonly<Record<LatencyPlant, string>> = {
  'late-answer': 'fixed answers come one microsecond later than drawn ones',
  'late-feed': 'a fixed stream is one microsecond later than a drawn one',
};

async function run({ seeds, plant }: ProverOptions): Promise<ProverResult> {
  const planted = plant as LatencyPlant | undefined;
  const notes: string[] = [];
  const counts = { scenarios: 0, randomWorlds: 0, orders: 0, fills: 0, different: 0 };
  const take = (name: string, { fixed, drawn, orders, fills }: LatencyOutcome): void => {
    counts.orders += orders;
    counts.fills += fills;
    if (fixed === drawn) return;
    counts.different++;
    if (notes.length < 10) notes.push(`${name}: fixed ${fixed}, drawn ${drawn}`);
  };
  const missing: string[] = [];
  if (planted === undefined)
    for (const name of readdirSync(join(packageRoot, 'backtests'))) {
      const source = sources[name];
      if (source !== undefined && outsideData(source) === undefined) missing.push(howToGet(source));
      else {
        take(name, await compareScenario(name));
        counts.scenarios++;
      }
    }
  const worlds = seeds ?? (planted === undefined ? worldsUsual : worldsPlanted);
  for (let seed = 1; seed <= worlds; seed++) {
    const world = await createLatencyWorld(seed);
    take(world.name, await compareLatencies(world, planted));
    world.close();
    counts.randomWorlds++;
  }
  return { figures: counts, violations: counts.different, notes, missing };
}

function compareScenario(name: string): Promise<LatencyOutcome> {
  const scenario = loadScenario(join(packageRoot, 'backtests', name, 'scenario.yaml'));
  if (!hasFixedLatencies(scenario)) throw new Error(`${name} has latencies that are drawn`);
  const { data: dataFolder, strategies: strategiesFolder } = workspace;
  return compareLatencies({ scenario, dataFolder, strategiesFolder }, undefined);
}

export const latenciesProver: Prover = {
  name: 'latencies',
  title: 'fixed latencies and drawn ones of equal bounds give the same result',
  compared: ['randomWorlds', 'orders', 'fills'],
  plants,
  run,
};
