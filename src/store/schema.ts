/** The current schema, as far as the code depends on it. The steps to it are in `migrations/`. */
import { migrations } from './migrations/migrations.ts';

/** "MRsq": marks a file as a Millrace database. */
export const applicationId = 0x4d527371;

/** The version that this program reads and writes; kept in `PRAGMA user_version`. */
export const schemaVersion = migrations.length;

/** The oldest version that can be read without an upgrade: later ones have the same columns. */
export const readableVersionMin = 2;

/** Since this version orders have tags. In an older one, {@link ordersWithoutTags} adds them. */
export const tagsSince = 5;

/** SQL: a view for this connection alone, which goes before the table of the same name. */
export const ordersWithoutTags =
  'CREATE TEMP VIEW orders AS SELECT *, NULL AS tag FROM main.orders';

/** SQL condition of an order that is not final; the index by state finds these orders. */
export const unfinished = `state IN ('waiting', 'sending', 'unknown', 'open', 'completing')`;

/** SQL expression: the time at which a final order became final, or its creation if unknown. */
export const settledMs = 'coalesce(completed_ms, created_ms)';
