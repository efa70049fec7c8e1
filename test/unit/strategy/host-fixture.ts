/**
 * A host over market views that the test sets, and short ways to drive it. One pair: XBTZAR, with 2
 * and 4 decimals.
 */

import type { Observable } from 'rxjs';
import { z } from 'zod';
import { amountOf, amountOfVolume } from '../../../src/domain/amount.ts';
import type { StrategySettings } from '../../../src/domain/bot-settings.ts';
import type { Intent } from '../../../src/domain/intent.ts';
import type { Market } from '../../../src/domain/market.ts';
import type { Candle, Top, Trade } from '../../../src/domain/market-view.ts';
import { Decimal, type Lots, type Ticks } from '../../../src/domain/money.ts';
import { StrategyAccount } from '../../../src/engine/account/strategy-account.ts';
import { Positions } from '../../../src/execution/fills/positions.ts';
import { PlacedOrders } from '../../../src/strategy/account/placed-orders.ts';
import { RecentFills } from '../../../src/strategy/account/recent-fills.ts';
import { noFees } from '../../../src/strategy/account/traded.ts';
import { type AnyStrategy, type Context, defineStrategy } from '../../../src/strategy/contract.ts';
import type { FeedView } from '../../../src/strategy/feeds/strategy-feeds.ts';
import { StrategyHost } from '../../../src/strategy/host.ts';
import type { BookPrices } from '../../../src/strategy/market/market-book.ts';
import type { MarketAccess } from '../../../src/strategy/market-context.ts';
import type { Fill, OwnOrder, Position } from '../../../src/strategy/own-views.ts';
import type { Bound } from '../../../src/strategy/room.ts';

/** The start of a minute and of an hour. */
export const startMs = Date.UTC(2026, 0, 5, 6, 0, 0);

export const market: Market = {
  pair: 'XBTZAR',
  base: 'XBT',
  counter: 'ZAR',
  priceScale: 2,
  volumeScale: 4,
  feeScale: 8,
  priceMin: 1 as Ticks,
  priceMax: 100_000_000_00 as Ticks,
  volumeMin: 1 as Lots,
  volumeMax: 1_000_000 as Lots,
  status: 'ACTIVE',
};

export const ticks = (value: number): Ticks => value as Ticks;
export const lots = (value: number): Lots => value as Lots;

export function topOf(bid: number | undefined, ask: number | undefined, timeMs = startMs): Top {
  return {
    bid: bid as Ticks | undefined,
    bidVolume: lots(bid === undefined ? 0 : 10),
    ask: ask as Ticks | undefined,
    askVolume: lots(ask === undefined ? 0 : 10),
    timeMs,
  };
}

export function tradeOf(price: number, volume = 1, sequence = '1'): Trade {
  return { side: 'BID', price: ticks(price), volume: lots(volume), sequence, timeMs: startMs };
}

export function fillOf(fill: Partial<Fill> = {}): Fill {
  return {
    ...{ key: 'q1', side: 'BID', price: ticks(100), volume: lots(1), booked: true },
    ...{ fees: noFees, atMs: startMs, ...fill },
  };
}

/** The account of a strategy that has traded nothing but what the test adds. */
function accountOf({ fills, placed, top, market, orders }: Views): StrategyAccount {
  return new StrategyAccount({
    ...{ market, fills, placed },
    holding: () => new Positions().holding('', market.pair),
    costOf: () => 0n,
    top: () => top,
    orders: () => orders,
    balance: () => undefined,
  });
}

/** The views, which the test changes as the engine would before it delivers a value. */
export class Views {
  top: Top | undefined = undefined;
  book: BookPrices | undefined = undefined;
  position: Position = { base: lots(0), highest: lots(0), lowest: lots(0) };
  orders: OwnOrder[] = [];
  available: Record<string, string> = { ZAR: '1000000', XBT: '100' };
  /** The largest position of the strategy, long or short; unbounded unless set. */
  positionMax: string | undefined = undefined;
  history: Candle[] = [];
  readonly fills = new RecentFills();
  readonly placed = new PlacedOrders();
  market: Market = market;

