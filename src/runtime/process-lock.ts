/**
 * Lets only one process use a folder. The lock holds the id of the process and its start time, so
 * that another process with the same id is not mistaken for its owner.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AlreadyRunningError } from '../domain/errors.ts';
import { attempt, writeAtomically } from './durable-file.ts';
import { processIdentityOf, readText } from './process-identity.ts';

/**
 * Locks a folder and returns a function that unlocks it. Throws {@link AlreadyRunningError} if
 * another process holds the lock.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'process.lock');
  const holder = readText(path);
  if (holder !== undefined && holder !== processIdentityOf(process.pid)) {
    const pid = Number.parseInt(holder, 10);
    if (Number.isSafeInteger(pid) && processIdentityOf(pid) === holder)
      throw new AlreadyRunningError(`${folder} is in use by process ${pid}`);
  }
  writeAtomically(path, Buffer.from(processIdentityOf(process.pid) ?? `${process.pid}`));
  return () => attempt(path, () => rmSync(path, { force: true }));
}
