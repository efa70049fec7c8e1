/**
 * What the account is exposed to, with every order that may exist counted at its worst: an
 * approved, sent or unknown order is open and could fill wholly.
 *
 * The executor keeps it current; the gate reads it; nothing else writes. Amounts are atoms
 * (10^-18). A position is what a strategy's fills bought less what they sold, less fees, so it
 * begins at zero and is negative for a strategy that sold of the account's stock.
 *
 * Invariant: hold and approval happen in one step, so two intents can never use the same room.
 */
import { assert } from '../domain/errors.ts';
import type { Market, Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import { atomsOfOrder, atomsOfValue, atomsOfVolume, fitsAtoms, parseAtoms } from './amount.ts';
import { DayCount } from './day-count.ts';
import { Funds, type HoldClaim, type Mark } from './funds.ts';
import { OrderWindow } from './order-window.ts';

export type HeldOrder = {
  readonly strategyId: string;
  readonly pair: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
};

export type ExposureFill = {
  /** Unique per fill; the same key is given to {@link Exposure.settle}. */
  readonly key: string;
  /** The order's hold; it may be released already, since a fill is accepted in any state. */
  readonly holdId: string;
  readonly strategyId: string;
  readonly pair: string;
  readonly side: Side;
  readonly volume: Lots;
  /** Ticks × lots. */
  readonly value: number | bigint;
  /** Decimal strings; negative for a rebate. */
  readonly feeBase: string;
  readonly feeCounter: string;
  readonly timeMs: number;
};

/**
 * A position in atoms of the base currency; `highest` if all open bids fill, `lowest` if all open
 * asks do.
 */
export type WorstPosition = {
  readonly base: bigint;
  readonly highest: bigint;
  readonly lowest: bigint;
};

/** One strategy on one pair. */
type Line = {
  base: bigint;
  counter: bigint;
  bidVolume: bigint;
  bidValue: bigint;
  askVolume: bigint;
  askValue: bigint;
};

type Hold = { readonly order: HeldOrder; remaining: number; readonly claim: HoldClaim };

export class Exposure {
  readonly #markets = new Map<string, Market>();
  readonly #lines = new Map<string, Map<string, Line>>();
  readonly #holds = new Map<string, Hold>();
  readonly #funds = new Funds();
  readonly #days = new DayCount();
  readonly #window = new OrderWindow();

  /** Throws InvariantError for a market whose values are finer than an atom. */
  constructor(markets: readonly Market[]) {
    for (const market of markets) {
      assert(fitsAtoms(market), `scales of ${market.pair} must add up to at most 18`);
      this.#markets.set(market.pair, market);
      this.#lines.set(market.pair, new Map());
    }
  }

  /**
   * Takes an approved order's room, in the step that approved it. `nowMs` counts for the order
   * rate.
   */
  hold(holdId: string, order: HeldOrder, nowMs: number): void {
    assert(!this.#holds.has(holdId), `hold ${holdId} exists already`);
    const market = this.#market(order.pair);
    const amount =
      order.side === 'BID'
        ? atomsOfOrder(order.price, order.volume, market)
        : atomsOfVolume(order.volume, market);
    const currency = order.side === 'BID' ? market.counter : market.base;
    const hold = {
      order: { ...order },
      remaining: order.volume,
      claim: this.#funds.claim(currency, amount),
    };
    this.#holds.set(holdId, hold);
    this.#moveOpen(hold, order.volume);
    this.#window.add(nowMs);
  }

  /**
   * The exchange has the order. Its reservation is inside every balance that is asked for from
   * now on.
   */
  confirm(holdId: string): void {
    const hold = this.#holds.get(holdId);
    if (hold !== undefined) this.#funds.confirm(hold.claim);
  }

  /**
   * Counts a fill once: the caller tells fills apart. Moves position, day and funds, and shrinks
   * the hold.
   */
  fill(fill: ExposureFill): void {
    assert(!this.#funds.hasSpend(fill.key), `fill ${fill.key} is counted already`);
    const flows = this.#flowsOf(fill);
    const line = this.#line(fill.strategyId, fill.pair);
    line.base += flows.base;
    line.counter += flows.counter;
    const hold = this.#holds.get(fill.holdId);
    if (hold !== undefined) this.#shrink(hold, fill.volume);
    const market = this.#market(fill.pair);
    const spent =
      fill.side === 'BID'
        ? { currency: market.counter, amount: -flows.counter }
        : { currency: market.base, amount: -flows.base };
    this.#funds.spend(fill.key, spent, hold?.claim);
    this.#days.add(fill.pair, { timeMs: fill.timeMs, ...flows });
  }

  /** The ledger shows the fill, so a balance that is asked for from now on has it. */
  settle(fillKey: string): void {
    this.#funds.settle(fillKey);
  }

  /** The order can never fill again, or never existed. Unknown ids are ignored. */
  release(holdId: string): void {
    const hold = this.#holds.get(holdId);
    if (hold === undefined) return;
    this.#shrink(hold, hold.remaining);
    this.#funds.drop(hold.claim);
    this.#holds.delete(holdId);
  }

  /**
   * Returns a mark to take when a balance is asked for and to hand to {@link setBalance} with the
   * answer.
   */
  mark(): Mark {
    return this.#funds.mark();
  }

  /**
   * Sets what the exchange says of a currency. Decimal strings; throws InvariantError if they are
   * not.
   */
  setBalance(
    currency: string,
    told: { readonly balance: string; readonly available: string; readonly mark: Mark },
  ): void {
    const balance = atomsOf(told.balance);
    this.#funds.setBalance(currency, {
      balance,
      available: atomsOf(told.available),
      mark: told.mark,
    });
  }

  /**
   * Sets what a strategy's stored fills add up to, fees included: bought is positive base,
   * negative counter.
   */
  setPosition(
    strategyId: string,
    pair: string,
    sums: { readonly base: string; readonly counter: string },
  ): void {
    const line = this.#line(strategyId, pair);
    line.base = atomsOf(sums.base);
    line.counter = atomsOf(sums.counter);
  }

  /**
   * Counts a stored fill for the day's turnover and loss only; for the start, with {@link
   * setPosition}.
   */
  countDay(fill: Omit<ExposureFill, 'key' | 'holdId' | 'strategyId'>): void {
    this.#days.add(fill.pair, { timeMs: fill.timeMs, ...this.#flowsOf(fill) });
  }

  /** Returns a strategy's position on a pair. */
  position(strategyId: string, pair: string): WorstPosition {
    return worstOf(this.#lines.get(pair)?.get(strategyId));
  }

  /** Returns the position of all strategies together on a pair. */
  pairPosition(pair: string): WorstPosition {
    let [base, highest, lowest] = [0n, 0n, 0n];
    for (const line of this.#lines.get(pair)?.values() ?? []) {
      const worst = worstOf(line);
      base += worst.base;
      highest += worst.highest;
      lowest += worst.lowest;
    }
    return { base, highest, lowest };
  }

  /**
   * Returns what a strategy has gained of a currency since its first fill, over all its pairs and
   * in both roles. `lowest`: if every open order that pays in it fills; `highest`: if every open
   * bid for it fills.
   */
  strategyFlow(strategyId: string, currency: string): WorstPosition {
    let [base, highest, lowest] = [0n, 0n, 0n];
    for (const market of this.#markets.values()) {
      const line = this.#lines.get(market.pair)?.get(strategyId);
      if (line === undefined) continue;
      if (market.base === currency) {
        base += line.base;
        highest += line.base + line.bidVolume;
        lowest += line.base - line.askVolume;
      }
      if (market.counter === currency) {
        base += line.counter;
        highest += line.counter;
        lowest += line.counter - line.bidValue;
      }
    }
    return { base, highest, lowest };
  }

  /** Returns what an order may spend of a currency, or undefined before the first balance. */
  free(currency: string): bigint | undefined {
    return this.#funds.free(currency);
  }

  /** Returns the value of all open orders, bids and asks, on pairs with this counter currency. */
  openNotional(currency: string): bigint {
    let sum = 0n;
    for (const market of this.#markets.values()) {
      if (market.counter !== currency) continue;
      for (const line of this.#lines.get(market.pair)?.values() ?? []) {
        sum += line.bidValue + line.askValue;
      }
    }
    return sum;
  }

  /** Returns the value traded in a counter currency on the UTC day of `nowMs`. */
  turnoverDay(currency: string, nowMs: number): bigint {
    let sum = 0n;
    for (const market of this.#markets.values()) {
      if (market.counter === currency) sum += this.#days.turnover(market.pair, nowMs);
    }
    return sum;
  }

  /**
   * Returns the loss of the UTC day's trades in a counter currency (negative: profit), or
   * undefined if a pair that traded has no mid. `mid2Of` returns bid + ask of a pair in ticks.
   */
  lossDay(
    currency: string,
    nowMs: number,
    mid2Of: (pair: string) => number | undefined,
  ): bigint | undefined {
    let loss = 0n;
    for (const market of this.#markets.values()) {
      if (market.counter !== currency) continue;
      const profit = this.#days.profit(market, nowMs, mid2Of(market.pair));
      if (profit === undefined) return undefined;
      loss -= profit;
    }
    return loss;
  }

  /** Returns how many orders may exist that are not known to be over. */
  ordersOpen(): number {
    return this.#holds.size;
  }

  ordersInLastMinute(nowMs: number): number {
    return this.#window.count(nowMs);
  }

  /** Returns what was received less what was paid, per currency, and the value traded. */
  #flowsOf(fill: Omit<ExposureFill, 'key' | 'holdId' | 'strategyId'>): {
    readonly base: bigint;
    readonly counter: bigint;
    readonly turnover: bigint;
  } {
    const market = this.#market(fill.pair);
    const volume = atomsOfVolume(fill.volume, market);
    const turnover = atomsOfValue(fill.value, market);
    const sign = fill.side === 'BID' ? 1n : -1n;
    return {
      base: sign * volume - atomsOf(fill.feeBase),
      counter: -sign * turnover - atomsOf(fill.feeCounter),
      turnover,
    };
  }

  /** An exchange that fills more than was ordered leaves nothing open, not less than nothing. */
  #shrink(hold: Hold, volume: number): void {
    const taken = Math.min(volume, hold.remaining);
    hold.remaining -= taken;
    this.#moveOpen(hold, -taken);
    const { order, claim } = hold;
    const market = this.#market(order.pair);
    claim.amount =
      order.side === 'BID'
        ? atomsOfOrder(order.price, hold.remaining as Lots, market)
        : atomsOfVolume(hold.remaining as Lots, market);
  }

  #moveOpen({ order }: Hold, lots: number): void {
    const market = this.#market(order.pair);
    const line = this.#line(order.strategyId, order.pair);
    const volume = atomsOfVolume(lots as Lots, market);
    const value = atomsOfOrder(order.price, lots as Lots, market);
    if (order.side === 'BID') {
      line.bidVolume += volume;
      line.bidValue += value;
    } else {
      line.askVolume += volume;
      line.askValue += value;
    }
  }

  #market(pair: string): Market {
    const market = this.#markets.get(pair);
    assert(market !== undefined, `pair ${pair} is not one of this account's markets`);
    return market;
  }

  #line(strategyId: string, pair: string): Line {
    const lines = this.#lines.get(this.#market(pair).pair) as Map<string, Line>;
    let line = lines.get(strategyId);
    if (line === undefined) {
      line = { base: 0n, counter: 0n, bidVolume: 0n, bidValue: 0n, askVolume: 0n, askValue: 0n };
      lines.set(strategyId, line);
    }
    return line;
  }
}

function worstOf(line: Line | undefined): WorstPosition {
  if (line === undefined) return { base: 0n, highest: 0n, lowest: 0n };
  return {
    base: line.base,
    highest: line.base + line.bidVolume,
    lowest: line.base - line.askVolume,
  };
}

function atomsOf(text: string): bigint {
  const atoms = parseAtoms(text);
  assert(
    atoms !== undefined,
    `amount must be a plain decimal of at most 18 decimals, was "${text}"`,
  );
  return atoms;
}
