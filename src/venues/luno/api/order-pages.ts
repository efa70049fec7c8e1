/**
 * Reads a list of orders page by page. The exchange lists orders newest first; a request gives the
 * time before which they were created.
 *
 * Several orders may share the last millisecond of a page, so the next page includes that
 * millisecond again. If all orders of a full page share one millisecond, there may be more: the
 * walk then skips the rest of that millisecond, because older orders matter too, and ends as
 * `stalled`.
 *
 * Invariant: every page lies further back in time, so a walk ends.
 */
import { limits } from './limits.ts';
import type { OrderRecord } from './operations/order-operations.ts';

const pageSize = limits.listLimitMax;

/**
 * How a walk ended. `complete`: `records` has every order back to the requested time; `stalled`:
 * orders may be missing, see above; `endless`: the list has too many pages, or its pages do not go
 * back in time.
 */
export type WalkEnd = 'complete' | 'stalled' | 'endless';

export type OrderPagesOptions = {
  /** The walk ends at the first page with an order created before this; unlimited unless given. */
  readonly sinceMs?: number;
  /** A walk with more pages ends as `endless`; unlimited unless given. */
  readonly pagesMax?: number;
};

/** Where a walk goes on. */
export type OrderPlace = {
  /** Orders created before this; the newest ones if undefined. */
  readonly before: number | undefined;
  /** Whether the rest of a millisecond was skipped. */
  readonly hasStalled: boolean;
};

export const newestOrders: OrderPlace = { before: undefined, hasStalled: false };

/** Returns the parameters of the page at `place`. */
export function orderPageAt({ before }: OrderPlace): {
  readonly limit: number;
  readonly created_before: number | undefined;
} {
  return { limit: pageSize, created_before: before };
}

/** Returns where the walk goes on after the page at `place`, or how it ended. */
export function placeAfter(
  page: readonly Pick<OrderRecord, 'creation_timestamp'>[],
  { before = Infinity, hasStalled }: OrderPlace,
  sinceMs = Number.NEGATIVE_INFINITY,
): OrderPlace | WalkEnd {
  const atEnd = hasStalled ? 'stalled' : 'complete';
  if (page.length < pageSize) return atEnd;
  const oldest = page.reduce(
    (least, { creation_timestamp: createdMs }) => Math.min(least, createdMs),
    Infinity,
  );
  if (oldest < sinceMs) return atEnd;
  if (oldest >= before) return 'endless';
  return oldest + 1 === before
    ? { before: oldest, hasStalled: true }
    : { before: oldest + 1, hasStalled };
}

export class OrderPages {
  readonly #sinceMs: number | undefined;
  readonly #pagesMax: number;
  readonly #byId = new Map<string, OrderRecord>();
  #place = newestOrders;
  #pages = 0;
  #end: WalkEnd | undefined;

  constructor({ sinceMs, pagesMax = Infinity }: OrderPagesOptions = {}) {
    this.#sinceMs = sinceMs;
    this.#pagesMax = pagesMax;
  }

  /** The parameters of the next page. */
  get next(): ReturnType<typeof orderPageAt> {
    return orderPageAt(this.#place);
  }

  /** How the walk ended; undefined while there is a next page. */
  get end(): WalkEnd | undefined {
    return this.#end;
  }

  /** The orders without duplicates, each as the last page shows it. */
  get records(): readonly OrderRecord[] {
    return [...this.#byId.values()];
  }

  /** Adds the page that was requested with {@link next}. */
  take(page: readonly OrderRecord[]): void {
    this.#pages++;
    for (const record of page) this.#byId.set(record.order_id, record);
    const next = placeAfter(page, this.#place, this.#sinceMs);
    if (typeof next === 'string') this.#end = next;
    else if (this.#pages >= this.#pagesMax) this.#end = 'endless';
    else this.#place = next;
  }
}
