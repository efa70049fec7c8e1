/**
 * Brings the resting orders of a quote in line with what its strategy wants: places missing orders,
 * cancels unwanted ones, and replaces those that moved when the call budget has room for it.
 *
 * Invariants: an order that its quote still wants, at another price or volume, rests until its
 * replacement can be sent; an order that the quote no longer names is cancelled at once.
 */

import type { OrderStates } from '../../execution/orders/order-states.ts';
import type { TrackedOrder } from '../../execution/orders/tracked-order.ts';
import { planQuote, wouldTrade } from '../../strategy/quote-planner.ts';
import type { EngineServices } from '../engine-services.ts';
import type { OrderRouter } from '../order-router.ts';
import type { QuoteIntent, QuoteTarget } from '../quote-target.ts';
import type { Move, WaitingMoves } from './waiting-moves.ts';

export type QuoteUpdaterOptions = {
  readonly context: EngineServices;
  readonly orders: OrderStates;
  readonly router: OrderRouter;
  readonly moves: WaitingMoves;
};

export class QuoteUpdater {
  readonly #options: QuoteUpdaterOptions;

  constructor(options: QuoteUpdaterOptions) {
    this.#options = options;
  }

  /** Compares a quote with our orders, and places and cancels what is possible now. */
  update(target: QuoteTarget, quote: QuoteIntent): void {
    const { context, orders, router } = this.#options;
    const own: TrackedOrder[] = [];
    for (const order of orders.tracker.live)
      if (order.strategyId === target.strategyId && order.pair === target.pair) own.push(order);
    const toleranceTicks = quote.toleranceTicks ?? 0;
    const plan = planQuote({ wanted: quote.orders, toleranceTicks, own });
    if (plan.cancels.length > 0)
      this.#cancelOrReplace(
        target,
        quote,
        own.filter(({ key }) => plan.cancels.includes(key)),
        own,
      );
    else this.#options.moves.keep(target, []);
    for (const wanted of plan.places) {
      const { level } = wanted;
      if ((target.pausedUntilMs.get(level) ?? 0) > context.nowMs) continue;
      // A quote is valid until its strategy changes it, so its age is zero.
      const createdMs = context.nowMs;
      const { reason } = quote;
      router.submit(target, { key: undefined, level, terms: wanted, reason, createdMs });
    }
    // The orders that were just placed do not require another plan.
    target.isDirty = false;
  }

  #cancelOrReplace(
    target: QuoteTarget,
    quote: QuoteIntent,
    unwanted: readonly TrackedOrder[],
    own: readonly TrackedOrder[],
  ): void {
    const { context, orders, moves } = this.#options;
    const moving: Move[] = [];
    for (const resting of unwanted) {
      const wanted = quote.orders.find(({ level }) => level === resting.level);
      if (wanted === undefined || !isResting(resting) || blocksLevel(resting, quote, own))
        orders.cancelAtTurn(resting, `quote moved: ${quote.reason}`);
      else moving.push({ target, resting, wanted });
    }
    moves.keep(target, moving);
    for (const move of moving) {
      const sinceMs = moves.begin(move);
      if (sinceMs === undefined) continue;
      const waitedMs = context.nowMs - sinceMs;
      const waited = waitedMs === 0 ? '' : `, after waiting ${waitedMs} ms for the call limit`;
      orders.cancelAtTurn(move.resting, `quote moved: ${quote.reason}${waited}`);
    }
  }
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
  return orders.some(
    (wanted) =>
      wouldTrade(wanted, resting.terms) &&
      !own.some((order) => order !== resting && order.level === wanted.level),
  );
}
