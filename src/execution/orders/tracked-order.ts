/**
 * One of our orders, as far as we know it; the tracker owns it, the procedures change it.
 *
 * Invariants: cumulative sums never shrink, but for one that `apply-order-record.ts` refutes;
 * `state` changes only along `orderTransitions`.
 */

import {
  type Amount,
  amountOfVolume,
  amountScale,
  formatAmount,
  powerOfTen,
  wholeLotsOf,
} from '../../domain/amount.ts';
import { InvariantError } from '../../domain/errors.ts';
import {
  formatLots,
  formatTicks,
  type Market,
  parseLots,
  parseTicks,
} from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { isFinal, type OrderState, type Terms } from '../../domain/order.ts';
import type { OrderRow } from '../../domain/records.ts';
import { minLots, noLots } from '../../domain/ticks-and-lots.ts';
import { Signal } from '../requests/procedure.ts';
import { noSums, type Sums, sumsOf } from './sums.ts';

/**
 * What the answers to an order's attempts leave open. It only grows:
 *
 *     none ──▶ unanswered ──▶ lookup-only ──▶ said-to-exist
 *
 * - `none`: every attempt that has ended was answered plainly.
 * - `unanswered`: an attempt had no usable answer, and nothing but silence came after it. The order
 *   may be sent again under its id.
 * - `lookup-only`: an attempt had no usable answer, and something told more than silence since, or
 *   the order came out of the store, and a new process does not want what the old one wanted. It is
 *   looked up and never sent again.
 * - `said-to-exist`: as `lookup-only`; the exchange has said that an order with this id exists.
 */
export type AttemptDoubt = (typeof doubts)[number];

const doubts = ['none', 'unanswered', 'lookup-only', 'said-to-exist'] as const;

/** The cumulative base that the user stream has reported, and when it last grew, our time. */
type StreamedFill = { readonly base: Amount; readonly atMs: number };

/** What is filled of an order, and the reports that this follows from. */
type Filled = {
  readonly reported: Amount;
  readonly booked: Amount;
  readonly streamed: StreamedFill | undefined;
  readonly base: Amount;
  readonly lots: Lots;
  readonly bookedLots: Lots;
};

const unfilled: Filled = {
  reported: 0n,
  booked: 0n,
  streamed: undefined,
  base: 0n,
  lots: noLots,
  bookedLots: noLots,
};

/** What an order begins with: a row's terms as integers, and how far it has come. */
export type OrderOrigin = Omit<
  OrderRow,
  'price' | 'volume' | 'state' | 'base' | 'counter' | 'feeBase' | 'feeCounter'
> & { readonly price: Ticks; readonly volume: Lots };

export class TrackedOrder {
  readonly intentId: number;
  readonly strategyId: string;
  readonly key: string;
  readonly level: string | undefined;
  readonly market: Market;
  readonly terms: Required<Terms>;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
  readonly clientOrderId: string;
  readonly reason: string;
  readonly createdMs: number;
  /** The price of the terms, as it is sent and stored. */
  readonly priceText: string;
  /** The volume of the terms, as it is sent and stored. */
  readonly volumeText: string;
  /** On the exchange's clock: it takes no attempt of this order after this. */
  readonly validUntilMs: number;
  /** Raised when something about this order may have changed. */
  readonly changed = new Signal();
  /** While an attempt is asked for: raised to have it leave the queue of the call budget. */
  withdrawal: Signal | undefined;

