/** The current schema, as far as the code depends on it. The steps to it are in `migrations/`. */
import { migrations } from './migrations/migrations.ts';

/** "MRsq": marks a file as a Millrace database. */
export const applicationId = 0x4d527371;

/** The version that this program reads and writes; kept in `PRAGMA user_version`. */
export const schemaVersion = migrations.length;

/** The oldest version that can be read without an upgrade: later ones have the same columns. */
export const readableVersionMin = 2;

/** The columns of orders that a later version than the oldest readable one has added. */
const addedToOrders: readonly (readonly [since: number, column: string])[] = [
  [5, 'tag'],
  [6, 'stop_direction'],
  [6, 'stop_price'],
  [7, 'expires_ms'],
  [8, 'pays'],
];

/**
 * Returns SQL that adds to the orders of an older version what they lack: a view for this
 * connection alone, which goes before the table of the same name. Undefined if they lack nothing.
 */
export function olderOrdersView(version: number): string | undefined {
  const missing = addedToOrders.flatMap(([since, column]) => (version < since ? [column] : []));
  if (missing.length === 0) return undefined;
  const columns = missing.map((column) => `NULL AS ${column}`).join(', ');
  return `CREATE TEMP VIEW orders AS SELECT *, ${columns} FROM main.orders`;
}

/** SQL condition of an order that is not final; the index by state finds these orders. */
export const unfinished = `state IN ('waiting', 'sending', 'unknown', 'open', 'completing')`;

/** SQL expression: the time at which a final order became final, or its creation if unknown. */
export const settledMs = 'coalesce(completed_ms, created_ms)';
