/**
 * The objects of the trades that were booked last. A replay exchange lists the same objects again
 * and again, so a trade that is found here needs no key. A trade that is not found may still have
 * been booked.
 */
import type { UserTrade } from '../../exchange-api/operations/order-operations.ts';

/** At least this many are kept, and at most twice as many. */
const keptMin = 512;

export class BookedTrades {
  /** In the order in which they were booked, which is nearly that of their times. */
  readonly #trades: UserTrade[] = [];
  /** Where the next trade of a list probably is. */
  #next = 0;

  add(trade: UserTrade): void {
    const trades = this.#trades;
    trades.push(trade);
    if (trades.length < 2 * keptMin) return;
    trades.splice(0, keptMin);
    this.#next = 0;
  }

  /** Whether the trade is among those that are kept. */
  has(trade: UserTrade): boolean {
    const trades = this.#trades;
    if (trades[this.#next] !== trade) {
      const oldest = trades[0];
      const newest = trades[trades.length - 1];
      // Trades are searched for only among those of the same time.
      if (oldest === undefined || newest === undefined) return false;
      if (trade.timestamp < oldest.timestamp || trade.timestamp > newest.timestamp) return false;
      const place = trades.lastIndexOf(trade);
      if (place === -1) return false;
      this.#next = place;
    }
    this.#next++;
    return true;
  }
}
