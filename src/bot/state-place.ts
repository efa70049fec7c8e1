/** Where a bot's database, journals and log lie together, and the simulator of a demo. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export type StatePlace = { readonly home: string; readonly store: string };

/** Returns the place: `home` if one is asked for, else the folder of the configured database. */
export function statePlaceOf(store: string, home: string | undefined): StatePlace {
  return home === undefined
    ? { home: dirname(store), store }
    : { home, store: join(home, basename(store)) };
}

/** Where the simulator of `home` keeps its state and its keys. */
export function simulatorFolder(home: string): string {
  return join(home, 'simulator');
}

/** Returns the path of a database with its links resolved; unchanged if the file does not exist. */
export function truePathOf(store: string): string {
  try {
    return realpathSync(store);
  } catch {
    return store;
  }
}
