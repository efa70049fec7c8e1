/**
 * The exchange itself: executes orders that passed the checks, cancels them, and keeps accounts,
 * books and histories in step. Callers check first ({@link checkOrder}); nothing here refuses.
 *
 * Invariants: a book holds exactly the pending orders of its market, in order of arrival within
 * each price; money is only moved, never made, so the sum over all accounts of a currency does not
 * change but by deposits; one event is one message of the market stream.
 */

import { assert } from '../domain/errors.ts';
import {
  formatLots,
  formatTicks,
  formatValue,
  type Market,
  type MarketStatus,
} from '../domain/market.ts';
import type { Lots } from '../domain/money.ts';
import { IdentifiedBook } from '../market/identified-book.ts';
import { type Account, appendRow, type LedgerEntry } from './account.ts';
import { type ExchangeState, feesUserId, type MarketState, type User } from './exchange-state.ts';
import { feeOf, parseFeeRate } from './fee-rate.ts';
import {
  type MarketChange,
  type MarketUpdate,
  nextMarketUpdate,
  streamStatusOf,
} from './market-feed.ts';
import { type NewOrder, nextMaker, reservationOf, volumeAvailable } from './matching.ts';
import { orderIdOf } from './order-id.ts';
import { remainingOf, type SimulatedOrder } from './simulated-order.ts';
import { parseUnits, unitsOfLots, unitsOfValue } from './units.ts';
import {
  balanceMessage,
  cacheUserMessage,
  orderFillMessage,
  orderStatusMessage,
} from './user-feed.ts';

/** Hears every stream message at the moment it is made. */
export type ExchangeListener = {
  onMarketUpdate(pair: string, update: MarketUpdate): void;
  onUserMessage(userId: string, frame: string): void;
};

/** What a trade is to one of its two orders. */
type Execution = {
  readonly market: MarketState;
  readonly price: SimulatedOrder['price'];
  readonly volume: Lots;
  readonly sequence: bigint;
  readonly takerSide: SimulatedOrder['side'];
  readonly role: 'maker' | 'taker';
};

type TradeUpdate = NonNullable<MarketChange['trade_updates']>[number];

export class Exchange {
  readonly state: ExchangeState;
  readonly #listener: ExchangeListener;
  readonly #books = new Map<string, IdentifiedBook>();

  /** Rebuilds the books from the pending orders in `state`, which it owns from now on. */
  constructor(state: ExchangeState, listener: ExchangeListener) {
    this.state = state;
    this.#listener = listener;
    for (const pair of state.markets.keys()) this.#books.set(pair, new IdentifiedBook());
    const pending = [...state.orders.values()].filter((order) => order.status === 'PENDING');
    for (const order of pending.sort((a, b) => a.number - b.number))
      this.bookOf(order.pair).create(order.id, order.side, order.price, remainingOf(order));
  }

  get timeMs(): number {
    return Math.floor(this.state.timeMicros / 1000);
  }

