/**
 * An account holder's orders in one market of the tape exchange: orders with their sums and fees,
 * trades, and what they do to the accounts. The tape decides what fills; this keeps the books of it
 * and tells the user stream, all at the exchange's time and without any latency.
 *
 * Invariant: what is available never falls below zero, since an order that cannot be paid is
 * refused and the fee comes off what is received.
 */
import { amountOfOrder, amountOfScaled } from '../../domain/amount.ts';
import { assert } from '../../domain/errors.ts';
import { formatLots, formatTicks, type Market } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import type { DatedRates, FeeRates } from '../../exchange-accounts/fee-schedule.ts';
import type { ErrorCode } from '../../exchange-api/error-codes.ts';
import type { PostorderParameters } from '../../exchange-api/operations.ts';
import type { UserMessage } from '../../exchange-api/user-messages.ts';
import type { ModelEvent, ModelFill, ModelRequest } from '../fill-models/fill-event.ts';
import type { CreateFillModel, FillModel } from '../fill-models/fill-model.ts';
import type { FillModelOptions } from '../fill-models/fill-model-options.ts';
import type { OwnOrder } from '../fill-models/own-order.ts';
import { QueueFillModel } from '../fill-models/queue-fill-model.ts';
import { DueQueue } from '../port/due-queue.ts';
import type { AccountChange, MarketSnapshot } from './account-snapshot.ts';
import type { AccountEntry, CurrencyAccount } from './currency-account.ts';
import type { OrderIds } from './order-ids.ts';
import { RecentList } from './recent-list.ts';
import {
  orderFillMessage,
  orderStatusMessage,
  type ReplayOrder,
  type ReplayTrade,
  type ReportedTrade,
  userTradeOf,
} from './replay-order.ts';
import { checkPlacement } from './replay-order-checks.ts';

/** A market and what trading there costs. */
export type TradedMarket = {
  readonly market: Market;
  readonly rates: FeeRates | readonly DatedRates[];
  /** How long what our orders took stays taken; as long as the order lives unless given. */
  readonly consumedMicros?: number;
  /** Decides what fills; the exchange of order by order history unless given. */
  readonly createTape?: CreateFillModel | undefined;
};

/** What the markets of an account holder share; see {@link ReplayAccount}. */
export type AccountMarketOptions = TradedMarket & {
  /** By currency; both of the market are there. */
  readonly accounts: ReadonlyMap<string, CurrencyAccount>;
  readonly orderIds: OrderIds;
  /** Whether an order with this `client_order_id` was accepted in any market. */
  readonly isUsed: (clientOrderId: string) => boolean;
  /** Appends to an account's ledger; returns what the user stream says of it. */
  readonly append: (account: CurrencyAccount, entry: AccountEntry) => UserMessage;
  readonly startedMs: number;
  /**
   * How long orders that are done, trades and ledger rows can be asked for, and a client order id
   * is refused as used.
   */
  readonly keptMs: number;
  /** What an earlier life left in this market. */
  readonly before: MarketSnapshot | undefined;
  readonly onChange: (change: AccountChange) => void;
  readonly onUserMessage: (message: UserMessage, atMicros: number) => void;
};

/** What became of an order request: the order, or the exchange's own code. */
export type Placement =
  | { readonly kind: 'accepted'; readonly order: ReplayOrder }
  | { readonly kind: 'refused'; readonly code: ErrorCode };

export class AccountMarket {
  readonly market: Market;
  readonly tape: FillModel;
  /** Trades of ours. */
  readonly trades = new RecentList<ReportedTrade>();
  /** Orders of ours that can be asked for, oldest first. */
  readonly orders = new Map<string, ReplayOrder>();
  /** What trading here has added to each currency's account since the start, fees taken off. */
  readonly gained = { base: 0n, counter: 0n };
  readonly #options: AccountMarketOptions;
  #orderCount = 0;
  /** Orders that are done, until they are forgotten. */
  readonly #done = new DueQueue<ReplayOrder>();
  readonly #orderIdByClientOrderId = new Map<string, string>();
  /** Pending orders as the tape knows them, by id. */
  readonly #pending = new Map<string, OwnOrder>();
  #watcher: (change: AccountChange) => void = () => {};
  #placing: { readonly request: ModelRequest; result: Placement | undefined } | undefined;

  constructor(options: AccountMarketOptions) {
    const { market, rates, consumedMicros, orderIds, startedMs, before } = options;
    this.market = market;
    this.#options = options;
    const { createTape = (tape: FillModelOptions) => new QueueFillModel(tape) } = options;
    this.tape = createTape({
      market,
      rates,
      ...(consumedMicros === undefined ? {} : { consumedMicros }),
      orderIds,
      tradeSequence: before?.trades.at(-1)?.sequence ?? 0,
      listener: (event) => this.#note(event),
    });
    if (before !== undefined) this.#resume(before, startedMs);
  }

