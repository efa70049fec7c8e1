/**
 * Which order rows of a commit need not be written, because a later record of the same commit has
 * the order's next state. Its earlier states stay in the evidence.
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
  'baseAccountId',
  'counterAccountId',
  'clientOrderId',
  'createdMs',
] as const satisfies readonly (keyof OrderRow)[];

/**
 * Returns whether `records[index]` is an order whose next state follows in `records`. A next state
 * that the database must refuse does not count, so that it is refused.
 */
export function isReplaced(records: readonly StoreRecord[], index: number): boolean {
  const record = records[index];
  if (record?.kind !== 'order') return false;
  for (let later = index + 1; later < records.length; later++) {
    const next = records[later];
    if (next?.kind === 'order' && next.row.intentId === record.row.intentId)
      return isNextState(record.row, next.row);
  }
  return false;
}

function isNextState(row: OrderRow, next: OrderRow): boolean {
  if (row.orderId !== undefined && next.orderId === undefined) return false;
  return fixedFields.every((field) => row[field] === next[field]);
}
