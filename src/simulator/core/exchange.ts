/**
 * The exchange itself: executes orders that passed the checks, cancels them, and keeps accounts,
 * books and histories in step. Callers check first ({@link checkOrder}); nothing here refuses.
 *
 * Invariants: a book holds exactly the pending orders of its market, in order of arrival within
 * each price; money is only moved, never made, so the sum over all accounts of a currency does not
 * change but by deposits; one event is one message of the market stream.
 */

import { type Amount, amountOf, formatWireAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/errors.ts';
import {
  formatLots,
  formatTicks,
  formatValue,
  type Market,
  type MarketStatus,
} from '../../domain/market.ts';
import { maxTicks, minLots, minTicks } from '../../domain/ticks-and-lots.ts';
import { remainingOf } from '../../exchange-accounts/account-order.ts';
import { appendRow, type LedgerEntry } from '../../exchange-accounts/ledger.ts';
import { meetsBook } from '../../exchange-accounts/order-crossing.ts';
import {
  balanceMessage,
  type OwnerMessage,
  orderStatusMessage,
} from '../../exchange-accounts/owner-messages.ts';
import type { AccountType } from '../../exchange-api/account-types.ts';
import { IdentifiedBook } from '../../market/book/identified-book.ts';
import { addTransfer } from '../money/transfers.ts';
import { type NewOrder, nextMaker, volumeAvailable } from '../trading/matching.ts';
import { isTriggered, type PriceRange, StopBook } from '../trading/stop-book.ts';
import type { Account } from './account.ts';
import {
  accountIdOf,
  type ExchangeState,
  feesUserId,
  type MarketState,
  type User,
} from './exchange-state.ts';
import { boundHistory, boundRows } from './history-bounds.ts';
import {
  type MarketChange,
  type MarketUpdate,
  nextMarketUpdate,
  streamStatusOf,
} from './market-updates.ts';
import { createSimulatedOrder, type SimulatedOrder } from './simulated-order.ts';
import { addTrade } from './trade-history.ts';
import { type Execution, TradeSettlement } from './trade-settlement.ts';
import { cacheUserMessage } from './user-feed.ts';

/** Hears every stream message at the moment it is made. */
export type ExchangeListener = {
  onMarketUpdate(pair: string, update: MarketUpdate): void;
  onUserMessage(userId: string, frame: string): void;
};

type TradeUpdate = NonNullable<MarketChange['trade_updates']>[number];

export class Exchange {
  readonly state: ExchangeState;
  readonly #listener: ExchangeListener;
  readonly #books = new Map<string, IdentifiedBook>();
  readonly #stops = new Map<string, StopBook<SimulatedOrder>>();
  readonly #settlement: TradeSettlement;

  /** Rebuilds the books from the pending orders in `state`, which it owns from now on. */
  constructor(state: ExchangeState, listener: ExchangeListener) {
    this.state = state;
    this.#listener = listener;
    this.#settlement = new TradeSettlement(this);
    for (const pair of state.markets.keys()) {
      this.#books.set(pair, new IdentifiedBook());
      this.#stops.set(pair, new StopBook());
    }
    const orders = [...state.orders.values()];
    const pending = orders.filter((order) => order.status === 'PENDING');
    for (const order of pending.sort((a, b) => a.arrival - b.arrival))
      this.bookOf(order.pair).create(order.id, order.side, order.price, remainingOf(order));
    for (const order of orders)
      if (order.status === 'AWAITING') this.#stopsOf(order.pair).add(order);
  }

  get timeMs(): number {
    return Math.floor(this.state.timeMicros / 1000);
  }

  bookOf(pair: string): IdentifiedBook {
    return found(this.#books.get(pair), pair);
  }

  #stopsOf(pair: string): StopBook<SimulatedOrder> {
    return found(this.#stops.get(pair), pair);
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

  /**
   * Trades what can be traded at once; what is left rests in the book (GTC) or is cancelled. A stop
   * order waits, unless the last trade has reached its price already.
   */
  execute(terms: NewOrder): SimulatedOrder {
    const market = this.marketOf(terms.pair);
    const order = this.#open(terms, market.market);
    const last = market.lastTradePrice;
    if (order.stop === undefined) this.#triggerBy(market, this.#enter(order, market));
    else if (last !== undefined && isTriggered(order.stop, { low: last, high: last }))
      this.#triggerBy(market, this.#trigger(order, market));
    else this.#stopsOf(order.pair).add(order);
    return order;
  }

  /** Takes a pending order out of the book, or one that awaits its trigger out of the waiting. */
  cancel(order: SimulatedOrder): void {
    assert(order.status !== 'COMPLETE', `order ${order.id} must be pending to be cancelled`);
    if (order.status === 'AWAITING') {
      this.#stopsOf(order.pair).remove(order);
    } else {
      const book = this.bookOf(order.pair);
      book.remove(book.slotOf(order.id));
      this.#change(this.marketOf(order.pair), { delete_update: { order_id: order.id } });
    }
    this.#close(order, 'cancelled');
  }

  /** Changes who may trade in a market. Resting orders stay. Maintenance is a kind of DISABLED. */
  setStatus(pair: string, status: MarketStatus, isUnderMaintenance = false): void {
    const market = this.marketOf(pair);
    market.isUnderMaintenance = isUnderMaintenance && status === 'DISABLED';
    if (market.market.status === status) return;
    market.market = { ...market.market, status };
    this.#change(market, { status_update: { status: streamStatusOf(status) } });
  }

  /** Adds money from outside, or takes it away if the amount is negative. */
  deposit(accountId: string, amount: string): void {
    const account = this.accountOf(accountId);
    const balanceDelta = amountOf(amount);
    this.countDeposit(account.currency, balanceDelta);
    this.record(account, { balanceDelta, kind: 'TRANSFER', description: 'Deposit' });
    const isInbound = balanceDelta > 0n;
    const size = isInbound ? balanceDelta : -balanceDelta;
    addTransfer(this, account, { amount: size, fee: 0n, isInbound, transactionId: '' });
  }

  /** Says that money came in from outside, or left if negative; the caller records the row. */
  countDeposit(currency: string, amount: Amount): void {
    const { deposited } = this.state;
    deposited.set(currency, (deposited.get(currency) ?? 0n) + amount);
  }

  /** Appends one row of this moment to a ledger and tells its owner. */
  record(
    account: Account,
    entry: Omit<LedgerEntry, 'timeMs' | 'balanceDelta' | 'reservedDelta'> &
      Partial<Pick<LedgerEntry, 'balanceDelta' | 'reservedDelta'>>,
  ): void {
    const now = { timeMs: this.timeMs, balanceDelta: 0n, reservedDelta: 0n };
    this.append(account.id, { ...now, ...entry });
  }

  /** Returns an account of any user. */
  accountOf(accountId: string): Account {
    return found(this.state.accounts.get(accountId), accountId);
  }

  /** Opens an account without money; it becomes the default one if the user has none yet. */
  openAccount(
    user: User,
    terms: { readonly currency: string; readonly type: AccountType; readonly name: string },
  ): Account {
    const account: Account = {
      ...terms,
      id: accountIdOf(this.state.idSeed, this.state.accounts.size),
      userId: user.id,
      balance: 0n,
      reserved: 0n,
      rowCount: 0,
      rows: user.isRecorded ? [] : undefined,
    };
    assert(!this.state.accounts.has(account.id), `account id ${account.id} must be new`);
    this.state.accounts.set(account.id, account);
    if (terms.type === 'TRANSACTIONAL' && !user.accountIds.has(terms.currency))
      user.accountIds.set(terms.currency, account.id);
    return account;
  }

  /** Returns the account of one of the exchange's own users, opened at the first use. */
  ownAccountOf(userId: string, currency: string): Account {
    const user = this.userOf(userId);
    const id = user.accountIds.get(currency);
    if (id !== undefined) return this.accountOf(id);
    return this.openAccount(user, {
      currency,
      type: 'TRANSACTIONAL',
      name: `${userId} ${currency}`,
    });
  }

  /** Returns a new id: a whole number as text, greater than all before it. */
  nextId(): string {
    this.state.idCount += 1;
    return String(1_000_000_000 + this.state.idCount);
  }

  /** Sends the message without content that a quiet market gives now and then. */
  publishQuiet(market: MarketState): void {
    const update = nextMarketUpdate(market, {}, this.state.timeMicros);
    this.#listener.onMarketUpdate(market.market.pair, update);
  }

  #open(terms: NewOrder, market: Market): SimulatedOrder {
    this.state.orderCount += 1;
    const { idSeed, orderCount: number } = this.state;
    const order = createSimulatedOrder(terms, { idSeed, number, market, timeMs: this.timeMs });
    this.state.orders.set(order.id, order);
    const user = this.userOf(order.userId);
    user.openOrderIds.add(order.id);
    if (user.isRecorded) {
      user.orderIds.push(order.id);
      if (order.clientOrderId !== '')
        user.orderIdByClientOrderId.set(order.clientOrderId, order.id);
    }
    this.#settlement.open(order, this.state.timeMicros);
    return order;
  }

  /** Lets stop orders follow that these trades trigger, and those that their trades trigger. */
  #triggerBy(market: MarketState, trades: PriceRange | undefined): void {
    const stops = this.#stopsOf(market.market.pair);
    const due: SimulatedOrder[] = [];
    for (let range = trades; ; ) {
      if (range !== undefined) due.push(...stops.take(range));
      const next = due.shift();
      if (next === undefined) return;
      range = this.#trigger(next, market);
    }
  }

  #trigger(order: SimulatedOrder, market: MarketState): PriceRange | undefined {
    order.status = 'PENDING';
    this.tell(this.userOf(order.userId), () => orderStatusMessage(order, this.timeMs));
    if (order.isPostOnly === true && meetsBook(order, this.bookOf(order.pair).book)) {
      this.#close(order, 'cancelled');
      return undefined;
    }
    return this.#enter(order, market);
  }

  /** Matches an order and lets the rest of it follow its time in force; returns what it paid. */
  #enter(order: SimulatedOrder, market: MarketState): PriceRange | undefined {
    const book = this.bookOf(order.pair);
    this.state.arrivalCount += 1;
    order.arrival = this.state.arrivalCount;
    const isKilled =
      order.timeInForce === 'FOK' && volumeAvailable(order, book.book) < order.volume;
    const { trades, range } = isKilled
      ? { trades: [], range: undefined }
      : this.#match(order, market, book);
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
    return range;
  }

  #match(
    order: SimulatedOrder,
    market: MarketState,
    book: IdentifiedBook,
  ): { readonly trades: TradeUpdate[]; readonly range: PriceRange | undefined } {
    const trades: TradeUpdate[] = [];
    let range: PriceRange | undefined;
    for (;;) {
      const slot = order.status === 'PENDING' ? nextMaker(order, book.book) : 0;
      if (slot === 0) return { trades, range };
      const maker = found(this.state.orders.get(book.idOf(slot)), 'maker');
      const { price } = maker;
      const volume = minLots(remainingOf(order), book.book.volumeOf(slot));
      market.tradeSequence += 1n;
      const sequence = market.tradeSequence;
      const trade = { market, price, volume, sequence, takerSide: order.side };
      book.reduce(slot, volume);
      this.#fill(maker, { ...trade, role: 'maker' });
      this.#fill(order, { ...trade, role: 'taker' });
      market.lastTradePrice = price;
      const { timeMs } = this;
      addTrade(market, { sequence, timeMs, price, volume, takerSide: order.side });
      range = {
        low: minTicks(range?.low ?? price, price),
        high: maxTicks(range?.high ?? price, price),
      };
      trades.push({
        sequence: sequence.toString(),
        base: formatLots(volume, market.market),
        counter: formatValue(BigInt(price) * BigInt(volume), market.market),
        maker_order_id: maker.id,
        taker_order_id: order.id,
        order_id: maker.id,
      });
    }
  }

  #fill(order: SimulatedOrder, execution: Execution): void {
    this.#settlement.book(order, execution, this.state.timeMicros);
    if (remainingOf(order) === 0) this.#close(order, 'filled');
  }

  #close(order: SimulatedOrder, outcome: 'filled' | 'cancelled'): void {
    const user = this.userOf(order.userId);
    user.openOrderIds.delete(order.id);
    this.#settlement.close(order, outcome, this.state.timeMicros);
    if (user.isRecorded) boundHistory(this.state, user);
    else this.state.orders.delete(order.id);
  }

  /** Gives a fee that was taken from a user to the exchange. */
  collectFee(currency: string, fee: bigint): void {
    if (fee === 0n) return;
    this.ownAccountOf(feesUserId, currency).balance += fee;
  }

  /** Appends a row to a ledger and tells its owner. */
  append(accountId: string, entry: LedgerEntry): void {
    const account = this.accountOf(accountId);
    const row = appendRow(account, entry);
    boundRows(this.state, account);
    this.tell(this.userOf(account.userId), () => balanceMessage(account, row, formatWireAmount));
  }

  /** Puts a message on the stream of a recorded user. */
  tell(user: User, message: () => OwnerMessage): void {
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

function found<T>(value: T | undefined, name: string): T {
  assert(value !== undefined, `the exchange must know ${name}`);
  return value;
}
