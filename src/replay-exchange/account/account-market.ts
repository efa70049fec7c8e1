/**
 * One market of an account at the replay exchange: its orders with their sums and fees, its trades,
 * and their effects on the ledgers. The fill model decides what fills; this class does the
 * bookkeeping and reports it to the owner, all in the exchange's time, without latency.
 *
 * Invariant: the available balance is never negative: an order without sufficient funds is refused,
 * and fees are deducted from what is received.
 */
import { type Amount, amountOfScaled, amountOfVolume } from '../../domain/amount.ts';
import { assert } from '../../domain/errors.ts';
import type { ExchangeProfile } from '../../domain/exchange-profile.ts';
import type { Market } from '../../domain/market.ts';
import { noLots } from '../../domain/ticks-and-lots.ts';
import { payerIdOf, reservationOf } from '../../exchange-accounts/account-order.ts';
import type { DatedRates, FeeRates } from '../../exchange-accounts/fee-schedule.ts';
import {
  appendRow,
  forgetRows,
  type LedgerAccount,
  type LedgerEntry,
} from '../../exchange-accounts/ledger.ts';
import { OrderSettlement, reservationEntryOf } from '../../exchange-accounts/order-settlement.ts';
import type { TradeView } from '../../venue/venue-reply.ts';
import type { VenueReport } from '../../venue/venue-report.ts';
import type { PlaceRequest } from '../../venue/venue-request.ts';
import type { ModelEvent, ModelFill } from '../fill-models/fill-event.ts';
import type { OwnOrder } from '../fill-models/own-order.ts';
import { type ReplayData, ReplayMarket } from '../fill-models/replay-market.ts';
import type { AccountChange, MarketSnapshot } from './account-snapshot.ts';
import { tradeViewOf } from './account-views.ts';
import { type EnteredOrder, enteredMarketOrder } from './entered-order.ts';
import { KeptOrders } from './kept-orders.ts';
import type { OrderIds } from './order-ids.ts';
import { countOfOld, RecentList } from './recent-list.ts';
import {
  createReplayOrder,
  createReplayTrade,
  type ReplayOrder,
  type ReplayTrade,
} from './replay-order.ts';
import { type FailedOrderCheck, failedOrderCheck } from './replay-order-rules.ts';

/** The rules of an exchange that concern its accounts and orders. */
export type ExchangeRules = Pick<ExchangeProfile, 'orders' | 'placing' | 'fees'>;

/** A market, its fee rates, and what its history is. */
export type TradedMarket = {
  readonly market: Market;
  readonly rates: FeeRates | readonly DatedRates[];
  /** By default order by order. */
  readonly data?: ReplayData;
};

/** A market, and what all markets of an account share; see {@link ReplayAccount}. */
export type AccountMarketOptions = TradedMarket & {
  /** By currency; must contain both currencies of the market. */
  readonly accounts: ReadonlyMap<string, LedgerAccount>;
  readonly orderIds: OrderIds;
  readonly profile: ExchangeRules;
  /** Whether an order has this `client_order_id`, or had it where ids last, in any market. */
  readonly isUsed: (clientOrderId: string) => boolean;
  readonly startedMs: number;
  /**
   * How long finished orders and ledger rows can be queried, and a client order id is refused as
   * used.
   */
  readonly keptMs: number;
  /** How long trades can be queried. */
  readonly tradesKeptMs: number;
  /** The state of this market from an earlier process. */
  readonly before: MarketSnapshot | undefined;
  readonly onChange: ((change: AccountChange) => void) | undefined;
  /** Whether the user stream reports that an order was accepted, as its answer does. */
  readonly announcesOrders: boolean;
  readonly onReport: (report: VenueReport, atMicros: number) => void;
};

const ordersOnly: ReplayData = { kind: 'orders' };

/** The outcome of an order request: the order, or the check that it failed. */
export type Placement =
  | { readonly kind: 'accepted'; readonly order: ReplayOrder }
  | { readonly kind: 'refused'; readonly failed: FailedOrderCheck };

export class AccountMarket {
  readonly market: Market;
  readonly replay: ReplayMarket;
  /** Our trades. */
  readonly trades = new RecentList<ReplayTrade>();
  /** Our orders that can still be queried. */
  readonly orders: KeptOrders;
  /** What trading in this market has added to each currency since the start, after fees. */
  readonly gained = { base: 0n, counter: 0n };
  readonly #options: AccountMarketOptions;
  readonly #base: LedgerAccount;
  readonly #counter: LedgerAccount;
  readonly #settlement: OrderSettlement<ReplayOrder, ReplayTrade>;
  #watcher: ((change: AccountChange) => void) | undefined;
  /** The order that is being placed, and its outcome: one of the two fields below. */
  #placing: EnteredOrder | undefined;
  #placed: OwnOrder | undefined;
  #refusal: FailedOrderCheck | undefined;

