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
import { type Amount, amountOfVolume } from '../domain/amount.ts';
import type { Market, Side } from '../domain/market.ts';
import type { Decimal, Lots } from '../domain/money.ts';
import { AverageCost } from './average-cost.ts';
import { PairFlow } from './pair-flow.ts';
import type { Whole } from './whole-numbers.ts';

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
  readonly base: Amount;
  readonly counter: Amount;
  /** Ticks × lots. */
  readonly value: Whole;
  readonly timeMs: number;
};

export type LosingTrades = { readonly max: number; readonly coolDownMs: number };

export class TradeRecord {
  /** By strategy, then by pair. */
  readonly #positions = new Map<string, Map<string, PositionRecord>>();
  readonly #pairs = new Map<string, PairResult>();
  readonly #peaks = new Map<string, Amount>();
  readonly #markets: ReadonlyMap<string, Market>;
  #losingTrades: LosingTrades | undefined;

  constructor(markets: ReadonlyMap<string, Market>) {
    this.#markets = markets;
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
      // Not money: the price of the newest fill in half ticks.
      result.lastPrice2 = Number((2n * BigInt(fill.value)) / BigInt(fill.volume));
    }
    const profit = this.#profit(counter, (name) => this.#pairs.get(name)?.lastPrice2);
    if (profit !== undefined && profit > this.#peakOf(counter)) this.#peaks.set(counter, profit);
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

  /** Returns the cost of that position; undefined if its fills are not all known here. */
  costOf(strategyId: string, pair: string, held: bigint): Amount | undefined {
    return held === 0n ? 0n : this.#position(strategyId, pair)?.average.costOf(held);
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
  drawdown(currency: string, mid2Of: (pair: string) => number | undefined): Amount | undefined {
    const profit = this.#profit(currency, mid2Of);
    if (profit === undefined) return undefined;
    const below = this.#peakOf(currency) - profit;
    return below > 0n ? below : 0n;
  }

  /** Ends streaks and cool-downs, and measures drawdown from now, after a person's resume. */
  resetBreakers(): void {
    for (const positions of this.#positions.values())
      for (const one of positions.values()) Object.assign(one, { losses: 0, coolUntilMs: 0 });
    for (const currency of this.#peaks.keys()) {
      const profit = this.#profit(currency, (pair) => this.#pairs.get(pair)?.lastPrice2);
      if (profit !== undefined) this.#peaks.set(currency, profit);
    }
  }

  /** Returns the states to store for a strategy's pair and its currency, as JSON by name. */
  states(strategyId: string, pair: string): readonly (readonly [name: string, state: string])[] {
    const position = this.#position(strategyId, pair);
    const result = this.#pairs.get(pair);
    if (result === undefined) return [];
    const { base, counter, market } = result.flow;
    const currency = market.counter;
    const peak = String(this.#peakOf(currency));
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
    const whole = (key: string): number => Number(big(key)); // not money: counts and times
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
      Object.assign(result.flow, { base: big('base'), counter: big('counter') });
      result.lastPrice2 = whole('last2');
    }
    if (kind === 'peak') this.#peaks.set(rest, big('peak'));
  }

  #addToPosition(fill: TradeFill): void {
    const { strategyId, market, side, volume, base, counter, timeMs } = fill;
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

  #profit(currency: string, price2Of: (pair: string) => number | undefined): Amount | undefined {
    let profit = 0n;
    for (const { flow } of this.#pairs.values()) {
      if (flow.market.counter !== currency) continue;
      const ofPair = flow.profit(price2Of(flow.market.pair));
      if (ofPair === undefined) return undefined;
      profit += ofPair;
    }
    return profit;
  }

  #position(strategyId: string, pair: string): PositionRecord | undefined {
    return this.#positions.get(strategyId)?.get(pair);
  }

  #setPosition(strategyId: string, pair: string, position: PositionRecord): PositionRecord {
    const positions = this.#positions.get(strategyId) ?? new Map<string, PositionRecord>();
    this.#positions.set(strategyId, positions.set(pair, position));
    return position;
  }

  #peakOf(currency: string): Amount {
    return this.#peaks.get(currency) ?? 0n;
  }

  #pairResult(market: Market): PairResult {
    let result = this.#pairs.get(market.pair);
    if (result === undefined) {
      result = { flow: new PairFlow(market), lastPrice2: 0 };
      this.#pairs.set(market.pair, result);
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
