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

/** Returns the columns with the points that are later than the last one. */
export function addTail(columns: Columns, tail: readonly TailPoint[]): Columns {
  const lastMs = columns.timesMs.at(-1) ?? Number.NEGATIVE_INFINITY;
  const later = tail.filter(({ atMs }) => atMs > lastMs);
  if (later.length === 0) return columns;
  const names = Object.keys(emptyColumns).filter((name) => name !== 'timesMs') as ColumnName[];
  return {
    timesMs: [...columns.timesMs, ...later.map(({ atMs }) => atMs)],
    ...(Object.fromEntries(
      names.map((name) => [name, [...columns[name], ...later.map((point) => point[name])]]),
    ) as Omit<Columns, 'timesMs'>),
  };
}
