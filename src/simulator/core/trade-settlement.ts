/**
 * The simulated exchange's side of a settlement: the fee by the user's tier, the owner's history
 * and stream.
 *
 * Invariant: what the two sides of a trade pay is what they receive and the exchange's fees.
 */
import { type Amount, amountOfScaled, formatWireAmount } from '../../domain/amount.ts';
import type { Lots } from '../../domain/money.ts';
import { FeeSchedule } from '../../exchange-accounts/fee-schedule.ts';
import type { LedgerEntry } from '../../exchange-accounts/ledger.ts';
import { OrderSettlement } from '../../exchange-accounts/order-settlement.ts';
import {
  type OwnerMessage,
  orderFillMessage,
  orderStatusMessage,
} from '../../exchange-accounts/owner-messages.ts';
import type { ExecutedTrade, MarketState, User } from './exchange-state.ts';
import { countUserVolume, feeRatesOf } from './fee-tier.ts';
import type { SimulatedOrder } from './simulated-order.ts';

/** What a trade is to one of its two orders. */
export type Execution = {
  readonly market: MarketState;
  readonly price: SimulatedOrder['price'];
  readonly volume: Lots;
  readonly sequence: bigint;
  readonly takerSide: SimulatedOrder['side'];
  readonly role: 'maker' | 'taker';
};

/** What the settlement needs of the exchange. */
export type SettlementBooks = {
  userOf(userId: string): User;
  marketOf(pair: string): MarketState;
  /** Appends a row to an account's ledger and tells its owner. */
  append(accountId: string, entry: LedgerEntry): void;
  /** Puts a message on the stream of a recorded user. */
  tell(user: User, message: () => OwnerMessage): void;
  collectFee(currency: string, fee: Amount): void;
};

export class TradeSettlement {
  readonly #books: SettlementBooks;
  readonly #orders: OrderSettlement<SimulatedOrder, ExecutedTrade>;
  /** By pair and rates, of which settings have few. */
  readonly #fees = new Map<string, FeeSchedule>();

  constructor(books: SettlementBooks) {
    this.#books = books;
    this.#orders = new OrderSettlement({
      append: (accountId, entry) => books.append(accountId, entry),
      traded: (order, trade) => this.#noteTrade(order, trade),
      statusChanged: (order, atMicros) =>
        books.tell(books.userOf(order.userId), () =>
          orderStatusMessage(order, Math.floor(atMicros / 1000)),
        ),
    });
  }

  /** Sets aside what a new order needs. */
  open(order: SimulatedOrder, atMicros: number): void {
    this.#orders.open(order, atMicros);
  }

  /** Books a trade for one of its orders. */
  book(order: SimulatedOrder, execution: Execution, atMicros: number): void {
    const { market } = execution.market;
    const trade = this.#tradeOf(order, execution, atMicros);
    this.#orders.book(order, trade, market, atMicros);
    if (order.side === 'BID') this.#books.collectFee(market.base, trade.feeBase);
    else this.#books.collectFee(market.counter, trade.feeCounter);
  }

  /** Ends an order and gives back what is left of its reservation. */
  close(order: SimulatedOrder, outcome: 'filled' | 'cancelled', atMicros: number): void {
    this.#orders.close(order, outcome, atMicros);
  }

  #tradeOf(order: SimulatedOrder, execution: Execution, atMicros: number): ExecutedTrade {
    const { price, volume, sequence, takerSide, role } = execution;
    const { market } = execution.market;
    const timeMs = Math.floor(atMicros / 1000);
    const { maker, taker } = feeRatesOf(this.#books.userOf(order.userId), market, timeMs);
    const key = `${market.pair} ${maker} ${taker}`;
    let fees = this.#fees.get(key);
    if (fees === undefined) {
      fees = new FeeSchedule({ maker, taker }, market);
      this.#fees.set(key, fees);
    }
    const { side, id: orderId, clientOrderId, pair } = order;
    const fee = fees.feeOf({ side, price, volume, atMicros }, role === 'maker');
    return {
      ...{ sequence, orderId, clientOrderId, pair, side, takerSide, price, volume },
      feeBase: amountOfScaled(fee.feeBase, market.feeScale),
      feeCounter: amountOfScaled(fee.feeCounter, market.feeScale),
      timeMs,
    };
  }

  #noteTrade(order: SimulatedOrder, trade: ExecutedTrade): void {
    const user = this.#books.userOf(order.userId);
    if (user.isRecorded) {
      user.trades.push(trade);
      countUserVolume(user, trade);
    }
    const { market } = this.#books.marketOf(order.pair);
    this.#books.tell(user, () => orderFillMessage(order, trade, market, formatWireAmount));
  }
}
