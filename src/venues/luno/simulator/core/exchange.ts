/**
 * The exchange: its state, the order books derived from it, and what every operation uses: ledger
 * rows, stream messages and new ids. matching-engine.ts executes orders.
 *
 * Invariants: a book holds exactly the pending orders of its market, in order of arrival within
 * each price; the sum of all balances of a currency changes only when money enters or leaves the
 * exchange.
 */

import type { Amount } from '../../../../domain/amount.ts';
import { assert } from '../../../../domain/errors.ts';
import type { MarketStatus } from '../../../../domain/market.ts';
import { remainingOf } from '../../../../exchange-accounts/account-order.ts';
import { appendRow, type LedgerEntry } from '../../../../exchange-accounts/ledger.ts';
import { StopBook } from '../../../../exchange-accounts/stop-book.ts';
import { IdentifiedBook } from '../../../../market/book/identified-book.ts';
import type { AccountType } from '../../api/account-types.ts';
import type { Account } from './account.ts';
import { accountIdOf } from './account-id.ts';
import { type ExchangeState, feesUserId, type MarketState, type User } from './exchange-state.ts';
import { boundRows } from './history-bounds.ts';
import {
  type MarketChange,
  type MarketUpdate,
  nextMarketUpdate,
  streamStatusOf,
} from './market-updates.ts';
import { balanceMessage, type OwnerMessage } from './owner-messages.ts';
import type { SimulatedOrder } from './simulated-order.ts';
import { TradeSettlement } from './trade-settlement.ts';
import { cacheUserMessage } from './user-feed.ts';

/** Receives every stream message when it is created. */
export type ExchangeListener = {
  onMarketUpdate(pair: string, update: MarketUpdate): void;
  onUserMessage(userId: string, frame: string): void;
};

export class Exchange {
  readonly state: ExchangeState;
  readonly #listener: ExchangeListener;
  readonly #books = new Map<string, IdentifiedBook>();
  readonly #stopBooks = new Map<string, StopBook<SimulatedOrder>>();
  /** Books orders and trades in the accounts of their owners. */
  readonly settlement: TradeSettlement;

  /** Rebuilds the books from the open orders in `state`, and owns `state` from then on. */
  constructor(state: ExchangeState, listener: ExchangeListener) {
    this.state = state;
    this.#listener = listener;
    this.settlement = new TradeSettlement(this);
    for (const pair of state.markets.keys()) {
      this.#books.set(pair, new IdentifiedBook());
      this.#stopBooks.set(pair, new StopBook());
    }
    const orders = [...state.orders.values()];
    const pending = orders.filter((order) => order.status === 'PENDING');
    for (const order of pending.sort((a, b) => a.arrival - b.arrival))
      this.bookOf(order.pair).create(order.id, order.side, order.price, remainingOf(order));
    for (const order of orders)
      if (order.status === 'AWAITING') this.stopBookOf(order.pair).add(order);
  }

  get timeMs(): number {
    return Math.floor(this.state.timeMicros / 1000);
  }

  bookOf(pair: string): IdentifiedBook {
    return found(this.#books.get(pair), pair);
  }

  /** Returns the untriggered stop orders of a market. */
  stopBookOf(pair: string): StopBook<SimulatedOrder> {
    return found(this.#stopBooks.get(pair), pair);
  }

  marketOf(pair: string): MarketState {
    return found(this.state.markets.get(pair), pair);
  }

  userOf(userId: string): User {
    return found(this.state.users.get(userId), userId);
  }

  /**
   * Returns an order of this user, or undefined if it does not exist or belongs to another user.
   */
  orderOf(userId: string, orderId: string): SimulatedOrder | undefined {
    const order = this.state.orders.get(orderId);
    return order?.userId === userId ? order : undefined;
  }

  /** Returns an account of any user. */
  accountOf(accountId: string): Account {
    return found(this.state.accounts.get(accountId), accountId);
  }

  /** Returns an account of one of the exchange's own users. Opens it at its first use. */
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

  /**
   * Opens an empty account. A user's first TRANSACTIONAL account of a currency is the default one.
   */
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

  /** Returns a new id: an integer as text, greater than every earlier id. */
  nextId(): string {
    this.state.idCount += 1;
    return String(1_000_000_000 + this.state.idCount);
  }

  /** Counts money that entered the exchange, or left it if negative. The caller records the row. */
  countDeposit(currency: string, amount: Amount): void {
    const { deposited } = this.state;
    deposited.set(currency, (deposited.get(currency) ?? 0n) + amount);
  }

  /** Credits a fee that was taken from a user to the exchange's fee account. */
  collectFee(currency: string, fee: Amount): void {
    if (fee === 0n) return;
    this.ownAccountOf(feesUserId, currency).balance += fee;
  }

  /** Appends a row with the current time to a ledger and notifies its owner. */
  record(
    account: Account,
    entry: Omit<LedgerEntry, 'timeMs' | 'balanceDelta' | 'reservedDelta'> &
      Partial<Pick<LedgerEntry, 'balanceDelta' | 'reservedDelta'>>,
  ): void {
    const now = { timeMs: this.timeMs, balanceDelta: 0n, reservedDelta: 0n };
    this.append(account.id, { ...now, ...entry });
  }

  /** Appends a row to a ledger and notifies its owner. */
  append(accountId: string, entry: LedgerEntry): void {
    const account = this.accountOf(accountId);
    const row = appendRow(account, entry);
    boundRows(this.state, account);
    this.notify(this.userOf(account.userId), () => balanceMessage(account, row));
  }

  /** Publishes a message on a user's stream, unless the user is not recorded. */
  notify(user: User, message: () => OwnerMessage): void {
    if (!user.isRecorded) return;
    const { frame } = cacheUserMessage(user, message(), this.timeMs);
    this.#listener.onUserMessage(user.id, frame);
  }

  /** Sets the status of a market. Resting orders stay. Maintenance applies only to DISABLED. */
  setStatus(pair: string, status: MarketStatus, isUnderMaintenance = false): void {
    const market = this.marketOf(pair);
    market.isUnderMaintenance = isUnderMaintenance && status === 'DISABLED';
    if (market.market.status === status) return;
    market.market = { ...market.market, status };
    this.publish(market, { status_update: { status: streamStatusOf(status) } });
  }

  /** Publishes a change of a market on its stream. */
  publish(market: MarketState, change: MarketChange): void {
    market.lastChangeMs = this.timeMs;
    this.#send(market, change);
  }

  /** Publishes the empty message that a quiet market sends periodically. */
  publishQuiet(market: MarketState): void {
    this.#send(market, {});
  }

  #send(market: MarketState, change: MarketChange): void {
    const update = nextMarketUpdate(market, change, this.state.timeMicros);
    this.#listener.onMarketUpdate(market.market.pair, update);
  }
}

function found<T>(value: T | undefined, name: string): T {
  assert(value !== undefined, `${name} must exist at the exchange`);
  return value;
}
