/** Applies what the venue reports by itself. Reports are only hints, which reads must confirm. */
import type { FillBook } from '../execution/fills/fill-book.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import type { VenueReport } from '../venue/venue-report.ts';
import type { EngineMarket } from './engine-market.ts';
import type { Readers } from './readers.ts';

export type UserStreamHandlerParts = {
  readonly orders: OrderStates;
  readonly fills: FillBook;
  readonly readers: Readers;
  readonly markets: ReadonlyMap<string, EngineMarket>;
};

export class UserStreamHandler {
  readonly #parts: UserStreamHandlerParts;

  constructor(parts: UserStreamHandlerParts) {
    this.#parts = parts;
  }

  apply(report: VenueReport): void {
    const { orders, fills, readers, markets } = this.#parts;
    switch (report.kind) {
      case 'accepted':
      case 'ended': {
        const order = orders.tracker.find(report);
        if (order === undefined) return;
        order.noteIds(report);
        // The order should not exist at the exchange; the list of open orders shows whether it
        // does.
        if (order.state === 'absent' || order.state === 'unsent') readers.reconciler.request();
        if (report.kind === 'ended') order.noteEnd(report);
        else if (order.awaiting && report.isAwaiting !== true && report.isStatusNew !== true)
          orders.noteTriggered(order, 'the user stream');
        return;
      }
      case 'filled':
        fills.noteUserFill(report, markets.get(report.pair)?.fees);
        return;
      case 'balance':
        readers.ledger.noteBalance(report);
        return;
      case 'unknown':
        // A report of an unknown kind may concern something that we can read.
        readers.reconciler.request();
        return;
    }
  }
}
