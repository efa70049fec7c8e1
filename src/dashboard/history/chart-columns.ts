/** The columns of a pair's charts, from the first day of the database on. */
import type { Timers } from '../../runtime/timers.ts';
import type { StoreHistory } from '../../store/store-history.ts';
import type { FillsAnswer, HistoryAnswer } from '../api/history-answers.ts';
import { DecimatedColumns } from './decimated-columns.ts';
import { FillPoints } from './fill-points.ts';
import { ProfitWalk } from './profit-walk.ts';
import { fillParts, topParts } from './time-parts.ts';

export type ChartQuery = {
  readonly pair: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly points: number;
  readonly strategy?: string | undefined;
};

type Context = { readonly timers: Timers; readonly nowMs: number };

/** In the order in which values are added. */
const names = [
  ...(['bid', 'ask', 'ownBid', 'ownAsk'] as const),
  ...(['position', 'profit', 'spread', 'fees', 'inventory'] as const),
];
const noPrices = [undefined, undefined, undefined, undefined];

export async function historyAnswerOf(
  history: StoreHistory,
  query: ChartQuery,
  { timers, nowMs }: Context,
): Promise<HistoryAnswer> {
  const range = rangeOf(history, query, nowMs);
  const { pair, fromMs, toMs } = range;
  const { strategy } = query;
  const columns = new DecimatedColumns(fromMs, toMs, query.points);
  await addTraded(columns, history, { ...range, strategy }, timers);
  for (const order of history.sampledOrders(pair, fromMs, toMs, query.points)) {
    if (strategy !== undefined && order.strategyId !== strategy) continue;
    const own = order.side === 'BID' ? [order.price] : [undefined, order.price];
    columns.add(order.createdMs, [undefined, undefined, ...own]);
  }
  const { timesMs, columns: read } = columns.read(names.length);
  const named = Object.fromEntries(names.map((name, index) => [name, read[index]]));
  return {
    ...range,
    columns: { timesMs, ...(named as Omit<HistoryAnswer['columns'], 'timesMs'>) },
  };
}

/** Adds the best prices, and position and profit, which come from every fill since the first. */
async function addTraded(
  columns: DecimatedColumns,
  history: StoreHistory,
  range: ReturnType<typeof rangeOf> & { readonly strategy: string | undefined },
  timers: Timers,
): Promise<void> {
  const { fromMs, toMs } = range;
  const fills = fillParts(history, { ...range, fromMs: 0 }, timers);
  const tops = topParts(history, range, timers);
  const walk = new ProfitWalk();
  let mid: number | undefined;
  let hasFills = false;
  const note = (atMs: number): void => {
    if (!hasFills) return;
    const { position, profit, spread, fees, inventory } = walk.at(mid);
    columns.add(atMs, [...noPrices, position, profit, spread, fees, inventory]);
  };
  for (;;) {
    if (fills.first === undefined) await fills.fill();
    if (tops.first === undefined) await tops.fill();
    const [fill, top] = [fills.first, tops.first];
    if (fill === undefined && top === undefined) break;
    if (fill !== undefined && (top === undefined || fill.tradedMs <= top.atMs)) {
      fills.take();
      if (!hasFills && fill.tradedMs >= fromMs) columns.add(fill.tradedMs, [...noPrices, 0, 0]);
      hasFills = true;
      walk.add(fill);
      mid = fill.mid ?? fill.price;
      if (fill.tradedMs >= fromMs) note(fill.tradedMs);
    } else if (top !== undefined) {
      tops.take();
      mid = (top.bid + top.ask) / 2;
      columns.add(top.atMs, [top.bid, top.ask]);
      note(top.atMs);
    }
  }
  note(toMs - 1);
}

export async function fillsAnswerOf(
  history: StoreHistory,
  query: ChartQuery,
  { timers, nowMs }: Context,
): Promise<FillsAnswer> {
  const range = rangeOf(history, query, nowMs);
  const points = new FillPoints(range, query.points);
  const fills = fillParts(history, { ...range, strategy: query.strategy }, timers);
  while (await fills.fill())
    for (let fill = fills.first; fill !== undefined; fill = fills.first) {
      points.add(fill);
      fills.take();
    }
  return { ...range, ...points.read() };
}

function rangeOf(history: StoreHistory, { pair, from, to }: ChartQuery, nowMs: number) {
  const firstMs = history.firstMs(pair);
  const fromMs = from ?? firstMs ?? nowMs;
  return { pair, fromMs, toMs: Math.max(to ?? nowMs, fromMs + 1), firstMs: firstMs ?? null };
}
