/**
 * Our knowledge of one of our orders; the tracker owns it, the order procedures change it.
 *
 * Invariants: cumulative sums never shrink, except where `apply-order-record.ts` disproves them;
 * `state` changes only along `orderTransitions`.
 */

import {
  type Amount,
  amountOfVolume,
  amountScale,
  formatAmount,
  powerOfTen,
  type Sums,
  wholeLotsOf,
} from '../../domain/amount.ts';
import { InvariantError } from '../../domain/errors.ts';
import type { StopCondition } from '../../domain/limit-order.ts';
import { formatTicks, type Market, parseLots, parseTicks } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import { isFinal, type OrderState, type PlacedTerms } from '../../domain/order.ts';
import type { OrderRow } from '../../domain/records.ts';
import { minLots, noLots } from '../../domain/ticks-and-lots.ts';
import type { Hold } from '../../risk/exposure.ts';
import type { ReportedOrder } from '../../venue/venue-report.ts';
import { Signal } from '../requests/procedure.ts';
import { noSums, sumsOf } from './sums.ts';
import { volumeTextOf } from './volume-text.ts';

/**
 * How doubtful the outcome of an order's attempts is. It only grows:
 *
 *     none ──▶ unanswered ──▶ refused-later ──▶ lookup-only ──▶ reported-to-exist
 *
 * - `none`: every finished attempt had a clear answer.
 * - `unanswered`: an attempt had no usable answer. The order may be sent again under its id.
 * - `refused-later`: an attempt had no usable answer, and a later one was refused. Only the expired
 *   request of the last attempt may be repeated, see `repeat-expired.ts`.
 * - `lookup-only`: the expired request was refused for another reason, or the order was restored
 *   from the store, because this process must not repeat requests of an earlier one. It is looked
 *   up and never sent again.
 * - `reported-to-exist`: as `lookup-only`; the exchange reported that an order with this id exists.
 */
export type AttemptDoubt = (typeof doubts)[number];

const doubts = ['none', 'unanswered', 'refused-later', 'lookup-only', 'reported-to-exist'] as const;

/** The cumulative base volume reported by the user stream, and when it last grew, by our clock. */
type StreamedFill = { readonly base: Amount; readonly atMs: number };

/** The filled part of an order, and the reports from which it was computed. */
type Filled = {
  readonly reported: Sums;
  readonly booked: Sums;
  readonly streamed: StreamedFill | undefined;
  readonly base: Amount;
  readonly lots: Lots;
  readonly bookedLots: Lots;
};

const unfilled: Filled = {
  reported: noSums,
  booked: noSums,
  streamed: undefined,
  base: 0n,
  lots: noLots,
  bookedLots: noLots,
};

/** What an order is from its creation on. */
export type OrderOrigin = Pick<
  OrderRow,
  | 'intentId'
  | 'strategyId'
  | 'key'
  | 'level'
  | 'tag'
  | 'baseAccountId'
  | 'counterAccountId'
  | 'clientOrderId'
  | 'reason'
  | 'createdMs'
  | 'validUntilMs'
  | 'expiresMs'
> & { readonly terms: PlacedTerms };

/** What a cancel interrupts in the life of an order. */
export type DrivenLife = {
  /** Withdraws an attempt that waits for the call budget. */
  withdrawAttempt(): void;
  /** Goes on without the answer to a read of the open order. */
  abandonRead(): void;
};

export class TrackedOrder {
  readonly intentId: number;
  readonly strategyId: string;
  readonly key: string;
  readonly level: string | undefined;
  readonly tag: string | undefined;
  readonly market: Market;
  readonly terms: PlacedTerms;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
  readonly clientOrderId: string;
  readonly reason: string;
  readonly createdMs: number;
  /** The price as it is sent and stored. */
  readonly priceText: string;
  /** The volume as it is sent and stored. */
  readonly volumeText: string;
  /** The stop price as it is sent and stored; undefined without a stop. */
  readonly stopPriceText: string | undefined;
  /** By the exchange's clock: after this time it accepts no attempt of this order. */
  readonly validUntilMs: number;
  readonly expiresMs: number | undefined;
  /** What it reserves in the exposure; undefined before that and once it is final. */
  hold: Hold | undefined = undefined;
  /** Raised when something about this order may have changed. */
  readonly changed = new Signal();
  /** What takes it to its end; undefined before and after. */
  life: DrivenLife | undefined = undefined;
  /** Whether an attempt waits for the call budget or for its answer. */
  isAttempting = false;
  /** Whether enough reads after the fence of its last attempt did not find the unknown order. */
  isMissed = false;
  /** Whether it has a stop, and is not known to have become a limit order. */
  awaiting: boolean;

