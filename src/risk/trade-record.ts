/**
 * Results of trading: losing trades in a row per strategy and pair, and the peak profit of all
 * strategies per currency, from which the drawdown is computed.
 *
 * A trade is a fill that reduces a position; it loses if its price, after fees, is worse than the
 * position's average. Profit is what all fills received minus what they paid, plus the value of the
 * position: at the price of the newest fill for the peak, at the current mid for the drawdown.
 *
 * Invariant: {@link TradeRecord.states} has all that a restart needs, as of the last fill.
 */
import { amountOfVolume } from '../domain/amount.ts';
import type { Market, Side } from '../domain/market.ts';
import type { Decimal, Lots } from '../domain/money.ts';
import { AverageCost } from './average-cost.ts';
import type { CurrencyUnits } from './currency-units.ts';
import { PairFlow } from './pair-flow.ts';
import type { UnitAmount } from './unit-amount.ts';
import { timesUnits, type UnitCount } from './unit-count.ts';
import { safe, unitsAbove, wholeOf } from './whole-units.ts';

/** A strategy's position on a pair. For a short position, base and cost are negative. */
type PositionRecord = {
  base: bigint;
  cost: bigint;
  losses: number;
  coolUntilMs: number;
  /** The average cost; its position excludes the fees taken in base, which `base` includes. */
  readonly average: AverageCost;
};
/** All strategies on a pair; `lastPrice2` is twice the newest fill's price in ticks, rounded. */
type PairResult = { readonly flow: PairFlow; lastPrice2: number };

export type TradeFill = {
  readonly strategyId: string;
  readonly market: Market;
  readonly side: Side;
  readonly volume: Lots;
  /** Received minus paid, fees included. */
  readonly base: UnitAmount;
  readonly counter: UnitAmount;
  /** Ticks × lots. */
  readonly value: UnitCount;
  readonly timeMs: number;
};

const noPairs: readonly PairResult[] = [];

export type LosingTrades = { readonly max: number; readonly coolDownMs: number };

export class TradeRecord {
  /** By strategy, then by pair. */
  readonly #positions = new Map<string, Map<string, PositionRecord>>();
  readonly #pairs = new Map<string, PairResult>();
  /** The same objects by counter currency. */
  readonly #pairsByCurrency = new Map<string, PairResult[]>();
  readonly #peaks = new Map<string, bigint>();
  readonly #peakUnits = new Map<string, number>();
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #units: CurrencyUnits;
  #losingTrades: LosingTrades | undefined;

  constructor(markets: ReadonlyMap<string, Market>, units: CurrencyUnits) {
    this.#markets = markets;
    this.#units = units;
  }

  /** After more than `max` losing trades in a row, the strategy is in a cool-down on the pair. */
  set losingTrades(limit: LosingTrades) {
    this.#losingTrades = limit;
  }

