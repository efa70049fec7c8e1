/** Gathers what an engine starts from: the settings, the store, and the word of the exchange. */
import type { Client } from '../../client/client.ts';
import { probePaths } from '../../client/path-probe.ts';
import { assert, MillraceError } from '../../domain/errors.ts';
import { isFinal } from '../../domain/order.ts';
import { gatherHistory, shortHistoryTexts } from '../../engine/candle-history.ts';
import type { EngineStart } from '../../engine/engine-start.ts';
import type { SqliteStore } from '../../store/sqlite-store.ts';
import type { BotOptions } from '../bot-options.ts';
import { recentStartsOf } from '../guards/crash-loop-guard.ts';
import { fingerprintOf } from '../keys/key-fingerprint.ts';
import { fetchCandles } from './fetch-candles.ts';
import {
  accountsOfOrders,
  fetchAccounts,
  fetchMarketStarts,
  followedPairs,
} from './market-start.ts';
import { findLostOrders } from './orphan-orders.ts';

/** For the crash brake and the call budget, which need only the last few. */
export const runsLookedAt = 100;

/**
 * Reads the markets, the accounts and what may have been lost, and puts them beside what the store
 * has. Throws MillraceError if the exchange cannot be reached for half a minute, or refuses.
 */
export async function gatherStart(
  options: BotOptions,
  client: Client,
  store: SqliteStore,
): Promise<EngineStart> {
  const { clock, random, credentials, settings } = options;
  await untilReachable(options, () => probePaths(client));
  const nowMs = Math.floor(clock.nowMicros() / 1000);
  const before = store.restore(nowMs);
  const lost = await untilReachable(options, () =>
    findLostOrders(client, {
      namespace: settings.namespace,
      venue: settings.venue,
      strategies: settings.strategies,
      restored: before,
      nowMs,
      isLive: settings.mode === 'live',
      isAdopting: options.isAdopting,
    }),
  );
  // What an earlier run left is followed to its end, also where the settings no longer name it.
  const unfinished = [
    ...before.orders.filter(({ state }) => !isFinal(state)),
    ...(lost?.orders ?? []),
  ];
  const pairs = followedPairs(settings.strategies, unfinished);
  const markets = await untilReachable(options, () => fetchMarketStarts(client, pairs));
  const isGiven = Object.keys(options.settings.accounts).length > 0;
  const accounts = isGiven
    ? { ...accountsOfOrders(unfinished, markets), ...options.settings.accounts }
    : await untilReachable(options, () => fetchAccounts(client, markets));
  const history =
    options.observes === true
      ? []
      : await untilReachable(options, () =>
          gatherHistory(settings.strategies, options.plugins, async (pair, warmUp) => {
            const market = markets.find((one) => one.market.pair === pair)?.market;
            assert(market !== undefined, `${pair} must have been fetched`);
            return fetchCandles(client, market, warmUp, Math.floor(clock.nowMicros() / 1000));
          }),
        );
  for (const text of shortHistoryTexts(history, options.plugins))
    options.onNotice({ level: 'warn', topic: 'state', text });
  const startedMicros = clock.nowMicros();
  const startedMs = Math.floor(startedMicros / 1000);
  const restored = store.restore(startedMs);
  return {
    ...(lost === undefined ? {} : { lost }),
    ...(history.length === 0 ? {} : { history }),
    ...(options.observes === true ? { observes: true } : {}),
    settings: { ...settings, accounts },
    environment: {
      mode: options.settings.mode,
      ordersGoTo: options.ordersGoTo,
      liveFlag: options.liveFlag,
      keyFingerprint: fingerprintOf(credentials),
      keyFingerprintAllowed: options.settings.liveKeyFingerprint,
    },
    markets,
    restored,
    storeDurable: true,
    lockHeld: true,
    recentStarts: recentStartsOf(store.reports.runs(runsLookedAt), startedMicros / 1000),
    seed: random.integer(1, 2 ** 31),
    startedMicros,
    reconcile: true,
  };
}

const reachWithinMs = 30_000;
const reachPaceMs = 500;

/** Repeats a read while the exchange cannot be reached; a refusal is final. */
export async function untilReachable<T>(
  { clock, timers, onNotice }: BotOptions,
  read: () => Promise<T>,
): Promise<T> {
  const deadlineMicros = clock.monotonicMicros() + reachWithinMs * 1000;
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      const mayPass = error instanceof MillraceError && error.recovery !== 'give-up';
      if (!mayPass || clock.monotonicMicros() > deadlineMicros) throw error;
      if (attempt === 1)
        onNotice({
          level: 'warn',
          topic: 'stream',
          text: `the exchange cannot be reached yet: ${error.message}`,
        });
      await new Promise<void>((resolve) => timers.after(reachPaceMs, resolve));
    }
  }
}
