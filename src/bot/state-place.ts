/** Where a bot's database, journals and log lie together. */
import { basename, dirname, join } from 'node:path';

export type StatePlace = { readonly home: string; readonly store: string };

/** Returns the place: `home` if one is asked for, else the folder of the configured database. */
export function statePlaceOf(store: string, home: string | undefined): StatePlace {
  return home === undefined
    ? { home: dirname(store), store }
    : { home, store: join(home, basename(store)) };
}
