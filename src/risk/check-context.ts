/**
 * The part of a check's input that is the same for all orders of one strategy on one pair: the
 * limits that apply, in whole units of their currencies, and the counters to compare with them.
 * Computed once and reused for each order.
 *
 * Invariant: a limit in units is rounded down, and NaN if it is missing.
 */

import type { Market } from '../domain/market.ts';
import type { DeviationSum } from './collar-budget.ts';
import type { Exposure } from './exposure.ts';
import type { GateFacts, PairFacts } from './gate-facts.ts';
import type { GateLimits, PairLimitAmounts, StrategyLimits } from './gate-limits.ts';
import { noOrders, type PairOrders } from './open-orders.ts';
import type { StrategyActivity } from './strategy-activity.ts';
import type { StrategyExposure } from './strategy-exposure.ts';
import { unitsBelow } from './whole-units.ts';

/** Replaces a limit above 2^53: amounts that are compared in units never exceed it. */
const unitsMax = Number.MAX_SAFE_INTEGER;

export type CheckContext = {
  readonly exposure: Exposure;
  readonly pair: PairFacts | undefined;
  /** The market that the other members were computed for. */
  readonly market: Market | undefined;
  readonly strategy: StrategyLimits | undefined;
  readonly pairLimits: PairLimitAmounts | undefined;
  readonly strategyExposure: StrategyExposure | undefined;
  readonly activity: StrategyActivity;
  /** Our orders on the pair that may be open. */
  readonly ourOrders: PairOrders;
  /** Sum of deviations from the mid in the counter currency. */
  readonly deviation: DeviationSum;
  /** Whether the strategy may place limit orders on the pair. */
  readonly isPairAllowed: boolean;
  /** The accounts that orders must name; undefined without an account for the currency. */
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
  /** Returns bid + ask of any pair in ticks, or undefined if its book is not usable. */
  readonly mid2Of: (pair: string) => number | undefined;
};

/** Returns the context of a strategy's orders on a pair. */
export function checkContextOf(
  strategyId: string,
  pairName: string,
  facts: GateFacts,
  limits: GateLimits,
): CheckContext {
  const { exposure } = facts;
  const pair = facts.pairs.get(pairName);
  const market = pair?.market;
  const strategy = limits.strategies.get(strategyId);
  const pairLimits = limits.pairs.get(pairName);
  // If the market is not the exposure's, amounts are only compared exactly.
  const isCounted = market !== undefined && exposure.markets.get(pairName) === market;
  const { units } = exposure;
  const inUnits = (currency: string | undefined, amount: bigint | undefined): number => {
    if (!isCounted || currency === undefined || amount === undefined) return Number.NaN;
    const whole = unitsBelow(amount, units.amountPerUnit(currency));
    return Number.isNaN(whole) && amount > 0n ? unitsMax : whole;
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
    strategyExposure:
      isCounted && strategy !== undefined
        ? exposure.strategyExposure(strategyId, pairName)
        : undefined,
    activity: exposure.activity.of(strategyId),
    // An unknown pair has no orders, and its name must not be stored.
    ourOrders: exposure.markets.has(pairName) ? exposure.orders.at(pairName) : noOrders(),
    deviation: exposure.collars.of(counter ?? 'counter'),
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
