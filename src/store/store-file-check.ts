/**
 * Checks that the open files of a store are still the files at their paths. The operating system
 * allows an open file to be deleted, moved or replaced: SQLite would then write to a file that
 * nobody can find, and the lock would no longer keep a second bot out.
 */
import { statSync } from 'node:fs';
import { StoreError } from '../domain/errors.ts';

export class StoreFileCheck {
  readonly #paths: readonly string[];
  readonly #ids: readonly (string | undefined)[];

  /** Notes the identities of the files. A file that does not exist now is not checked. */
  constructor(paths: readonly string[]) {
    this.#paths = paths;
    this.#ids = paths.map(idOf);
  }

  /** Throws StoreError if a file is gone or its path now names a different file. */
  check(): void {
    for (const [index, path] of this.#paths.entries()) {
      const id = this.#ids[index];
      if (id === undefined || id === idOf(path)) continue;
      throw new StoreError(
        `${path} was deleted, moved or replaced while the bot ran, so new records would be lost; ` +
          'move the files back if they were moved, and start the bot again',
      );
    }
  }
}

function idOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev} ${found.ino}`;
}
