/** What one seed of the proof of orders says, and what many of them add up to. */
import { createHash } from 'node:crypto';
import { type Knob, knobs } from '../support/virtual-faults.ts';
import type { WorldResult } from '../support/virtual-run.ts';

export type SeedSummary = Pick<
  WorldResult,
  'seed' | 'violations' | 'hash' | 'orders' | 'fills' | 'lives' | 'faults'
>;

/** Fewer seeds than this need not meet every fault; the rarest fires in one seed of a hundred. */
const seedsForEveryKnob = 1_000;

/** Violations of one kind, told by how their text begins. */
const kinds = {
  duplicates: [/^I1 .* is at the exchange(?: twice|,)/u, /^I10 .* orders at /u],
  lostFills: [/^I3 trade .* is missing/u],
  inventedFills: [/^I3 fill /u, /^I3 a fill is stored twice/u],
  positionDifferences: [/^I5 /u, /^I6 /u],
  stuckIntents: [/^I8 /u],
} as const;

/**
 * Returns the figures of all seeds, ordered by seed, and what is wrong with the run as a whole.
 * `isWhole`: the exchange keeps its rules; without one, the refusals that a fault needs are rare.
 */
export function addUp(
  unordered: readonly SeedSummary[],
  isWhole: boolean,
): {
  readonly figures: Readonly<Record<string, unknown>>;
  readonly violations: number;
  readonly unfired: readonly Knob[];
} {
  const seeds = [...unordered].sort((a, b) => a.seed - b.seed);
  const hash = createHash('sha256');
  const faults = Object.fromEntries(knobs.map((knob) => [knob, 0]));
  const total = { orders: 0, fills: 0, crashes: 0 };
  const texts: string[] = [];
  for (const one of seeds) {
    hash.update(`${one.seed} ${one.hash}\n`);
    total.orders += one.orders;
    total.fills += one.fills;
    total.crashes += one.lives - 1;
    texts.push(...one.violations);
    for (const [knob, count] of Object.entries(one.faults))
      faults[knob] = (faults[knob] ?? 0) + count;
  }
  const isEveryKnobDue = isWhole && seeds.length >= seedsForEveryKnob;
  const unfired = isEveryKnobDue ? knobs.filter((knob) => !faults[knob]) : [];
  const counts = Object.fromEntries(
    Object.entries(kinds).map(([kind, patterns]) => [
      kind,
      texts.filter((text) => patterns.some((pattern) => pattern.test(text))).length,
    ]),
  );
  return {
    figures: {
      ...{ seeds: seeds.length, ...total },
      ...{ faults, faultKinds: knobs.filter((knob) => faults[knob]).length },
      ...counts,
      hash: hash.digest('hex'),
    },
    violations: texts.length + unfired.length,
    unfired,
  };
}
