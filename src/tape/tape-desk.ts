/**
 * One account holder at the tape exchange: orders with their sums and fees, balances with what is
 * set aside, trades and ledgers. The tape decides what fills; this keeps the books of it and tells
 * the user stream, all at the exchange's time and without any latency.
 *
 * Invariant: what is available never falls below zero, since an order that cannot be paid is
 * refused and the fee comes off what is received.
 */
import { assert } from '../domain/errors.ts';
import { formatLots, formatTicks, type Market } from '../domain/market.ts';
import type { Lots } from '../domain/money.ts';
import type { ErrorCode } from '../interface/errors.ts';
import type { PostorderParameters } from '../interface/operations.ts';
import type { UserMessage } from '../interface/user-stream.ts';
import { atomsOf, atomsOfScaled, atomsOfValue } from './atoms.ts';
import type { DeskChange, DeskMemory } from './desk-memory.ts';
import type { DatedRates, FeeRates } from './fee-schedule.ts';
import { type AccountEntry, TapeAccount } from './tape-account.ts';
import { checkPlacement } from './tape-checks.ts';
import type { TapeEvent, TapeFill, TapeRequest } from './tape-event.ts';
import { TapeExchange } from './tape-exchange.ts';
import type { CreateTape, TapeModel } from './tape-model.ts';
import type { TapeOptions } from './tape-options.ts';
import {
  orderFillMessage,
  orderStatusMessage,
  type TapeOrder,
  type TapeTrade,
  type ToldTrade,
  userTradeOf,
} from './tape-order.ts';

export type TapeDeskOptions = {
  readonly market: Market;
  readonly rates: FeeRates | readonly DatedRates[];
  /** How long what our orders took stays taken; as long as the order lives unless given. */
  readonly consumedMicros?: number;
  /** What the accounts begin with, per currency; both currencies of the market are there. */
  readonly balances: Readonly<Record<string, string>>;
  readonly startedMs: number;
  /** Decides what fills; the exchange of order by order history unless given. */
  readonly createTape?: CreateTape | undefined;
  /** What an earlier life of this account left; it goes on from there, without open orders. */
  readonly before?: DeskMemory | undefined;
  /** Hears what such a life must remember, before the user stream tells of it. */
  readonly onChange?: ((change: DeskChange) => void) | undefined;
  /** Hears what the user stream says, when it is said. */
  readonly onUserMessage: (message: UserMessage, atMicros: number) => void;
};

/** What became of an order request: the order, or the exchange's own code. */
export type Placement =
  | { readonly kind: 'accepted'; readonly order: TapeOrder }
  | { readonly kind: 'refused'; readonly code: ErrorCode };

export class TapeDesk {
  readonly market: Market;
  readonly tape: TapeModel;
  readonly accounts: ReadonlyMap<string, TapeAccount>;
  /** All trades of ours, oldest first. */
  readonly trades: ToldTrade[] = [];
  /** All orders of ours, oldest first. */
  readonly orders = new Map<string, TapeOrder>();
  readonly #orderIdByClientOrderId = new Map<string, string>();
  readonly #onUserMessage: TapeDeskOptions['onUserMessage'];
  readonly #onChange: (change: DeskChange) => void;
  #placing: { readonly request: TapeRequest; result: Placement | undefined } | undefined;

