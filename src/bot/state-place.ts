/** The folder of a bot's state: its database, journals and log, and a demo's simulator. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export type StatePlace = { readonly home: string; readonly store: string };

/** Returns `home` and the database in it; without `home`, the folder of the configured database. */
export function statePlaceOf(store: string, home: string | undefined): StatePlace {
  return home === undefined
    ? { home: dirname(store), store }
    : { home, store: join(home, basename(store)) };
}

/** The folder in `home` for the simulator's state and keys. */
export function simulatorFolder(home: string): string {
  return join(home, 'simulator');
}

/** Returns a database's path with links resolved; unchanged if the file does not exist. */
export function truePathOf(store: string): string {
  try {
    return realpathSync(store);
  } catch {
    return store;
  }
}
