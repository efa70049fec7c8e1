/**
 * Whether the files of a store are still those that their paths name. The system lets a file that
 * is open be deleted, moved or replaced: SQLite would go on writing where nobody finds it, and a
 * lock that no path names keeps no second bot out.
 */
import { statSync } from 'node:fs';
import { StoreError } from '../domain/errors.ts';

export class OwnFiles {
  readonly #paths: readonly string[];
  readonly #ids: readonly (string | undefined)[];

  /** Takes the files as they are now; one that is not there is not looked for. */
  constructor(paths: readonly string[]) {
    this.#paths = paths;
    this.#ids = paths.map(idOf);
  }

  /** Throws StoreError if a path names another file, or none. */
  check(): void {
    for (const [index, path] of this.#paths.entries()) {
      const id = this.#ids[index];
      if (id === undefined || id === idOf(path)) continue;
      throw new StoreError(
        `${path} was deleted, moved or replaced while the bot ran, so that what is stored would be ` +
          'lost; put the files back if they were moved, and start again',
      );
    }
  }
}

function idOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev} ${found.ino}`;
}
