/**
 * `npm run prove -- ports`: every adapter behaves as the port demands, with a venue behind it; and
 * adapters that deviate in one way each are found.
 */
import { behaviours, behavioursOf, lacking } from '../contract/venue/behaviours.ts';
import { lunoUnderTest } from '../contract/venue/luno-world.ts';
import { replayUnderTest } from '../contract/venue/replay-world.ts';
import type { VenueUnderTest } from '../contract/venue/venue-world.ts';
import { type PlantedDeviation, portsPlants } from './ports-plants.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

const adapters = [lunoUnderTest, replayUnderTest];
const notesMax = 30;

async function run({ plant }: ProverOptions): Promise<ProverResult> {
  const failed: string[] = [];
  for (const adapter of adapters) {
    const deviate = plant === undefined ? undefined : portsPlants[plant]?.deviate;
    for await (const one of lacking(adapter, deviate)) failed.push(one);
  }
  const tried = adapters.map((adapter) => behavioursOf(adapter).length);
  const plants = plant === undefined ? adapters.map(plantsOf) : [];
  const missed: string[] = [];
  for (const [index, adapter] of adapters.entries())
    for (const [name, one] of plants[index] ?? [])
      if (!(await isFound(adapter, one)))
        missed.push(`${adapter.name}: the plant ${name} is not found`);
  const found = [...failed, ...missed];
  const planted = plants.map(({ length }) => length);
  return {
    figures: {
      adapters: adapters.map(({ name }) => name),
      behaviours: Math.min(...tried),
      skipped: adapters.flatMap(skippedBy),
      failed: failed.length,
      planted: planted.reduce((sum, count) => sum + count, 0),
      plantedEach: Math.min(...planted),
      plantsMissed: missed.length,
    },
    violations: found.length,
    notes: found.slice(0, notesMax),
  };
}

/** Returns the behaviours that are not tried on an adapter, with what its venue lacks. */
function skippedBy({ name, lacks }: VenueUnderTest): readonly string[] {
  return lacks.map((ability) => {
    const skipped = behaviours.filter(({ needs }) => needs === ability);
    return `${name}, without ${ability}: ${skipped.map((one) => one.name).join('; ')}`;
  });
}

/** Returns the plants that are possible in an adapter. */
function plantsOf({ lacks }: VenueUnderTest): readonly (readonly [string, PlantedDeviation])[] {
  return Object.entries(portsPlants).filter(
    ([, { needs }]) => needs === undefined || !lacks.includes(needs),
  );
}

/** Whether a behaviour shows the planted deviation. */
async function isFound(adapter: VenueUnderTest, { deviate }: PlantedDeviation): Promise<boolean> {
  for await (const _ of lacking(adapter, deviate)) return true;
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