  add(fill: TradeFill): void {
    const { counter } = fill.market;
    const result = this.#pairResult(fill.market);
    result.flow.add(fill.base, fill.counter);
    // A fill of no volume has no price and closes nothing.
    if (fill.volume > 0) {
      this.#addToPosition(fill);
      const twice = timesUnits(fill.value, 2);
      result.lastPrice2 =
        typeof twice === 'number'
          ? Math.floor(twice / fill.volume)
          : wholeOf(twice / BigInt(fill.volume));
    }
    if (this.#isSurelyNoPeak(counter)) return;
    const profit = this.#profit(counter, (name) => this.#pairs.get(name)?.lastPrice2);
    const peak = this.#peaks.get(counter) ?? 0n;
    if (profit !== undefined && profit > peak) this.#setPeak(counter, profit);
  }

  /** Whether the bounds in whole units prove that the profit is not above its peak. */
  #isSurelyNoPeak(currency: string): boolean {
    let twice = 0;
    for (const { flow, lastPrice2 } of this.#pairsOf(currency))
      twice += flow.twiceProfitAbove(lastPrice2);
    // The peak is rounded up, so it is above one unit less.
    return safe(twice) <= 2 * ((this.#peakUnits.get(currency) ?? 0) - 1);
  }

  /** Whether there is a position on any pair, whose value depends on the price. */
  get isOpen(): boolean {
    for (const { flow } of this.#pairs.values()) if (flow.isOpen) return true;
    return false;
  }

  /**
   * Returns the average price, in counter per base, of the strategy's position `held`; undefined if
   * it is zero or its fills are not all known here, as after an upgrade from an older version.
   */
  averagePrice(strategyId: string, pair: string, held: bigint): Decimal | undefined {
    return this.#position(strategyId, pair)?.average.priceOf(held);
  }

  /** Returns the number of losing trades since the last winning one. */
  lossesInARow(strategyId: string, pair: string): number {
    return this.#position(strategyId, pair)?.losses ?? 0;
  }

  /** Returns the end of the strategy's last cool-down on the pair; 0 if there was none. */
  coolUntilMs(strategyId: string, pair: string): number {
    return this.#position(strategyId, pair)?.coolUntilMs ?? 0;
  }

  /**
   * Returns how far profit in `currency` is below its peak; undefined if the mid of a position is
   * not known. `mid2Of` returns bid + ask of a pair in ticks.
   */
  drawdown(currency: string, mid2Of: (pair: string) => number | undefined): bigint | undefined {
    const profit = this.#profit(currency, mid2Of);
    if (profit === undefined) return undefined;
    const below = (this.#peaks.get(currency) ?? 0n) - profit;
    return below > 0n ? below : 0n;
  }

  /** Returns an upper bound of twice the drawdown in units of `currency`; NaN if not known. */
  twiceDrawdownAbove(currency: string, mid2Of: (pair: string) => number | undefined): number {
    let twice = 2 * (this.#peakUnits.get(currency) ?? 0);
    for (const { flow } of this.#pairsOf(currency))
      twice -= flow.twiceProfitBelow(mid2Of(flow.market.pair));
    return safe(twice);
  }

  /** Ends streaks and cool-downs, and measures drawdown from now, after a person's resume. */
  resetBreakers(): void {
    for (const positions of this.#positions.values())
      for (const one of positions.values()) Object.assign(one, { losses: 0, coolUntilMs: 0 });
    for (const currency of this.#peaks.keys()) {
      const profit = this.#profit(currency, (pair) => this.#pairs.get(pair)?.lastPrice2);
      if (profit !== undefined) this.#setPeak(currency, profit);
    }
  }

  /** Returns the states to store for a strategy's pair and its currency, as JSON by name. */
  states(strategyId: string, pair: string): readonly (readonly [name: string, state: string])[] {
    const position = this.#position(strategyId, pair);
    const result = this.#pairs.get(pair);
    if (result === undefined) return [];
    const { base, counter, market } = result.flow;
    const currency = market.counter;
    const peak = String(this.#peaks.get(currency) ?? 0n);
    const flow = { base: String(base), counter: String(counter), last2: result.lastPrice2 };
    return [
      ...(position === undefined
        ? []
        : [[`run ${strategyId}|${pair}`, textOfPosition(position)] as const]),
      [`book ${pair}`, JSON.stringify(flow)],
      [`peak ${currency}`, JSON.stringify({ peak })],
    ];
  }

  /** Returns all states to store. */
  allStates(): readonly (readonly [name: string, state: string])[] {
    const states = new Map<string, string>();
    for (const [strategyId, positions] of this.#positions)
      for (const pair of positions.keys())
        for (const [name, state] of this.states(strategyId, pair)) states.set(name, state);
    return [...states];
  }

  /** Restores one stored state. Ignores names of other kinds. */
  restore(name: string, state: string): void {
    const [kind, rest = ''] = splitOnce(name);
    const values = JSON.parse(state) as Record<string, string | number>;
    const big = (key: string): bigint => BigInt(values[key] ?? 0);
    const whole = (key: string): number => wholeOf(big(key));
    if (kind === 'run') {
      const [strategyId = '', pair = ''] = rest.split('|');
      this.#setPosition(strategyId, pair, {
        base: big('base'),
        cost: big('cost'),
        losses: whole('losses'),
        coolUntilMs: whole('coolUntilMs'),
        average: new AverageCost(big('held'), big('paid')),
      });
    }
    const market = this.#markets.get(rest);
    if (kind === 'book' && market !== undefined) {
      const result = this.#pairResult(market);
      result.flow.set(big('base'), big('counter'));
      result.lastPrice2 = whole('last2');
    }
    if (kind === 'peak') this.#setPeak(rest, big('peak'));
  }

  #addToPosition(fill: TradeFill): void {
    const { strategyId, market, side, volume, timeMs } = fill;
    const base = fill.base.amount;
    const counter = fill.counter.amount;
    const position =
      this.#position(strategyId, market.pair) ??
      this.#setPosition(strategyId, market.pair, emptyPosition());
    const signed =
      side === 'BID' ? amountOfVolume(volume, market) : -amountOfVolume(volume, market);
    position.average.add({ traded: signed, base, counter });
    const isSmaller = position.base !== 0n && position.base > 0n !== signed > 0n;
    if (!isSmaller) {
      position.base += signed;
      position.cost -= counter;
      return;
    }
    // The part of the fill that closes the position; the rest opens a new one.
    const size = magnitude(position.base);
    const traded = magnitude(signed);
    const costOfClosed = traded < size ? (position.cost * traded) / size : position.cost;
    const receivedForClosed = traded > size ? (counter * size) / traded : counter;
    const profit = receivedForClosed - costOfClosed;
    // Without a difference in price, the trade lost a fee taken in the base currency.
    const isLoss = profit < 0n || (profit === 0n && signed - base > 0n);
    position.cost = position.cost - costOfClosed - (counter - receivedForClosed);
    position.base += signed;
    position.losses = isLoss ? position.losses + 1 : 0;
    const limit = this.#losingTrades;
    if (limit === undefined || position.losses <= limit.max) return;
    position.coolUntilMs = timeMs + limit.coolDownMs;
    position.losses = 0;
  }

  #profit(currency: string, price2Of: (pair: string) => number | undefined): bigint | undefined {
    let profit = 0n;
    for (const { flow } of this.#pairsOf(currency)) {
      const ofPair = flow.profit(price2Of(flow.market.pair));
      if (ofPair === undefined) return undefined;
      profit += ofPair;
    }
    return profit;
  }

  #pairsOf(currency: string): readonly PairResult[] {
    return this.#pairsByCurrency.get(currency) ?? noPairs;
  }

  #position(strategyId: string, pair: string): PositionRecord | undefined {
    return this.#positions.get(strategyId)?.get(pair);
  }

  #setPosition(strategyId: string, pair: string, position: PositionRecord): PositionRecord {
    const positions = this.#positions.get(strategyId) ?? new Map<string, PositionRecord>();
    this.#positions.set(strategyId, positions.set(pair, position));
    return position;
  }

  #setPeak(currency: string, peak: bigint): void {
    this.#peaks.set(currency, peak);
    this.#peakUnits.set(currency, unitsAbove(peak, this.#units.amountPerUnit(currency)));
  }

  #pairResult(market: Market): PairResult {
    let result = this.#pairs.get(market.pair);
    if (result === undefined) {
      result = { flow: new PairFlow(market, this.#units), lastPrice2: 0 };
      this.#pairs.set(market.pair, result);
      this.#pairsByCurrency.set(market.counter, [...this.#pairsOf(market.counter), result]);
    }
    return result;
  }
}

function emptyPosition(): PositionRecord {
  return { base: 0n, cost: 0n, losses: 0, coolUntilMs: 0, average: new AverageCost() };
}

function textOfPosition({ base, cost, losses, coolUntilMs, average }: PositionRecord): string {
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
