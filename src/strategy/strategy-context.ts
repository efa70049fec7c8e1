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
  const { settings, markets, intents, scheduler, state, seen } = parts;
  const accesses = settings.pairs.map((pair) => {
    const access = markets.get(pair);
    const streams = parts.streams.get(pair);
    assert(access !== undefined && streams !== undefined, `no market access for ${pair}`);
    return { access, streams, own: new PendingIntents(access, intents) };
  });
  const payingIn = (currency: string): Amount =>
    accesses.reduce((sum, { own }) => sum + own.paying(currency), 0n);
  const buyingIn = (currency: string): Amount =>
    accesses.reduce((sum, { own }) => sum + own.buying(currency), 0n);
  const pendingUse: PendingUse = (side, { base, counter }) =>
    side === 'BID'
      ? { base: buyingIn(base), counter: payingIn(counter) }
      : { base: payingIn(base), counter: 0n };
  const startedMs = scheduler.now();
  const budgets = new Map(
    Object.entries(settings.budget).map(([currency, text]) => [currency, decimalOf(text)]),
  );
  const currencies = new Set([
    ...accesses.flatMap(({ access: { market } }) => [market.base, market.counter]),
    ...budgets.keys(),
  ]);
  const checkCurrency = (call: string, currency: unknown): void => {
    if (typeof currency === 'string' && currencies.has(currency)) return;
    const allowed = `a currency of the strategy (${[...currencies].join(', ')})`;
    refuseArgument([call, 'currency'], allowed, currency);
  };
  const commonOf = (pair: string, outputs: PartOutputs) => {
    const trades = seen?.trades.filter((trade) => trade.pair === pair) ?? [];
    const seenOfPair = seen && { sinceMs: seen.sinceMs, trades };
    const whileNew = () => (scheduler.now() === startedMs ? seenOfPair : undefined);
    return { scheduler, seen: whileNew, outputs };
  };
  /** The pairs as a part sees them; the strategy itself has no name. */
  const pairsOf = (part: string, outputs: PartOutputs): readonly MarketContext[] =>
    accesses.map(({ access, streams, own }) => {
      const views = { access, part, pendingUse, ...commonOf(access.market.pair, outputs) };
      if (part === '') return createMarketContext({ ...views, streams, own });
      const orders = new PartOrders(part, () => own.orders());
      const ofPart = { orders: () => orders.all, position: () => own.position() };
      return createMarketContext({
        ...{ ...views, own: ofPart },
        streams: streamsOfPart(streams, part),
      });
    });
  const watchedOf = (outputs: PartOutputs): readonly WatchedMarket[] =>
    (settings.watch ?? []).map((pair) => {
      const access = parts.watched.get(pair);
      const streams = parts.streams.get(pair);
      assert(access !== undefined && streams !== undefined, `no market access for ${pair}`);
      return Object.freeze(new WatchedContext({ access, streams, ...commonOf(pair, outputs) }));
    });
  const contextOf = (part: string): Context<unknown, unknown> => {
    const outputs = outputsOfPart(parts.outputs, part);
    const pairs = pairsOf(part, outputs);
    return Object.freeze<Context<unknown, unknown>>({
      id: settings.id,
      get parameters() {
        return parts.parameters();
      },
      parameters$: parts.parameters$,
      pairs: Object.freeze(pairs),
      watched: Object.freeze(watchedOf(outputs)),
      state: () => state.value,
      part: (name, build) => {
        const inner = checkPart(part, name, build);
        return partStream(inner, () => build(contextOf(inner)), parts.door);
      },
      slot: <T>(name: string, schema: z.ZodType<T>, initial: T) =>
        openSlot(state, part, [name, schema, initial]),
      available: (currency) => {
        checkCurrency('context.available', currency);
        const available = accesses[0]?.access.available(currency) ?? nothing;
        if (intents.isEmpty) return available;
        const paying = payingIn(currency);
        if (paying === 0n) return available;
        const left = available.minus(decimalOfAmount(paying));
        return left.isNegative() ? nothing : left;
      },
      budget: (currency) => {
        checkCurrency('context.budget', currency);
        return budgets.get(currency) ?? nothing;
      },
      balance: (currency) => {
        checkCurrency('context.balance', currency);
        return accesses[0]?.access.account.balance(currency);
      },
      profit: (currency) => {
        const own = pairs.filter(({ counter }) => counter === currency);
        const counters = [...new Set(pairs.map(({ counter }) => counter))];
        const allowed = `the counter currency of a pair (${counters.join(', ')})`;
        if (own.length === 0) refuseArgument(['context.profit', 'currency'], allowed, currency);
        return sumOfProfits(own.map(({ profit }) => profit));
      },
      fees: (currency) => {
        checkCurrency('context.fees', currency);
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
  };
  return contextOf('');
}