  constructor(options: AccountMarketOptions) {
    const { market, rates, data = ordersOnly, orderIds, startedMs, before } = options;
    this.market = market;
    this.orders = new KeptOrders(options.keptMs);
    this.#options = options;
    this.#base = accountIn(options.accounts, market.base);
    this.#counter = accountIn(options.accounts, market.counter);
    this.#settlement = new OrderSettlement({
      append: (accountId, entry, atMicros) => this.#append(accountId, entry, atMicros),
      reserve: (order, reservedDelta, atMicros) => this.#reserve(order, reservedDelta, atMicros),
      traded: (order, trade, atMicros) => this.#noteTrade(order, trade, atMicros),
      statusChanged: (order, atMicros) => this.#noteStatus(order, atMicros),
    });
    this.replay = new ReplayMarket({
      market,
      rates,
      data,
      orderIds,
      tradeSequence: before?.trades.at(-1)?.sequence ?? 0,
      listener: (event) => this.#note(event),
    });
    if (before !== undefined) this.#resume(before, startedMs);
  }

  /** The ledger accounts, by currency. */
  get accounts(): ReadonlyMap<string, LedgerAccount> {
    return this.#options.accounts;
  }

  /** The number of orders that were ever accepted. */
  get orderCount(): number {
    return this.orders.count;
  }

  /** Sets the one function that is called from now on when orders or trades change. */
  watch(watcher: (change: AccountChange) => void): void {
    this.#watcher = watcher;
  }

  /** The fees in the course of time. */
  get rates(): TradedMarket['rates'] {
    return this.#options.rates;
  }

  viewOf(trade: ReplayTrade): TradeView {
    trade.view ??= tradeViewOf(trade, this.market);
    return trade.view;
  }

  /** Places an order at the exchange's time; its immediate fills happen before this returns. */
  place(request: PlaceRequest, atMicros: number): Placement {
    const { status } = this.replay.history;
    const nowMs = Math.floor(atMicros / 1000);
    const entered =
      request.pays === undefined
        ? request
        : enteredMarketOrder(request, this.market, this.replay.history);
    const failed = failedOrderCheck(entered ?? request, this.#options, { status, nowMs });
    if (failed !== undefined) return { kind: 'refused', failed };
    if (entered === undefined) return { kind: 'refused', failed: 'too-little-liquidity' };
    return this.#enter(entered, atMicros);
  }

  #enter(request: EnteredOrder, atMicros: number): Placement {
    this.#placing = request;
    this.#placed = undefined;
    this.#refusal = undefined;
    this.replay.place(request, atMicros);
    this.#placing = undefined;
    if (this.#refusal !== undefined) return { kind: 'refused', failed: this.#refusal };
    const placed: OwnOrder | undefined = this.#placed;
    assert(placed !== undefined, 'the fill model must accept or reject an order at once');
    const order = this.#order(placed);
    if (order.status === 'PENDING' && order.stop === undefined)
      order.aheadAtRest = this.replay.aheadOf(placed);
    return { kind: 'accepted', order };
  }

  /** Cancels a pending order; returns whether there is one. */
  cancel(orderId: string, atMicros: number): boolean {
    const pending = this.orders.pendingOf(orderId);
    if (pending === undefined) return false;
    this.replay.cancel(pending, atMicros);
    return true;
  }

  /** Restores the state from an earlier process; orders that were open in it are cancelled. */
  #resume({ orders, trades }: MarketSnapshot, startedMs: number): void {
    for (const trade of trades) this.trades.push(trade);
    for (const order of orders) this.orders.restore(order);
    for (const order of orders)
      if (order.status !== 'COMPLETE')
        this.#close(order, undefined, 'cancelled', startedMs * 1_000);
  }

  #note(event: ModelEvent): void {
    const { atMicros } = event;
    switch (event.kind) {
      case 'accepted':
        this.#open(event.order, atMicros);
        return;
      case 'triggered':
        this.#trigger(this.#order(event.order), atMicros);
        return;
      case 'rejected':
        this.#refusal = event.failed;
        return;
      case 'filled':
        this.#fill(this.#order(event.order), event, atMicros);
        return;
      case 'completed':
        this.#close(this.#order(event.order), event.order, event.outcome, atMicros);
        return;
      case 'cancel-rejected':
        assert(
          false,
          `order ${event.order.orderId} is pending in the account but not in the fill model`,
        );
    }
  }

  #open(pending: OwnOrder, atMicros: number): void {
    const placing = this.#placing;
    assert(placing !== undefined, 'an order was accepted without a request');
    const reserved = reservationOf(placing, this.market);
    const at = { id: pending.orderId, timeMs: Math.floor(atMicros / 1000), reserved };
    const order = createReplayOrder(placing, at);
    this.orders.add(order, pending);
    this.#placed = pending;
    this.#settlement.open(order, atMicros);
  }

  #trigger(order: ReplayOrder, atMicros: number): void {
    order.status = 'PENDING';
    this.#noteStatus(order, atMicros);
  }

  #fill(order: ReplayOrder, fill: ModelFill, atMicros: number): void {
    const { market } = this;
    const { isMaker } = fill;
    const trade = createReplayTrade(order, {
      sequence: fill.tradeSequence,
      isMaker,
      aheadAtFill: isMaker ? fill.volumeAhead : noLots,
      price: fill.price,
      volume: fill.base,
      feeBase: amountOfScaled(fill.feeBase, market.feeScale),
      feeCounter: amountOfScaled(fill.feeCounter, market.feeScale),
      timeMs: Math.floor(atMicros / 1000),
    });
    this.#settlement.book(order, trade, market, atMicros);
  }

  /** `pending`: the order in the fill model; undefined if it is from an earlier process. */
  #close(
    order: ReplayOrder,
    pending: OwnOrder | undefined,
    outcome: 'filled' | 'cancelled',
    atMicros: number,
  ): void {
    this.#settlement.close(order, outcome, atMicros);
    this.orders.end(order, pending);
    this.#forgetOld(order.completedMs);
  }

  /** Drops trades and ledger rows that are no longer queried. */
  #forgetOld(nowMs: number): void {
    const { keptMs, tradesKeptMs } = this.#options;
    this.trades.forget(nowMs - tradesKeptMs);
    forgetRowsOf(this.#base, nowMs - keptMs);
    forgetRowsOf(this.#counter, nowMs - keptMs);
  }

  #notifyChange(change: AccountChange): void {
    this.#options.onChange?.(change);
    this.#watcher?.(change);
  }

  #noteTrade(order: ReplayOrder, trade: ReplayTrade, atMicros: number): void {
    this.trades.push(trade);
    this.#notifyChange({ kind: 'trade', trade });
    this.#notifyChange({ kind: 'order', order });
    const { orderId, clientOrderId, pair, sums, atMs } = this.viewOf(trade);
    const filled = amountOfVolume(order.filled, this.market);
    this.#options.onReport(
      { kind: 'filled', atMs, orderId, clientOrderId, pair, filled, sums },
      atMicros,
    );
  }

  #noteStatus(order: ReplayOrder, atMicros: number): void {
    this.#notifyChange({ kind: 'order', order });
    const kind = order.status === 'COMPLETE' ? 'ended' : 'accepted';
    const isTrigger = order.stop !== undefined && order.status === 'PENDING';
    if (kind === 'accepted' && !isTrigger && !this.#options.announcesOrders) return;
    const { id: orderId, clientOrderId, pair } = order;
    const atMs = Math.floor(atMicros / 1000);
    const report = { kind, atMs, orderId, clientOrderId, pair } as const;
    const isAwaiting = order.status === 'AWAITING';
    this.#options.onReport(
      isAwaiting ? { ...report, kind: 'accepted', isAwaiting } : report,
      atMicros,
    );
  }

  #reserve(order: ReplayOrder, reservedDelta: Amount, atMicros: number): void {
    this.#append(payerIdOf(order), reservationEntryOf(order, reservedDelta), atMicros);
  }

  #append(accountId: string, entry: LedgerEntry, atMicros: number): void {
    const { gained } = this;
    const isBase = accountId === this.#base.id;
    const account = isBase ? this.#base : this.#counter;
    const { onChange, onReport } = this.#options;
    if (isBase) gained.base += entry.balanceDelta;
    else gained.counter += entry.balanceDelta;
    onChange?.({ kind: 'entry', currency: account.currency, entry });
    const row = appendRow(account, entry);
    const report: VenueReport = {
      kind: 'balance',
      atMs: row.timeMs,
      account: accountId,
      row: row.rowIndex,
      balance: row.balance,
      delta: row.balanceDelta,
      available: row.available,
      availableDelta: row.availableDelta,
    };
    onReport(report, atMicros);
  }

  #order(own: OwnOrder): ReplayOrder {
    const order = this.orders.openOf(own.number);
    if (order === undefined)
      assert(false, `the fill model names order ${own.orderId}, which was never placed`);
    return order;
  }
}

function accountIn(accounts: ReadonlyMap<string, LedgerAccount>, currency: string): LedgerAccount {
  const account = accounts.get(currency);
  assert(account !== undefined, `there is no ${currency} account`);
  return account;
}

function forgetRowsOf(account: LedgerAccount, ms: number): void {
  const { rows } = account;
  if (rows !== undefined) forgetRows(account, countOfOld(rows, ms));
}
