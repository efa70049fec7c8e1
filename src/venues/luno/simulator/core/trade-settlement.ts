/**
 * Settlement of trades at the simulated exchange: applies the user's fee tier, and updates the
 * history and the stream of the owner.
 *
 * Invariant: the two sides of a trade pay exactly what they receive plus the fees of the exchange.
 */
import { type Amount, amountOfScaled } from '../../../../domain/amount.ts';
import type { Lots } from '../../../../domain/money.ts';
import { payerIdOf } from '../../../../exchange-accounts/account-order.ts';
import { FeeSchedule } from '../../../../exchange-accounts/fee-schedule.ts';
import type { LedgerEntry } from '../../../../exchange-accounts/ledger.ts';
import {
  OrderSettlement,
  reservationEntryOf,
} from '../../../../exchange-accounts/order-settlement.ts';
import type { ExecutedTrade, MarketState, User } from './exchange-state.ts';
import { countUserVolume, feeRatesOf } from './fee-tier.ts';
import { type OwnerMessage, orderFillMessage, orderStatusMessage } from './owner-messages.ts';
import type { SimulatedOrder } from './simulated-order.ts';

/** A trade as seen by one of its two orders. */
export type Execution = {
  readonly market: MarketState;
  readonly price: SimulatedOrder['price'];
  readonly volume: Lots;
  readonly sequence: bigint;
  readonly takerSide: SimulatedOrder['side'];
  readonly role: 'maker' | 'taker';
};

/** What the settlement needs from the exchange. */
export type SettlementBooks = {
  userOf(userId: string): User;
  marketOf(pair: string): MarketState;
  /** Appends a row to an account's ledger and notifies its owner. */
  append(accountId: string, entry: LedgerEntry): void;
  /** Publishes a message on a user's stream, unless the user is not recorded. */
  notify(user: User, message: () => OwnerMessage): void;
  collectFee(currency: string, fee: Amount): void;
};

export class TradeSettlement {
  readonly #books: SettlementBooks;
  readonly #orders: OrderSettlement<SimulatedOrder, ExecutedTrade>;
  /** By pair and rates. There are few combinations. */
  readonly #fees = new Map<string, FeeSchedule>();

  constructor(books: SettlementBooks) {
    this.#books = books;
    this.#orders = new OrderSettlement({
      append: (accountId, entry) => books.append(accountId, entry),
      reserve: (order, reservedDelta) =>
        books.append(payerIdOf(order), reservationEntryOf(order, reservedDelta)),
      traded: (order, trade) => this.#recordTrade(order, trade),
      statusChanged: (order, atMicros) =>
        books.notify(books.userOf(order.userId), () =>
          orderStatusMessage(order, Math.floor(atMicros / 1000)),
        ),
    });
  }

  /** Reserves the funds for a new order. */
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

  /** Closes an order and releases the rest of its reservation. */
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

  #recordTrade(order: SimulatedOrder, trade: ExecutedTrade): void {
    const user = this.#books.userOf(order.userId);
    if (user.isRecorded) {
      user.trades.push(trade);
      countUserVolume(user, trade);
    }
    const { market } = this.#books.marketOf(order.pair);
    this.#books.notify(user, () => orderFillMessage(order, trade, market));
  }
}