  state: OrderState = 'waiting';
  orderId: string | undefined;
  /** The exchange's id that something of the exchange has named together with ours, at last. */
  namedId: string | undefined;
  attempts = 0;
  /** `leftMs`: when it left, by our clock; undefined for one of an earlier run. */
  lastAttempt:
    | { readonly timestampMs: number; readonly ttlMs: number; readonly leftMs?: number }
    | undefined;
  #doubt: AttemptDoubt = 'none';
  cancelRequestedMs: number | undefined;
  completedMs: number | undefined;
  /** What the exchange's order record last said. */
  reported: Sums = noSums;
  /** Since when its records say less than one of them did, as our fills do. */
  deniedSinceMs: number | undefined;
  /** What our fills add up to. */
  booked: Sums = noSums;
  /** May run ahead of both; undefined until the stream reports a fill. */
  streamed: StreamedFill | undefined;
  /** The streams say that it is no longer in the book; the order record will tell. */
  completionHinted = false;
  #knownFilled: Filled = unfilled;
  /** Anomalies that were reported of it; few orders have one. */
  #reportedCodes: Set<string> | undefined;

  constructor(row: OrderOrigin, market: Market) {
    this.intentId = row.intentId;
    this.strategyId = row.strategyId;
    this.key = row.key;
    this.level = row.level;
    this.market = market;
    this.terms = {
      side: row.side,
      price: row.price,
      volume: row.volume,
      timeInForce: row.timeInForce,
      postOnly: row.postOnly,
    };
    this.baseAccountId = row.baseAccountId;
    this.counterAccountId = row.counterAccountId;
    this.clientOrderId = row.clientOrderId;
    this.reason = row.reason;
    this.createdMs = row.createdMs;
    this.priceText = formatTicks(row.price, market);
    this.volumeText = formatLots(row.volume, market);
    this.validUntilMs = row.validUntilMs;
    this.orderId = row.orderId;
    this.attempts = row.attempts;
    this.lastAttempt =
      row.lastTimestampMs === undefined || row.lastTtlMs === undefined
        ? undefined
        : { timestampMs: row.lastTimestampMs, ttlMs: row.lastTtlMs };
    // Such a row comes out of the store.
    if (row.ambiguous) this.#doubt = 'lookup-only';
    this.cancelRequestedMs = row.cancelRequestedMs;
    this.completedMs = row.completedMs;
  }

  /** Returns an order as the store kept it. */
  static restore(row: OrderRow, market: Market): TrackedOrder {
    const price = parseTicks(row.price, market);
    const volume = parseLots(row.volume, market);
    if (price === undefined || volume === undefined)
      throw new InvariantError(
        `order ${row.clientOrderId}: ${row.price} × ${row.volume} does not fit the scales of ${market.pair}`,
      );
    const order = new TrackedOrder({ ...row, price, volume }, market);
    order.state = row.state;
    order.reported = sumsOf(row);
    return order;
  }

  /** The ordered volume in the base currency. */
  get volume(): Amount {
    return amountOfVolume(this.terms.volume, this.market);
  }

  get pair(): string {
    return this.market.pair;
  }

  /** Whether the id that an answer gave is not the one that was named together with ours. */
  get isIdContradicted(): boolean {
    const { namedId, orderId } = this;
    return namedId !== undefined && orderId !== undefined && namedId !== orderId;
  }

  /** Takes what a stream says of both ids; where they contradict, the order is read by ours. */
  noteIds(ids: { readonly client_order_id: string; readonly order_id: string }): void {
    if (ids.client_order_id !== this.clientOrderId) return;
    this.namedId = ids.order_id;
    if (!this.isIdContradicted) return;
    this.completionHinted = true;
    this.changed.raise();
  }

