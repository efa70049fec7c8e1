/**
 * Brings the engine back to where the store says that it was: positions and the day's counts,
 * orders with their fills, then the procedures of what is not final.
 */
import { type Market, parseLots } from '../domain/market.ts';
import { Decimal, decimalOf, formatDecimal, type Lots } from '../domain/money.ts';
import type { FillTotals } from '../domain/records.ts';
import type { Executor } from '../execution/executor.ts';
import { type FillBook, fillKeyOf } from '../execution/fill-book.ts';
import { baseOf, counterOf } from '../execution/positions.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStart, LostOrders } from './engine-start.ts';

/** Restores `executor`, `fills` and the exposure of `context` from the start's stored state. */
export function restoreState(
  start: EngineStart,
  context: EngineContext,
  executor: Executor,
  fills: FillBook,
): void {
  const { restored } = start;
  const markets = new Map(start.markets.map(({ market }) => [market.pair, market]));
  const orders = [];
  for (const row of restored.orders) {
    const market = markets.get(row.pair);
    if (market === undefined) {
      // Its pair is not configured any more: nothing here can follow it.
      if (row.completedMs === undefined)
        context.incident(
          'PAIR_GONE',
          `order ${row.clientOrderId} is on ${row.pair}, which the bot does not trade any more`,
        );
      continue;
    }
    orders.push(executor.restore(row, market));
  }
  const unproven = new Set(restored.unproven.map(fillKeyOf));
  for (const row of restored.fills) fills.restore(row, !unproven.has(fillKeyOf(row)));
  for (const totals of restored.totals) fills.positions.restore(totals);
  for (const { strategyId, pair, holding } of fills.positions.entries())
    if (markets.has(pair))
      context.exposure.setPosition(strategyId, pair, {
        base: formatDecimal(baseOf(holding)),
        counter: formatDecimal(counterOf(holding)),
      });
  if (start.lost !== undefined) takeOver(start.lost, markets, context, executor);
  for (const totals of restored.totalsToday) countDay(totals, start, context);
  for (const order of orders) if (!order.isFinal) executor.resume(order);
  const live = executor.tracker.liveCount;
  if (restored.intentIdNext > 1)
    context.notice({
      level: 'info',
      topic: 'reconcile',
      text: `restored ${restored.intentIdNext - 1} intents, ${live} of them not final, and ${count(restored.totals)} fills`,
    });
}

function takeOver(
  { orders, haltReason }: LostOrders,
  markets: ReadonlyMap<string, Market>,
  context: EngineContext,
  executor: Executor,
): void {
  for (const row of orders) {
    const market = markets.get(row.pair);
    if (market !== undefined) executor.takeOver(row, market);
  }
  if (haltReason === undefined) return;
  context.incident('STORE_BEHIND', haltReason);
  context.setTradingState('bot', 'HALTED', haltReason);
}

function countDay(totals: FillTotals, start: EngineStart, context: EngineContext): void {
  const market = start.markets.find(({ market: one }) => one.pair === totals.pair)?.market;
  const volume = market === undefined ? undefined : parseLots(totals.base, market);
  if (market === undefined || volume === undefined) return;
  const scale = new Decimal(10).pow(market.priceScale + market.volumeScale);
  context.exposure.countDay({
    pair: totals.pair,
    side: totals.side,
    volume: volume as Lots,
    value: BigInt(decimalOf(totals.counter).times(scale).toFixed(0)),
    feeBase: totals.feeBase,
    feeCounter: totals.feeCounter,
    timeMs: context.nowMs,
  });
}

function count(totals: readonly FillTotals[]): number {
  return totals.reduce((sum, one) => sum + one.count, 0);
}
