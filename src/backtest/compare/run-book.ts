/** Collects the orders of a run in their last state, and their fills, from its records. */
import type { FillRow, OrderRow, StoreRecord } from '../../domain/records.ts';

export type RunOrder = {
  readonly row: OrderRow;
  /** Oldest first. */
  readonly fills: readonly FillRow[];
};

export class RunBook {
  readonly #orders = new Map<number, OrderRow>();
  readonly #fills = new Map<number, FillRow[]>();

  note(records: readonly StoreRecord[]): void {
    for (const record of records) {
      if (record.kind === 'order') this.#orders.set(record.row.intentId, record.row);
      if (record.kind !== 'fill') continue;
      const { row } = record;
      const known = this.#fills.get(row.intentId);
      if (known === undefined) this.#fills.set(row.intentId, [row]);
      else known.push(row);
    }
  }

  /** Returns the orders created at or after `sinceMs`, oldest first. */
  orders(sinceMs: number): readonly RunOrder[] {
    return [...this.#orders.values()]
      .filter((row) => row.createdMs >= sinceMs)
      .sort((a, b) => a.intentId - b.intentId)
      .map((row) => ({ row, fills: this.#fills.get(row.intentId) ?? [] }));
  }
}