  /** Notes that an anomaly of it is reported; returns whether it is the first of its code. */
  noteReport(code: string): boolean {
    this.#reportedCodes ??= new Set();
    if (this.#reportedCodes.has(code)) return false;
    this.#reportedCodes.add(code);
    return true;
  }

  /** See {@link AttemptDoubt}. */
  get doubt(): AttemptDoubt {
    return this.#doubt;
  }

  /** Notes that the attempts leave at least so much open. */
  raiseDoubt(doubt: AttemptDoubt): void {
    if (doubts.indexOf(doubt) > doubts.indexOf(this.#doubt)) this.#doubt = doubt;
  }

  get isFinal(): boolean {
    return isFinal(this.state);
  }

  /** Whether nothing has happened to it since it was made. */
  get isNew(): boolean {
    return this.state === 'waiting' && this.attempts === 0 && this.cancelRequestedMs === undefined;
  }

  /** The cumulative base that the user stream has reported. */
  get streamedBase(): Amount {
    return this.streamed?.base ?? 0n;
  }

  /** The most that any witness says is filled. */
  get filledBase(): Amount {
    return this.#filled.base;
  }

  /** Worked out anew when a witness says something else: it is asked for at every look. */
  get #filled(): Filled {
    const known = this.#knownFilled;
    const { reported, booked, streamed } = this;
    if (
      known.reported === reported.base &&
      known.booked === booked.base &&
      known.streamed === streamed
    )
      return known;
    const base = maxOf(maxOf(reported.base, booked.base), this.streamedBase);
    this.#knownFilled = {
      reported: reported.base,
      booked: booked.base,
      streamed,
      base,
      lots: this.#lotsOf(base),
      bookedLots: this.#lotsOf(booked.base),
    };
    return this.#knownFilled;
  }

  /** Whether a witness says that more is filled than is booked. */
  get isFilledBeyondBooked(): boolean {
    return this.filledBase > this.booked.base;
  }

  /** Whether it may be looked up and not sent again. */
  get isOnlyLookedUp(): boolean {
    return this.#doubt === 'lookup-only' || this.#doubt === 'said-to-exist';
  }

  /** The same in lots; the exchange trades in whole lots. */
  get filledLots(): Lots {
    return this.#filled.lots;
  }

  /** What is filled, at most the ordered volume. */
  get filled(): Lots {
    return minLots(this.filledLots, this.terms.volume);
  }

  /** Whether it was asked to be cancelled and is not final yet. */
  get cancelling(): boolean {
    return this.cancelRequestedMs !== undefined && !this.isFinal;
  }

  /** What is booked, in lots. */
  get bookedLots(): Lots {
    return this.#filled.bookedLots;
  }

  /** Returns the order as the store keeps it. */
  toRow(): OrderRow {
    return {
      intentId: this.intentId,
      strategyId: this.strategyId,
      key: this.key,
      level: this.level,
      pair: this.pair,
      side: this.terms.side,
      price: this.priceText,
      volume: this.volumeText,
      timeInForce: this.terms.timeInForce,
      postOnly: this.terms.postOnly,
      baseAccountId: this.baseAccountId,
      counterAccountId: this.counterAccountId,
      clientOrderId: this.clientOrderId,
      reason: this.reason,
      createdMs: this.createdMs,
      validUntilMs: this.validUntilMs,
      state: this.state,
      orderId: this.orderId,
      attempts: this.attempts,
      lastTimestampMs: this.lastAttempt?.timestampMs,
      lastTtlMs: this.lastAttempt?.ttlMs,
      ambiguous: this.#doubt !== 'none',
      cancelRequestedMs: this.cancelRequestedMs,
      base: formatAmount(this.reported.base),
      counter: formatAmount(this.reported.counter),
      feeBase: formatAmount(this.reported.feeBase),
      feeCounter: formatAmount(this.reported.feeCounter),
      completedMs: this.completedMs,
    };
  }

  /** Whether the exchange can mean `base` as filled: no less than nothing, in whole lots. */
  canBeFilled(base: Amount): boolean {
    if (base === 0n) return true;
    const perLot = powerOfTen(amountScale - this.market.volumeScale);
    return base > 0n && base % perLot === 0n && base / perLot <= Number.MAX_SAFE_INTEGER;
  }

  #lotsOf(base: Amount): Lots {
    return base === 0n ? noLots : wholeLotsOf(base, this.market);
  }
}

function maxOf(a: Amount, b: Amount): Amount {
  return a > b ? a : b;
}
