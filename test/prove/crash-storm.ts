/** The storm part of the crash proof: several homes, their kills, and what became of them. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { journalRunsIn } from '../../src/bot/journal/journal-segments.ts';
import { replayJournal } from '../../src/bot/journal/replay-journal.ts';
import { CrashHome } from './crash-home.ts';
import { judgeHome } from './crash-judge.ts';

const strategies = join(import.meta.dirname, 'strategies');

export type StormResult = {
  readonly figures: Readonly<Record<string, number>>;
  /** Everything that is wrong, each with its seed. */
  readonly said: readonly string[];
};

export type StormOptions = {
  readonly seeds: readonly number[];
  readonly killsPerSeed: number;
  /** How long the end of an order may take to be known, once nobody is killed any more. */
  readonly calmMs: number;
  readonly plant?: string;
};

/** Homes whose processes are killed at the same time: most of them wait for calls, or are calm. */
const stormsAtOnce = 4;

/** Runs one home per seed. */
export async function runStorms(options: StormOptions): Promise<StormResult> {
  const { seeds } = options;
  const waiting = [...seeds];
  const calm: Promise<Home>[] = [];
  const worker = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const home = new CrashHome(seed, options.plant);
      await home.storm(options.killsPerSeed);
      // Awaited later, when the other homes' storms are over.
      const told = (error: unknown): Home => ({ figures: {}, said: [`seed ${seed}: ${error}`] });
      calm.push(finish(seed, home, options).catch(told));
    }
  };
  await Promise.all(Array.from({ length: Math.min(stormsAtOnce, seeds.length) }, worker));
  const homes = await Promise.all(calm);
  const figures: Record<string, number> = {};
  for (const home of homes)
    for (const [name, value] of Object.entries(home.figures))
      figures[name] = (figures[name] ?? 0) + value;
  return { figures, said: homes.flatMap((home) => home.said) };
}

type Home = {
  readonly figures: Readonly<Record<string, number>>;
  readonly said: readonly string[];
};

async function finish(seed: number, home: CrashHome, { calmMs }: StormOptions): Promise<Home> {
  await home.calm(calmMs);
  const { violations, ...counts } = await judgeHome(home.path, home.database);
  const replayed = await replayAll(home.path);
  const said = [...home.faults, ...violations, ...replayed.said];
  console.error(
    `crash: seed ${seed}, ${counts.orders} orders, ${counts.fills} fills, ${said.length} violations`,
  );
  const { bot, simulator, duringRecovery, inFlight, committed, starts } = home.counts;
  return {
    figures: {
      kills: bot + simulator,
      killsOfBot: bot,
      killsOfSimulator: simulator,
      killsDuringRecovery: duringRecovery,
      killsInFlight: inFlight,
      killsAtCommit: committed,
      starts,
      ...counts,
      journals: replayed.journals,
      replayDifferent: replayed.different,
    },
    said: said.map((one) => `seed ${seed}: ${one}`),
  };
}

/**
 * Every journal of the killed runs, replayed: the last line of each may be torn. A run that was
 * killed before its first line has an empty one.
 */
async function replayAll(home: string) {
  const said: string[] = [];
  let different = 0;
  const journals = journalRunsIn(join(home, 'journal'))
    .map((run) => run.path)
    .filter((path) => statSync(path).size > 0);
  for (const path of journals) {
    const result = await replayJournal(path, strategies);
    different += result.different;
    if (result.different > 0) said.push(`I14 replay of ${path}: ${result.firstDifference}`);
  }
  return { journals: journals.length, different, said };
}
