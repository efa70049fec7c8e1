/**
 * A log on disk that never grows beyond its bound: when a file is full it becomes `.1`, the one
 * before `.2`, and the oldest goes.
 *
 * Invariant: a log that cannot be written never stops the program; the lines are lost and counted.
 */
import { closeSync, fstatSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { writeAll } from './write-all.ts';

export type LogFile = {
  append(line: string): void;
  /** Lines that could not be written. */
  readonly lost: number;
  close(): void;
};

export type LogFileOptions = {
  /** A file is full at this size; 16 MiB unless given. */
  readonly bytesMax?: number;
  /** Full files that are kept beside the current one; 3 unless given. */
  readonly filesMax?: number;
};

/** Opens the log at `path` for appending; its folder is made if it is not there. */
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
    if (handle !== undefined) closeSync(handle);
    handle = undefined;
  };
  const rotate = (): void => {
    close();
    rmSync(`${path}.${filesMax}`, { force: true });
    for (let age = filesMax - 1; age >= 1; age--) move(`${path}.${age}`, `${path}.${age + 1}`);
    move(path, `${path}.1`);
    open();
  };

  return {
    append(line) {
      try {
        if (handle === undefined) open();
        if (bytes > 0 && bytes + line.length > bytesMax) rotate();
        const text = Buffer.from(line);
        if (handle !== undefined) writeAll(handle, text);
        bytes += text.length;
      } catch {
        lost++;
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
