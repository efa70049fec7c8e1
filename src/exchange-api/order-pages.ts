/**
 * A walk through a list of orders, page by page. The exchange lists orders newest first and takes
 * the time before which they were created.
 *
 * Several orders may share the last millisecond of a page, so the next page begins with that
 * millisecond again. A full page that is all of one millisecond may hide more orders of it: the
 * walk goes on behind that millisecond, since what is there counts too, and ends as `stalled`,
 * since the list is not known to be complete.
 *
 * Invariant: every page but one after a stall lies further back in time, so a walk ends.
 */
import { limits } from './limits.ts';
import type { OrderRecord } from './operations/order-operations.ts';

const pageSize = limits.listLimitMax;

/**
 * How a walk ended. `complete`: every order back to the time that was asked for is in `records`;
 * `stalled`: orders may be missing, see above; `endless`: the list has more pages than it may have,
 * or does not go back in time.
 */
export type WalkEnd = 'complete' | 'stalled' | 'endless';

export type OrderPagesOptions = {
  /** The walk ends with the page that reaches orders created before this; no end unless given. */
  readonly sinceMs?: number;
  /** A list with more pages is endless; any number unless given. */
  readonly pagesMax?: number;
};

export class OrderPages {
  readonly #sinceMs: number;
  readonly #pagesMax: number;
  readonly #byId = new Map<string, OrderRecord>();
  #before: number | undefined;
  #pages = 0;
  #hasStalled = false;
  #end: WalkEnd | undefined;

  constructor({ sinceMs = Number.NEGATIVE_INFINITY, pagesMax = Infinity }: OrderPagesOptions = {}) {
    this.#sinceMs = sinceMs;
    this.#pagesMax = pagesMax;
  }

  /** What the next page is asked for with. */
  get next(): { readonly limit: number; readonly created_before: number | undefined } {
    return { limit: pageSize, created_before: this.#before };
  }

  /** How the walk ended; undefined while there is a next page. */
  get end(): WalkEnd | undefined {
    return this.#end;
  }

  /** Each order once, as the last page that has it shows it. */
  get records(): readonly OrderRecord[] {
    return [...this.#byId.values()];
  }

  /** Takes the page that was asked for with {@link next}. */
  take(page: readonly OrderRecord[]): void {
    this.#pages++;
    for (const record of page) this.#byId.set(record.order_id, record);
    this.#end = this.#endWith(page);
  }

  #endWith(page: readonly OrderRecord[]): WalkEnd | undefined {
    const atEnd = this.#hasStalled ? 'stalled' : 'complete';
    if (page.length < pageSize) return atEnd;
    const oldest = page.reduce(
      (least, { creation_timestamp: createdMs }) => Math.min(least, createdMs),
      Infinity,
    );
    if (oldest < this.#sinceMs) return atEnd;
    const before = this.#before ?? Infinity;
    if (oldest >= before || this.#pages >= this.#pagesMax) return 'endless';
    const isOneMillisecond = oldest + 1 === before;
    this.#hasStalled ||= isOneMillisecond;
    this.#before = isOneMillisecond ? oldest : oldest + 1;
    return undefined;
  }
}
