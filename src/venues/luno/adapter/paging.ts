/**
 * Where each of Luno's lists goes on after a page. What a walk has to remember is in the cursor:
 * the next place of a list, and for orders an `!` once the rest of a millisecond was skipped.
 */

import type { ListEnd } from '../../../venue/venue-reply.ts';
import type { Cursor } from '../../../venue/venue-request.ts';
import { limits } from '../api/limits.ts';
import type { TransactionEntry } from '../api/operations/account-operations.ts';
import type { OrderRecord, UserTrade } from '../api/operations/order-operations.ts';
import { newestOrders, type OrderPlace, orderPageAt, placeAfter } from '../api/order-pages.ts';
import { sequenceAfter } from '../api/trade-pages.ts';

/** What of a page says how its list goes on. */
export type PageEnd = { readonly next: Cursor } | { readonly end: ListEnd };

export function orderPage(cursor: Cursor | undefined): ReturnType<typeof orderPageAt> {
  return orderPageAt(orderPlaceOf(cursor));
}

export function afterOrders(
  page: readonly OrderRecord[],
  cursor: Cursor | undefined,
  sinceMs: number | undefined,
): PageEnd {
  const next = placeAfter(page, orderPlaceOf(cursor), sinceMs);
  if (typeof next === 'string') return { end: next };
  return { next: `${next.before}${next.hasStalled ? '!' : ''}` };
}

function orderPlaceOf(cursor: Cursor | undefined): OrderPlace {
  if (cursor === undefined) return newestOrders;
  return { before: Number.parseInt(cursor, 10), hasStalled: cursor.endsWith('!') };
}

export function afterTrades(page: readonly UserTrade[], from: string | undefined): PageEnd {
  if (page.length < limits.listLimitMax) return { end: 'complete' };
  const next = sequenceAfter(page, from);
  return next === undefined ? { end: 'stalled' } : { next };
}

/** The first row has the number 1; 0 would mean "the newest". */
const firstRow = '1';

export function movementPage(cursor: Cursor = firstRow): {
  readonly min_row: string;
  readonly max_row: string;
} {
  const from = Number.parseInt(cursor, 10);
  return { min_row: cursor, max_row: String(from + limits.ledgerRowsPerCallMax) };
}

export function afterMovements(
  page: readonly TransactionEntry[],
  cursor: Cursor = firstRow,
): PageEnd {
  if (page.length < limits.ledgerRowsPerCallMax) return { end: 'complete' };
  return { next: String(Number.parseInt(cursor, 10) + page.length) };
}

/** A page without progress ends the list. */
export function afterCandles(
  page: readonly { readonly timestamp: number }[],
  fromMs: number,
  intervalMs: number,
): PageEnd {
  const last = page.at(-1);
  if (page.length < limits.candlesPerCallMax || last === undefined) return { end: 'complete' };
  if (last.timestamp < fromMs) return { end: 'stalled' };
  return { next: String(last.timestamp + intervalMs) };
}
