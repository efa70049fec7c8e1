/** Checks, before a long command starts, that it will be able to write its results. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../domain/errors.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import { discard } from '../runtime/partial-file.ts';

/** Creates `folder` if it does not exist; throws StoreError if no file can be written in it. */
export function prepareWritableFolder(folder: string, mode?: number): void {
  makeFolder(folder, mode);
  const probe = join(folder, `.millrace-${process.pid}`);
  try {
    // One byte, because a full disk can still create an empty file.
    writeFileSync(probe, '\n');
    rmSync(probe);
  } catch (cause) {
    discard(probe);
    throw new StoreError(
      `cannot write in ${folder}: ${(cause as Error).message}; free some space or allow writing, then try again`,
      { cause },
    );
  }
}
