/**
 * Writes orders. An order changes several times within seconds, each time in a few columns, so the
 * rows that were written last are kept in memory and only the columns that differ are changed: that
 * leaves the indexes of the others alone, and each page of the database that a commit changes costs
 * about as much as a statement.
 *
 * Invariants: the caller is the only writer of the database, and makes no further calls after a
 * failure, so the rows in memory are those of the database; terms that must not change are refused
 * by the database, for every row alike.
 */
import type { Database, Statement } from 'better-sqlite3';
import { assert, StoreError } from '../domain/errors.ts';
import type { OrderRow } from '../domain/records.ts';
import type { SqlValue } from './row-codec.ts';
import { orderCodec } from './row-codecs.ts';
import { upsert } from './row-statements.ts';

/** Rows in memory: about 300 kB. */
const rowsKeptMax = 500;

/** Returns a function that writes one order and throws the errors of SQLite. */
export function createOrderWriter(database: Database): (row: OrderRow) => void {
  const write = database.prepare(upsert('orders', orderCodec, 'intent_id'));
  /** By the changed fields, one bit for each. */
  const changes = new Map<number, Statement>();
  assert(orderCodec.names.length < 53, 'an order has more columns than a number has bits');
  const kept = new Map<number, OrderRow>();

  function prepareChange(fields: readonly number[]): Statement {
    let key = 0;
    // Not by shifting, which has 32 bits.
    for (const index of fields) key += 2 ** index;
    const known = changes.get(key);
    if (known !== undefined) return known;
    const columns = fields.map((index) => `"${orderCodec.names[index]}" = ?`).join(', ');
    const prepared = database.prepare(`UPDATE orders SET ${columns} WHERE intent_id = ?`);
    changes.set(key, prepared);
    return prepared;
  }

  function change(before: OrderRow, row: OrderRow): void {
    const fields = orderCodec.differences(before, row);
    if (fields.length === 0) return;
    const values: SqlValue[] = [];
    for (const index of fields) values.push(orderCodec.encodeField(row, index));
    values.push(row.intentId);
    if (prepareChange(fields).run(...values).changes !== 1)
      throw new StoreError(`order ${row.intentId} is no longer in the database`);
  }

  return function writeOrder(row) {
    const before = kept.get(row.intentId);
    if (before === undefined) write.run(...orderCodec.encode(row));
    else change(before, row);
    kept.set(row.intentId, row);
    // Without the order that was kept first; its next change writes and keeps the whole row.
    if (kept.size > rowsKeptMax) kept.delete(kept.keys().next().value as number);
  };
}
