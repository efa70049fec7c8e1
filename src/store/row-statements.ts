/** SQL that writes one row with the values of its codec. */
import type { RowCodec } from './row-codec.ts';

/** Returns a statement that inserts a row. */
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
