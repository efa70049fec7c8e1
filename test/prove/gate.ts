/**
 * Proves that every limit holds for every order: the gate against an oracle over random lives of an
 * account, every broken gate found out, no order after the switch was pulled.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { checkTable, outerControls } from '../../src/risk/check-table.ts';
import { gateMutants } from './gate-mutants.ts';
import { outerMutants } from './gate-outer.ts';
import { measureGate } from './gate-speed.ts';
import { availableFault, type GateAnswer, type GateOrder } from './gate-worker.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

const intentsMin = 1_000_000;
const haltsUsual = 1_000;
const livesPerOrder = 50;
const haltsPerOrder = 10;
/** Lives enough to find any plant, and far more than the usual one needs. */
const plantLives = 6_000;
const notesMax = 20;
/** What random lives must find: broken gates, and a strategy that is told too much. */
const lifeFaults = [...gateMutants.map(({ name }) => name), availableFault];

type Sums = Omit<GateAnswer, 'notes' | 'killed'> & { notes: string[]; killed: Set<string> };

/** One thread for each core; each takes the next order until there is none. */
async function work(
  nextOrder: (sums: Sums) => GateOrder | undefined,
  size = availableParallelism(),
): Promise<Sums> {
  const sums: Sums = {
    ...{ intents: 0, approved: 0, exitsUnderLoss: 0, acceptedBeyondLimit: 0, refusedWithin: 0 },
    ...{ askedForAll: 0, allRefused: 0 },
    ...{ halts: 0, ordersBefore: 0, ordersWhileHalted: 0, openAfterHalt: 0 },
    notes: [],
    killed: new Set(),
  };
  const add = ({ notes, killed, ...figures }: GateAnswer): void => {
    for (const [name, figure] of Object.entries(figures) as [keyof typeof figures, number][])
      Object.assign(sums, { [name]: sums[name] + figure });
    sums.notes.push(...notes);
    for (const name of killed) sums.killed.add(name);
  };
  const workers = Array.from(
    { length: size },
    () => new Worker(new URL('./gate-worker.ts', import.meta.url)),
  );
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (let order = nextOrder(sums); order !== undefined; order = nextOrder(sums))
          add(await ask(worker, order));
      }),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return sums;
}

function ask(worker: Worker, order: GateOrder): Promise<GateAnswer> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (answer: GateAnswer) => {
      worker.off('error', reject);
      resolve(answer);
    });
    worker.postMessage(order);
  });
}

async function run({ seeds, plant }: ProverOptions): Promise<ProverResult> {
  return plant === undefined ? await prove(seeds ?? haltsUsual) : await findPlant(plant);
}

/** `seeds` are those of the virtual world; the intents are always the same million. */
async function prove(seeds: number): Promise<ProverResult> {
  const startedMs = performance.now();
  let [lives, halts] = [0, 0];
  const sums = await work((so) => {
    if (halts < seeds) {
      const from = halts + 1;
      halts = Math.min(seeds, halts + haltsPerOrder);
      return { kind: 'halts', from, to: halts };
    }
    const mutants = lifeFaults.filter((name) => !so.killed.has(name));
    if (so.intents >= intentsMin && (mutants.length === 0 || lives >= 4 * plantLives))
      return undefined;
    const from = lives + 1;
    lives += livesPerOrder;
    return { kind: 'lives', from, to: lives, mutants, plant: undefined };
  });
  const speed = await measureGate();
  const inner = lifeFaults.filter((name) => !sums.killed.has(name));
  const leaking = outerMutants.filter(({ leaves }) => leaves(false)).map(({ name }) => name);
  const outer = outerMutants.filter(({ leaves }) => !leaves(true)).map(({ name }) => name);
  const survivors = [...inner, ...outer, ...leaking];
  const mutants = lifeFaults.length + outerMutants.length;
  const { acceptedBeyondLimit, refusedWithin, ordersWhileHalted, openAfterHalt } = sums;
  const { askedForAll, allRefused } = sums;
  return {
    figures: {
      checks: checkTable.length + outerControls.length,
      randomIntents: sums.intents,
      approved: sums.approved,
      exitsUnderLoss: sums.exitsUnderLoss,
      acceptedBeyondLimit,
      refusedWithin,
      askedForAll,
      allRefused,
      mutants,
      mutantsKilled: mutants - survivors.length,
      survivors,
      haltSeeds: sums.halts,
      ordersBeforeHalt: sums.ordersBefore,
      ordersWhileHalted,
      openAfterHalt,
      ...speed,
      seconds: Math.round((performance.now() - startedMs) / 1_000),
    },
    violations:
      acceptedBeyondLimit +
      refusedWithin +
      allRefused +
      ordersWhileHalted +
      openAfterHalt +
      survivors.length,
    notes: [...survivors.map((name) => `mutant ${name} was not found`), ...sums.notes].slice(
      0,
      notesMax,
    ),
  };
}

async function findPlant(plant: string): Promise<ProverResult> {
  const planted = outerMutants.find(({ name }) => name === plant);
  if (planted !== undefined) {
    const leaves = planted.leaves(true) && !planted.leaves(false);
    return { figures: { leaves }, violations: leaves ? 1 : 0, notes: [planted.meaning] };
  }
  let lives = 0;
  const sums = await work((so) => {
    if (so.acceptedBeyondLimit + so.refusedWithin + so.allRefused > 0 || lives >= plantLives)
      return undefined;
    const from = lives + 1;
    lives += livesPerOrder;
    return { kind: 'lives', from, to: lives, mutants: [], plant };
  });
  const { intents: randomIntents, acceptedBeyondLimit, refusedWithin, allRefused } = sums;
  return {
    figures: { randomIntents, acceptedBeyondLimit, refusedWithin, allRefused },
    violations: acceptedBeyondLimit + refusedWithin + allRefused,
    notes: sums.notes.slice(0, notesMax),
  };
}

export const gateProver: Prover = {
  name: 'gate',
  title: 'every limit holds for every order',
  compared: ['randomIntents', 'approved', 'exitsUnderLoss', 'askedForAll', 'ordersBeforeHalt'],
  plants: {
    ...Object.fromEntries(
      [...gateMutants, ...outerMutants].map(({ name, meaning }) => [name, meaning]),
    ),
    [availableFault]: 'what is available to a strategy includes what a bid leaves for its fee',
  },
  run,
};
