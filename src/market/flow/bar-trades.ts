/**
 * The trades as which a bar is reported: open, low and high (high and low if the bar falls), close;
 * equal consecutive prices once. They share the bar's volume evenly; the first has the remainder.
 * Their takers are buyers unless the price fell.
 *
 * A trade has at least one lot. A bar with fewer lots than prices becomes as many trades as it has
 * lots: at its close, then also its open, then also the first of its extremes.
 *
 * One object is read again for each bar.
 */
import type { Lots, Ticks } from '../../domain/money.ts';
import { noLots, ticksOf } from '../../domain/ticks-and-lots.ts';
import type { FlowCursor } from './flow-cursor.ts';

export class BarTrades {
  /** The number of trades. */
  count = 0;
  /** The price before the first trade, then the price of each trade. */
  readonly #prices = [0, 0, 0, 0, 0];
  /** The volume of all trades. */
  volume = noLots;
  /** The highest and the lowest price of the trades. */
  high = ticksOf(0);
  low = ticksOf(0);

  /** Reads the candle at the cursor; `before` is the price before it, if there is one. */
  read(row: FlowCursor, before: Ticks | undefined): void {
    const { open, high, low, close, traded } = row;
    this.count = 0;
    this.volume = traded;
    if (traded === 0) return;
    this.high = high;
    this.low = low;
    const falls = close < open;
    this.#prices[0] = before ?? open;
    this.#prices[1] = open;
    this.count = 1;
    this.#add(falls ? high : low);
    this.#add(falls ? low : high);
    this.#add(close);
    if (traded < this.count) this.#leaveOut(traded, close);
  }

  /** Leaves out prices until there is a lot for each. */
  #leaveOut(lots: number, close: Ticks): void {
    this.count = lots - 1;
    if (lots === 1 || this.#prices[this.count] !== close) this.#prices[++this.count] = close;
    const left = this.#prices.slice(1, this.count + 1);
    this.high = ticksOf(Math.max(...left));
    this.low = ticksOf(Math.min(...left));
  }

  /** The price of the first trade. */
  get open(): Ticks {
    return this.priceOf(0);
  }

  /** The price of the last trade. */
  get close(): Ticks {
    return this.priceOf(this.count - 1);
  }

  // Prices and volumes are kept as plain numbers; both came from the cursor with their types.

  /** Returns the price of a trade; the first is 0. */
  priceOf(trade: number): Ticks {
    return this.#prices[trade + 1] as Ticks;
  }

  volumeOf(trade: number): Lots {
    // The quotient is below 2^53, and its fraction is 0 or at least a quarter from a whole number.
    const each = Math.floor(this.volume / this.count);
    return (trade === 0 ? this.volume - each * (this.count - 1) : each) as Lots;
  }

  /** Whether the taker was a buyer. */
  isBuy(trade: number): boolean {
    return (this.#prices[trade + 1] as number) >= (this.#prices[trade] as number);
  }

  #add(price: Ticks): void {
    if (price !== this.#prices[this.count]) this.#prices[++this.count] = price;
  }
}
