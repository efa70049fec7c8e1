/**
 * The inputs of the checks as compact JSON, stored with every decision, so that the decision can be
 * understood and reproduced later. Amounts are exact.
 */
import { formatAmount } from '../domain/amount.ts';
import type { CheckInput } from './check.ts';
import { collarBudgetMs } from './collar-budget.ts';
import { tradeMedianOf } from './gate-facts.ts';
import type { WorstPosition } from './strategy-exposure.ts';

const secondMs = 1_000;
const minuteMs = 60_000;

/** Returns the inputs of one judgement; missing values are left out. */
export function inputsOf(input: CheckInput): string {
  const { proposal, facts, pair, context } = input;
  const { strategyId, pair: name } = proposal;
  const { exposure, nowMs, tradingState, health } = facts;
  const base = pair?.market.base ?? '';
  const counter = pair?.market.counter ?? '';
  const { activity } = context;
  const money = (amount: bigint | undefined): string | undefined =>
    amount === undefined ? undefined : formatAmount(amount);
  const worst = ({ base: held, highest, lowest }: WorstPosition): readonly string[] =>
    [lowest, held, highest].map(formatAmount);
  return JSON.stringify({
    states: [
      tradingState.global,
      tradingState.strategies.get(strategyId),
      tradingState.pairs.get(name),
    ],
    reconciled: health.reconciled,
    skewMs: rounded(health.clockSkewMs),
    loopDelayMs: health.loopDelayMs,
    unknown: [pair?.unknownOrders, health.unknownOrders],
    ageMs: nowMs - proposal.createdMs,
    status: pair?.status,
    book: pair?.bookUsable === true ? rounded(pair.bookAgeMs) : 'unusable',
    mid2: pair?.mid2,
    median: pair && tradeMedianOf(pair),
    medianAgeMs: rounded(pair?.tradeMedianAgeMs),
    strayed: money(exposure.strayed(counter, nowMs)),
    strayedWithinMs: collarBudgetMs,
    facing: finite(exposure.orders.bestOpposite(proposal.side, name)),
    position: worst(exposure.position(strategyId, name)),
    pairPosition: worst(exposure.pairPosition(name)),
    flowBase: worst(exposure.strategyFlow(strategyId, base)),
    flowCounter: worst(exposure.strategyFlow(strategyId, counter)),
    free: money(exposure.free(proposal.side === 'BID' ? counter : base)),
    open: [exposure.openNotionalOf(strategyId, counter), exposure.openNotional(counter)].map(
      formatAmount,
    ),
    turnoverDay: money(exposure.turnoverDay(counter, nowMs)),
    orders: exposure.ordersOpen(),
    rate: [
      exposure.activity.orders.count(nowMs, secondMs),
      exposure.activity.orders.count(nowMs, minuteMs),
      activity.orders.count(nowMs, secondMs),
      activity.orders.count(nowMs, minuteMs),
    ],
    lossDay: money(exposure.lossDay(counter, nowMs, context.mid2Of)),
    drawdown: money(exposure.trades.drawdown(counter, context.mid2Of)),
    losses: exposure.trades.lossesInARow(strategyId, name),
  });
}

function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value);
}

function finite(ticks: number): number | undefined {
  return Number.isFinite(ticks) ? ticks : undefined;
}
