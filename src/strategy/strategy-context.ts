/**
 * What one strategy, or one part of it, sees and uses: its pairs, its state, its money and its
 * time.
 */
import type { Observable } from 'rxjs';
import type { z } from 'zod';
import type { Amount } from '../domain/amount.ts';
import { decimalOfAmount } from '../domain/amount-decimal.ts';
import type { StrategySettings } from '../domain/bot-settings.ts';
import type { CallsLeft } from '../domain/calls-left.ts';
import { assert } from '../domain/errors.ts';
import { Decimal, decimalOf } from '../domain/money.ts';
import { sumOfFees, sumOfProfits } from './account/account-sums.ts';
import type { Profit } from './account/own-account.ts';
import { refuseArgument } from './argument.ts';
import type { SeenTrades } from './candle-stream.ts';
import type { Context, MarketContext, WatchedMarket } from './contract.ts';
import { every } from './every.ts';
import type { Feed } from './feeds/strategy-feeds.ts';
import type { IntentQueue } from './intent-queue.ts';
import { type WatchedAccess, WatchedContext } from './market/watched-context.ts';
import { createMarketContext, type MarketAccess, type PendingUse } from './market-context.ts';
import type { MarketStreams } from './market-streams.ts';
import type { StrategyOutputs } from './outputs/strategy-outputs.ts';
import { openSlot } from './parts/open-slot.ts';
import { outputsOfPart, type PartOutputs } from './parts/part-outputs.ts';
import { checkPart, type PartDoor, partStream } from './parts/part-stream.ts';
import { PartOrders, streamsOfPart } from './parts/part-views.ts';
import { PendingIntents } from './pending-intents.ts';
import { periods } from './periods.ts';
import { type StrategyState, scheduleName } from './strategy-state.ts';
import type { VirtualScheduler } from './virtual-scheduler.ts';

export type ContextParts = {
  readonly settings: StrategySettings;
  /** Those that hold now, frozen. */
  readonly parameters: () => unknown;
  readonly parameters$: Observable<unknown>;
  /** By pair, for every pair that it trades. */
  readonly markets: ReadonlyMap<string, MarketAccess>;
  /** By pair, for every pair that it only watches. */
  readonly watched: ReadonlyMap<string, WatchedAccess>;
  /** By pair, of both. */
  readonly streams: ReadonlyMap<string, MarketStreams>;
  readonly intents: IntentQueue;
  readonly scheduler: VirtualScheduler;
  readonly random: () => number;
  readonly callsLeft: () => CallsLeft;
  readonly state: StrategyState;
  /** Stores the state. */
  readonly remember: () => void;
  readonly door: PartDoor;
  /** The trades from the time that the strategy waited to start. */
  readonly seen: SeenTrades | undefined;
  readonly outputs: StrategyOutputs;
  readonly feed: (name: string) => Feed;
};

const nothing = new Decimal(0);

/** Returns the context of a strategy. */
export function createStrategyContext(parts: ContextParts): Context<unknown, unknown> {
  return new ContextFactory(parts).contextOf('');
}

type TradedPair = {
  readonly access: MarketAccess;
  readonly streams: MarketStreams;
  readonly own: PendingIntents;
};

class ContextFactory {
  readonly #parts: ContextParts;
  readonly #traded: readonly TradedPair[];
  readonly #startedMs: number;
  readonly #budgets: ReadonlyMap<string, Decimal>;
  readonly #currencies: ReadonlySet<string>;