  state: OrderState = 'waiting';
  orderId: string | undefined;
  /** The exchange's id as last reported together with our own id. */
  namedId: string | undefined;
  attempts = 0;
  /** `leftMs` is when it was sent, by our clock; undefined for an attempt of an earlier run. */
  lastAttempt:
    | { readonly timestampMs: number; readonly ttlMs: number; readonly leftMs?: number }
    | undefined;
  #doubt: AttemptDoubt = 'none';
  cancelRequestedMs: number | undefined;
  /** Why its cancel was requested; undefined if it was not, or in an earlier run. */
  cancelReason: string | undefined;
  completedMs: number | undefined;
  /** The sums of the exchange's last order record. */
  reported: Sums = noSums;
  /** Since when its records and our fills show less than an earlier record. */
  deniedSinceMs: number | undefined;
  /** The sums of our booked fills. */
  booked: Sums = noSums;
  /** May exceed both sums above; undefined until the user stream reports a fill. */
  streamed: StreamedFill | undefined;
  /** Whether a source suggests that the order is complete; its record must confirm that. */
  completionHinted = false;
  /** Whether the user stream has reported the order complete, with both of its ids. */
  isEndStreamed = false;
  /** Whether it is final without its record, which is read later; see `end-checks.ts`. */
  isUnchecked = false;
  #knownFilled: Filled = unfilled;
  /** Codes of the contradictions reported for the order; undefined for most orders. */
  #reportedCodes: Set<string> | undefined;

  constructor(origin: OrderOrigin, market: Market) {
    const { terms } = origin;
    this.intentId = origin.intentId;
    this.strategyId = origin.strategyId;
    this.key = origin.key;
    this.level = origin.level;
    this.tag = origin.tag;
    this.market = market;
    this.terms = terms;
    this.baseAccountId = origin.baseAccountId;
    this.counterAccountId = origin.counterAccountId;
    this.clientOrderId = origin.clientOrderId;
    this.reason = origin.reason;
    this.createdMs = origin.createdMs;
    this.priceText = formatTicks(terms.price, market);
    this.volumeText = volumeTextOf(terms.volume, market);
    this.stopPriceText = terms.stop && formatTicks(terms.stop.price, market);
    this.awaiting = terms.stop !== undefined;
    this.validUntilMs = origin.validUntilMs;
    this.expiresMs = origin.expiresMs;
  }

  /** Returns the order of a stored row; throws InvariantError if it does not fit `market`. */
  static restore(row: OrderRow, market: Market): TrackedOrder {
    const price = parseTicks(row.price, market);
    const volume = parseLots(row.volume, market);
    if (price === undefined || volume === undefined)
      throw new InvariantError(
        `order ${row.clientOrderId}: ${row.price} × ${row.volume} does not fit the scales of ${market.pair}`,
      );
    const { side, timeInForce, postOnly, pays } = row;
    const stop = stopIn(row, market);
    const terms = { side, price, volume, timeInForce, postOnly, stop, pays };
    const order = new TrackedOrder({ ...row, terms }, market);
    order.state = row.state;
    order.orderId = row.orderId;
    order.attempts = row.attempts;
    if (row.lastTimestampMs !== undefined && row.lastTtlMs !== undefined)
      order.lastAttempt = { timestampMs: row.lastTimestampMs, ttlMs: row.lastTtlMs };
    if (row.ambiguous) order.raiseDoubt('lookup-only');
    order.cancelRequestedMs = row.cancelRequestedMs;
    order.completedMs = row.completedMs;
    order.reported = sumsOf(row);
    const hasEnded = row.state === 'filled' || row.state === 'cancelled';
    if (order.reported.base > 0n) order.awaiting = false;
    order.isUnchecked = hasEnded && row.completedMs === undefined;
    return order;
  }

  /** The ordered volume in the base currency. */
  get volume(): Amount {
    return amountOfVolume(this.terms.volume, this.market);
  }

  get pair(): string {
    return this.market.pair;
  }

  /** Whether {@link orderId} differs from the id reported together with our own id. */
  get isIdContradicted(): boolean {
    const { namedId, orderId } = this;
    return namedId !== undefined && orderId !== undefined && namedId !== orderId;
  }

  /** Takes the two ids of a report; if they conflict, the order is read by our own id. */
  noteIds(ids: Pick<ReportedOrder, 'orderId' | 'clientOrderId'>): void {
    if (ids.clientOrderId !== this.clientOrderId) return;
    this.namedId = ids.orderId;
    if (!this.isIdContradicted) return;
    this.completionHinted = true;
    this.changed.raise();
  }

  /** Takes the report of the user stream that the order is complete. */
  noteEnd(ids: Pick<ReportedOrder, 'orderId' | 'clientOrderId'>): void {
    const isNamed = ids.clientOrderId === this.clientOrderId && ids.orderId === this.orderId;
    if (isNamed && !this.isIdContradicted) this.isEndStreamed = true;
    this.completionHinted = true;
    this.changed.raise();
  }