  /** The accounts of the holder, by currency. */
  get accounts(): ReadonlyMap<string, CurrencyAccount> {
    return this.#options.accounts;
  }

  /** How many orders were ever accepted. */
  get orderCount(): number {
    return this.#orderCount;
  }

  /** Lets one listener hear of orders and trades as they change, from now on. */
  watch(watcher: (change: AccountChange) => void): void {
    this.#watcher = watcher;
  }

  /** Returns an order by our own id for it. */
  orderByClientId(clientOrderId: string): ReplayOrder | undefined {
    return this.orders.get(this.#orderIdByClientOrderId.get(clientOrderId) ?? '');
  }

  /** Places an order at the exchange's time; fills of it come before this returns. */
  place(parameters: PostorderParameters, atMicros: number): Placement {
    const { market } = this;
    const checked = checkPlacement(parameters, {
      market,
      status: this.tape.status,
      nowMs: Math.floor(atMicros / 1000),
      isUsed: this.#options.isUsed(parameters.client_order_id ?? ''),
      base: this.#account(market.base),
      counter: this.#account(market.counter),
    });
    if (checked.kind === 'refused') return checked;
    const placing = { request: checked.request, result: undefined as Placement | undefined };
    this.#placing = placing;
    this.tape.place(checked.request, atMicros);
    this.#placing = undefined;
    const { result } = placing;
    assert(result !== undefined, 'the tape must accept or reject an order at once');
    if (result.kind === 'refused') return result;
    const pending = this.#pending.get(result.order.id);
    if (pending !== undefined) result.order.aheadAtRest = this.tape.aheadOf(pending);
    return result;
  }

  /** Cancels a pending order; returns whether there is one. */
  cancel(orderId: string, atMicros: number): boolean {
    const order = this.#pending.get(orderId);
    if (order === undefined) return false;
    this.tape.cancel(order, atMicros);
    return true;
  }

  /** Takes an earlier life over; what was open in it ended with it. */
  #resume({ orders, trades }: MarketSnapshot, startedMs: number): void {
    for (const trade of trades)
      this.trades.push({ ...trade, told: userTradeOf(trade, this.market) });
    for (const order of orders) this.#keep(order);
    for (const order of orders)
      if (order.status === 'PENDING') this.#close(order, 'cancelled', startedMs * 1_000);
  }

  #note(event: ModelEvent): void {
    const { atMicros } = event;
    switch (event.kind) {
      case 'accepted':
        this.#open(event.order, atMicros);
        return;
      case 'rejected':
        if (this.#placing) this.#placing.result = { kind: 'refused', code: event.code };
        return;
      case 'filled':
        this.#fill(this.#order(event.order.orderId), event, atMicros);
        return;
      case 'completed':
        this.#close(this.#order(event.order.orderId), event.outcome, atMicros);
        return;
      case 'cancel-rejected':
        assert(false, `order ${event.order.orderId} is pending here and not on the tape`);
    }
  }

