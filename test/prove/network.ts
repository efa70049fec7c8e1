/**
 * Proves with real processes that a hostile network doubles no order, loses no fill and stops no
 * trading for longer than it lasts: a bot, an exchange with a market of its own and a proxy between
 * them that plays one fault after another, several such lanes at a time.
 */
import { endAll } from '../support/process-bot.ts';
import { allFaults } from './network/all-faults.ts';
import type { Fault } from './network/fault.ts';
import { NetworkLane, type Played } from './network/network-lane.ts';
import { networkPlantOf, networkPlants } from './network/network-plants.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

/** Most of the time a bot waits: for its next turn, for an answer, for the fault to end. */
const lanesAtOnce = 4;
const notesMax = 20;
/** Of what a bot has printed, in characters, where a fault has found something. */
const saidShown = 4_000;

async function run({ plant }: ProverOptions): Promise<ProverResult> {
  try {
    return plant === undefined ? await prove() : await findPlant(plant);
  } finally {
    await endAll();
  }
}

async function findPlant(name: string): Promise<ProverResult> {
  const { fault: wanted, said } = networkPlantOf(name);
  const fault = allFaults.find((one) => one.name === wanted);
  if (fault === undefined) throw new RangeError(`no fault ${wanted}`);
  const lane = await NetworkLane.open(1, name);
  try {
    const { violations } = await lane.play(fault);
    const found = violations.filter((text) => said.test(text));
    return { figures: { fault: wanted }, violations: found.length, notes: found };
  } finally {
    await lane.abandon();
  }
}

type Lane = {
  readonly played: readonly Played[];
  readonly orders: number;
  readonly fills: number;
  readonly duplicates: number;
  readonly lostFills: number;
  /** What is wrong with the lane as a whole, when its processes have ended. */
  readonly violations: readonly string[];
};

async function prove(): Promise<ProverResult> {
  const startedMs = performance.now();
  const waiting = [...allFaults];
  const lanes = await Promise.all(
    Array.from({ length: lanesAtOnce }, (_, index) => runLane(index + 1, waiting)),
  );
  const played = lanes.flatMap((lane) => lane.played);
  const sum = (figureOf: (lane: Lane) => number): number =>
    lanes.reduce((total, lane) => total + figureOf(lane), 0);
  const violations = [
    ...played.flatMap((one) => one.violations.map((text) => `${one.fault}: ${text}`)),
    ...lanes.flatMap((lane) => lane.violations),
    ...waiting.map((fault) => `${fault.name}: not played`),
  ];
  return {
    figures: {
      faults: played.filter(({ strikes }) => strikes > 0).length,
      strikes: played.reduce((total, { strikes }) => total + strikes, 0),
      ...recoveryFigures(played),
      halts: played.flatMap(({ fault, halt }) =>
        halt === undefined ? [] : [{ fault, reason: halt }],
      ),
      incidents: played.flatMap(({ fault, incidents }) =>
        incidents.map((incident) => ({ fault, incident })),
      ),
      orders: sum((lane) => lane.orders),
      fills: sum((lane) => lane.fills),
      duplicates: sum((lane) => lane.duplicates),
      lostFills: sum((lane) => lane.lostFills),
      seconds: Math.round((performance.now() - startedMs) / 1000),
    },
    violations: violations.length,
    notes: violations.slice(0, notesMax),
  };
}

/** Takes faults from `waiting` until none is left. */
async function runLane(seed: number, waiting: Fault[]): Promise<Lane> {
  const lane = await NetworkLane.open(seed);
  const played: Played[] = [];
  for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
    const one = await lane.play(fault);
    played.push(one);
    console.error(`network: lane ${seed}, ${lineOf(one)}`);
    if (one.violations.length > 0) console.error(lane.said.slice(-saidShown));
    // What follows would only say again that this bot does not trade.
    if (one.hasEnded) break;
  }
  const { verdict, violations } = await lane.close();
  const { orders, fills, duplicates, lostFills } = verdict;
  return {
    played,
    orders,
    fills,
    duplicates: Math.max(duplicates, ...played.map((one) => one.duplicates)),
    lostFills,
    violations: violations.map((text) => `lane ${seed}: ${text}`),
  };
}

function lineOf({ fault, recoveryMs, halt, violations }: Played): string {
  const back = recoveryMs === undefined ? 'not back' : `back after ${seconds(recoveryMs)} s`;
  const halted = halt === undefined ? '' : `, halted (${halt})`;
  return [`${fault}: ${back}${halted}`, ...violations].join('; ');
}

/** The longest ways back: of faults that lose orders on their way, and of all others. */
function recoveryFigures(played: readonly Played[]): Readonly<Record<string, unknown>> {
  const longest = (isLost: boolean): Played | undefined =>
    played
      .filter((one) => one.isLosing === isLost && one.recoveryMs !== undefined)
      .toSorted((one, other) => (other.recoveryMs ?? 0) - (one.recoveryMs ?? 0))[0];
  const usual = longest(false);
  return {
    recoverySecondsMax: seconds(usual?.recoveryMs ?? 0),
    slowest: usual?.fault,
    lostPostSecondsMax: seconds(longest(true)?.recoveryMs ?? 0),
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

export const networkProver: Prover = {
  name: 'network',
  title: 'a hostile network doubles no order, loses no fill, and stops no trading once it is over',
  compared: ['faults', 'orders', 'fills'],
  plants: networkPlants,
  run,
};
