/** The columns of the charts: an answer of the server, and what the status has said since. */
import type { HistoryAnswer } from '../../dashboard/api/history-answers.ts';
import type { BotStatus, MarketState } from '../../domain/bot-status.ts';
import { drawn } from '../format/figures.ts';

export type Columns = HistoryAnswer['columns'];

export const emptyColumns: Columns = {
  timesMs: [],
  bid: [],
  ask: [],
  ownBid: [],
  ownAsk: [],
  position: [],
  profit: [],
  spread: [],
  fees: [],
  inventory: [],
};

type ColumnName = Exclude<keyof Columns, 'timesMs'>;
type Values = Omit<Columns, 'timesMs'>;
const columnNames = Object.keys(emptyColumns).filter((name) => name !== 'timesMs') as ColumnName[];

/** One value for each column. */
export type TailPoint = { readonly atMs: number } & Readonly<Record<ColumnName, number | null>>;

/** Returns the figures of a pair in a status; of one strategy, or of all if its id is empty. */
export function tailPointOf(
  status: BotStatus,
  pair: string,
  strategyId: string,
): TailPoint | undefined {
  const market = status.markets.find((one) => one.pair === pair);
  if (market === undefined) return undefined;
  const isMeant = (one: { readonly strategyId: string }): boolean =>
    strategyId === '' || one.strategyId === strategyId;
  const parts = status.strategies.filter((one) => one.pair === pair && isMeant(one));
  const sum = (textOf: (part: (typeof parts)[number]) => string | null): number | null =>
    parts.reduce<number | null>((total, part) => {
      const value = drawn(textOf(part));
      return total === null || value === null ? null : total + value;
    }, 0);
  return {
    atMs: status.atMs,
    bid: drawn(market.bid),
    ask: drawn(market.ask),
    ownBid: bestOwn(market, 'BID', isMeant),
    ownAsk: bestOwn(market, 'ASK', isMeant),
    position: sum(({ position }) => position),
    profit: sum(({ profit }) => profit),
    spread: sum(({ profitParts }) => profitParts?.spread ?? null),
    fees: sum(({ profitParts }) => profitParts?.fees ?? null),
    inventory: sum(({ profitParts }) => profitParts?.inventory ?? null),
  };
}

function bestOwn(
  { ownOrders }: MarketState,
  side: 'BID' | 'ASK',
  isMeant: (one: { readonly strategyId: string }) => boolean,
): number | null {
  const prices = ownOrders
    .filter((order) => order.side === side && order.state === 'open' && isMeant(order))
    .map(({ price }) => drawn(price));
  if (prices.length === 0) return null;
  return side === 'BID' ? Math.max(...prices) : Math.min(...prices);
}

/** A price is sampled about once a minute; without one for longer, nobody watched the market. */
const pricesMsMax = 150_000;
const prices: readonly ColumnName[] = ['bid', 'ask', 'ownBid', 'ownAsk'];

/**
 * Returns the columns with each value held until the next one. The server has a value where one was
 * recorded; a price holds for a bounded time only, so that a chart shows when nothing was recorded.
 */
export function heldColumns(columns: Columns): Columns {
  const { timesMs } = columns;
  const [firstMs = 0, lastMs = 0] = [timesMs[0], timesMs.at(-1)];
  const stepMs = (lastMs - firstMs) / Math.max(1, timesMs.length);
  const holdMs = Math.max(pricesMsMax, 4 * stepMs);
  const held = (name: ColumnName): (number | null)[] => {
    let [value, atMs]: [number | null, number] = [null, 0];
    return columns[name].map((next, index) => {
      const nowMs = timesMs[index] ?? 0;
      if (next !== null) [value, atMs] = [next, nowMs];
      else if (prices.includes(name) && nowMs - atMs > holdMs) value = null;
      return value;
    });
  };
  return {
    timesMs,
    ...(Object.fromEntries(columnNames.map((name) => [name, held(name)])) as Values),
  };
}

/** Returns the columns with the points that are later than the last one. */
export function addTail(columns: Columns, tail: readonly TailPoint[]): Columns {
  const lastMs = columns.timesMs.at(-1) ?? Number.NEGATIVE_INFINITY;
  const later = tail.filter(({ atMs }) => atMs > lastMs);
  if (later.length === 0) return columns;
  return {
    timesMs: [...columns.timesMs, ...later.map(({ atMs }) => atMs)],
    ...(Object.fromEntries(
      columnNames.map((name) => [name, [...columns[name], ...later.map((point) => point[name])]]),
    ) as Values),
  };
}
