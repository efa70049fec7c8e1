/**
 * Brings the resting orders of a quote in line with what its strategy wants: places missing orders,
 * cancels unwanted ones, and replaces those that moved when the call budget has room for it.
 *
 * A replacement leaves together with the cancel of the order that it replaces, so that a moved
 * quote takes one way of the line. Both then count in full for the gate. If the gate would refuse
 * that, or `onMove` of the settings or the quote is `cancel`, the new order waits until the old one
 * has ended.
 *
 * Invariants: an order that its quote still wants, at another price or volume, rests until its
 * replacement can be sent; an order that the quote no longer names is cancelled at once; a level
 * has at most one order that is not being cancelled, and at most one beside it that is.
 */

import type { QuotedOrder } from '../../domain/intent.ts';
import type { OrderStates } from '../../execution/orders/order-states.ts';
import type { TrackedOrder } from '../../execution/orders/tracked-order.ts';
import { QuotePlanner, shorten, wouldTrade } from '../../strategy/quote-planner.ts';
import type { EngineServices } from '../engine-services.ts';
import type { DesiredOrder, OrderRouter } from '../order-router.ts';
import type { QuoteIntent, QuoteTarget } from './quote-target.ts';
import type { WaitingMoves } from './waiting-moves.ts';

export type QuoteUpdaterOptions = {
  readonly context: EngineServices;
  readonly orders: OrderStates;
  readonly router: OrderRouter;
  readonly moves: WaitingMoves;
  /** Ids of the strategies whose replacements wait until the old order has ended. */
  readonly cancelsFirst: ReadonlySet<string>;
};

const nothing: readonly TrackedOrder[] = [];

export class QuoteUpdater {
  readonly #options: QuoteUpdaterOptions;
  // Used again for each plan, since most plans find nothing to do.
  readonly #plan = new QuotePlanner<TrackedOrder>();
  readonly #own: TrackedOrder[] = [];
  readonly #moving: TrackedOrder[] = [];

  constructor(options: QuoteUpdaterOptions) {
    this.#options = options;
  }

  /** Compares a quote with our orders, and places and cancels what is possible now. */
  update(target: QuoteTarget, quote: QuoteIntent): void {
    const { context, router, moves } = this.#options;
    const { cancels, places } = this.#plan;
    const own = this.#ownOf(target);
    target.plansWhenOpen = false;
    const { crossed, parts } = target.quotes;
    let missing = this.#plan.make(quote.orders, quote.toleranceTicks ?? 0, own, parts);
    if (crossed.length > 0) for (const one of crossed) router.refuseCrossed(target, one);
    if (cancels.length > 0) missing -= this.#cancelOrReplace(target, quote, cancels, own);
    else moves.keep(target, nothing);
    for (let index = 0; index < places.length; index++) {
      const wanted = places[index] as QuotedOrder;
      if (this.#isPaused(target, wanted)) continue;
      const { reason } = quoteOf(target, wanted.level) ?? quote;
      if (router.submit(target, desiredOf(reason, wanted, context.nowMs))) missing--;
    }
    target.isSettled = missing === 0 && !target.plansWhenOpen && !moves.isWaiting(target);
    // The orders that were just placed do not require another plan.
    target.isDirty = false;
  }

  /** Returns our live orders of a target, in a list that the next call overwrites. */
  #ownOf({ strategyId, pair }: QuoteTarget): readonly TrackedOrder[] {
    const own = this.#own;
    const { live } = this.#options.orders.tracker;
    let count = 0;
    for (let index = 0; index < live.length; index++) {
      const order = live[index] as TrackedOrder;
      if (order.strategyId === strategyId && order.pair === pair) own[count++] = order;
    }
    shorten(own, count);
    return own;
  }

