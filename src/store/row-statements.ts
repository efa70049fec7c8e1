/** SQL that writes rows with the values of their codec. */
import type { Database, Statement } from 'better-sqlite3';
import type { RowCodec, SqlValue } from './row-codec.ts';

/** Rows of one statement at most; further rows get a statement of their own. */
const rowsMax = 8;

export function insert<Row>(table: string, codec: RowCodec<Row>): string {
  return `INSERT INTO ${table} (${codec.columns}) VALUES (${codec.places})`;
}

/** Returns a statement that inserts a row, or changes the row with the same `key`. */
export function upsert<Row>(table: string, codec: RowCodec<Row>, key: string): string {
  const changes = codec.names
    .filter((column) => column !== key)
    .map((column) => `"${column}" = excluded."${column}"`);
  return `${insert(table, codec)} ON CONFLICT (${key}) DO UPDATE SET ${changes.join(', ')}`;
}

/**
 * Returns a function that inserts rows in their order. One statement for several rows takes half
 * the time of a statement for each.
 */
export function createRowsInserter<Row>(
  database: Database,
  table: string,
  codec: RowCodec<Row>,
): (rows: readonly Row[]) => void {
  const single = insert(table, codec);
  const statements: Statement[] = [];

  function insertTogether(rows: readonly Row[]): void {
    const values: SqlValue[] = [];
    for (const row of rows) values.push(...codec.encode(row));
    const others = `, (${codec.places})`.repeat(rows.length - 1);
    statements[rows.length] ??= database.prepare(single + others);
    statements[rows.length]?.run(...values);
  }

  return function insertRows(rows) {
    for (let from = 0; from < rows.length; from += rowsMax)
      insertTogether(
        from === 0 && rows.length <= rowsMax ? rows : rows.slice(from, from + rowsMax),
      );
  };
}
