/**
 * Where each of Luno's lists goes on after a page. What a walk has to remember is in the cursor, so
 * that every page lies further on in its list, and a walk ends.
 *
 * Orders are listed newest first; a request gives the time before which they were created. Several
 * orders may share the last millisecond of a page, so the next page includes that millisecond
 * again. If all orders of a full page share one millisecond, there may be more: the walk then skips
 * the rest of that millisecond, because older orders matter too, and ends as `stalled`.
 *
 * Trades are listed oldest first; a request gives the sequence at which a page starts. It is
 * included, because a trade with ourselves has two rows. The rows of a page may be out of order.
 */
import type { ListEnd } from '../../../venue/venue-reply.ts';
import type { Cursor, OrdersRequest } from '../../../venue/venue-request.ts';
import { limits } from '../api/limits.ts';
import type { TransactionEntry } from '../api/operations/account-operations.ts';
import type { OrderRecord, UserTrade } from '../api/operations/order-operations.ts';

/** What of a page says how its list goes on; see {@link Page}. */
export type PageEnd = { readonly next: Cursor } | { readonly next?: Cursor; readonly end: ListEnd };

/** Ends the cursor of a list of orders once the rest of a millisecond was skipped. */
const stalledMark = '!';

export function orderPage({ cursor, newest }: OrdersRequest): {
  readonly limit: number;
  readonly created_before: number | undefined;
} {
  return {
    limit: Math.min(newest ?? limits.listLimitMax, limits.listLimitMax),
    created_before: cursor === undefined ? undefined : Number.parseInt(cursor, 10),
  };
}

export function afterOrders(
  page: readonly Pick<OrderRecord, 'creation_timestamp'>[],
  { cursor, sinceMs = Number.NEGATIVE_INFINITY, newest }: OrdersRequest,
): PageEnd {
  const before = cursor === undefined ? Infinity : Number.parseInt(cursor, 10);
  const hasStalled = cursor?.endsWith(stalledMark) === true;
  const atEnd = { end: hasStalled ? 'stalled' : 'complete' } as const;
  if (page.length < limits.listLimitMax || newest !== undefined) return atEnd;
  const oldest = page.reduce(
    (least, { creation_timestamp: createdMs }) => Math.min(least, createdMs),
    Infinity,
  );
  if (oldest < sinceMs) return atEnd;
  if (oldest >= before) return { end: 'endless' };
  if (oldest + 1 === before) return { next: `${oldest}${stalledMark}` };
  return { next: `${oldest + 1}${hasStalled ? stalledMark : ''}` };
}

export function tradePage(from: string | undefined): {
  readonly after_seq: string | undefined;
  readonly limit: number;
} {
  return { after_seq: from, limit: limits.listLimitMax };
}

export function afterTrades(page: readonly UserTrade[], from: string | undefined): PageEnd {
  const newest = newestOf(page);
  const next = newest > BigInt(from ?? -1) ? newest.toString() : undefined;
  const isFull = page.length >= limits.listLimitMax;
  if (next === undefined) return { end: isFull ? 'stalled' : 'complete' };
  return isFull ? { next } : { end: 'complete', next };
}

function newestOf(page: readonly UserTrade[]): bigint {
  return page.reduce(
    (newest, { sequence }) => (BigInt(sequence) > newest ? BigInt(sequence) : newest),
    -1n,
  );
}

/** Returns the rows from `from` on; 0 would mean "the newest". */
export function movementPage(from: number): {
  readonly min_row: string;
  readonly max_row: string;
} {
  return { min_row: String(from), max_row: String(from + limits.ledgerRowsPerCallMax) };
}

export function afterMovements(page: readonly TransactionEntry[], from: number): PageEnd {
  if (page.length < limits.ledgerRowsPerCallMax) return { end: 'complete' };
  return { next: String(from + page.length) };
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
