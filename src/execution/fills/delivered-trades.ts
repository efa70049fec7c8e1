/**
 * Books the trades of one pair that an exchange in the same process delivers with its messages.
 *
 *     fill reported ──debounce, one call──▶ what came before the call is booked ──spacing──▶
 *
 * A bot at a real exchange learns a trade from the list of trades, which it reads a moment after
 * the message. Here no list is read, but a trade is booked when that read would have shown it: what
 * is delivered while the call is under way waits for the next one.
 */
import type { DeliveredReads } from '../requests/delivered-reads.ts';
import type { Demand } from '../requests/demand.ts';
import type { Procedure } from '../requests/procedure.ts';
import type { FillBook } from './fill-book.ts';
import { debounceMs, spacingMs } from './trades-sync.ts';

export type DeliveredTradesOptions = {
  readonly fills: FillBook;
  readonly pair: string;
  /** Raised when a trade was delivered. */
  readonly demand: Demand;
  readonly reads: DeliveredReads;
};

export class DeliveredTrades {
  readonly #options: DeliveredTradesOptions;

  constructor(options: DeliveredTradesOptions) {
    this.#options = options;
    options.fills.collectDelivered(options.pair);
  }

  /** Runs forever, and sleeps while nothing is delivered. */
  *run(): Procedure {
    const { fills, pair, demand, reads } = this.#options;
    let spacedMicros = 0;
    for (;;) {
      if (!demand.isPending) yield demand.awaited;
      demand.clear();
      const sentMicros = Math.max(reads.nowMicros, spacedMicros) + debounceMs * 1000;
      if (reads.isLimited) yield* reads.limitedAnswers(sentMicros, 1);
      else yield reads.answers(sentMicros, 1);
      demand.clearBefore(sentMicros);
      fills.bookDelivered(pair, sentMicros);
      spacedMicros = reads.nowMicros + spacingMs * 1000;
    }
  }
}
