/**
 * Reads the list of our trades page by page, oldest first. A request gives the trade sequence at
 * which the page starts. It is included, because a trade with ourselves has two rows.
 *
 * Invariant: every page starts at a higher sequence, so a walk ends.
 */
import { limits } from './limits.ts';
import type { UserTrade } from './operations/order-operations.ts';

const pageSize = limits.listLimitMax;

/** Returns the parameters of the page that starts at a sequence, or at the oldest listed trade. */
export function tradePageAt(from: string | undefined): {
  readonly after_seq: string | undefined;
  readonly limit: number;
} {
  return { after_seq: from, limit: pageSize };
}

/** Returns where the page after `page` starts; undefined if it did not reach a higher sequence. */
export function sequenceAfter(
  page: readonly UserTrade[],
  from: string | undefined,
): string | undefined {
  const newest = newestOf(page);
  return newest > BigInt(from ?? -1) ? newest.toString() : undefined;
}

export class TradePages {
  #from: string | undefined;
  #end: 'complete' | 'stalled' | undefined;

  /** Starts at sequence `from`; at the oldest listed trade unless given. */
  constructor(from?: string) {
    this.#from = from;
  }

  /** The parameters of the next page. */
  get next(): ReturnType<typeof tradePageAt> {
    return tradePageAt(this.#from);
  }

  /**
   * How the walk ended; undefined while there is a next page. `stalled`: a page that is not the
   * last did not reach a higher sequence.
   */
  get end(): 'complete' | 'stalled' | undefined {
    return this.#end;
  }

  /**
   * Adds the page that was requested with {@link next}. Unless `isLast` is given, a page that is
   * not full is the last one.
   */
  take(page: readonly UserTrade[], isLast = page.length < pageSize): void {
    if (isLast) {
      this.#end = 'complete';
      return;
    }
    const next = sequenceAfter(page, this.#from);
    if (next === undefined) this.#end = 'stalled';
    else this.#from = next;
  }
}

/** Returns the highest sequence of a page; the rows may be out of order. */
function newestOf(page: readonly UserTrade[]): bigint {
  return page.reduce(
    (newest, { sequence }) => (BigInt(sequence) > newest ? BigInt(sequence) : newest),
    -1n,
  );
}