  constructor(parts: ContextParts) {
    const { settings, markets, intents, scheduler } = parts;
    this.#parts = parts;
    this.#traded = settings.pairs.map((pair) => {
      const access = markets.get(pair);
      const streams = parts.streams.get(pair);
      assert(access !== undefined && streams !== undefined, `no market access for ${pair}`);
      return { access, streams, own: new PendingIntents(access, intents) };
    });
    this.#startedMs = scheduler.now();
    this.#budgets = new Map(
      Object.entries(settings.budget).map(([currency, text]) => [currency, decimalOf(text)]),
    );
    this.#currencies = new Set([
      ...this.#traded.flatMap(({ access: { market } }) => [market.base, market.counter]),
      ...this.#budgets.keys(),
    ]);
  }

  /** Returns what the part called `part` sees; the strategy itself has no name. */
  contextOf(part: string): Context<unknown, unknown> {
    const parts = this.#parts;
    const { settings, state, scheduler } = parts;
    const outputs = outputsOfPart(parts.outputs, part);
    const pairs = this.#pairs(part, outputs);
    return Object.freeze<Context<unknown, unknown>>({
      id: settings.id,
      get parameters() {
        return parts.parameters();
      },
      parameters$: parts.parameters$,
      pairs: Object.freeze(pairs),
      watched: Object.freeze(this.#watched(outputs)),
      state: () => state.value,
      part: (name, build) => {
        const inner = checkPart(part, name, build);
        return partStream(inner, () => build(this.contextOf(inner)), parts.door);
      },
      slot: <T>(name: string, schema: z.ZodType<T>, initial: T) =>
        openSlot(state, part, [name, schema, initial]),
      available: (currency) => this.#available(currency),
      budget: (currency) => {
        this.#checkCurrency('context.budget', currency);
        return this.#budgets.get(currency) ?? nothing;
      },
      balance: (currency) => {
        this.#checkCurrency('context.balance', currency);
        return this.#traded[0]?.access.account.balance(currency);
      },
      profit: (currency) => profitIn(currency, pairs),
      fees: (currency) => {
        this.#checkCurrency('context.fees', currency);
        return sumOfFees(currency, pairs);
      },
      callsLeft: parts.callsLeft,
      feed: parts.feed,
      every: (intervalMs) => every(intervalMs, scheduler),
      schedule: (cron, zone) =>
        periods({
          cron,
          zone,
          scheduler,
          last: () => state.lastPeriod(scheduleName(part, cron, zone)),
          seen: (period) => {
            state.rememberPeriod(scheduleName(part, cron, zone), period);
            parts.remember();
          },
        }),
      log: (text, fields) => outputs.log(text, fields),
      metric: (name, value) => outputs.metric(name, value),
      nowMs: () => scheduler.now(),
      random: parts.random,
      scheduler,
    });
  }

  #pairs(part: string, outputs: PartOutputs): readonly MarketContext[] {
    const pendingUse: PendingUse = (side, { base, counter }) =>
      side === 'BID'
        ? { base: this.#buying(base), counter: this.#paying(counter) }
        : { base: this.#paying(base), counter: 0n };
    return this.#traded.map(({ access, streams, own }) => {
      const views = { access, part, pendingUse, ...this.#common(access.market.pair, outputs) };
      if (part === '') return createMarketContext({ ...views, streams, own });
      const orders = new PartOrders(part, () => own.orders());
      const ofPart = { orders: () => orders.all, position: () => own.position() };
      return createMarketContext({
        ...{ ...views, own: ofPart },
        streams: streamsOfPart(streams, part),
      });
    });
  }

  #watched(outputs: PartOutputs): readonly WatchedMarket[] {
    const { settings, watched, streams: all } = this.#parts;
    return (settings.watch ?? []).map((pair) => {
      const access = watched.get(pair);
      const streams = all.get(pair);
      assert(access !== undefined && streams !== undefined, `no market access for ${pair}`);
      const parts = { access, streams, ...this.#common(pair, outputs) };
      return Object.freeze(new WatchedContext(parts));
    });
  }

  /** Returns what traded and watched pairs have in common. */
  #common(pair: string, outputs: PartOutputs) {
    const { seen, scheduler } = this.#parts;
    const trades = seen?.trades.filter((trade) => trade.pair === pair) ?? [];
    const seenOfPair = seen && { sinceMs: seen.sinceMs, trades };
    const whileNew = () => (scheduler.now() === this.#startedMs ? seenOfPair : undefined);
    return { scheduler, seen: whileNew, outputs };
  }

  #available(currency: string): Decimal {
    this.#checkCurrency('context.available', currency);
    const available = this.#traded[0]?.access.available(currency) ?? nothing;
    if (this.#parts.intents.isEmpty) return available;
    const paying = this.#paying(currency);
    if (paying === 0n) return available;
    const left = available.minus(decimalOfAmount(paying));
    return left.isNegative() ? nothing : left;
  }

  #paying(currency: string): Amount {
    return this.#traded.reduce((sum, { own }) => sum + own.paying(currency), 0n);
  }

  #buying(currency: string): Amount {
    return this.#traded.reduce((sum, { own }) => sum + own.buying(currency), 0n);
  }

  #checkCurrency(call: string, currency: unknown): void {
    if (typeof currency === 'string' && this.#currencies.has(currency)) return;
    const allowed = `a currency of the strategy (${[...this.#currencies].join(', ')})`;
    refuseArgument([call, 'currency'], allowed, currency);
  }
}

function profitIn(currency: string, pairs: readonly MarketContext[]): Profit {
  const own = pairs.filter(({ counter }) => counter === currency);
  const counters = [...new Set(pairs.map(({ counter }) => counter))];
  const allowed = `the counter currency of a pair (${counters.join(', ')})`;
  if (own.length === 0) refuseArgument(['context.profit', 'currency'], allowed, currency);
  return sumOfProfits(own.map(({ profit }) => profit));
}
