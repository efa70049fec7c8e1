/** The current schema, as far as the code depends on it. The steps to it are in `migrations/`. */
import { migrations } from './migrations/migrations.ts';

/** "MRsq": marks a file as a Millrace database. */
export const applicationId = 0x4d527371;

/** The version that this program reads and writes; kept in `PRAGMA user_version`. */
export const schemaVersion = migrations.length;

/**
 * SQL condition of an order that is not final. SQLite uses its index only if the text is exactly
 * this.
 */
export const unfinished = `state NOT IN ('filled', 'cancelled', 'rejected', 'absent', 'unsent')`;

/** SQL expression: the time at which a final order became final, or its creation if unknown. */
export const settledMs = 'coalesce(completed_ms, created_ms)';
