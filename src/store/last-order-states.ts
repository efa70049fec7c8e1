/**
 * Of several states of an order in one commit only the last need be written. The earlier ones stay
 * in the evidence.
 */
import type { OrderRow, StoreRecord } from '../domain/records.ts';

/** What never changes after an order was stored; the database refuses a row that changes it. */
const fixedFields = [
  'strategyId',
  'key',
  'pair',
  'side',
  'price',
  'volume',
  'timeInForce',
  'postOnly',
  'stopDirection',
  'stopPrice',
  'pays',
  'expiresMs',
  'baseAccountId',
  'counterAccountId',
  'clientOrderId',
  'createdMs',
] as const satisfies readonly (keyof OrderRow)[];

/**
 * Returns the records with each order only once, in its last state and in the place of its first:
 * rows that refer to an order must come after it, or SQLite searches all of them for each new row.
 * A state that the database must refuse stays a record of its own, so that it is refused.
 */
export function withLastStates(records: readonly StoreRecord[]): readonly StoreRecord[] {
  const kept: StoreRecord[] = [];
  const places = new Map<number, number>();
  for (const record of records) {
    if (record.kind === 'order') {
      const place = places.get(record.row.intentId);
      const before = place === undefined ? undefined : kept[place];
      if (place !== undefined && before?.kind === 'order' && isNextState(before.row, record.row)) {
        kept[place] = record;
        continue;
      }
      places.set(record.row.intentId, kept.length);
    }
    kept.push(record);
  }
  return kept;
}

function isNextState(row: OrderRow, next: OrderRow): boolean {
  if (row.orderId !== undefined && next.orderId === undefined) return false;
  for (const field of fixedFields) if (row[field] !== next[field]) return false;
  return true;
}
