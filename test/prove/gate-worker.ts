/** Runs a part of the proof of the gate in a thread of its own. */
import { parentPort } from 'node:worker_threads';
import { GateLife } from '../support/gate-life.ts';
import { runHalt } from './gate-halt.ts';
import { gateMutants } from './gate-mutants.ts';

export type GateOrder =
  | {
      readonly kind: 'lives';
      readonly from: number;
      readonly to: number;
      /** Mutants that no life has shown yet. */
      readonly mutants: readonly string[];
      /** This one judges in the gate's place. */
      readonly plant: string | undefined;
    }
  | { readonly kind: 'halts'; readonly from: number; readonly to: number };

export type GateAnswer = {
  readonly intents: number;
  readonly approved: number;
  /** Approved orders that only reduce a position while the limits of losses refuse all others. */
  readonly exitsUnderLoss: number;
  readonly acceptedBeyondLimit: number;
  readonly refusedWithin: number;
  /** Orders of exactly what is available, and those of them that lack their funds. */
  readonly askedForAll: number;
  readonly allRefused: number;
  /** Seeds with a difference, and what it is. */
  readonly notes: readonly string[];
  readonly killed: readonly string[];
  readonly halts: number;
  readonly ordersBefore: number;
  readonly ordersWhileHalted: number;
  readonly openAfterHalt: number;
};

const stepsPerLife = 120;
const notesMax = 5;

/** A fault outside of the gate: what is available includes the buffer that a bid must leave. */
export const availableFault = 'available-without-buffer';

/** Runs one part; the same part gives the same answer everywhere. */
export function runGatePart(order: GateOrder): GateAnswer {
  return order.kind === 'lives' ? runLives(order) : runHalts(order);
}

const nothing: GateAnswer = {
  ...{ intents: 0, approved: 0, acceptedBeyondLimit: 0, refusedWithin: 0, notes: [], killed: [] },
  ...{ exitsUnderLoss: 0, askedForAll: 0, allRefused: 0 },
  ...{ halts: 0, ordersBefore: 0, ordersWhileHalted: 0, openAfterHalt: 0 },
};

function runLives({ from, to, mutants, plant }: Extract<GateOrder, { kind: 'lives' }>): GateAnswer {
  const alive = new Map(
    gateMutants.filter(({ name }) => mutants.includes(name)).map((mutant) => [mutant.name, mutant]),
  );
  const planted = gateMutants.find(({ name }) => name === plant);
  const killed: string[] = [];
  const notes: string[] = [];
  let [intents, approved, exitsUnderLoss] = [0, 0, 0];
  let [acceptedBeyondLimit, refusedWithin] = [0, 0];
  let [askedForAll, allRefused] = [0, 0];
  let isFaultAlive = mutants.includes(availableFault);
  for (let seed = from; seed <= to; seed++) {
    const life = new GateLife(seed);
    for (let step = 0; step < stepsPerLife; step++)
      life.step((asked) => {
        const { gate, proposal, facts, against } = asked;
        intents++;
        const answer = asked.available.ask(proposal, facts, plant === availableFault);
        if (answer !== 'none') askedForAll++;
        if (answer === 'too little') {
          allRefused++;
          if (notes.length < notesMax)
            notes.push(`seed ${seed}, step ${step}: an order of all that is available is refused`);
        }
        if (isFaultAlive && asked.available.ask(proposal, facts, true) === 'too little') {
          isFaultAlive = false;
          killed.push(availableFault);
        }
        const verdict = gate.judge(proposal, facts);
        const passes = planted === undefined ? verdict.kind === 'approved' : planted.passes(asked);
        if (passes) approved++;
        if (passes && asked.isExitUnderLoss) exitsUnderLoss++;
        if (passes === (against.size === 0)) {
          // What is too strict shows where an order may pass, and all others where it may not.
          for (const mutant of alive.values())
            if (passes === (mutant.isTooStrict ?? false) && mutant.passes(asked) !== passes)
              kill(mutant.name);
          return;
        }
        if (passes) acceptedBeyondLimit++;
        else refusedWithin++;
        const codes = verdict.kind === 'refused' ? verdict.refusals.map(({ code }) => code) : [];
        if (notes.length < notesMax)
          notes.push(
            `seed ${seed}, step ${step}: ${passes ? 'passes' : `refused by ${codes.join()}`}, against it ${[...against].join() || 'nothing'}`,
          );
      });
  }
  const counts = { intents, approved, exitsUnderLoss, acceptedBeyondLimit, refusedWithin };
  return { ...nothing, ...counts, askedForAll, allRefused, notes, killed };

  function kill(name: string): void {
    alive.delete(name);
    killed.push(name);
  }
}

function runHalts({ from, to }: Extract<GateOrder, { kind: 'halts' }>): GateAnswer {
  const notes: string[] = [];
  let [ordersBefore, ordersWhileHalted, openAfterHalt] = [0, 0, 0];
  for (let seed = from; seed <= to; seed++) {
    const story = runHalt(seed);
    ordersBefore += story.ordersBefore;
    ordersWhileHalted += story.ordersAfter;
    openAfterHalt += story.left;
    if (story.ordersAfter + story.left > 0)
      notes.push(
        `halt of seed ${seed}: ${story.ordersAfter} orders left after it, ${story.left} stayed open`,
      );
  }
  const halts = to - from + 1;
  return { ...nothing, notes, halts, ordersBefore, ordersWhileHalted, openAfterHalt };
}

parentPort?.on('message', (order: GateOrder) => parentPort?.postMessage(runGatePart(order)));
