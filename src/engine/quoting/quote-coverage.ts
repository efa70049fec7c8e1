/**
 * Measures how long a side that a strategy quotes has no open order at the exchange, including the
 * time from a fill to the next open order. Sides without an order in the quote, and the times
 * before the first quote and after a withdrawal, do not count.
 */
import type { Side } from '../../domain/market.ts';
import type { OrderTracker } from '../../execution/orders/order-tracker.ts';
import type { QuoteTarget } from './quote-target.ts';

/** A time during which one side had no order. */
export type Gap = {
  readonly strategyId: string;
  readonly pair: string;
  readonly side: Side;
  readonly fromMs: number;
  readonly ms: number;
};

const sides: readonly Side[] = ['BID', 'ASK'];

export class QuoteCoverage {
  readonly #targets: readonly QuoteTarget[];
  readonly #tracker: OrderTracker;
  /** Since when each quoted side has had no open order, in the order of targets and sides. */
  readonly #sinceMs: (number | undefined)[] = [];
  #longest: Gap | undefined;

  constructor(targets: readonly QuoteTarget[], tracker: OrderTracker) {
    this.#targets = targets;
    this.#tracker = tracker;
  }

  /** The longest gap so far, with `ms` 0 if there was none; undefined before the first quote. */
  get longest(): Gap | undefined {
    return this.#longest;
  }

  /** Checks every side; call it at the end of each step. */
  note(nowMs: number): void {
    for (const [index, target] of this.#targets.entries())
      for (const [offset, side] of sides.entries())
        this.#noteSide(target, side, { place: index * sides.length + offset, nowMs });
  }

  #noteSide(
    target: QuoteTarget,
    side: Side,
    { place, nowMs }: { readonly place: number; readonly nowMs: number },
  ): void {
    const { strategyId, pair, quotes } = target;
    const isWanted = quotes.wanted?.orders.some((order) => order.side === side) === true;
    const fromMs = this.#sinceMs[place] ?? (isWanted ? nowMs : undefined);
    if (fromMs === undefined) return;
    const ms = nowMs - fromMs;
    if (this.#longest === undefined || ms > this.#longest.ms)
      this.#longest = { strategyId, pair, side, fromMs, ms };
    this.#sinceMs[place] = isWanted && !this.#rests(target, side) ? fromMs : undefined;
  }

  #rests({ strategyId, pair }: QuoteTarget, side: Side): boolean {
    for (const order of this.#tracker.live)
      if (order.state === 'open' && order.terms.side === side)
        if (order.strategyId === strategyId && order.pair === pair) return true;
    return false;
  }
}
