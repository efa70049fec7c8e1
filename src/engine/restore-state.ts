/**
 * Restores the engine's state from the store: positions and the day's counts, orders with their
 * fills, then the procedures of orders that are not final.
 */

import { formatAmount } from '../domain/amount.ts';
import type { StrategySettings } from '../domain/bot-settings.ts';
import { type Market, parseLots, parseTicks } from '../domain/market.ts';
import { Decimal, decimalOf } from '../domain/money.ts';
import { isFinal } from '../domain/order.ts';
import { type FillTotals, isTakenOver, type OrderRow } from '../domain/records.ts';
import type { FillBook } from '../execution/fills/fill-book.ts';
import { fillKeyOf } from '../execution/fills/own-trade.ts';
import { baseOf, counterOf } from '../execution/fills/positions.ts';
import type { Executor } from '../execution/orders/executor.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import { collarBudgetMs, distance2Of, farthest2Of } from '../risk/collar-budget.ts';
import { storedAmountOf } from '../risk/fill-flows.ts';
import { Resumptions } from '../risk/resumed.ts';
import type { FillHistory } from './account/fill-history.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStart } from './engine-start.ts';

type RestoredParts = {
  readonly context: EngineContext;
  readonly executor: Executor;
  readonly fills: FillBook;
  readonly history: FillHistory;
};

/** Restores `parts`, and the exposure of the context, from the start's stored state. */
export function restoreState(start: EngineStart, parts: RestoredParts): void {
  const { context, executor, fills, history } = parts;
  const { restored } = start;
  const markets = new Map(start.markets.map(({ market }) => [market.pair, market]));
  const orders = [];
  for (const row of restored.orders) {
    const market = markets.get(row.pair);
    if (market === undefined) {
      // The start requested the markets of all live orders, and the exchange lacks this one.
      if (!isFinal(row.state))
        context.incident(
          'PAIR_GONE',
          `order ${row.clientOrderId} is not final, but the exchange lists no market ${row.pair}`,
        );
      continue;
    }
    if (!fitsScales(row, market)) {
      // The market's scales changed while the bot was not running. The order is left out, so if it
      // is still at the exchange it is found there as an orphan.
      if (isFinal(row.state)) continue;
      const text = `order ${row.clientOrderId}, ${row.volume} at ${row.price}, does not fit the current price and volume scales of ${row.pair}`;
      context.incident('ORDER_UNREADABLE', text);
      context.setTradingState('bot', 'HALTED', text);
      continue;
    }
    orders.push(executor.restore(row, market));
  }
  const unproven = new Set(restored.unproven.map(fillKeyOf));
  const byIntent = new Map(orders.map((order) => [order.intentId, order]));
  for (const row of restored.fills)
    fills.restore(row, byIntent.get(row.intentId), !unproven.has(fillKeyOf(row)));
  history.restore(restored, byIntent, context.nowMs);
  fills.restoreForeign(restored.foreignTrades);
  for (const totals of restored.totals) fills.restoreTotals(totals);
  for (const { strategyId, pair, holding } of fills.positions.entries())
    if (markets.has(pair))
      context.exposure.setPosition(strategyId, pair, {
        base: formatAmount(baseOf(holding)),
        counter: formatAmount(counterOf(holding)),
      });
  if (start.lost !== undefined) {
    const { found, remedies } = start.lost;
    context.incident('STORE_BEHIND', `${found}. ${remedies}`);
    context.setTradingState('bot', 'HALTED', found);
  }
  for (const totals of restored.totalsToday) countDay(totals, start, context);
  restoreRisk(start, context);
  for (const order of orders) {
    if (!order.isFinal) executor.resume(order);
    if (!order.isUnchecked) continue;
    // When it ended is not stored; from now on, reads have to show its end.
    order.completedMs = context.nowMs;
    // It may be among the oldest of many orders, of which not all are kept.
    executor.orders.tracker.keep(order);
    executor.orders.noteUnchecked(order);
  }
  const live = executor.orders.tracker.liveCount;
  if (restored.intentIdNext > 1)
    context.notice({
      level: 'info',
      topic: 'reconcile',
      text: `restored ${restored.intentIdNext - 1} intents, ${live} of them not final, and ${count(restored.totals)} fills`,
    });
}

