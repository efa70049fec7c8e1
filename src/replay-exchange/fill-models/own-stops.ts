/**
 * Our stop orders in one market that wait for their trigger, and the trades that may trigger them,
 * ours included.
 *
 * A bar does not say when within it a price was reached. So it triggers an order that was there
 * before it if its high or low reaches the stop price, and one that arrived within it only if its
 * close does.
 */
import type { Ticks } from '../../domain/money.ts';
import { maxTicks, minTicks } from '../../domain/ticks-and-lots.ts';
import { isTriggered, type PriceRange, StopBook } from '../../exchange-accounts/stop-book.ts';
import type { OwnOrder } from './own-order.ts';

export class OwnStops {
  /** Whether trades since the last {@link take} may trigger an order. */
  isDue = false;
  /** The orders that were there before the last bar; empty where history has no bars. */
  readonly #early = new StopBook<OwnOrder>();
  readonly #late = new StopBook<OwnOrder>();
  /** The prices since the last {@link take} that count for each. */
  #ofEarly: PriceRange | undefined;
  #ofLate: PriceRange | undefined;
  #last: Ticks | undefined;
  /** The end of the last bar. */
  #barMicros = Number.NEGATIVE_INFINITY;

  /** Keeps an order with a stop; returns false if the last trade triggers it at once. */
  add(order: OwnOrder): boolean {
    const { stop } = order;
    const last = this.#last;
    if (stop === undefined) return false;
    if (last !== undefined && isTriggered(stop, { low: last, high: last })) return false;
    // The next bar begins at least a microsecond after the last one has ended.
    const isLate = order.createdMicros > this.#barMicros + 1;
    (isLate ? this.#late : this.#early).add(order);
    return true;
  }

  remove(order: OwnOrder): void {
    this.#early.remove(order);
    this.#late.remove(order);
  }

  noteTrade(price: Ticks): void {
    this.#last = price;
    if (this.#early.size === 0 && this.#late.size === 0) return;
    this.isDue = true;
    this.#ofEarly = widened(this.#ofEarly, price);
    this.#ofLate = widened(this.#ofLate, price);
  }

  noteBar({ low, high, close }: PriceRange & { readonly close: Ticks }): void {
    this.noteTrade(close);
    if (!this.isDue) return;
    this.#ofEarly = widened(widened(this.#ofEarly, low), high);
  }

  /** Removes and returns the orders that the trades trigger, in order of placement. */
  take(): readonly OwnOrder[] {
    const early = this.#ofEarly === undefined ? [] : this.#early.take(this.#ofEarly);
    const late = this.#ofLate === undefined ? [] : this.#late.take(this.#ofLate);
    this.isDue = false;
    this.#ofEarly = undefined;
    this.#ofLate = undefined;
    return [...early, ...late].sort((a, b) => a.number - b.number);
  }

  /** Notes that a bar has ended: from now on its orders were there before the next one. */
  endBar(atMicros: number): void {
    this.#barMicros = atMicros;
    if (this.#late.size > 0) for (const order of this.#late.takeAll()) this.#early.add(order);
  }
}

function widened(range: PriceRange | undefined, price: Ticks): PriceRange {
  if (range === undefined) return { low: price, high: price };
  return { low: minTicks(range.low, price), high: maxTicks(range.high, price) };
}
