/**
 * The part of a check's input that is the same for all orders of one strategy on one pair: the
 * limits that apply, and the counters to compare with them. Computed once and reused.
 */

import { fitsAmount } from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';
import type { DeviationSum } from './collar-budget.ts';
import type { CurrencyUnit, Exact } from './currency-unit.ts';
import type { Exposure } from './exposure.ts';
import type { GateFacts, PairFacts } from './gate-facts.ts';
import type { GateLimits, PairLimitAmounts, StrategyLimits } from './gate-limits.ts';
import { noOrders, type PairOrders } from './open-orders.ts';
import type { StrategyActivity } from './strategy-activity.ts';
import type { StrategyTotals } from './strategy-exposure.ts';

export type CheckContext = {
  readonly exposure: Exposure;
  readonly pair: PairFacts | undefined;
  /** The market that the other members were computed for. */
  readonly market: Market | undefined;
  /** Whether the exposure can count orders on this market. */
  readonly isCounted: boolean;
  readonly strategy: StrategyLimits | undefined;
  readonly pairLimits: PairLimitAmounts | undefined;
  /** The units of the pair's currencies; without a market these are called base and counter. */
  readonly base: CurrencyUnit;
  readonly counter: CurrencyUnit;
  readonly totals: StrategyTotals;
  readonly activity: StrategyActivity;
  /** Our orders on the pair that may be open. */
  readonly ourOrders: PairOrders;
  /** Deviations from the mid in the counter currency. */
  readonly deviation: DeviationSum;
  /** The accounts that orders must name; undefined without an account for the currency. */
  readonly baseAccountId: string | undefined;
  readonly counterAccountId: string | undefined;
  /** The limits in the pair's currencies; undefined if missing. */
  readonly max: ReturnType<typeof maximaOf>;
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
  const { units } = exposure;
  const pair = facts.pairs.get(pairName);
  const market = pair?.market;
  const strategy = limits.strategies.get(strategyId);
  const pairLimits = limits.pairs.get(pairName);
  const base = units.of(market?.base ?? 'base');
  const counter = units.of(market?.counter ?? 'counter');
  const held = exposure.markets.get(pairName);
  const isOurs = held?.base === base.currency && held.counter === counter.currency;
  const isCounted = isOurs && market !== undefined && fitsAmount(market);
  return {
    ...{ exposure, pair, market, isCounted, strategy, pairLimits, base, counter },
    // An unknown strategy has no exposure, and its name must not be stored; as for a pair's below.
    totals:
      isCounted && strategy !== undefined
        ? exposure.strategyExposure(strategyId, pairName)
        : exposure.totalsOf(strategyId, pairName, base, counter),
    activity: exposure.activity.of(strategyId),
    ourOrders: held === undefined ? noOrders() : exposure.orders.at(pairName),
    deviation: exposure.collars.of(counter.currency),
    baseAccountId: limits.accounts.get(base.currency),
    counterAccountId: limits.accounts.get(counter.currency),
    max: maximaOf(limits, strategy, pairLimits, base, counter),
    mid2Of: (name) => {
      const traded = facts.pairs.get(name);
      return traded?.bookUsable === true ? traded.mid2 : undefined;
    },
  };
}

function maximaOf(
  limits: GateLimits,
  strategy: StrategyLimits | undefined,
  pair: PairLimitAmounts | undefined,
  base: CurrencyUnit,
  counter: CurrencyUnit,
) {
  const exact = (unit: CurrencyUnit, limit: bigint | undefined): Exact | undefined =>
    limit === undefined ? undefined : unit.of(limit);
  const ofCounter = (amounts: ReadonlyMap<string, bigint> | undefined): Exact | undefined =>
    exact(counter, amounts?.get(counter.currency));
  return {
    orderBase: exact(base, pair?.orderBaseMax),
    positionBase: exact(base, pair?.positionBaseMax),
    budgetBase: exact(base, strategy?.budget.get(base.currency)),
    budgetCounter: ofCounter(strategy?.budget),
    openNotional: ofCounter(limits.openNotionalMax),
    openNotionalOfStrategy: ofCounter(limits.each.openNotionalMax),
    turnoverDay: ofCounter(limits.turnoverDayMax),
    lossDay: limits.lossDayMax.get(counter.currency),
    drawdown: limits.drawdownMax.get(counter.currency),
    collarBudget: ofCounter(limits.collarBudgetMax),
    approveAbove: ofCounter(limits.approveAbove),
  };
}