/** Restores the strategies' activity and trade results, as far back as limits count them. */
function restoreRisk({ restored, settings }: EngineStart, context: EngineContext): void {
  const { exposure, nowMs } = context;
  const resumed = new Resumptions(restored.riskStates);
  const { activity, trades } = exposure;
  for (const { name, state } of restored.riskStates) {
    trades.restore(name, state);
    if (!name.startsWith('rejections ')) continue;
    const { timesMs } = JSON.parse(state) as { readonly timesMs: readonly number[] };
    const strategyId = name.slice('rejections '.length);
    const sinceMs = resumed.sinceMs(strategyId);
    const { rejections } = activity.of(strategyId);
    for (const timeMs of timesMs) if (timeMs > sinceMs) rejections.add(timeMs);
  }
  const mids = new Map(restored.judgedMids.map(({ intentId, mid2 }) => [intentId, mid2]));
  for (const row of restored.orders) {
    // Another database judged a taken-over order, and a person has resumed since.
    if (row.createdMs > nowMs - collarBudgetMs && !isTakenOver(row))
      restoreCollarUse(row, mids.get(row.intentId), settings, exposure);
    // An order that is not final is counted when its procedure resumes.
    if (!isFinal(row.state)) continue;
    const own = activity.of(row.strategyId);
    activity.noteOrder(own, row.createdMs);
    if (row.cancelRequestedMs !== undefined) own.cancels.add(row.cancelRequestedMs);
  }
  for (const { strategyId, tradedMs } of restored.fills)
    if (tradedMs > resumed.sinceMs(strategyId)) activity.of(strategyId).fills.add(tradedMs);
  if (resumed.isToForgive) context.resetBreakers();
}

/**
 * Counts a recent order in the collar budget as when it was approved: by its stop price or by the
 * mid, and at the collar's edge if that is unknown.
 */
function restoreCollarUse(
  row: OrderRow,
  mid2: number | undefined,
  settings: EngineStart['settings'],
  exposure: EngineContext['exposure'],
): void {
  const market = exposure.markets.get(row.pair);
  const collar = settings.limits.pairs[row.pair]?.collar;
  if (market === undefined || collar === undefined) return;
  const price = parseTicks(row.price, market);
  const volume = parseLots(row.volume, market);
  if (price === undefined || volume === undefined) return;
  const stop = row.stopPrice === undefined ? undefined : parseTicks(row.stopPrice, market);
  const reference2 = stop === undefined ? mid2 : 2 * stop;
  const distance2 =
    reference2 === undefined
      ? farthest2Of(price, decimalOf(collar))
      : distance2Of(price, reference2);
  exposure.collars.add(market, { distance2, volume, atMs: row.createdMs });
}

function countDay(totals: FillTotals, start: EngineStart, context: EngineContext): void {
  const market = start.markets.find(({ market: { pair } }) => pair === totals.pair)?.market;
  const volume = market === undefined ? undefined : parseLots(totals.base, market);
  if (market === undefined || volume === undefined) return;
  const scale = new Decimal(10).pow(market.priceScale + market.volumeScale);
  context.exposure.countDay({
    pair: totals.pair,
    side: totals.side,
    volume,
    value: BigInt(decimalOf(totals.counter).times(scale).toFixed(0)),
    feeBase: storedAmountOf(totals.feeBase),
    feeCounter: storedAmountOf(totals.feeCounter),
    timeMs: context.nowMs,
  });
}

function count(totals: readonly FillTotals[]): number {
  return totals.reduce((sum, { count }) => sum + count, 0);
}

/** Whether a stored order's price and volume are whole ticks and lots of the market. */
function fitsScales(order: Pick<OrderRow, 'price' | 'volume'>, market: Market): boolean {
  return (
    parseTicks(order.price, market) !== undefined && parseLots(order.volume, market) !== undefined
  );
}

/** Cancels the orders of an earlier run that no strategy of the settings adopts. */
export function cancelAtRestart(
  strategies: readonly StrategySettings[],
  orders: Pick<OrderStates, 'cancelAll'>,
): void {
  for (const strategy of strategies)
    if (strategy.onRestart === 'cancel')
      orders.cancelAll(
        'restart: orders of the earlier run are cancelled',
        (order) => order.strategyId === strategy.id,
      );
  orders.cancelAll(
    'restart: no strategy in the settings owns it',
    ({ strategyId, pair }) =>
      !strategies.some(({ id, pairs }) => id === strategyId && pairs.includes(pair)),
  );
}