  bookOf(pair: string): IdentifiedBook {
    return found(this.#books.get(pair), pair);
  }

  marketOf(pair: string): MarketState {
    return found(this.state.markets.get(pair), pair);
  }

  userOf(userId: string): User {
    return found(this.state.users.get(userId), userId);
  }

  /** Returns an order of this user, or undefined if there is none or it is someone else's. */
  orderOf(userId: string, orderId: string): SimulatedOrder | undefined {
    const order = this.state.orders.get(orderId);
    return order?.userId === userId ? order : undefined;
  }

  /** Trades what can be traded at once; what is left rests in the book (GTC) or is cancelled. */
  execute(terms: NewOrder): SimulatedOrder {
    const market = this.marketOf(terms.pair);
    const book = this.bookOf(terms.pair);
    const isKilled =
      terms.timeInForce === 'FOK' && volumeAvailable(terms, book.book) < terms.volume;
    const order = this.#open(terms, market.market);
    const trades = isKilled ? [] : this.#match(order, market, book);
    const left = remainingOf(order);
    if (order.status === 'COMPLETE') {
      this.#publish(market, trades, undefined);
    } else if (order.timeInForce === 'GTC') {
      book.create(order.id, order.side, order.price, left);
      this.#publish(market, trades, {
        order_id: order.id,
        type: order.side,
        price: formatTicks(order.price, market.market),
        volume: formatLots(left, market.market),
      });
    } else {
      this.#publish(market, trades, undefined);
      this.#close(order, 'cancelled');
    }
    return order;
  }

  /** Takes a pending order out of the book. */
  cancel(order: SimulatedOrder): void {
    assert(order.status === 'PENDING', `order ${order.id} must be pending to be cancelled`);
    const book = this.bookOf(order.pair);
    book.remove(book.slotOf(order.id));
    this.#change(this.marketOf(order.pair), { delete_update: { order_id: order.id } });
    this.#close(order, 'cancelled');
  }

  /** Changes who may trade in a market. Resting orders stay. */
  setStatus(pair: string, status: MarketStatus): void {
    const market = this.marketOf(pair);
    if (market.market.status === status) return;
    market.market = { ...market.market, status };
    this.#change(market, { status_update: { status: streamStatusOf(status) } });
  }

  /** Adds money from outside, or takes it away if the amount is negative. */
  deposit(accountId: string, amount: string): void {
    const account = found(this.state.accounts.get(accountId), accountId);
    const { deposited } = this.state;
    const balanceDelta = parseUnits(amount);
    deposited.set(account.currency, (deposited.get(account.currency) ?? 0n) + balanceDelta);
    this.#record(account, {
      timeMs: this.timeMs,
      balanceDelta,
      reservedDelta: 0n,
      kind: 'TRANSFER',
      description: 'Deposit',
    });
  }

  /** Sends the message without content that a quiet market gives now and then. */
  publishQuiet(market: MarketState): void {
    const update = nextMarketUpdate(market, {}, this.state.timeMicros);
    this.#listener.onMarketUpdate(market.market.pair, update);
  }

  #open(terms: NewOrder, market: Market): SimulatedOrder {
    this.state.orderCount += 1;
    const number = this.state.orderCount;
    const order: SimulatedOrder = {
      ...terms,
      id: orderIdOf(this.state.idSeed, number),
      number,
      createdMs: this.timeMs,
      status: 'PENDING',
      filled: 0 as Lots,
      filledValue: 0n,
      feeBase: 0n,
      feeCounter: 0n,
      reserved: reservationOf(terms, market),
      completedMs: 0,
      cancelledMs: 0,
    };
    this.state.orders.set(order.id, order);
    const user = this.userOf(order.userId);
    user.openOrderIds.add(order.id);
    if (user.isRecorded) {
      user.orderIds.push(order.id);
      if (order.clientOrderId !== '')
        user.orderIdByClientOrderId.set(order.clientOrderId, order.id);
    }
    this.#record(this.#payerOf(order), {
      timeMs: this.timeMs,
      balanceDelta: 0n,
      reservedDelta: order.reserved,
      kind: 'EXCHANGE',
      description: 'Reserved for an order',
      reference: order.id,
    });
    this.#tell(user, () => orderStatusMessage(order, this.timeMs));
    return order;
  }

  #match(order: SimulatedOrder, market: MarketState, book: IdentifiedBook): TradeUpdate[] {
    const trades: TradeUpdate[] = [];
    for (;;) {
      const slot = order.status === 'PENDING' ? nextMaker(order, book.book) : 0;
      if (slot === 0) return trades;
      const maker = found(this.state.orders.get(book.idOf(slot)), 'maker');
      const volume = Math.min(remainingOf(order), book.book.volumeOf(slot)) as Lots;
      market.tradeSequence += 1n;
      const execution = {
        market,
        price: maker.price,
        volume,
        sequence: market.tradeSequence,
        takerSide: order.side,
      };
      book.reduce(slot, volume);
      this.#fill(maker, { ...execution, role: 'maker' });
      this.#fill(order, { ...execution, role: 'taker' });
      market.lastTradePrice = maker.price;
      this.#countVolume(market, volume);
      trades.push({
        sequence: market.tradeSequence.toString(),
        base: formatLots(volume, market.market),
        counter: formatValueOf(execution),
        maker_order_id: maker.id,
        taker_order_id: order.id,
        order_id: maker.id,
      });
    }
  }

  #fill(order: SimulatedOrder, execution: Execution): void {
    const { market, price, volume, sequence } = execution;
    const rules = market.market;
    const user = this.userOf(order.userId);
    const isBid = order.side === 'BID';
    const baseUnits = unitsOfLots(volume, rules);
    const counterUnits = unitsOfValue(price, volume, rules);
    const received = isBid ? baseUnits : counterUnits;
    const paid = isBid ? counterUnits : baseUnits;
    const fee = feeOf(received, parseFeeRate(user.fees[execution.role]), rules);
    const value = BigInt(price) * BigInt(volume);
    const released = isBid ? unitsOfValue(order.price, volume, rules) : baseUnits;
    const delta = { volume, value, feeBase: isBid ? fee : 0n, feeCounter: isBid ? 0n : fee };

    order.filled = (order.filled + volume) as Lots;
    order.filledValue += value;
    order.feeBase += delta.feeBase;
    order.feeCounter += delta.feeCounter;
    order.reserved -= released;
    if (user.isRecorded)
      user.trades.push({
        sequence,
        orderId: order.id,
        clientOrderId: order.clientOrderId,
        pair: order.pair,
        side: order.side,
        takerSide: execution.takerSide,
        price,
        volume,
        feeBase: delta.feeBase,
        feeCounter: delta.feeCounter,
        timeMs: this.timeMs,
      });
    this.#tell(user, () => orderFillMessage(order, delta, { market: rules, timeMs: this.timeMs }));

    const entry = {
      timeMs: this.timeMs,
      kind: 'EXCHANGE' as const,
      description: `${isBid ? 'Bought' : 'Sold'} ${formatLots(volume, rules)} ${rules.base}`,
      reference: order.id,
      trade: {
        pair: order.pair,
        price: formatTicks(price, rules),
        sequence: sequence.toString(),
        volume: formatLots(volume, rules),
      },
    };
    this.#record(this.#payerOf(order), { ...entry, balanceDelta: -paid, reservedDelta: -released });
    const receiver = isBid ? order.baseAccountId : order.counterAccountId;
    this.#record(found(this.state.accounts.get(receiver), receiver), {
      ...entry,
      balanceDelta: received - fee,
      reservedDelta: 0n,
    });
    this.#collectFee(isBid ? rules.base : rules.counter, fee);
    if (remainingOf(order) === 0) this.#close(order, 'filled');
  }

  #close(order: SimulatedOrder, how: 'filled' | 'cancelled'): void {
    const user = this.userOf(order.userId);
    order.status = 'COMPLETE';
    order.completedMs = this.timeMs;
    if (how === 'cancelled') order.cancelledMs = this.timeMs;
    user.openOrderIds.delete(order.id);
    if (order.reserved !== 0n) {
      this.#record(this.#payerOf(order), {
        timeMs: this.timeMs,
        balanceDelta: 0n,
        reservedDelta: -order.reserved,
        kind: 'EXCHANGE',
        description: 'Released from an order',
        reference: order.id,
      });
      order.reserved = 0n;
    }
    if (!user.isRecorded) this.state.orders.delete(order.id);
    this.#tell(user, () => orderStatusMessage(order, this.timeMs));
  }

  #payerOf(order: SimulatedOrder): Account {
    const id = order.side === 'BID' ? order.counterAccountId : order.baseAccountId;
    return found(this.state.accounts.get(id), id);
  }

  #collectFee(currency: string, fee: bigint): void {
    if (fee === 0n) return;
    const id = found(this.userOf(feesUserId).accountIds.get(currency), currency);
    const account = found(this.state.accounts.get(id), id);
    account.balance += fee;
  }

  #countVolume(market: MarketState, volume: Lots): void {
    const minute = Math.floor(this.timeMs / 60_000);
    const volumes = market.volumeByMinute;
    volumes.set(minute, (volumes.get(minute) ?? 0) + volume);
    for (const oldest of volumes.keys()) {
      if (oldest > minute - 1440) break;
      volumes.delete(oldest);
    }
  }

  #record(account: Account, entry: LedgerEntry): void {
    const row = appendRow(account, entry);
    this.#tell(this.userOf(account.userId), () => balanceMessage(account, row));
  }

  #tell(user: User, message: () => Parameters<typeof cacheUserMessage>[1]): void {
    if (!user.isRecorded) return;
    const { frame } = cacheUserMessage(user, message(), this.timeMs);
    this.#listener.onUserMessage(user.id, frame);
  }

  #publish(
    market: MarketState,
    trades: TradeUpdate[],
    create: MarketChange['create_update'],
  ): void {
    if (trades.length === 0 && create === undefined) return;
    this.#change(market, { trade_updates: trades, create_update: create });
  }

  #change(market: MarketState, change: MarketChange): void {
    market.lastChangeMs = this.timeMs;
    const update = nextMarketUpdate(market, change, this.state.timeMicros);
    this.#listener.onMarketUpdate(market.market.pair, update);
  }
}

function formatValueOf(execution: Omit<Execution, 'role'>): string {
  const { market, price, volume } = execution;
  return formatValue(BigInt(price) * BigInt(volume), market.market);
}

function found<T>(value: T | undefined, name: string): T {
  assert(value !== undefined, `the exchange must know ${name}`);
  return value;
}
