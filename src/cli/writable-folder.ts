/** Folders that a verb writes into at its end, tried before its work begins. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../domain/errors.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import { discard } from '../runtime/partial-file.ts';

/** Makes `folder` if it is not there; throws StoreError if no file can be written in it. */
export function prepareWritableFolder(folder: string, mode?: number): void {
  makeFolder(folder, mode);
  const probe = join(folder, `.millrace-${process.pid}`);
  try {
    // A byte, since a full disk still has room for a name.
    writeFileSync(probe, '\n');
    rmSync(probe);
  } catch (cause) {
    discard(probe);
    throw new StoreError(
      `nothing can be written in ${folder}: ${(cause as Error).message}; make room or let it be written, then begin again`,
      { cause },
    );
  }
}
