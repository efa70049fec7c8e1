/**
 * How trading went: losing trades in a row per strategy and pair, and the highest profit of all
 * strategies per currency, from which the drawdown follows.
 *
 * A trade is a fill that makes a position smaller; it loses if its price, after fees, is worse than
 * the position's average. Profit is what all fills received less what they paid, with the position
 * valued at the price of the newest fill for the peak, and at the mid for the question.
 *
 * Invariant: what a restart needs is in {@link TradeRecord.states}, as of the last fill.
 */
import { amountOfVolume } from '../domain/amount.ts';
import type { Market, Side } from '../domain/market.ts';
import type { Decimal, Lots } from '../domain/money.ts';
import { AverageCost } from './average-cost.ts';
import type { CurrencyUnits } from './currency-units.ts';
import { Flow } from './pair-flow.ts';
import { safe, unitsAbove, wholeOf } from './whole-units.ts';

/** A strategy on a pair. Base and cost are in atoms; a short position's cost is negative too. */
type Run = {
  base: bigint;
  cost: bigint;
  losses: number;
  coolUntilMs: number;
  /** Of what is held; `base` is what was traded, without the fees that were taken in it. */
  readonly average: AverageCost;
};
/** All strategies on a pair; `last2` is twice the price of the newest fill in ticks, rounded. */
type Book = { readonly flow: Flow; last2: number };

export type TradeFill = {
  readonly strategyId: string;
  readonly market: Market;
  readonly side: Side;
  readonly volume: Lots;
  /** What was received less what was paid, fees included, in atoms. */
  readonly base: bigint;
  readonly counter: bigint;
  /** Ticks × lots. */
  readonly value: number | bigint;
  readonly timeMs: number;
};

const none: readonly Book[] = [];

export type LosingTrades = { readonly max: number; readonly coolDownMs: number };

export class TradeRecord {
  /** By strategy, then by pair. */
  readonly #runs = new Map<string, Map<string, Run>>();
  readonly #books = new Map<string, Book>();
  /** The same by counter currency. */
  readonly #booksIn = new Map<string, Book[]>();
  readonly #peaks = new Map<string, bigint>();
  readonly #peakUnits = new Map<string, number>();
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #units: CurrencyUnits;
  #losingTrades: LosingTrades | undefined;

  constructor(markets: ReadonlyMap<string, Market>, units: CurrencyUnits) {
    this.#markets = markets;
    this.#units = units;
  }

  /** After more than `max` losing trades in a row a strategy rests on the pair for a while. */
  set losingTrades(limit: LosingTrades) {
    this.#losingTrades = limit;
  }

  add(fill: TradeFill): void {
    const { counter } = fill.market;
    const book = this.#book(fill.market);
    book.flow.add(fill.base, fill.counter);
    // One over nothing has no price and closes nothing.
    if (fill.volume > 0) {
      this.#addRun(fill);
      book.last2 = wholeOf((2n * BigInt(fill.value)) / BigInt(fill.volume));
    }
    const profit = this.#profit(counter, (name) => this.#books.get(name)?.last2);
    const peak = this.#peaks.get(counter) ?? 0n;
    if (profit !== undefined && profit > peak) this.#setPeak(counter, profit);
  }

