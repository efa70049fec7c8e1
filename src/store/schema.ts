/** What the code knows about the schema as it is now. The steps to it are in `migrations/`. */
import { migrations } from './migrations/migrations.ts';

/** "MRsq": marks a file as a Millrace database. */
export const applicationId = 0x4d527371;

/** The version that this program reads and writes; kept in `PRAGMA user_version`. */
export const schemaVersion = migrations.length;

/**
 * The condition of an order that is not final. Its index is only used when it is written exactly
 * so.
 */
export const unfinished = `state NOT IN ('filled', 'cancelled', 'rejected', 'absent', 'unsent')`;

/** When an order that is final became so, as well as it is known. */
export const settledMs = 'coalesce(completed_ms, created_ms)';