  readonly access = (pair = market.pair): MarketAccess => {
    const views = this;
    return {
      market: { ...views.market, pair },
      fees: { maker: 0.001, taker: 0.002 },
      top: () => views.top && Object.freeze(views.top),
      book: () => views.book,
      position: () => Object.freeze({ ...views.position }),
      holding: () => new Decimal(views.position.base).div(10_000),
      isDust: () => views.position.base > 0 && views.position.base < views.market.volumeMin,
      orders: () => Object.freeze([...views.orders]),
      marketPrice: (side) => (side === 'BID' ? 900 : 1_100) as Ticks,
      bounds: (side) => {
        const of = side === 'BID' ? 'counter' : 'base';
        const text = views.available[of === 'base' ? views.market.base : views.market.counter];
        const balance: Bound = { name: 'the balance', of, left: amountOf(text ?? '0') };
        if (views.positionMax === undefined) return [balance];
        const { highest, lowest } = views.position;
        const beyond = amountOfVolume(side === 'BID' ? highest : -lowest, views.market);
        const positionMax = amountOf(views.positionMax);
        return [balance, { name: { positionMax }, of: 'base', left: positionMax - beyond }];
      },
      available: (currency) => new Decimal(views.available[currency] ?? '0'),
      account: accountOf(views),
      get history() {
        return views.history;
      },
    };
  };
}

export const settings: StrategySettings = {
  id: 'mm-xbt',
  plugin: 'test',
  pairs: ['XBTZAR'],
  parameters: {},
  budget: { ZAR: '1000000', XBT: '100' },
  allow: { sides: ['BID', 'ASK'], types: ['limit'], timeInForce: ['GTC'], postOnly: 'allowed' },
  onRestart: 'adopt',
  onStop: 'cancel',
  onMove: 'overlap',
  onUnusableBook: { withdrawAfterMs: 10_000 },
};

/** A plugin with only `run`, which may emit values that the types forbid. */
export function pluginOf(
  run: (context: Context<unknown, unknown>) => Observable<unknown>,
): AnyStrategy {
  return defineStrategy<unknown, unknown>({
    name: 'test',
    parameters: z.unknown(),
    pairs: 'any',
    state: { schema: z.unknown(), initial: null },
    run: (context) => run(context) as Observable<Intent>,
  });
}

export function hostOf(
  strategy: AnyStrategy,
  options: {
    readonly views?: Views;
    readonly parameters?: unknown;
    readonly state?: unknown;
    readonly random?: () => number;
    readonly settings?: StrategySettings;
    readonly startMs?: number;
    readonly feeds?: ReadonlyMap<string, FeedView>;
  } = {},
): StrategyHost {
  const views = options.views ?? new Views();
  const chosen = options.settings ?? settings;
  return new StrategyHost({
    settings: chosen,
    strategy,
    parameters: options.parameters,
    markets: new Map(chosen.pairs.map((pair) => [pair, views.access(pair)])),
    callsLeft: () => ({ perMinute: 240, forOrders: 150, nextOrderMs: 0, nextMoveMs: 0 }),
    feeds: options.feeds ?? new Map(),
    random: options.random ?? (() => 0.5),
    state: options.state,
    startMs: options.startMs ?? startMs,
  });
}

/**
 * Advances time to `untilMs` as the engine does, one wake-up at a time; returns the intents with
 * their times.
 */
export function pass(host: StrategyHost, untilMs: number): { atMs: number; intent: Intent }[] {
  const taken: { atMs: number; intent: Intent }[] = [];
  for (;;) {
    const wakeMs = host.nextWakeMs();
    const last = wakeMs > untilMs;
    const atMs = last ? untilMs : wakeMs;
    host.advance(atMs);
    for (const intent of host.takeIntents()) taken.push({ atMs, intent });
    if (last) return taken;
  }
}

/** An idle whose reason contains the value that was seen. */
export function saw(reason: unknown): Intent {
  return { kind: 'idle', pair: 'XBTZAR', reason: String(reason) };
}

/** A cancel: unlike idles, a later one does not replace it. */
export function note(key: unknown): Intent {
  return { kind: 'cancel', pair: 'XBTZAR', key: String(key), reason: 'noted' };
}

export function keysOf(intents: readonly Intent[]): string[] {
  return intents.map((intent) => (intent.kind === 'cancel' ? intent.key : intent.kind));
}