  /** Notes that a contradiction was reported; returns whether it is the first with this code. */
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

  /** Raises the doubt to at least `doubt`. */
  raiseDoubt(doubt: AttemptDoubt): void {
    if (doubts.indexOf(doubt) > doubts.indexOf(this.#doubt)) this.#doubt = doubt;
  }

  get isFinal(): boolean {
    return isFinal(this.state);
  }

  /** The cumulative base volume reported by the user stream. */
  get streamedBase(): Amount {
    return this.streamed?.base ?? 0n;
  }

  /** The filled volume of which its strategy was told: by the user stream or the list of trades. */
  get toldLots(): Lots {
    return this.#lotsOf(maxOf(this.booked.base, this.streamedBase));
  }

  /** Cached, and recomputed when a source reports other sums, since it is read often. */
  #filled(): Filled {
    const known = this.#knownFilled;
    const { reported, booked, streamed } = this;
    if (known.reported === reported && known.booked === booked && known.streamed === streamed)
      return known;
    const base = maxOf(maxOf(reported.base, booked.base), this.streamedBase);
    this.#knownFilled = {
      reported,
      booked,
      streamed,
      base,
      lots: this.#lotsOf(base),
      bookedLots: this.#lotsOf(booked.base),
    };
    return this.#knownFilled;
  }

  /** Whether its end or the fill of its whole volume was reported. */
  get hasNothingToCancel(): boolean {
    return this.isEndStreamed || this.filledLots >= this.terms.volume;
  }

  /** Whether a source reports a larger filled volume than is booked. */
  get isFilledBeyondBooked(): boolean {
    const { base, booked } = this.#filled();
    return base !== booked.base && base > booked.base;
  }

  /** Whether it may only be looked up: none of its requests may be sent again, expired or not. */
  get isOnlyLookedUp(): boolean {
    return this.#doubt === 'lookup-only' || this.#doubt === 'reported-to-exist';
  }

  /**
   * Whether it is not open, as far as a kill has to prove that: its outcome is unknown, and reads
   * after its fence did not find it. It is settled later, when even an exchange that ignores the
   * time to live cannot accept it any more.
   */
  get isShownAbsent(): boolean {
    return this.state === 'unknown' && this.isMissed && this.#doubt !== 'reported-to-exist';
  }

  /** The largest filled volume that any source reports, in lots. */
  get filledLots(): Lots {
    return this.#filled().lots;
  }

  /** The filled volume in lots, at most the ordered volume. */
  get filled(): Lots {
    return minLots(this.filledLots, this.terms.volume);
  }

  /** Whether its cancel was requested and it is not final yet. */
  get cancelling(): boolean {
    return this.cancelRequestedMs !== undefined && !this.isFinal;
  }

  /** The booked volume in lots. */
  get bookedLots(): Lots {
    return this.#filled().bookedLots;
  }

  /** Returns the order as a row of the store. */
  toRow(): OrderRow {
    return {
      intentId: this.intentId,
      strategyId: this.strategyId,
      key: this.key,
      level: this.level,
      tag: this.tag,
      pair: this.pair,
      side: this.terms.side,
      price: this.priceText,
      volume: this.volumeText,
      timeInForce: this.terms.timeInForce,
      postOnly: this.terms.postOnly,
      stopDirection: this.terms.stop?.direction,
      stopPrice: this.stopPriceText,
      pays: this.terms.pays,
      baseAccountId: this.baseAccountId,
      counterAccountId: this.counterAccountId,
      clientOrderId: this.clientOrderId,
      reason: this.reason,
      createdMs: this.createdMs,
      validUntilMs: this.validUntilMs,
      expiresMs: this.expiresMs,
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
      // A row without the time of its end shows that its record was not read; see `restore`.
      completedMs: this.isUnchecked ? undefined : this.completedMs,
    };
  }

  /** Whether `base` is a possible filled volume: not negative, in whole lots. */
  canBeFilled(base: Amount): boolean {
    if (base === 0n) return true;
    const perLot = powerOfTen(amountScale - this.market.volumeScale);
    return base > 0n && base % perLot === 0n && base / perLot <= Number.MAX_SAFE_INTEGER;
  }

  #lotsOf(base: Amount): Lots {
    return base === 0n ? noLots : wholeLotsOf(base, this.market);
  }
}

function stopIn(
  { stopDirection: direction, stopPrice }: OrderRow,
  market: Market,
): StopCondition | undefined {
  const price = stopPrice === undefined ? undefined : parseTicks(stopPrice, market);
  return price === undefined || direction === undefined ? undefined : { direction, price };
}

function maxOf(a: Amount, b: Amount): Amount {
  return a > b ? a : b;
}
