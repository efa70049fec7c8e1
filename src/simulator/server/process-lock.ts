/**
 * One process for one folder. The lock names the process and when it started, so that a number
 * which another process has got since is not taken for it.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AlreadyRunningError } from '../../domain/errors.ts';
import { processIdentityOf } from '../../runtime/process-identity.ts';
import { attempt } from './command-log.ts';
import { writeWhole } from './state-folder.ts';

/**
 * Takes the lock of a folder and returns how to give it back. Throws {@link AlreadyRunningError} if
 * it is taken.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'process.lock');
  const holder = readText(path);
  if (holder !== undefined && holder !== processIdentityOf(process.pid)) {
    const pid = Number.parseInt(holder, 10);
    if (Number.isSafeInteger(pid) && processIdentityOf(pid) === holder)
      throw new AlreadyRunningError(`${folder} is in use by process ${pid}`);
  }
  writeWhole(path, Buffer.from(processIdentityOf(process.pid) ?? `${process.pid}`));
  return () => attempt(path, () => rmSync(path, { force: true }));
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
