/** Applies messages of the user stream. They are only hints, which reads must confirm. */

import type { FillBook } from '../execution/fills/fill-book.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import type { UserMessage } from '../venues/luno/api/user-messages.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineMarket } from './engine-market.ts';
import type { Readers } from './readers.ts';

export type UserStreamHandlerParts = {
  readonly context: EngineContext;
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

  apply(message: UserMessage): void {
    const { context, orders, fills, readers, markets } = this.#parts;
    switch (message.kind) {
      case 'order-status': {
        const { order_id: orderId, client_order_id: clientOrderId, status } = message.update;
        const order = orders.tracker.find({ orderId, clientOrderId });
        if (order === undefined) return;
        order.noteIds(message.update);
        // The order should not exist at the exchange; the list of open orders shows whether it
        // does.
        if (order.state === 'absent' || order.state === 'unsent') readers.reconciler.request();
        if (status !== 'COMPLETE') return;
        order.noteEnd(message.update);
        return;
      }
      case 'order-fill':
        fills.noteUserFill(message.update, markets.get(message.update.market_id)?.fees);
        return;
      case 'balance':
        readers.ledger.noteBalance(message.update);
        return;
      case 'error': {
        const text = `the user stream reports an error: ${message.code} ${message.message}`;
        context.notice({ level: 'warn', topic: 'stream', text });
        return;
      }
      case 'unknown':
        // A message of an unknown type may concern something that we can read.
        readers.reconciler.request();
        return;
      case 'keep-alive':
        return;
    }
  }
}
