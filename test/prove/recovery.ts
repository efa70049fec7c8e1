/**
 * `npm run prove -- recovery`: after a loss of state, a fault of the machine or a mistake of a
 * strategy, the bot trades on correctly or halts before its first order and says why.
 */
import type { Prover, ProverOptions, ProverResult } from './prover.ts';
import { lostStateScenarios } from './recovery/lost-state.ts';
import { processFaultScenarios } from './recovery/process-faults.ts';
import type { RecoveryScenario } from './recovery/scenario.ts';
import { strategyViewScenarios } from './recovery/strategy-view.ts';

const all: readonly RecoveryScenario[] = [
  ...lostStateScenarios,
  ...strategyViewScenarios,
  ...processFaultScenarios,
];

const notesMax = 20;

async function run({ seeds, plant }: ProverOptions): Promise<ProverResult> {
  const notes: string[] = [];
  const scenarios: { name: string; runs: number; violations: number }[] = [];
  for (const scenario of all) {
    if (plant !== undefined && !Object.hasOwn(scenario.plants, plant)) continue;
    const runs = plant === undefined ? (seeds ?? scenario.runs) : 1;
    let violations = 0;
    for (let seed = 1; seed <= runs; seed++) {
      const found = await scenario.play(seed, plant);
      violations += found.length;
      for (const violation of found) notes.push(`${scenario.name}, seed ${seed}: ${violation}`);
    }
    scenarios.push({ name: scenario.name, runs, violations });
  }
  const violations = scenarios.reduce((sum, one) => sum + one.violations, 0);
  return { figures: { scenarios }, violations, notes: notes.slice(0, notesMax) };
}

export const recoveryProver: Prover = {
  name: 'recovery',
  title: 'after a loss, a fault or a mistake the bot recovers, or halts and says why',
  compared: ['scenarios'],
  plants: Object.assign({}, ...all.map((scenario) => scenario.plants)),
  run,
};
