/**
 * What stays the same for all orders of one strategy on one pair: the limits that apply to them, in
 * whole units of their currencies, and where they count. Found once, then looked at for each order.
 *
 * Invariant: a limit in units is rounded down, and NaN if there is none.
 */

import type { Market } from '../domain/market.ts';
import type { StrayedSum } from './collar-budget.ts';
import type { Exposure } from './exposure.ts';
import type { Line } from './exposure-line.ts';
import type { GateFacts, PairFacts } from './gate-facts.ts';
import type { GateLimits, PairLimitAmounts, StrategyLimits } from './gate-limits.ts';
import { noOrders, type PairOrders } from './open-orders.ts';
import type { StrategyConduct } from './strategy-activity.ts';
import { unitsBelow } from './whole-units.ts';

/** A limit that is beyond 2^53 is as good as this one for amounts that fit it. */
const unitsMax = Number.MAX_SAFE_INTEGER;

export type Route = {
  readonly exposure: Exposure;
  readonly pair: PairFacts | undefined;
  /** The market that the rest was worked out for. */
  readonly market: Market | undefined;
  readonly strategy: StrategyLimits | undefined;
  readonly pairLimits: PairLimitAmounts | undefined;
  readonly line: Line | undefined;
  readonly conduct: StrategyConduct;
  /** Our orders on the pair that may exist. */
  readonly own: PairOrders;
  /** What strayed from the mid in the counter currency. */
  readonly strayed: StrayedSum;
  /** Whether the strategy may place limit orders on the pair at all. */
  readonly isPairAllowed: boolean;
  /** The accounts that orders must name; undefined if there is none for the currency. */
  readonly baseAccountId: string | undefined;
  readonly counterAccountId: string | undefined;
  readonly unitsPerLot: number;
  readonly unitsPerValue: number;
  readonly orderBaseMax: number;
  readonly positionBaseMax: number;
  readonly budgetBase: number;
  readonly budgetCounter: number;
  readonly openNotionalMax: number;
  readonly openNotionalMaxOfStrategy: number;
  readonly turnoverDayMax: number;
  readonly lossDayMax: number;
  readonly drawdownMax: number;
  readonly collarBudgetMax: number;
  readonly approveAbove: number;
  /** Returns bid + ask of any pair in ticks, if its book is right. */
  readonly mid2Of: (pair: string) => number | undefined;
};

/** Works out the route of a strategy's orders on a pair. */
export function routeOf(
  strategyId: string,
  pairName: string,
  facts: GateFacts,
  limits: GateLimits,
): Route {
  const { exposure } = facts;
  const pair = facts.pairs.get(pairName);
  const market = pair?.market;
  const strategy = limits.strategies.get(strategyId);
  const pairLimits = limits.pairs.get(pairName);
  // Amounts of another market than the exposure's are compared exactly only.
  const isCounted = market !== undefined && exposure.markets.get(pairName) === market;
  const { units } = exposure;
  const inUnits = (currency: string | undefined, atoms: bigint | undefined): number => {
    if (!isCounted || currency === undefined || atoms === undefined) return Number.NaN;
    const whole = unitsBelow(atoms, units.amountPerUnit(currency));
    return Number.isNaN(whole) && atoms > 0n ? unitsMax : whole;
  };
  const base = market?.base;
  const counter = market?.counter;
  const ofCounter = (amounts: ReadonlyMap<string, bigint>): number =>
    inUnits(counter, counter === undefined ? undefined : amounts.get(counter));
  return {
    exposure,
    pair,
    market,
    strategy,
    pairLimits,
    line: isCounted && strategy !== undefined ? exposure.line(strategyId, pairName) : undefined,
    conduct: exposure.conduct.of(strategyId),
    // An unknown pair has no orders, and its name is not kept.
    own: exposure.markets.has(pairName) ? exposure.orders.at(pairName) : noOrders(),
    strayed: exposure.collars.of(counter ?? 'counter'),
    isPairAllowed: strategy?.pairs.has(pairName) === true && strategy.allow.types.includes('limit'),
    baseAccountId: base === undefined ? undefined : limits.accounts.get(base),
    counterAccountId: counter === undefined ? undefined : limits.accounts.get(counter),
    unitsPerLot: isCounted ? units.unitsPerLot(market) : Number.NaN,
    unitsPerValue: isCounted ? units.unitsPerValue(market) : Number.NaN,
    orderBaseMax: inUnits(base, pairLimits?.orderBaseMax),
    positionBaseMax: inUnits(base, pairLimits?.positionBaseMax),
    budgetBase: inUnits(base, base === undefined ? undefined : strategy?.budget.get(base)),
    budgetCounter: ofCounter(strategy?.budget ?? new Map()),
    openNotionalMax: ofCounter(limits.openNotionalMax),
    openNotionalMaxOfStrategy: ofCounter(limits.each.openNotionalMax),
    turnoverDayMax: ofCounter(limits.turnoverDayMax),
    lossDayMax: ofCounter(limits.lossDayMax),
    drawdownMax: ofCounter(limits.drawdownMax),
    collarBudgetMax: ofCounter(limits.collarBudgetMax),
    approveAbove: ofCounter(limits.approveAbove),
    mid2Of: (name) => {
      const traded = facts.pairs.get(name);
      return traded?.bookUsable === true ? traded.mid2 : undefined;
    },
  };
}
