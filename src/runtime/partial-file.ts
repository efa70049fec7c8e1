/**
 * Files that get their name when they are complete. Until then each process writes a partial file
 * of its own next to it, so that two processes that write the same file cannot mix their output:
 *
 *     NAME.PID-START.partial ──all of it is on the disk──▶ NAME
 *
 * START is the start time of the process, since a later process may have the same PID. A killed
 * process leaves its partial file; the next process that writes NAME removes it.
 */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { processIdentityOf } from './process-identity.ts';

/** Read once: the system takes half a millisecond. */
let ownIdentity: string | undefined;

export class PartialFile {
  /** The path of the partial file; open it in a mode that truncates it. */
  readonly path: string;
  readonly #target: string;

  /** Removes partial files of `target` that ended processes have left. Opens no file. */
  constructor(target: string) {
    this.#target = target;
    ownIdentity ??= processIdentityOf(process.pid) ?? `${process.pid}`;
    this.path = `${target}.${ownIdentity.replace(' ', '-')}.partial`;
    for (const { path, isAbandoned } of partialsOf(target)) if (isAbandoned) discard(path);
  }

  /** Gives the file its name; the last of several processes wins. Throws the system's error. */
  keep(): void {
    renameSync(this.path, this.#target);
  }

  discard(): void {
    discard(this.path);
  }
}

/** Returns the paths of all partial files of `target`, including abandoned ones. */
export function partialPathsOf(target: string): readonly string[] {
  return partialsOf(target).map(({ path }) => path);
}

/** Removes a file after a failure. Errors are ignored: the caller reports the failure itself. */
export function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

function partialsOf(
  target: string,
): readonly { readonly path: string; readonly isAbandoned: boolean }[] {
  const [folder, name] = [dirname(target), basename(target)];
  return namesIn(folder).flatMap((file) => {
    if (!file.startsWith(`${name}.`)) return [];
    const { pid, start } = tail.exec(file.slice(name.length))?.groups ?? {};
    if (pid === undefined) return [];
    const isAbandoned = hasEnded(Number.parseInt(pid, 10), start);
    return [{ path: join(folder, file), isAbandoned }];
  });
}

const tail = /^\.(?<pid>\d{1,9})(?:-(?<start>\d{1,20}))?\.partial$/u;

function hasEnded(pid: number, start: string | undefined): boolean {
  const identity = processIdentityOf(pid);
  if (identity === undefined) return true;
  // If the start time is not known, only the PID is compared.
  const [, startNow] = identity.split(' ');
  return start !== undefined && startNow !== undefined && start !== startNow;
}

/** Returns the names in a folder; empty if it cannot be read, so that nothing is removed. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
