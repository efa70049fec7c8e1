/**
 * Deletes the state of earlier runs, for `start --fresh`: the database together with the
 * simulator's state, because neither is consistent without the other.
 *
 * Invariants: only files with our own names are deleted, and only while nobody uses them: the
 * caller holds the lock of the database, this module that of the simulator's folder.
 */
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AlreadyRunningError } from '../../domain/errors.ts';
import { accountFileOf } from '../../paper/account-file.ts';
import type { Clock } from '../../runtime/clock.ts';
import { lockFolder } from '../../runtime/process-lock.ts';
import type { Timers } from '../../runtime/timers.ts';
import { archivePathOf } from '../../store/archive.ts';
import { backupsOf } from '../../store/migrate.ts';
import { journalRunsIn } from '../journal/journal-segments.ts';
import { type StatePlace, simulatorFolder } from '../state-place.ts';

const simulatorFiles = [
  /^snapshot-\d{1,9}\.bin(?:\.tmp)?$/u,
  /^commands-\d{1,9}\.log(?:\.tmp)?$/u,
  /^(?:credentials\.json|control-token|tls-certificate\.pem|tls-key\.pem)(?:\.tmp)?$/u,
  /^process\.lock\.tmp$/u,
];

const freeWithinMs = 10_000;
const retryMs = 100;

/** Deletes the state. Throws AlreadyRunningError if a simulator keeps using its folder. */
export async function forgetState(
  { home, store }: StatePlace,
  time: { readonly clock: Clock; readonly timers: Timers },
): Promise<void> {
  const simulator = simulatorFolder(home);
  if (existsSync(simulator)) {
    const unlock = await lockWhenFree(simulator, time);
    for (const name of readdirSync(simulator))
      if (simulatorFiles.some((ours) => ours.test(name)))
        rmSync(join(simulator, name), { force: true });
    unlock();
    removeIfEmpty(simulator);
  }
  const journals = join(home, 'journal');
  if (existsSync(journals)) {
    for (const { path } of journalRunsIn(journals).flatMap((run) => run.segments))
      rmSync(path, { force: true });
    removeIfEmpty(journals);
  }
  const backups = existsSync(dirname(store)) ? backupsOf(store) : [];
  const files = [store, archivePathOf(store)].flatMap((path) => [
    path,
    `${path}-wal`,
    `${path}-shm`,
  ]);
  for (const path of [...files, accountFileOf(store), ...backups]) rmSync(path, { force: true });
}

/** Waits for the lock: the simulator of a bot that was just killed may still be stopping. */
async function lockWhenFree(
  folder: string,
  { clock, timers }: { readonly clock: Clock; readonly timers: Timers },
): Promise<() => void> {
  const deadlineMicros = clock.monotonicMicros() + freeWithinMs * 1000;
  for (;;) {
    try {
      return lockFolder(folder);
    } catch (error) {
      const mayPass = error instanceof AlreadyRunningError;
      if (!mayPass || clock.monotonicMicros() > deadlineMicros) throw error;
      await new Promise<void>((resolve) => timers.after(retryMs, resolve));
    }
  }
}

function removeIfEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
