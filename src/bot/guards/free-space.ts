/**
 * Watches the free space on the disk of a bot's database, so that the operator is warned long
 * before a commit fails. The last free space is reserved for the database: the journal and the
 * captures on the same disk end first.
 *
 *     enough ─▶ low: a warning ─▶ scarce: an incident, journal and captures end
 *        ◀──────────┴─────────────────┘ an info line
 */
import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Cancel, Timers } from '../../runtime/timers.ts';

const lookEveryMs = 5_000;

export type Space = { readonly freeBytes: number; readonly sizeBytes: number };
export type SpaceLevel = 'enough' | 'low' | 'scarce';

export type FreeSpaceOptions = {
  /** The folder of the database. */
  readonly folder: string;
  readonly timers: Pick<Timers, 'after'>;
  /** Called when the level has changed, and after the first check unless it is `enough`. */
  readonly onLevel: (level: SpaceLevel, space: Space) => void;
  /** Reads the free space; only tests replace it. */
  readonly spaceOf?: (folder: string) => Promise<Space>;
};

/** Returns the level: for a small disk by the free share, for a large one by the free bytes. */
function spaceLevelOf({ freeBytes, sizeBytes }: Space): SpaceLevel {
  if (freeBytes < Math.min(256 * 2 ** 20, sizeBytes * 0.03)) return 'scarce';
  return freeBytes < Math.min(2 ** 30, sizeBytes * 0.1) ? 'low' : 'enough';
}

/** Checks now and every few seconds; the returned function ends it. */
export function watchFreeSpace(options: FreeSpaceOptions): Cancel {
  const { folder, timers, onLevel, spaceOf = askFileSystem } = options;
  let level: SpaceLevel = 'enough';
  let isEnded = false;
  let cancel: Cancel = () => {};
  const look = async (): Promise<void> => {
    const space = await spaceOf(folder).catch(() => undefined);
    if (isEnded) return;
    const found = space === undefined ? level : spaceLevelOf(space);
    if (space !== undefined && found !== level) {
      level = found;
      onLevel(level, space);
    }
    cancel = timers.after(lookEveryMs, () => void look(), { unref: true });
  };
  void look();
  return () => {
    isEnded = true;
    cancel();
  };
}

/** Returns whether two folders are on one file system. */
export function isSameDisk(one: string, other: string): boolean {
  const deviceOf = (folder: string) => statSync(folder, { throwIfNoEntry: false })?.dev;
  return deviceOf(one) === deviceOf(other);
}

async function askFileSystem(folder: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}