  /** Whether a position is held, whose worth follows the price. */
  get isOpen(): boolean {
    for (const { flow } of this.#books.values()) if (flow.base !== 0n) return true;
    return false;
  }

  /**
   * Counter per base of the strategy's position of `held` atoms, by what it paid or got; undefined
   * if it is none, or its fills are not all known here, as after an older version.
   */
  averagePrice(strategyId: string, pair: string, held: bigint): Decimal | undefined {
    return this.#run(strategyId, pair)?.average.priceOf(held);
  }

  /** Losing trades since the last one that won. */
  lossesInARow(strategyId: string, pair: string): number {
    return this.#run(strategyId, pair)?.losses ?? 0;
  }

  /** Until when the strategy rests on the pair; 0 if it never did. */
  coolUntilMs(strategyId: string, pair: string): number {
    return this.#run(strategyId, pair)?.coolUntilMs ?? 0;
  }

  /**
   * Returns by how much profit in `currency` is below its highest, in atoms; undefined if a
   * position has no mid. `mid2Of` returns bid + ask of a pair in ticks.
   */
  drawdown(currency: string, mid2Of: (pair: string) => number | undefined): bigint | undefined {
    const profit = this.#profit(currency, mid2Of);
    if (profit === undefined) return undefined;
    const below = (this.#peaks.get(currency) ?? 0n) - profit;
    return below > 0n ? below : 0n;
  }

  /** Returns at least twice the drawdown in units of `currency`; NaN if that is not known. */
  twiceDrawdownAbove(currency: string, mid2Of: (pair: string) => number | undefined): number {
    let twice = 2 * (this.#peakUnits.get(currency) ?? 0);
    for (const { flow } of this.#booksOf(currency))
      twice -= flow.twiceProfitBelow(mid2Of(flow.market.pair));
    return safe(twice);
  }

  /** A person has looked: streaks end, and drawdown is measured from here. */
  forgive(): void {
    for (const runs of this.#runs.values())
      for (const run of runs.values()) Object.assign(run, { losses: 0, coolUntilMs: 0 });
    for (const currency of this.#peaks.keys()) {
      const profit = this.#profit(currency, (pair) => this.#books.get(pair)?.last2);
      if (profit !== undefined) this.#setPeak(currency, profit);
    }
  }

  /** What to keep of a strategy's pair and of the pair's currency, as texts by name. */
  states(strategyId: string, pair: string): readonly (readonly [name: string, state: string])[] {
    const run = this.#run(strategyId, pair);
    const book = this.#books.get(pair);
    if (book === undefined) return [];
    const { base, counter, market } = book.flow;
    const currency = market.counter;
    const peak = String(this.#peaks.get(currency) ?? 0n);
    const { last2 } = book;
    const held = { base: String(base), counter: String(counter), last2 };
    return [
      ...(run === undefined ? [] : [[`run ${strategyId}|${pair}`, textOfRun(run)] as const]),
      [`book ${pair}`, JSON.stringify(held)],
      [`peak ${currency}`, JSON.stringify({ peak })],
    ];
  }

  /** Everything to keep. */
  allStates(): readonly (readonly [name: string, state: string])[] {
    const states = new Map<string, string>();
    for (const [strategyId, runs] of this.#runs)
      for (const pair of runs.keys())
        for (const [name, state] of this.states(strategyId, pair)) states.set(name, state);
    return [...states];
  }

  /** Takes over what was kept. Names that it does not know are somebody else's. */
  restore(name: string, state: string): void {
    const [kind, rest = ''] = splitOnce(name);
    const given = JSON.parse(state) as Record<string, string | number>;
    const big = (key: string): bigint => BigInt(given[key] ?? 0);
    const whole = (key: string): number => wholeOf(big(key));
    if (kind === 'run') {
      const [strategyId = '', pair = ''] = rest.split('|');
      this.#setRun(strategyId, pair, {
        base: big('base'),
        cost: big('cost'),
        losses: whole('losses'),
        coolUntilMs: whole('coolUntilMs'),
        average: new AverageCost(big('held'), big('paid')),
      });
    }
    const market = this.#markets.get(rest);
    if (kind === 'book' && market !== undefined) {
      const book = this.#book(market);
      book.flow.set(big('base'), big('counter'));
      book.last2 = whole('last2');
    }
    if (kind === 'peak') this.#setPeak(rest, big('peak'));
  }

  #addRun({ strategyId, market, side, volume, base, counter, timeMs }: TradeFill): void {
    const run =
      this.#run(strategyId, market.pair) ?? this.#setRun(strategyId, market.pair, newRun());
    const signed =
      side === 'BID' ? amountOfVolume(volume, market) : -amountOfVolume(volume, market);
    run.average.add({ traded: signed, base, counter });
    const isSmaller = run.base !== 0n && run.base > 0n !== signed > 0n;
    if (!isSmaller) {
      run.base += signed;
      run.cost -= counter;
      return;
    }
    // The part of the fill that meets the position; what goes beyond opens a new one.
    const size = magnitude(run.base);
    const met = magnitude(signed) < size ? magnitude(signed) : size;
    const costOfMet = (run.cost * met) / size;
    const receivedForMet = (counter * met) / magnitude(signed);
    const won = receivedForMet - costOfMet;
    // Without a difference in price, a fee in the base currency is what was lost.
    const isLoss = won < 0n || (won === 0n && signed - base > 0n);
    run.cost = run.cost - costOfMet - (counter - receivedForMet);
    run.base += signed;
    run.losses = isLoss ? run.losses + 1 : 0;
    const limit = this.#losingTrades;
    if (limit === undefined || run.losses <= limit.max) return;
    run.coolUntilMs = timeMs + limit.coolDownMs;
    run.losses = 0;
  }

  #profit(currency: string, price2Of: (pair: string) => number | undefined): bigint | undefined {
    let profit = 0n;
    for (const { flow } of this.#booksOf(currency)) {
      const one = flow.profit(price2Of(flow.market.pair));
      if (one === undefined) return undefined;
      profit += one;
    }
    return profit;
  }

  #booksOf(currency: string): readonly Book[] {
    return this.#booksIn.get(currency) ?? none;
  }

  #run(strategyId: string, pair: string): Run | undefined {
    return this.#runs.get(strategyId)?.get(pair);
  }

  #setRun(strategyId: string, pair: string, run: Run): Run {
    const runs = this.#runs.get(strategyId) ?? new Map<string, Run>();
    this.#runs.set(strategyId, runs.set(pair, run));
    return run;
  }

  #setPeak(currency: string, peak: bigint): void {
    this.#peaks.set(currency, peak);
    this.#peakUnits.set(currency, unitsAbove(peak, this.#units.amountPerUnit(currency)));
  }

  #book(market: Market): Book {
    let book = this.#books.get(market.pair);
    if (book === undefined) {
      book = { flow: new Flow(market, this.#units), last2: 0 };
      this.#books.set(market.pair, book);
      this.#booksIn.set(market.counter, [...this.#booksOf(market.counter), book]);
    }
    return book;
  }
}

function newRun(): Run {
  return { base: 0n, cost: 0n, losses: 0, coolUntilMs: 0, average: new AverageCost() };
}

function textOfRun({ base, cost, losses, coolUntilMs, average }: Run): string {
  const { held, paid } = average.sums;
  return JSON.stringify({
    base: String(base),
    cost: String(cost),
    losses,
    coolUntilMs,
    held: String(held),
    paid: String(paid),
  });
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function splitOnce(name: string): readonly [kind: string, rest: string | undefined] {
  const space = name.indexOf(' ');
  return space === -1 ? [name, undefined] : [name.slice(0, space), name.slice(space + 1)];
}
