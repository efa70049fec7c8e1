/** Fills, turnover, fees and profit of each UTC day. */
import type { Timers } from '../../runtime/timers.ts';
import type { StoreHistory } from '../../store/store-history.ts';
import type { DaysAnswer } from '../api/history-answers.ts';
import { ProfitWalk } from './profit-walk.ts';
import { fillParts } from './time-parts.ts';

const dayMs = 86_400_000;

type Query = { readonly pair: string; readonly limit: number };
/** Position and profit since the first fill, at the end of a day. */
type Close = { readonly position: number; readonly profit: number | undefined };

export async function dayRowsOf(
  history: StoreHistory,
  query: Query,
  timers: Timers,
): Promise<DaysAnswer> {
  const { pair, limit } = query;
  const closes = await closesOf(history, pair, timers);
  const starts = [...closes.keys()];
  const days: DaysAnswer['days'] = [];
  for (const [index, startMs] of starts.entries()) {
    if (index < starts.length - limit) continue;
    const { position, profit } = closes.get(startMs) as Close;
    const before = index === 0 ? 0 : closes.get(starts[index - 1] as number)?.profit;
    const isKnown = profit !== undefined && before !== undefined;
    days.push({
      day: new Date(startMs).toISOString().slice(0, 10),
      ...history.sumsOf(pair, startMs, startMs + dayMs),
      position,
      profit: isKnown ? profit - before : null,
    });
    // Exact sums of a long history take a while, and events must not wait for them.
    await new Promise<void>((resolve) => timers.soon(resolve));
  }
  return { days };
}

/** The closes of the days with fills, by the start of the day, oldest first. */
async function closesOf(
  history: StoreHistory,
  pair: string,
  timers: Timers,
): Promise<ReadonlyMap<number, Close>> {
  const range = { pair, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, strategy: undefined };
  const fills = fillParts(history, range, timers);
  const walk = new ProfitWalk();
  const closes = new Map<number, Close>();
  let dayStartMs: number | undefined;
  const close = (startMs: number): void => {
    // The day may not be over, or the bot may have stopped before its end.
    const last = history.lastTop(pair, startMs, startMs + dayMs);
    const { position, profit } = walk.at(last && (last.bid + last.ask) / 2);
    closes.set(startMs, { position, profit });
  };
  while (await fills.fill())
    for (let fill = fills.first; fill !== undefined; fill = fills.first) {
      const startMs = fill.tradedMs - (fill.tradedMs % dayMs);
      if (dayStartMs !== undefined && startMs !== dayStartMs) close(dayStartMs);
      dayStartMs = startMs;
      walk.add(fill);
      fills.take();
    }
  if (dayStartMs !== undefined) close(dayStartMs);
  return closes;
}
