/**
 * The results of a backtest, taken where they arise: its run is never restored, so it needs no
 * records of orders, attempts and fills, from which the results would have to be collected.
 */
import type { Sums } from '../../domain/amount.ts';
import type { FillRow } from '../../domain/records.ts';
import type { TrackedOrder } from './tracked-order.ts';

export interface RunResults {
  /** An order was created or has changed. */
  noteOrder(order: TrackedOrder): void;
  /** An order is sent, at `atMs` of our clock. */
  noteAttempt(order: TrackedOrder, atMs: number): void;
  /** A fill of `order` was booked; `sums` are its amounts. */
  noteFill(row: FillRow, sums: Sums, order: TrackedOrder): void;
}