  /** Returns the number of replacements that were placed. */
  #cancelOrReplace(
    target: QuoteTarget,
    quote: QuoteIntent,
    unwanted: readonly TrackedOrder[],
    own: readonly TrackedOrder[],
  ): number {
    const { orders, moves } = this.#options;
    const moving = this.#moving;
    let count = 0;
    let placed = 0;
    for (let index = 0; index < unwanted.length; index++) {
      const resting = unwanted[index] as TrackedOrder;
      const wanted = orderOfLevel(quote.orders, resting.level);
      if (wanted === undefined || !isResting(resting) || blocksLevel(resting, quote, own))
        orders.cancelAtTurn(resting, this.#reasonOf(quoteOf(target, resting.level) ?? quote));
      else if (resting.state === 'open') moving[count++] = resting;
      // It can only be cancelled when the exchange has answered, and is replaced then.
      else target.plansWhenOpen = true;
    }
    shorten(moving, count);
    moves.keep(target, moving);
    for (let index = 0; index < count; index++)
      if (this.#replace(target, moving[index] as TrackedOrder, own)) placed++;
    return placed;
  }

  /** Replaces an order that moved, if its turn has come; returns whether the new one was placed. */
  #replace(target: QuoteTarget, resting: TrackedOrder, own: readonly TrackedOrder[]): boolean {
    const { context, orders, router, moves } = this.#options;
    const { nowMs } = context;
    const quote = quoteOf(target, resting.level);
    const wanted = quote && orderOfLevel(quote.orders, resting.level);
    const sinceMs = wanted && moves.begin(target, resting, wanted);
    if (quote === undefined || wanted === undefined || sinceMs === undefined) return false;
    const isPlaced =
      quote.onMove !== 'cancel' &&
      this.#mayOverlap(target, resting, wanted, own) &&
      router.submitIfApproved(target, desiredOf(quote.reason, wanted, nowMs));
    orders.cancelAtTurn(resting, this.#reasonOf(quote, nowMs - sinceMs));
    return isPlaced;
  }

  /** Why an order of a moved quote is cancelled. A run without records does not read the text. */
  #reasonOf({ reason }: QuoteIntent, waitedMs = 0): string {
    if (!this.#options.context.keepsAllRecords) return reason;
    return `quote moved: ${reason}${waitedMs === 0 ? '' : `, after waiting ${waitedMs} ms`}`;
  }

  /** Whether the replacement may be sent before the old order has ended, as far as quotes go. */
  #mayOverlap(
    target: QuoteTarget,
    resting: TrackedOrder,
    wanted: QuotedOrder,
    own: readonly TrackedOrder[],
  ): boolean {
    if (this.#options.cancelsFirst.has(target.strategyId) || this.#isPaused(target, wanted))
      return false;
    for (let index = 0; index < own.length; index++) {
      const order = own[index] as TrackedOrder;
      if (order.isFinal) continue;
      if (!order.awaiting && wouldTrade(wanted, order.terms)) return false;
      if (order.level === wanted.level && order !== resting) return false;
    }
    return true;
  }

  /** Whether the level waits because the exchange rejected its last order. */
  #isPaused(target: QuoteTarget, { level }: QuotedOrder): boolean {
    return (target.pausedUntilMs.get(level) ?? 0) > this.#options.context.nowMs;
  }
}

/** The quote of the part that a level belongs to. */
function quoteOf({ quotes }: QuoteTarget, level: string | undefined): QuoteIntent | undefined {
  return quotes.quoteOf(level ?? '');
}

function desiredOf(reason: string, wanted: QuotedOrder, nowMs: number): DesiredOrder {
  // A quote is valid until its strategy changes it, so its age is zero.
  const { level, tag } = wanted;
  return tag === undefined
    ? { key: undefined, level, terms: wanted, reason, createdMs: nowMs }
    : { key: undefined, level, terms: wanted, tag, reason, createdMs: nowMs };
}

/** Whether the order rests or is being sent; an order that waits for its call has cost no call. */
function isResting({ state }: TrackedOrder): boolean {
  return state === 'open' || state === 'sending';
}

/** Whether the order would trade with a wanted order whose level has no order yet. */
function blocksLevel(
  resting: TrackedOrder,
  { orders }: QuoteIntent,
  own: readonly TrackedOrder[],
): boolean {
  for (let index = 0; index < orders.length; index++) {
    const wanted = orders[index] as QuotedOrder;
    if (wouldTrade(wanted, resting.terms) && !hasAnother(own, resting, wanted.level)) return true;
  }
  return false;
}

/** Whether a level has an order beside `resting`. */
function hasAnother(own: readonly TrackedOrder[], resting: TrackedOrder, level: string): boolean {
  for (let index = 0; index < own.length; index++) {
    const order = own[index] as TrackedOrder;
    if (order !== resting && order.level === level) return true;
  }
  return false;
}

function orderOfLevel(
  orders: readonly QuotedOrder[],
  level: string | undefined,
): QuotedOrder | undefined {
  for (let index = 0; index < orders.length; index++) {
    const order = orders[index] as QuotedOrder;
    if (order.level === level) return order;
  }
  return undefined;
}
