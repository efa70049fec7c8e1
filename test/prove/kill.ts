/**
 * Proves the kill switch: nothing is sent after it, it survives the process, and every order of
 * ours is gone in bounded time, by the exchange's own books. Virtual time; the exchange keeps its
 * documented limit of 300 calls a minute.
 */
import { type KillFindings, killMany, pullSwitch } from '../support/kill-world.ts';
import { panicMany } from '../support/panic-world.ts';
import { knobs } from '../support/virtual-faults.ts';
import { type KillPlant, killPlants } from './kill-plants.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

/** For a plant, at most: the first seed that finds it is the last. */
const seedsUsual = 1_000;
const ordersOpen = 50;
/** So many that their own calls leave the reads too few for a stop of each. */
const ordersAtOnce = 100;
/** Of so many pulls of the switch, one is followed by the kills and panics of its seed. */
const seedsPerKill = 5;
const notesMax = 20;
const progressSeeds = 200;

type Story = 'switch' | 'kill' | 'killAtOnce' | 'killFailing' | 'panic' | 'panicFailing';

async function run({ seeds, plant }: ProverOptions): Promise<ProverResult> {
  const planted = plant === undefined ? undefined : killPlants[plant];
  const remove = planted?.install();
  try {
    return await prove(seeds ?? seedsUsual, planted);
  } finally {
    remove?.();
  }
}

async function prove(seeds: number, planted: KillPlant | undefined): Promise<ProverResult> {
  const rates = planted?.rates;
  const found: Record<Story, KillFindings[]> = {
    switch: [],
    kill: [],
    killAtOnce: [],
    killFailing: [],
    panic: [],
    panicFailing: [],
  };
  const without = knobs.filter((knob) => rates !== undefined && !(knob in rates));
  const more = rates === undefined ? {} : { level: 1, rates, without };
  const notes: string[] = [];
  let violations = 0;
  const note = (story: Story, seed: number, one: KillFindings): void => {
    found[story].push(one);
    violations += one.violations.length;
    if (one.violations.length > 0)
      notes.push(`${story} seed ${seed}: ${one.violations.join('; ')}`);
  };
  const isFound = (): boolean => planted !== undefined && violations > 0;
  for (let seed = 1; seed <= seeds && !isFound(); seed++) {
    note('switch', seed, pullSwitch(seed, more));
    if (seed % progressSeeds === 0) console.error(`kill: ${seed} of ${seeds} seeds`);
    if (seed % seedsPerKill !== 1) continue;
    note('kill', seed, killMany(seed, { orders: ordersOpen, isFailing: false }));
    const atOnce = { orders: ordersAtOnce, isFailing: false, isAtOnce: true };
    note('killAtOnce', seed, killMany(seed, atOnce));
    note('killFailing', seed, killMany(seed, { orders: ordersOpen, isFailing: true }));
    note('panic', seed, await panicMany(seed, { orders: ordersOpen, isFailing: false }));
    note('panicFailing', seed, await panicMany(seed, { orders: ordersOpen, isFailing: true }));
  }
  const all = Object.values(found).flat();
  const sum = (of: (one: KillFindings) => number): number =>
    all.reduce((so, one) => so + of(one), 0);
  const largest = (story: Story): number =>
    Math.max(...found[story].map((one) => one.secondsToZero));
  return {
    figures: {
      seeds,
      ordersOpen,
      kills: found.kill.length + found.killAtOnce.length + found.killFailing.length,
      secondsToZeroMax: Math.max(largest('kill'), largest('killAtOnce')),
      secondsToZeroMaxWithFailures: largest('killFailing'),
      secondsToReportMax: Math.max(...found.kill.map((one) => one.secondsToReport)),
      panics: found.panic.length + found.panicFailing.length,
      panicSecondsToZeroMax: largest('panic'),
      panicSecondsToZeroMaxWithFailures: largest('panicFailing'),
      throttledWithoutFailures: [...found.kill, ...found.killAtOnce, ...found.panic].reduce(
        (so, one) => so + one.throttled,
        0,
      ),
      ordersAfterHalt: sum((one) => one.ordersAfterHalt),
      remaining: sum((one) => one.remaining),
    },
    violations,
    notes: notes.slice(0, notesMax),
  };
}

export const killProver: Prover = {
  name: 'kill',
  title: 'after a halt nothing is sent, and a kill or a panic leaves no order of ours open',
  compared: ['kills', 'panics'],
  plants: Object.fromEntries(
    Object.entries(killPlants).map(([name, { meaning }]) => [name, meaning]),
  ),
  run,
};