  #open(pending: OwnOrder, atMicros: number): void {
    const { orderId } = pending;
    const placing = this.#placing;
    assert(placing !== undefined, `order ${orderId} was accepted without a request`);
    const { clientOrderId, side, price, volume, timeInForce } = placing.request;
    const { market } = this;
    const order: ReplayOrder = {
      id: orderId,
      pair: market.pair,
      clientOrderId,
      side,
      price,
      volume,
      timeInForce,
      baseAccountId: this.#account(market.base).id,
      counterAccountId: this.#account(market.counter).id,
      createdMs: Math.floor(atMicros / 1000),
      status: 'PENDING',
      filled: 0 as Lots,
      filledValue: 0n,
      feeBase: 0n,
      feeCounter: 0n,
      reserved:
        side === 'BID'
          ? amountOfOrder(price, volume, market)
          : amountOfScaled(volume, market.volumeScale),
      aheadAtRest: undefined,
      completedMs: 0,
      cancelledMs: 0,
    };
    this.#keep(order);
    this.#pending.set(orderId, pending);
    placing.result = { kind: 'accepted', order };
    this.#move(this.#payerOf(order), atMicros, {
      balanceDelta: 0n,
      reservedDelta: order.reserved,
      description: 'Reserved for an order',
      reference: orderId,
    });
    this.#tellStatus(order, atMicros);
  }

  #fill(order: ReplayOrder, fill: ModelFill, atMicros: number): void {
    const { market } = this;
    const { price, base: volume } = fill;
    const isBid = order.side === 'BID';
    const baseAmount = amountOfScaled(volume, market.volumeScale);
    const counterAmount = amountOfOrder(price, volume, market);
    const feeBase = amountOfScaled(fill.feeBase, market.feeScale);
    const feeCounter = amountOfScaled(fill.feeCounter, market.feeScale);
    order.filled = (order.filled + volume) as Lots;
    order.filledValue += fill.counter;
    order.feeBase += feeBase;
    order.feeCounter += feeCounter;
    const released = isBid ? amountOfOrder(order.price, volume, market) : baseAmount;
    order.reserved -= released;
    const trade: ReplayTrade = {
      order,
      sequence: fill.tradeSequence,
      isMaker: fill.isMaker,
      aheadAtFill: fill.isMaker ? fill.volumeAhead : (0 as Lots),
      price,
      volume,
      feeBase,
      feeCounter,
      timeMs: Math.floor(atMicros / 1000),
    };
    this.trades.push({ ...trade, told: userTradeOf(trade, market) });
    this.#tellChange({ kind: 'trade', trade });
    this.#tellChange({ kind: 'order', order });
    this.#options.onUserMessage(orderFillMessage(trade, market), atMicros);
    const entry = {
      description: `${isBid ? 'Bought' : 'Sold'} ${formatLots(volume, market)} ${market.base}`,
      reference: order.id,
      trade: {
        pair: market.pair,
        price: formatTicks(price, market),
        sequence: String(fill.tradeSequence),
        volume: formatLots(volume, market),
      },
    };
    const paid = isBid ? counterAmount : baseAmount;
    const received = isBid ? baseAmount - feeBase : counterAmount - feeCounter;
    const paying = { balanceDelta: -paid, reservedDelta: -released };
    this.#move(this.#payerOf(order), atMicros, { ...entry, ...paying });
    this.gained.base += isBid ? received : -paid;
    this.gained.counter += isBid ? -paid : received;
    const receiver = this.#account(isBid ? market.base : market.counter);
    this.#move(receiver, atMicros, { ...entry, balanceDelta: received, reservedDelta: 0n });
  }

  #close(order: ReplayOrder, outcome: 'filled' | 'cancelled', atMicros: number): void {
    order.status = 'COMPLETE';
    this.#pending.delete(order.id);
    order.completedMs = Math.floor(atMicros / 1000);
    if (outcome === 'cancelled') order.cancelledMs = order.completedMs;
    if (order.reserved !== 0n)
      this.#move(this.#payerOf(order), atMicros, {
        balanceDelta: 0n,
        reservedDelta: -order.reserved,
        description: 'Released from an order',
        reference: order.id,
      });
    order.reserved = 0n;
    this.#tellStatus(order, atMicros);
    this.#forgetOld(order);
  }

  #keep(order: ReplayOrder): void {
    this.#orderCount++;
    this.orders.set(order.id, order);
    if (order.clientOrderId !== '') this.#orderIdByClientOrderId.set(order.clientOrderId, order.id);
  }

  /** Forgets what nobody asks for any more, now that `done` is done. */
  #forgetOld(done: ReplayOrder): void {
    const { keptMs } = this.#options;
    if (keptMs === Infinity) return;
    const nowMs = done.completedMs;
    this.#done.push((nowMs + keptMs) * 1000, done);
    while (this.#done.dueMicros <= nowMs * 1000) {
      const { id, clientOrderId } = this.#done.shift();
      this.orders.delete(id);
      if (clientOrderId !== '') this.#orderIdByClientOrderId.delete(clientOrderId);
    }
    this.trades.forget((trade) => trade.timeMs < nowMs - keptMs);
    for (const account of this.accounts.values()) account.forgetBefore(nowMs - keptMs);
  }

  #tellChange(change: AccountChange): void {
    this.#options.onChange(change);
    this.#watcher(change);
  }

  #tellStatus(order: ReplayOrder, atMicros: number): void {
    const timeMs = Math.floor(atMicros / 1000);
    this.#tellChange({ kind: 'order', order });
    this.#options.onUserMessage(orderStatusMessage(order, this.market.pair, timeMs), atMicros);
  }

  #move(
    account: CurrencyAccount,
    atMicros: number,
    entry: Omit<AccountEntry, 'timeMs' | 'kind'>,
  ): void {
    const timeMs = Math.floor(atMicros / 1000);
    const { append, onUserMessage } = this.#options;
    onUserMessage(append(account, { ...entry, timeMs, kind: 'EXCHANGE' }), atMicros);
  }

  #payerOf(order: Pick<ReplayOrder, 'side'>): CurrencyAccount {
    return this.#account(order.side === 'BID' ? this.market.counter : this.market.base);
  }

  #account(currency: string): CurrencyAccount {
    const account = this.accounts.get(currency);
    assert(account !== undefined, `there is no ${currency} account`);
    return account;
  }

  #order(orderId: string): ReplayOrder {
    const order = this.orders.get(orderId);
    assert(order !== undefined, `the tape names order ${orderId}, which was never placed`);
    return order;
  }
}
