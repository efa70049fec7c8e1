/**
 * One process for one folder. The lock names the process and when it started, so that a number
 * which another process has got since is not taken for it.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AlreadyRunningError } from '../domain/errors.ts';
import { attempt } from './command-log.ts';
import { writeWhole } from './state-folder.ts';

/**
 * Takes the lock of a folder and returns how to give it back. Throws {@link AlreadyRunningError} if
 * it is taken.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'process.lock');
  const holder = readText(path);
  if (holder !== undefined && holder !== identityOf(process.pid)) {
    const pid = Number.parseInt(holder, 10);
    if (Number.isSafeInteger(pid) && identityOf(pid) === holder)
      throw new AlreadyRunningError(`${folder} is in use by process ${pid}`);
  }
  writeWhole(path, Buffer.from(identityOf(process.pid) ?? `${process.pid}`));
  return () => attempt(path, () => rmSync(path, { force: true }));
}

/** Returns a process's number and start, or undefined if it is not running. */
function identityOf(pid: number): string | undefined {
  // Field 22 is the start time; the name in field 2 may hold spaces and ends with the last bracket.
  const stat = readText(`/proc/${pid}/stat`);
  if (stat !== undefined) {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${pid} ${fields[19]}`;
  }
  try {
    process.kill(pid, 0);
    return `${pid}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? `${pid}` : undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
