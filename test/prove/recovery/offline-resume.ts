/** A person resumes a bot that does not run, or a part of one whose other parts are halted. */

import SqliteDatabase from 'better-sqlite3';
import { runOperatorCommand } from '../../../src/cli/commands/operator-command.ts';
import { workspace } from '../../support/package-root.ts';
import { config, LostPlace, silentOutput, sleep } from './lost-place.ts';
import { forgetResume, ignoreOtherScopes, withPlant } from './lost-plants.ts';
import type { RecoveryScenario } from './scenario.ts';

const watchedMs = 4_000;
const tradesWithinMs = 90_000;
const strategy = 'strategy:mm-xbt';
const pair = 'pair:XBTZAR';

/** Makes the last runs of a database look as if they had been killed a moment ago. */
function crashRuns(store: string, nowMs: number): void {
  const database = new SqliteDatabase(store);
  const insert = database.prepare(
    `INSERT INTO runs (started_ms, config_hash, code_hash, node_version, sqlite_version)
     SELECT ?, config_hash, code_hash, node_version, sqlite_version FROM runs LIMIT 1`,
  );
  for (const agoMs of [3_000, 2_000, 1_000]) insert.run(nowMs - agoMs);
  database.close();
}

async function resumeOffline(home: string): Promise<void> {
  await runOperatorCommand({
    workspace,
    ...{ command: 'resume', config, home, reason: 'the cause is found', scope: undefined },
    ...{ thenStop: false, environment: {}, output: silentOutput() },
  });
}

/** A supervised start; returns whether it places an order so soon after it has reconciled. */
async function trades(place: LostPlace, home: string, withinMs: number): Promise<boolean> {
  const before = place.orders;
  const life = await place.start(home, { isSupervised: true });
  await life.until(() => life.isReconciled, tradesWithinMs);
  await life.until(() => place.orders > before, withinMs);
  const trades = place.orders > before;
  await life.stop();
  return trades;
}

async function play(place: LostPlace, told: string[]): Promise<void> {
  const home = place.home('one');
  await place.trade(home);
  crashRuns(place.store(home), Date.now());
  if (await trades(place, home, watchedMs))
    told.push('three crashes in a row do not halt the next start');
  crashRuns(place.store(home), Date.now());
  await sleep(10);
  await resumeOffline(home);
  if (!(await trades(place, home, tradesWithinMs)))
    told.push('an offline resume is undone at the next start');
  const life = await place.start(home);
  for (const scope of [strategy, pair]) await life.operate('halt', 'a test', scope);
  const { text } = await life.operate('resume', 'a part', strategy);
  if (text.includes('may trade') || !text.includes(`${pair} is HALTED`))
    told.push(`a resume of a strategy whose pair is halted says: ${text}`);
  await life.stop();
}

export const offlineResume: RecoveryScenario = {
  name: 'offline-resume',
  runs: 1,
  plants: {
    'resume-forgotten': 'the crash-loop guard counts crashes before an offline resume',
    'resume-says-too-much': 'a resume of a strategy does not look at what else is halted',
  },
  play: (seed, plant) =>
    withPlant(
      { 'resume-forgotten': forgetResume, 'resume-says-too-much': ignoreOtherScopes },
      plant,
      async () => {
        const place = await LostPlace.open(seed);
        const told: string[] = [];
        try {
          await play(place, told);
        } finally {
          await place.close();
        }
        return told;
      },
    ),
};
