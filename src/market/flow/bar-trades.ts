/**
 * The trades as which a bar is reported: open, low and high (high and low if the bar falls), close;
 * equal consecutive prices once. They share the bar's volume evenly; the first has the remainder.
 * Their takers are buyers unless the price fell.
 *
 * A trade has at least one lot. A bar with fewer lots than prices becomes as many trades as it has
 * lots: at its close, then also its open, then also the first of its extremes.
 *
 * One object is read again for each bar. Most readers need only the sums, so the list of prices is
 * made when it is first asked for.
 */
import type { Lots, Ticks } from '../../domain/money.ts';
import { noLots, ticksOf } from '../../domain/ticks-and-lots.ts';
import type { FlowCursor } from './flow-cursor.ts';

export class BarTrades {
  count = 0;
  volume = noLots;
  /** The last price; known also without trades. */
  close = ticksOf(0);
  /** The price of the first trade, and the highest and the lowest price; known without trades. */
  open = ticksOf(0);
  high = ticksOf(0);
  low = ticksOf(0);
  #before: Ticks | undefined;
  /** The price before the first trade, then the price of each trade; see {@link #list}. */
  readonly #prices = [0, 0, 0, 0, 0];
  #isListed = false;

  /** Reads the candle at the cursor; `before` is the price before it, if there is one. */
  read(row: FlowCursor, before: Ticks | undefined): void {
    const { open, high, low, close, traded } = row;
    this.count = 0;
    this.volume = traded;
    this.close = close;
    this.open = open;
    this.high = high;
    this.low = low;
    if (traded === 0) return;
    this.#before = before;
    this.#isListed = false;
    const falls = close < open;
    const second = falls ? high : low;
    const third = falls ? low : high;
    let count = 1;
    if (second !== open) count++;
    if (third !== second) count++;
    if (close !== third) count++;
    this.count = count;
    if (traded < count) this.#leaveOut(traded);
  }

  /** Leaves out prices until there is a lot for each. */
  #leaveOut(lots: number): void {
    const { close } = this;
    this.#list();
    this.count = lots - 1;
    if (lots === 1 || this.#prices[this.count] !== close) this.#prices[++this.count] = close;
    const left = this.#prices.slice(1, this.count + 1);
    this.open = ticksOf(left[0] as number);
    this.high = ticksOf(Math.max(...left));
    this.low = ticksOf(Math.min(...left));
  }

  #list(): void {
    const { open, high, low, close } = this;
    const falls = close < open;
    this.#isListed = true;
    this.#prices[0] = this.#before ?? open;
    this.#prices[1] = open;
    this.count = 1;
    this.#add(falls ? high : low);
    this.#add(falls ? low : high);
    this.#add(close);
  }

  // Prices and volumes are kept as plain numbers; both came from the cursor with their types.

  /** Returns the price of a trade; the first is 0. */
  priceOf(trade: number): Ticks {
    if (!this.#isListed) this.#list();
    return this.#prices[trade + 1] as Ticks;
  }

  volumeOf(trade: number): Lots {
    // The quotient is below 2^53, and its fraction is 0 or at least a quarter from a whole number.
    const each = Math.floor(this.volume / this.count);
    return (trade === 0 ? this.volume - each * (this.count - 1) : each) as Lots;
  }

  /** Whether the taker was a buyer. */
  isBuy(trade: number): boolean {
    return this.priceOf(trade) >= (this.#prices[trade] as number);
  }

  #add(price: Ticks): void {
    if (price !== this.#prices[this.count]) this.#prices[++this.count] = price;
  }
}
