/**
 * A log on disk with a limited size: a full file is renamed to `.1`, the one before to `.2`, and
 * the oldest is deleted.
 *
 * Invariant: a log that cannot be written never stops the program; lost lines are counted.
 */
import { closeSync, fstatSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { writeAll } from './write-all.ts';

export type LogFile = {
  /** Writes one or more lines. */
  append(lines: string): void;
  /** Number of lines that could not be written; a file that fails to close counts as one. */
  readonly lost: number;
  close(): void;
};

export type LogFileOptions = {
  /** Size at which a file is full. Default: 16 MiB. */
  readonly bytesMax?: number;
  /** Number of full files that are kept. Default: 3. */
  readonly filesMax?: number;
};

/** Opens the log at `path` for appending; creates its folder if it is missing. */
export function openLogFile(path: string, options: LogFileOptions = {}): LogFile {
  const bytesMax = options.bytesMax ?? 16 * 2 ** 20;
  const filesMax = options.filesMax ?? 3;
  let handle: number | undefined;
  let bytes = 0;
  let lost = 0;

  const open = (): void => {
    makeFolder(dirname(path), 0o700);
    handle = openSync(path, 'a', 0o600);
    bytes = fstatSync(handle).size;
  };
  const close = (): void => {
    const closing = handle;
    handle = undefined;
    try {
      if (closing !== undefined) closeSync(closing);
    } catch {
      // A full network disk reports lost lines only now, and not how many.
      lost++;
    }
  };
  const rotate = (): void => {
    close();
    rmSync(`${path}.${filesMax}`, { force: true });
    for (let age = filesMax - 1; age >= 1; age--) move(`${path}.${age}`, `${path}.${age + 1}`);
    move(path, `${path}.1`);
    open();
  };

  return {
    append(lines) {
      try {
        if (handle === undefined) open();
        if (bytes > 0 && bytes + lines.length > bytesMax) rotate();
        const text = Buffer.from(lines);
        if (handle !== undefined) writeAll(handle, text);
        bytes += text.length;
      } catch {
        lost += lines.trimEnd().split('\n').length;
        close();
      }
    },
    get lost() {
      return lost;
    },
    close,
  };
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
