/** The code and the message of a SQLite failure. */
import SqliteDatabase from 'better-sqlite3';

/**
 * Returns SQLite's code, for example `SQLITE_FULL`; undefined if `failure` is not an error of
 * SQLite.
 */
export function sqliteCodeOf(failure: unknown): string | undefined {
  return failure instanceof SqliteDatabase.SqliteError ? failure.code : undefined;
}

/** Returns the message of `failure` on one line, with SQLite's code if it has one. */
export function describeFailure(failure: unknown): string {
  const code = sqliteCodeOf(failure);
  const message = failure instanceof Error ? failure.message : String(failure);
  return code === undefined ? message : `${message} (${code})`;
}