  constructor(options: TapeDeskOptions) {
    const { market, rates, balances, startedMs, consumedMicros, before } = options;
    this.market = market;
    this.#onUserMessage = options.onUserMessage;
    this.#onChange = options.onChange ?? (() => {});
    const { createTape = (tape: TapeOptions) => new TapeExchange(tape) } = options;
    this.tape = createTape({
      market,
      rates,
      ...(consumedMicros === undefined ? {} : { consumedMicros }),
      before: before && {
        orders: before.orders.length,
        tradeSequence: before.trades.at(-1)?.sequence ?? 0,
      },
      listener: (event) => this.#note(event),
    });
    const accounts = Object.keys(balances).map(
      (currency, index) => new TapeAccount(String(index + 1), currency),
    );
    this.accounts = new Map(accounts.map((account) => [account.currency, account]));
    if (before !== undefined) this.#resume(before, startedMs);
    else
      for (const account of accounts)
        this.#append(account, {
          timeMs: startedMs,
          balanceDelta: atomsOf(balances[account.currency] ?? '0'),
          reservedDelta: 0n,
          kind: 'TRANSFER',
          description: 'Start balance',
          reference: '',
        });
  }

  /** Returns an order by our own id for it. */
  orderByClientId(clientOrderId: string): TapeOrder | undefined {
    return this.orders.get(this.#orderIdByClientOrderId.get(clientOrderId) ?? '');
  }

  /** Places an order at the exchange's time; fills of it come before this returns. */
  place(parameters: PostorderParameters, atMicros: number): Placement {
    const { market } = this;
    const clientOrderId = parameters.client_order_id ?? '';
    const checked = checkPlacement(parameters, {
      market,
      nowMs: Math.floor(atMicros / 1000),
      isUsed: this.#orderIdByClientOrderId.has(clientOrderId),
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
    if (result.kind === 'accepted') result.order.aheadAtRest = this.tape.aheadOf(result.order.id);
    return result;
  }

  /** Cancels a pending order; returns whether there is one. */
  cancel(orderId: string, atMicros: number): boolean {
    if (this.orders.get(orderId)?.status !== 'PENDING') return false;
    this.tape.cancel(orderId, atMicros);
    return true;
  }

  /** Takes an earlier life over; what was open in it ended with it. */
  #resume({ orders, trades, entries }: DeskMemory, startedMs: number): void {
    for (const { currency, entry } of entries) this.#account(currency).append(entry);
    for (const trade of trades)
      this.trades.push({ ...trade, told: userTradeOf(trade, this.market) });
    for (const order of orders) {
      this.orders.set(order.id, order);
      if (order.clientOrderId !== '')
        this.#orderIdByClientOrderId.set(order.clientOrderId, order.id);
    }
    for (const order of orders)
      if (order.status === 'PENDING') this.#close(order, 'cancelled', startedMs * 1_000);
  }

  #note(event: TapeEvent): void {
    const { atMicros } = event;
    switch (event.kind) {
      case 'accepted':
        this.#open(event.orderId, atMicros);
        return;
      case 'rejected':
        if (this.#placing) this.#placing.result = { kind: 'refused', code: event.code };
        return;
      case 'filled':
        this.#fill(this.#order(event.orderId), event, atMicros);
        return;
      case 'completed':
        this.#close(this.#order(event.orderId), event.outcome, atMicros);
        return;
      case 'cancel-rejected':
        assert(false, `order ${event.orderId} is pending here and not on the tape`);
    }
  }

  #open(orderId: string, atMicros: number): void {
    const placing = this.#placing;
    assert(placing !== undefined, `order ${orderId} was accepted without a request`);
    const { clientOrderId, side, price, volume, timeInForce } = placing.request;
    const { market } = this;
    const order: TapeOrder = {
      id: orderId,
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
          ? atomsOfValue(price, volume, market)
          : atomsOfScaled(volume, market.volumeScale),
      aheadAtRest: undefined,
      completedMs: 0,
      cancelledMs: 0,
    };
    this.orders.set(orderId, order);
    if (clientOrderId !== '') this.#orderIdByClientOrderId.set(clientOrderId, orderId);
    placing.result = { kind: 'accepted', order };
    this.#move(this.#payerOf(order), atMicros, {
      balanceDelta: 0n,
      reservedDelta: order.reserved,
      description: 'Reserved for an order',
      reference: orderId,
    });
    this.#tellStatus(order, atMicros);
  }

  #fill(order: TapeOrder, fill: TapeFill, atMicros: number): void {
    const { market } = this;
    const { price, base: volume } = fill;
    const isBid = order.side === 'BID';
    const baseAtoms = atomsOfScaled(volume, market.volumeScale);
    const counterAtoms = atomsOfValue(price, volume, market);
    const feeBase = atomsOfScaled(fill.feeBase, market.feeScale);
    const feeCounter = atomsOfScaled(fill.feeCounter, market.feeScale);
    order.filled = (order.filled + volume) as Lots;
    order.filledValue += fill.counter;
    order.feeBase += feeBase;
    order.feeCounter += feeCounter;
    const released = isBid ? atomsOfValue(order.price, volume, market) : baseAtoms;
    order.reserved -= released;
    const trade: TapeTrade = {
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
    this.#onChange({ kind: 'trade', trade });
    this.#onChange({ kind: 'order', order });
    this.#onUserMessage(orderFillMessage(trade, market), atMicros);
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
    const paid = isBid ? counterAtoms : baseAtoms;
    const received = isBid ? baseAtoms - feeBase : counterAtoms - feeCounter;
    const paying = { balanceDelta: -paid, reservedDelta: -released };
    this.#move(this.#payerOf(order), atMicros, { ...entry, ...paying });
    const receiver = this.#account(isBid ? market.base : market.counter);
    this.#move(receiver, atMicros, { ...entry, balanceDelta: received, reservedDelta: 0n });
  }

  #close(order: TapeOrder, outcome: 'filled' | 'cancelled', atMicros: number): void {
    order.status = 'COMPLETE';
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
  }

  #tellStatus(order: TapeOrder, atMicros: number): void {
    const timeMs = Math.floor(atMicros / 1000);
    this.#onChange({ kind: 'order', order });
    this.#onUserMessage(orderStatusMessage(order, this.market.pair, timeMs), atMicros);
  }

  #move(
    account: TapeAccount,
    atMicros: number,
    entry: Omit<AccountEntry, 'timeMs' | 'kind'>,
  ): void {
    const timeMs = Math.floor(atMicros / 1000);
    this.#onUserMessage(this.#append(account, { ...entry, timeMs, kind: 'EXCHANGE' }), atMicros);
  }

  #append(account: TapeAccount, entry: AccountEntry): UserMessage {
    this.#onChange({ kind: 'entry', currency: account.currency, entry });
    return account.append(entry);
  }

  #payerOf(order: Pick<TapeOrder, 'side'>): TapeAccount {
    return this.#account(order.side === 'BID' ? this.market.counter : this.market.base);
  }

  #account(currency: string): TapeAccount {
    const account = this.accounts.get(currency);
    assert(account !== undefined, `there is no ${currency} account`);
    return account;
  }

  #order(orderId: string): TapeOrder {
    const order = this.orders.get(orderId);
    assert(order !== undefined, `the tape names order ${orderId}, which was never placed`);
    return order;
  }
}
