/**
 * Tells when a settings file is edited while its bot runs. That has no effect, and whoever edited
 * it should know.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Cancel, Timers } from '../../runtime/timers.ts';

const lookEveryMs = 5_000;

export type WatchedFile = {
  readonly path: string;
  /** SHA-256 of the bytes that are in force. */
  readonly hash: string;
};

/** Calls `changed` with one line for each new content of a file; returns how to stop looking. */
export function watchSettings(
  timers: Timers,
  files: readonly WatchedFile[],
  changed: (text: string) => void,
): Cancel {
  const seen = new Map(files.map((file) => [file.path, { state: '', hash: file.hash }]));
  return timers.every(
    lookEveryMs,
    () => {
      for (const { path, hash: inForce } of files) {
        const before = seen.get(path);
        const state = stateOf(path);
        if (before === undefined || state === before.state) continue;
        const hash = hashOf(path);
        seen.set(path, { state, hash });
        if (hash === before.hash) continue;
        changed(
          hash === inForce
            ? `${path} is again as it is in force`
            : `${path} was changed (${inForce.slice(0, 12)} is in force, ${hash.slice(0, 12)} is on disk): no effect before a restart`,
        );
      }
    },
    { unref: true },
  );
}

/** A cheap sign of a change, so that the file is read only then. */
function stateOf(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? 'gone' : `${status.mtimeMs} ${status.size} ${status.ino}`;
}

function hashOf(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return 'unreadable';
  }
}
