/**
 * Files that get their name when they are whole. Until then each process fills one of its own
 * beside it, so that two that write the same file at once cannot mix what they write:
 *
 *     NAME.PID-START.partial ──all of it is on the disk──▶ NAME
 *
 * START tells the process from a later one of the same number. Who is killed leaves its partial
 * file; whoever writes the same NAME next removes it.
 */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { processIdentityOf } from './process-identity.ts';

export class PartialFile {
  /** What is to be filled; it may be opened in any way that begins it anew. */
  readonly path: string;
  readonly #target: string;

  /** Removes what processes have left that wrote `target` and are no more. Opens nothing. */
  constructor(target: string) {
    this.#target = target;
    const identity = processIdentityOf(process.pid) ?? `${process.pid}`;
    this.path = `${target}.${identity.replace(' ', '-')}.partial`;
    for (const { path, isLeft } of partialsOf(target)) if (isLeft) discard(path);
  }

  /** Gives the file its name; the last one of several has it. Throws what the system says. */
  keep(): void {
    renameSync(this.path, this.#target);
  }

  /** Gives the file up. */
  discard(): void {
    discard(this.path);
  }
}

/** Returns the paths of the partial files of `target`, those that are left over among them. */
export function partialPathsOf(target: string): readonly string[] {
  return partialsOf(target).map(({ path }) => path);
}

/** Removes a file after a failure, which is to be told, and not that this failed as well. */
export function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

function partialsOf(
  target: string,
): readonly { readonly path: string; readonly isLeft: boolean }[] {
  const [folder, name] = [dirname(target), basename(target)];
  return namesIn(folder).flatMap((one) => {
    if (!one.startsWith(`${name}.`)) return [];
    const { pid, start } = tail.exec(one.slice(name.length))?.groups ?? {};
    if (pid === undefined) return [];
    const isLeft = hasEnded(Number.parseInt(pid, 10), start);
    return [{ path: join(folder, one), isLeft }];
  });
}

const tail = /^\.(?<pid>\d{1,9})(?:-(?<start>\d{1,20}))?\.partial$/u;

function hasEnded(pid: number, start: string | undefined): boolean {
  const identity = processIdentityOf(pid);
  if (identity === undefined) return true;
  // Where starts cannot be known, the number has to do.
  const [, startNow] = identity.split(' ');
  return start !== undefined && startNow !== undefined && start !== startNow;
}

/** A folder may be one to write in and not to look into; then nothing of it is removed. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
