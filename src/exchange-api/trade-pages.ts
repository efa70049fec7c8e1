/**
 * A walk through the list of our trades, page by page, oldest first. The exchange takes the trade
 * sequence that a page begins with, and includes it, since a trade with ourselves has two rows.
 *
 * Invariant: every page begins further on than the one before it, so a walk ends.
 */
import { limits } from './limits.ts';
import type { UserTrade } from './operations/order-operations.ts';

const pageSize = limits.listLimitMax;

export class TradePages {
  #from: string | undefined;
  #end: 'complete' | 'stalled' | undefined;

  /** Begins with sequence `from`; with the oldest trade that is listed unless given. */
  constructor(from?: string) {
    this.#from = from;
  }

  /** What the next page is asked for with. */
  get next(): { readonly after_seq: string | undefined; readonly limit: number } {
    return { after_seq: this.#from, limit: pageSize };
  }

  /**
   * How the walk ended: `stalled` by a page that goes no further than the one before it, although
   * it was not the last; undefined while there is a next page.
   */
  get end(): 'complete' | 'stalled' | undefined {
    return this.#end;
  }

  /**
   * Takes the page that was asked for with {@link next}. A page that is not full is the last one
   * unless `isLast` says otherwise.
   */
  take(page: readonly UserTrade[], isLast = page.length < pageSize): void {
    if (isLast) {
      this.#end = 'complete';
      return;
    }
    const newest = newestOf(page);
    if (newest > BigInt(this.#from ?? -1)) this.#from = newest.toString();
    else this.#end = 'stalled';
  }
}

/** The list may show rows out of order. */
function newestOf(page: readonly UserTrade[]): bigint {
  return page.reduce(
    (newest, { sequence }) => (BigInt(sequence) > newest ? BigInt(sequence) : newest),
    -1n,
  );
}
