/** The events of a test's pairs in order of time, and the markets that they belong to. */

import { ConfigError } from '../../domain/errors.ts';
import { decimalOf } from '../../domain/money.ts';
import type { ParameterTexts } from '../../domain/parameter-texts.ts';
import { parseSpanMs } from '../../domain/unit-text.ts';
import type { WarmUp } from '../../strategy/needs.ts';
import { FakeMarket, FakeMoney } from './fake-account.ts';
import { FakeAmounts, fakeMarketOf } from './fake-amounts.ts';
import type {
  CandleValue,
  FakeContextOptions,
  FakeMarketOptions,
  FeedGiven,
  FillValue,
  RefusalValue,
  TopValue,
  TradeValue,
} from './fake-options.ts';
import { timelineOf } from './marbles.ts';

const secondMs = 1_000;

/** A pair of the test. */
export type FakePair = { readonly market: FakeMarket; readonly amounts: FakeAmounts };

/** One event; `atMs` is after the start, and `what` names it in messages. */
export type FakeEvent = { readonly atMs: number; readonly what: string; readonly of: FakePair } & (
  | { readonly kind: 'top'; readonly value: TopValue }
  | { readonly kind: 'trade'; readonly value: TradeValue }
  | { readonly kind: 'candle'; readonly value: CandleValue }
  | { readonly kind: 'fill'; readonly value: FillValue }
  | { readonly kind: 'refusal'; readonly value: RefusalValue }
  | { readonly kind: 'set'; readonly value: ParameterTexts }
  | { readonly kind: 'feed'; readonly name: string; readonly value: FeedGiven }
);

export type FakeScript = {
  /** Of the start, in milliseconds since the epoch. */
  readonly startMs: number;
  readonly candleMs: number;
  readonly pairs: ReadonlyMap<string, FakePair>;
  readonly budget: Readonly<Record<string, string>>;
  /** In order of time; at the same time tops, trades, candles, fills, refusals, sets, feeds. */
  readonly events: readonly FakeEvent[];
  /** When the run ends, after the start. */
  readonly endMs: number;
};

/** Returns the script of a test. Throws {@link ConfigError} for what cannot be played. */
export function scriptOf(options: FakeContextOptions, warmUp: WarmUp | undefined): FakeScript {
  const { start = '2026-01-05T06:00:00Z' } = options;
  const startMs = Date.parse(start);
  if (!Number.isFinite(startMs))
    throw new ConfigError(`fakeContext: start must be a time in ISO 8601, was "${start}"`);
  const interval = options.candleInterval;
  const candleMs =
    interval === undefined
      ? (warmUp?.intervalMs ?? 60 * secondMs)
      : spanOf('candleInterval', interval);
  const traded = options.pairs ?? [options];
  const described: readonly FakeMarketOptions[] = [...traded, ...(options.watch ?? [])];
  const markets = described.map(fakeMarketOf);
  const currencies = markets
    .slice(0, traded.length)
    .flatMap(({ base, counter }) => [base, counter]);
  const budget =
    options.budget ?? Object.fromEntries(currencies.map((currency) => [currency, '1000000']));
  const money = new FakeMoney(options.available ?? budget);
  const pairs = new Map<string, FakePair>();
  const events: FakeEvent[] = [];
  let endMs = 0;
  for (const [index, one] of described.entries()) {
    const amounts = new FakeAmounts(markets[index] ?? fakeMarketOf(one));
    const { market } = amounts;
    const history = (one.history ?? []).map((value, at, all) =>
      amounts.candle(`history[${at}]`, value, {
        startMs: startMs - (all.length - at) * candleMs,
        intervalMs: candleMs,
      }),
    );
    const fees = options.fees ?? { maker: 0, taker: 0 };
    const position = amounts.lots('position', one.position ?? '0');
    const averagePrice = one.averagePrice === undefined ? undefined : decimalOf(one.averagePrice);
    const of = {
      amounts,
      market: new FakeMarket({ market, fees, history, money, position, averagePrice, startMs }),
    };
    pairs.set(market.pair, of);
    endMs = Math.max(endMs, addEvents(events, of, one, candleMs));
    if (index > 0) continue;
    const sets = timelineOf('set', options.set, secondMs);
    for (const event of sets.events) events.push({ kind: 'set', what: 'set', of, ...event });
    endMs = Math.max(endMs, sets.endMs, addFeeds(events, of, options));
  }
  if (options.for !== undefined) endMs = spanOf('for', options.for);
  // The sort is stable, so events of the same time keep this order.
  events.sort((a, b) => a.atMs - b.atMs);
  const late = events.find(({ atMs }) => atMs > endMs);
  if (late !== undefined)
    throw new ConfigError(
      `fakeContext: for: "${options.for}" ends before the last event of ${late.what}`,
    );
  return { startMs, candleMs, pairs, budget, events, endMs };
}

/** Adds the events of a pair; returns when its last diagram ends. */
function addEvents(
  events: FakeEvent[],
  of: FakePair,
  options: FakeMarketOptions,
  candleMs: number,
): number {
  const tops = timelineOf('top', options.top, secondMs);
  const trades = timelineOf('trades', options.trades, secondMs);
  const candles = timelineOf('candles', options.candles, candleMs);
  const fills = timelineOf('fills', options.fills, secondMs);
  const refusals = timelineOf('refusals', options.refusals, secondMs);
  for (const event of tops.events) events.push({ kind: 'top', what: 'top', of, ...event });
  for (const event of trades.events) events.push({ kind: 'trade', what: 'trades', of, ...event });
  for (const event of candles.events)
    events.push({ kind: 'candle', what: 'candles', of, ...event });
  for (const event of fills.events) events.push({ kind: 'fill', what: 'fills', of, ...event });
  for (const event of refusals.events)
    events.push({ kind: 'refusal', what: 'refusals', of, ...event });
  return Math.max(...[tops, trades, candles, fills, refusals].map(({ endMs }) => endMs));
}

/** Adds what feeds say; returns when the last diagram ends. */
function addFeeds(events: FakeEvent[], of: FakePair, { feeds = {} }: FakeContextOptions): number {
  let lastMs = 0;
  for (const [name, marbles] of Object.entries(feeds)) {
    const what = `feeds.${name}`;
    const given = timelineOf(what, marbles, secondMs);
    for (const event of given.events) events.push({ kind: 'feed', what, of, name, ...event });
    lastMs = Math.max(lastMs, given.endMs);
  }
  return lastMs;
}

function spanOf(what: string, text: string): number {
  const ms = parseSpanMs(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new ConfigError(`fakeContext: ${what} must be a span such as "60s" or "5m", was "${text}"`);
}
