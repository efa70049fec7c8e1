/**
 * Proves that every operation, error code and stream message is there, over HTTP as by direct call,
 * and that random calls of all of them never break a promise.
 */
import { errorCodes } from '../../src/venues/luno/api/error-codes.ts';
import { operations } from '../../src/venues/luno/api/operations.ts';
import { runRandomCalls } from '../support/random-interface.ts';
import { interfacePlants, plantedDriver, withPlant } from './interface-plants.ts';
import { exerciseErrors, exerciseOperations } from './interface-stories.ts';
import { exerciseStreams, streamMessages } from './interface-streams.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

const randomCallsGoal = 100_000;
const callsPerSeed = 5_000;
/** Enough to find a fault; a whole run for each plant would take minutes. */
const seedsPerPlant = 2;
const notesMax = 20;

async function run({
  seeds = randomCallsGoal / callsPerSeed,
  plant,
}: ProverOptions): Promise<ProverResult> {
  return withPlant(plant, () => prove(plant === undefined ? seeds : seedsPerPlant, plant));
}

async function prove(seeds: number, plant: string | undefined): Promise<ProverResult> {
  const stories = await exerciseOperations(plant);
  const errors = await exerciseErrors();
  const streams = await exerciseStreams(plant);
  const unheard = streamMessages.filter((kind) => !streams.seen.has(kind));
  const faults = [
    ...stories.faults,
    ...errors.faults,
    ...streams.faults,
    ...unheard.map((kind) => `no stream message: ${kind}`),
  ];
  let randomCalls = 0;
  let randomSuccesses = 0;
  const called = new Set<string>();
  const codes = new Set<string>();
  for (let seed = 1; seed <= seeds; seed++) {
    const drive = plantedDriver(plant);
    const outcome = await runRandomCalls({ calls: callsPerSeed, seed, drive });
    randomCalls += outcome.calls;
    for (const [name, count] of outcome.successes) {
      called.add(name);
      randomSuccesses += count;
    }
    for (const code of outcome.codes) codes.add(code);
    faults.push(...outcome.faults);
  }
  const all = Object.keys(operations);
  if (plant === undefined && randomCalls >= randomCallsGoal)
    for (const name of all)
      if (!called.has(name)) faults.push(`no random call of ${name} succeeded`);
  const figures = {
    operations: all.length,
    operationsExercised: stories.reached.length,
    errorCodes: Object.keys(errorCodes).length,
    errorCodesReached: errors.reached.length,
    errorCodesByFailNextOnly: Object.values(errorCodes).filter((one) => one.cause === 'none')
      .length,
    streamMessages: streamMessages.length,
    streamMessagesSeen: streamMessages.length - unheard.length,
    randomCalls,
    randomSuccesses,
    randomErrorCodes: codes.size,
  };
  return { figures, violations: faults.length, notes: faults.slice(0, notesMax) };
}

export const interfaceProver: Prover = {
  name: 'interface',
  title: 'the whole interface is there and keeps its promises',
  compared: ['operationsExercised', 'errorCodesReached', 'streamMessagesSeen', 'randomSuccesses'],
  plants: interfacePlants,
  run,
};
