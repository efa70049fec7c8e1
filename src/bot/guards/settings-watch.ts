/** Reports when a settings file is edited while its bot runs: the edit has no effect. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Cancel, Timers } from '../../runtime/timers.ts';

const lookEveryMs = 5_000;

export type WatchedFile = {
  readonly path: string;
  /** SHA-256 of the bytes that the bot loaded. */
  readonly hash: string;
};

/** Calls `changed` with a line whenever a file's content changes; the returned function ends it. */
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
            ? `${path} has the content that is in force again`
            : `${path} was changed (in force: ${inForce.slice(0, 12)}, on disk: ${hash.slice(0, 12)}); this has no effect until a restart`,
        );
      }
    },
    { unref: true },
  );
}

/** The file's metadata; its content is read only when these change. */
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
