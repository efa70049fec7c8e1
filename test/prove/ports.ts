/**
 * `npm run prove -- ports`: every adapter behaves as the port demands, with a venue behind it; and
 * adapters that deviate in one way each are found.
 */
import { behaviours, lacking } from '../contract/venue/behaviours.ts';
import { lunoUnderTest } from '../contract/venue/luno-world.ts';
import { portsPlants } from './ports-plants.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

const adapters = [lunoUnderTest];
const notesMax = 30;

async function run({ plant }: ProverOptions): Promise<ProverResult> {
  const failed: string[] = [];
  for await (const one of lackingIn(plant)) failed.push(one);
  const plants = plant === undefined ? Object.keys(portsPlants) : [];
  const missed: string[] = [];
  for (const name of plants) if (!(await isFound(name))) missed.push(`${name} is not found`);
  const found = [...failed, ...missed];
  return {
    figures: {
      adapters: adapters.map(({ name }) => name),
      behaviours: behaviours.length,
      failed: failed.length,
      planted: plants.length,
      plantsFound: plants.length - missed.length,
    },
    violations: found.length,
    notes: found.slice(0, notesMax),
  };
}

async function* lackingIn(plant: string | undefined): AsyncGenerator<string, void> {
  const deviate = plant === undefined ? undefined : portsPlants[plant]?.deviate;
  for (const adapter of adapters) yield* lacking(adapter, deviate);
}

/** Whether a behaviour shows the planted deviation. */
async function isFound(plant: string): Promise<boolean> {
  for await (const _ of lackingIn(plant)) return true;
  return false;
}

export const portsProver: Prover = {
  name: 'ports',
  title: 'every adapter of a venue behaves as the port demands',
  compared: ['behaviours'],
  plants: Object.fromEntries(
    Object.entries(portsPlants).map(([name, { breaks }]) => [name, breaks]),
  ),
  run,
};
