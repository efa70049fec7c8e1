/**
 * Keeps the fills of one pair complete from the list of trades.
 *
 * The list may lag and may show rows out of order, so every pass reads an overlap again: back to
 * the oldest ledger row without a fill, or to the oldest live order, and a minute more. At least
 * once a minute, and at every comparison, the overlap is ten minutes. For an order that rests for
 * weeks, the pass goes back only to the last ledger row read, because earlier trades have ledger
 * rows, and a row without a fill is noticed. Reading only from the newest known trade would lose
 * fills.
 */
import type { OrderStates } from '../orders/order-states.ts';
import type { Demand } from '../requests/demand.ts';
import { call, describeFailure, type Procedure } from '../requests/procedure.ts';
import { RegularReader } from '../requests/regular-reader.ts';
import type { FillBook } from './fill-book.ts';

const overlapMsDefault = 600_000;
const marginMsDefault = 60_000;
/** How far back a pass reads trades that no order and no ledger row asks for. */
export const tradesOverlapMs = overlapMsDefault + marginMsDefault;
/** How often the whole overlap is read, even if no pass is requested. */
const wholePeriodMs = 60_000;
/** How long after a request a pass begins, and the time between passes. */
const debounceMs = 100;
const spacingMs = 700;
/** A trade that the list has not shown for this long counts as missing, not as late. */
const shortPageMs = 10_000;

export type TradesSyncOptions = {
  readonly orders: OrderStates;
  readonly fills: FillBook;
  readonly pair: string;
  /** Raised to request a pass. */
  readonly demand: Demand;
  /** The time before which every trade is in the ledger; see LedgerSync. */
  readonly completeBeforeMs: () => number | undefined;
};

export class TradesSync {
  readonly #reader: RegularReader;
  readonly #orders: OrderStates;
  readonly #fills: FillBook;
  readonly #pair: string;
  readonly #completeBeforeMs: () => number | undefined;
  #wholeMs = Number.NEGATIVE_INFINITY;
  #trouble = '';

  constructor({ orders, fills, pair, demand, completeBeforeMs }: TradesSyncOptions) {
    this.#orders = orders;
    this.#fills = fills;
    this.#pair = pair;
    this.#completeBeforeMs = completeBeforeMs;
    this.#reader = new RegularReader({
      demand,
      plan: orders.reads,
      read: { idleMs: wholePeriodMs, spacingMs, busyMs: 0, calls: 1 },
      debounceMs,
      pass: () => this.#passOnce(),
    });
  }

  /** Why the last failed pass failed. */
  get trouble(): string {
    return this.#trouble;
  }

  /** Runs forever: a pass on each request, and at least one per minute. */
  run(): Procedure {
    return this.#reader.run();
  }

  *#passOnce(): Procedure<boolean> {
    const { nowMs } = this.#orders.context;
    const isWhole = nowMs - this.#wholeMs >= wholePeriodMs;
    return yield* isWhole ? this.pass() : this.#read(this.sinceMs(0));
  }

  /** Reads the whole overlap once; returns whether it was read to its end. */
  *pass(): Procedure<boolean> {
    const { nowMs } = this.#orders.context;
    const isRead = yield* this.#read(this.sinceMs());
    if (isRead) this.#wholeMs = nowMs;
    return isRead;
  }

  *#read(sinceMs: number): Procedure<boolean> {
    const pair = this.#pair;
    let cursor: string | undefined;
    for (;;) {
      const reply = yield* call({
        priority: 'read',
        request: () => ({ kind: 'own-trades', pair, sinceMs, cursor }),
      });
      if (reply.kind !== 'ok') {
        this.#trouble = describeFailure(reply);
        return false;
      }
      const { rows, wrong, next, end } = reply.value;
      for (const trade of rows) this.#fills.book(trade);
      this.#fills.refuse(pair, wrong);
      // A page is the last, unless trades are missing: the venue may cut pages short.
      if (next === undefined || (end !== undefined && !this.#isMissingLong())) return true;
      cursor = next;
    }
  }

  /**
   * Whether the list still lacks a trade that the ledger or an order's end proved some time ago.
   */
  #isMissingLong(): boolean {
    const { context, tracker } = this.#orders;
    const beforeMs = context.nowMs - shortPageMs;
    if (this.#fills.proofs.isUnexplainedSince(this.#pair, beforeMs)) return true;
    for (const order of tracker.live)
      if (order.pair === this.#pair && order.state === 'completing')
        if ((order.completedMs ?? context.nowMs) < beforeMs) return true;
    return false;
  }

  /** Returns the time from which a pass reads the list. */
  sinceMs(overlapMs = overlapMsDefault, marginMs = marginMsDefault): number {
    const { context, tracker } = this.#orders;
    let oldest = context.nowMs - overlapMs;
    const provenMs = this.#completeBeforeMs() ?? Number.NEGATIVE_INFINITY;
    for (const order of tracker.live)
      if (order.pair === this.#pair) oldest = Math.min(oldest, Math.max(order.createdMs, provenMs));
    oldest = Math.min(oldest, this.#fills.proofs.oldestUnexplainedMs(this.#pair) ?? oldest);
    return Math.max(0, Math.trunc(oldest - marginMs));
  }
}
