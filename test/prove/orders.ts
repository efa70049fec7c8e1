/**
 * Proves that orders are never doubled and fills never lost: the whole bot against the whole
 * simulated exchange in virtual time, through faults and crashes, judged by the exchange's books.
 */
import { execFileSync } from 'node:child_process';
import type { ExchangeRule } from '../support/virtual-rules.ts';
import { exchangeRules } from '../support/virtual-rules.ts';
import { crashScenarios } from './crash-scenarios.ts';
import { orderPlants } from './orders-plants.ts';
import { OrdersPool } from './orders-pool.ts';
import type { Story } from './orders-story.ts';
import { addUp, type SeedSummary } from './orders-summary.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

const seedsUsual = 1_000;
/** Enough to find a plant. */
const seedsPerPlant = 400;
const progressSeeds = 500;
/** Fewer seeds than this are a quick look, which crashes at some of the commits only. */
const seedsForEveryCommit = 1_000;
const strideOfQuickLook = 12;
const notesMax = 20;
/** Of a long story, so many lines of its beginning and of its end are told. */
const storyLinesMax = 150;

async function run({ seeds, plant, breaks = [] }: ProverOptions): Promise<ProverResult> {
  const broken = exchangeRules.filter((rule) => breaks.includes(rule));
  return plant === undefined
    ? await prove(seeds ?? seedsUsual, broken)
    : await findPlant(seeds ?? seedsPerPlant, plant, broken);
}

async function prove(seeds: number, broken: readonly ExchangeRule[]): Promise<ProverResult> {
  const pool = new OrdersPool({ broken, plant: undefined, isControl: false });
  const startedMs = performance.now();
  const all: SeedSummary[] = [];
  try {
    await pool.run(seeds, (some) => {
      const before = Math.floor(all.length / progressSeeds);
      all.push(...some);
      if (Math.floor(all.length / progressSeeds) > before) {
        const failed = all.filter((one) => one.violations.length > 0).length;
        console.error(`orders: ${all.length} of ${seeds} seeds, ${failed} of them fail`);
      }
      return true;
    });
    const isWhole = seeds >= seedsForEveryCommit;
    // A world that breaks its rules is only wanted for what it does to the seeds.
    const crashes =
      broken.length > 0
        ? []
        : await pool.runCrashes(crashScenarios.length, isWhole ? 1 : strideOfQuickLook);
    const seconds = (performance.now() - startedMs) / 1000;
    const crashed = crashes.flatMap((one) => one.violations);
    const { figures, violations, unfired } = addUp(all, broken.length === 0);
    const notes = [...unfired.map((knob) => `fault ${knob} never fired`), ...crashed];
    const failed = failing(all);
    for (const { seed, violations: said } of failed) notes.push(`seed ${seed}: ${said.join('; ')}`);
    const [first] = failed;
    if (first !== undefined) tellStory(await pool.story(first.seed));
    return {
      figures: {
        ...figures,
        crashScenarios: crashes.length,
        crashPoints: crashes.reduce((sum, { points }) => sum + points, 0),
        doubleCrashPoints: crashes.reduce((sum, { doublePoints }) => sum + doublePoints, 0),
        crashViolations: crashed.length,
        broken,
        seconds: Math.round(seconds),
      },
      violations: violations + crashed.length,
      notes: notes.slice(0, notesMax),
    };
  } finally {
    await pool.close();
  }
}

/** Runs until a seed fails that does not fail without the plant. */
async function findPlant(
  seeds: number,
  plant: string,
  broken: readonly ExchangeRule[],
): Promise<ProverResult> {
  const pool = new OrdersPool({ broken, plant, isControl: false });
  const control = new OrdersPool({ broken, plant, isControl: true }, 1);
  const tried: SeedSummary[] = [];
  let found: SeedSummary | undefined;
  let controlFails = 0;
  try {
    const checks: Promise<void>[] = [];
    const check = async (suspect: SeedSummary): Promise<void> => {
      if (found !== undefined) return;
      const { violations } = await control.runOne(suspect.seed);
      if (violations.length > 0) controlFails++;
      else found ??= suspect;
    };
    let last = Promise.resolve();
    await pool.run(seeds, (some) => {
      tried.push(...some);
      for (const suspect of failing(some)) {
        last = last.then(() => check(suspect));
        checks.push(last);
      }
      return found === undefined;
    });
    await Promise.all(checks);
  } finally {
    await Promise.all([pool.close(), control.close()]);
  }
  const said = found?.violations ?? [];
  console.error(
    `orders: plant ${plant} ${found === undefined ? `not found in ${tried.length} seeds` : `found by seed ${found.seed}: ${said[0]?.split('\n', 1)[0]}`}`,
  );
  return {
    figures: { seedsTried: tried.length, foundBySeed: found?.seed ?? null, controlFails },
    violations: said.length,
    notes: said.slice(0, notesMax),
  };
}

/** The seeds that fail, lowest first. */
function failing(seeds: readonly SeedSummary[]): readonly SeedSummary[] {
  return seeds.filter((one) => one.violations.length > 0).sort((a, b) => a.seed - b.seed);
}

function tellStory(story: Story | undefined): void {
  if (story === undefined) return;
  const { seed, without, stormSeconds, lines, violations } = story;
  const storm = stormSeconds === undefined ? '' : `, a storm of ${stormSeconds} s`;
  console.error(`seed ${seed} at commit ${commitOf()}, shortest log found${storm}`);
  if (without.length > 0) console.error(`without ${without.join(', ')}`);
  for (const violation of violations) console.error(violation);
  const dropped = Math.max(0, lines.length - 2 * storyLinesMax);
  const told = dropped === 0 ? lines : [...lines.slice(0, storyLinesMax), `… ${dropped} lines …`];
  for (const line of told) console.error(line);
  if (dropped > 0) for (const line of lines.slice(-storyLinesMax)) console.error(line);
}

function commitOf(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

export const ordersProver: Prover = {
  name: 'orders',
  title: 'orders are never doubled and fills never lost',
  compared: ['orders', 'fills'],
  plants: orderPlants,
  breakable: exchangeRules,
  run,
};
