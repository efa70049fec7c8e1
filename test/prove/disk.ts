/**
 * `npm run prove -- disk`: a disk that fails stops the bot and never misleads it.
 *
 * A short session of the whole bot runs again and again over a real database file; each time
 * another call to SQLite fails, once or for a while, with each of the errors of a bad disk, and a
 * commit also after it was made. Then storms, in which every crash is a power cut: what was not
 * synced is gone.
 */
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { type DiskSession, onDisk, runDiskSession } from '../support/disk-session.ts';
import { type DiskError, type DiskFault, diskErrors } from '../support/virtual-disk.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

/** A disk that stays broken outlives several restarts before it is replaced. */
const lastingCalls = 40;
const cutSeeds = 40;
/** With a plant a part of it is enough. */
const plantedStride = 12;
const plantedSeeds = 8;

const plants = {
  'error-swallowed': 'a commit that failed counts as made',
  'synchronous-normal': "commits are not synced, which is SQLite's usual way with this log",
};

type Planted = keyof typeof plants;

async function run({ seeds, plant }: ProverOptions): Promise<ProverResult> {
  const planted = plant as Planted | undefined;
  const undo = planted === 'error-swallowed' ? swallowErrors() : () => {};
  try {
    return judge(planted, seeds ?? (planted === undefined ? cutSeeds : plantedSeeds));
  } finally {
    undo();
  }
}

function judge(planted: Planted | undefined, seeds: number): ProverResult {
  const notes: string[] = [];
  let violations = 0;
  const note = (what: string, session: DiskSession): void => {
    violations += session.violations.length;
    for (const violation of session.violations.slice(0, 2)) notes.push(`${what}: ${violation}`);
  };
  const { diskCalls: calls } = runDiskSession();
  const counts = { sessions: 0, failedCalls: 0, lateCommits: 0, restarts: 0 };
  const stride = planted === undefined ? 1 : plantedStride;
  if (planted !== 'synchronous-normal')
    for (let atCall = 1; atCall <= calls; atCall += stride)
      for (const fault of faultsAt(atCall, planted !== undefined)) {
        const session = runDiskSession(fault);
        counts.sessions++;
        counts.failedCalls += session.failed.length;
        counts.restarts += session.lives - 1;
        if (fault.isLate === true && session.failed[0] === 'COMMIT') counts.lateCommits++;
        note(`call ${atCall}, ${fault.error}, ${fault.calls} times`, session);
      }
  let powerCuts = 0;
  const powerCutsHow = planted === 'synchronous-normal' ? 'normal' : 'full';
  if (planted !== 'error-swallowed')
    for (let seed = 1; seed <= seeds; seed++) {
      const storm = { seed, stormSeconds: 30, rates: { 'crash.any-time': 0.2 } };
      const session = onDisk({ ...storm, level: 0.3 }, { powerCuts: powerCutsHow });
      powerCuts += session.cuts;
      note(`seed ${seed}`, session);
    }
  return { figures: { calls, ...counts, powerCuts }, violations, notes: notes.slice(0, 10) };
}

function faultsAt(atCall: number, isPlanted: boolean): DiskFault[] {
  const errors = Object.keys(diskErrors) as DiskError[];
  const some = isPlanted ? errors.slice(0, 1) : errors;
  return some.flatMap((error) => [
    { error, atCall, calls: 1 },
    { error, atCall, calls: lastingCalls },
    ...(error === 'SQLITE_IOERR_WRITE' || isPlanted
      ? [{ error, atCall, calls: 1, isLate: true }]
      : []),
  ]);
}

function swallowErrors(): () => void {
  const { commit, explain } = SqliteStore.prototype;
  SqliteStore.prototype.explain = function (this: SqliteStore, records): void {
    try {
      explain.call(this, records);
    } catch {
      // The same.
    }
  };
  SqliteStore.prototype.commit = function (this: SqliteStore, records, commitNumber): void {
    try {
      commit.call(this, records, commitNumber);
    } catch {
      // The plant: nobody hears of it.
    }
  };
  return () => {
    SqliteStore.prototype.commit = commit;
    SqliteStore.prototype.explain = explain;
  };
}

export const diskProver: Prover = {
  name: 'disk',
  title: 'a disk that fails stops the bot and never misleads it',
  compared: ['sessions', 'failedCalls'],
  plants,
  run,
};
