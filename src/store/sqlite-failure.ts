/** What SQLite said when it failed, for decisions and for messages. */
import SqliteDatabase from 'better-sqlite3';

/**
 * Returns SQLite's own code, for example `SQLITE_FULL`, or undefined if `failure` is not SQLite's.
 */
export function sqliteCodeOf(failure: unknown): string | undefined {
  return failure instanceof SqliteDatabase.SqliteError ? failure.code : undefined;
}

/** Returns one line that tells what failed, with SQLite's code where there is one. */
export function describeFailure(failure: unknown): string {
  const code = sqliteCodeOf(failure);
  const message = failure instanceof Error ? failure.message : String(failure);
  return code === undefined ? message : `${message} (${code})`;
}
