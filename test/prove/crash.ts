/**
 * Proves with real processes that a kill at any instant doubles no order and loses no fill: SIGKILL
 * of bots and exchanges on real sockets and real files, judged by the exchange's own books; that
 * each order's record is on the disk before the order leaves; and that a bot that stood still for
 * minutes sends nothing of before.
 */
import { join } from 'node:path';
import { journalRunsIn } from '../../src/bot/journal/journal-segments.ts';
import { endAll } from '../support/process-bot.ts';
import { type CommitSpeed, measureCommits } from './crash-commits.ts';
import { judgeHome } from './crash-judge.ts';
import { crashPlants, finderOf } from './crash-plants.ts';
import { standStill } from './crash-standstill.ts';
import { runStorms, type StormOptions } from './crash-storm.ts';
import { traceSends } from './crash-sync.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

const seedsUsual = 4;
const killsPerSeed = 26;
/** A request that was lost with its process is unknown for two minutes. */
const calmMs = 240_000;
/** Storms that look for a plant, one after the other until one finds it. */
const plantStorm: Omit<StormOptions, 'plant' | 'seeds'> = {
  killsPerSeed: 12,
  calmMs: 15_000,
};
/** Where a kill meets real processes is chance: some plants need an order on its way then. */
const plantRounds = 4;
const tracedMs = 15_000;
/** Longer than any quarantine, deadline or keep-alive. */
const standstillSeconds = 130;
const notesMax = 20;

async function run({ seeds = seedsUsual, plant }: ProverOptions): Promise<ProverResult> {
  try {
    if (plant === undefined) return await prove(seeds);
    return await findPlant(plant);
  } finally {
    await endAll();
  }
}

async function findPlant(plant: string): Promise<ProverResult> {
  const { foundBy, said } = finderOf(plant);
  // So short a calm leaves orders unknown, which says nothing of a plant.
  const resultFor = (part: Part): ProverResult =>
    resultOf({ ...part, said: part.said.filter((one) => said.test(one)) });
  if (foundBy === 'trace') return resultFor(await proveSync(plant));
  for (let round = 1; ; round++) {
    const seeds = [2 * round - 1, 2 * round];
    const result = resultFor(await runStorms({ ...plantStorm, seeds, plant }));
    if (result.violations > 0 || round === plantRounds) return result;
  }
}

type Part = {
  readonly figures: Readonly<Record<string, unknown>>;
  readonly said: readonly string[];
  readonly missing?: readonly string[];
};

function resultOf({ figures, said, missing = [] }: Part): ProverResult {
  return {
    figures,
    violations: said.length,
    ...{ notes: said.slice(0, notesMax), missing },
  };
}

async function prove(count: number): Promise<ProverResult> {
  const startedMs = performance.now();
  const seeds = Array.from({ length: count }, (_, index) => index + 1);
  const sync = await proveSync();
  // Who stands still costs nothing.
  const [storms, { said: standstillSaid, ...standstill }] = await Promise.all([
    runStorms({ seeds, killsPerSeed, calmMs }),
    standStill(standstillSeconds),
  ]);
  return resultOf({
    figures: {
      ...storms.figures,
      ...standstill,
      ...sync.figures,
      seconds: Math.round((performance.now() - startedMs) / 1000),
    },
    said: [...sync.said, ...standstillSaid, ...storms.said],
    missing: sync.missing,
  });
}

/** A run without kills: each order's commit is synced before the order leaves. */
async function proveSync(plant?: string): Promise<Required<Part>> {
  const { trace, note, home } = await traceSends(tracedMs, plant);
  const { violations } = await judgeHome(home.path, home.database);
  const said = [...home.faults, ...violations];
  if (trace?.sends === 0) said.push('no order was seen to leave in the trace');
  for (const id of trace?.unsynced ?? []) said.push(`P2 ${id} left before its commit was synced`);
  const [journal] = journalRunsIn(join(home.path, 'journal')).map((run) => run.path);
  const speed: Partial<CommitSpeed> =
    journal === undefined || plant !== undefined ? {} : await measureCommits(journal);
  return {
    figures: {
      fsyncPerSend: trace?.syncsPerSendMin ?? null,
      sendsTraced: trace?.sends ?? null,
      fsyncsTraced: trace?.syncs ?? null,
      ...speed,
    },
    said,
    missing: note === undefined ? [] : [note],
  };
}

export const crashProver: Prover = {
  name: 'crash',
  title: 'a kill at any instant doubles no order and loses no fill',
  compared: ['orders', 'fills', 'kills'],
  plants: crashPlants,
  run,
};
