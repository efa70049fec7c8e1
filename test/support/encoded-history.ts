/** History by id for tests: its rows are encoded as those of recordings and of paper trading. */
import { Book, type BookOptions } from '../../src/market/book/book.ts';
import { IdentifiedBook } from '../../src/market/book/identified-book.ts';
import type { FlowBlock } from '../../src/market/flow/flow-block.ts';
import { FlowCursor } from '../../src/market/flow/flow-cursor.ts';
import { BlockEncoder } from '../../src/recording/file/block-encoder.ts';
import type { FlowItem } from '../../src/recording/file/flow-item.ts';
import type { AccountMarket } from '../../src/replay-exchange/account/account-market.ts';
import type { OrderHistory } from '../../src/replay-exchange/fill-models/order-history.ts';
import type { ReplayMarket } from '../../src/replay-exchange/fill-models/replay-market.ts';

export class EncodedHistory {
  readonly #encoder: BlockEncoder;
  readonly #take: (row: FlowCursor) => void;
  readonly #cursor = new FlowCursor();

  /** `take` is called with the cursor at each row that {@link apply} gets; `book` has the sizes. */
  constructor(take: (row: FlowCursor) => void, book: BookOptions = {}) {
    this.#take = take;
    this.#encoder = new BlockEncoder(new IdentifiedBook(new Book(book)));
  }

  apply(...items: readonly FlowItem[]): void {
    this.#cursor.load(this.block(items));
    while (this.#cursor.next()) this.#take(this.#cursor);
  }

  /** Returns the rows of the items, of which there must be at least one, as a block. */
  block(items: readonly FlowItem[]): FlowBlock {
    for (const item of items) this.#encoder.add(item);
    const built = this.#encoder.take();
    if (built === undefined) throw new RangeError('a block must have rows');
    return built.block;
  }

  /** Returns the slot of a resting order, or 0. */
  slotOf(id: string): number {
    return this.#encoder.orders.slotOf(id);
  }
}

/** Returns a history without orders for a market of an account. */
export function historyOf({ replay }: Pick<AccountMarket, 'replay'>): EncodedHistory {
  return new EncodedHistory((row) => replay.apply(row));
}

/** Returns the history of a market, which must be of orders. */
export function orderHistoryOf({ history }: Pick<ReplayMarket, 'history'>): OrderHistory {
  if (history.kind !== 'orders') throw new TypeError(`the history is of ${history.kind}`);
  return history;
}
