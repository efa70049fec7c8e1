/** Folders that a verb writes into at its end, tried before its work begins. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../domain/errors.ts';

/** Makes `folder` if it is not there; throws StoreError if no file can be written in it. */
export function prepareWritableFolder(folder: string): void {
  const probe = join(folder, `.millrace-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    try {
      // A byte, since a full disk still has room for a name.
      writeFileSync(probe, '\n');
    } finally {
      rmSync(probe, { force: true });
    }
  } catch (cause) {
    throw new StoreError(
      `nothing can be written in ${folder}: ${(cause as Error).message}; make room or let it be written, then begin again`,
      { cause },
    );
  }
}
