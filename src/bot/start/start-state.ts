/** Gathers the engine's initial state from the settings, the store and the exchange. */

import { seenPairs } from '../../domain/bot-settings.ts';
import { assert, ConfigError, MillraceError } from '../../domain/errors.ts';
import { isFinal } from '../../domain/order.ts';
import type { Restored } from '../../domain/records.ts';
import { gatherHistory, shortHistoryTexts } from '../../engine/candle-history.ts';
import type { EngineStart, LostState } from '../../engine/engine-start.ts';
import { storedDone } from '../../engine/trading/strategy-ends.ts';
import type { SqliteStore } from '../../store/sqlite-store.ts';
import { errorOf, type VenueReader, VenueRefusedError } from '../../venue/venue-reader.ts';
import type { VenueReply } from '../../venue/venue-reply.ts';
import type { ReadRequest } from '../../venue/venue-request.ts';
import type { VenueConnection } from '../../venues.ts';
import type { BotOptions } from '../bot-options.ts';
import type { CallLog } from '../call-log.ts';
import { fingerprintOf } from '../keys/key-fingerprint.ts';
import { fetchCandles } from './fetch-candles.ts';
import { findLostState } from './lost-state.ts';
import {
  accountsOfOrders,
  fetchAccounts,
  fetchMarketStarts,
  fetchMarkets,
  followedPairs,
  watchedPairs,
} from './market-start.ts';
import { takeOver } from './take-over.ts';

/** What a start reads. */
export type StartVenue = VenueReader & Pick<VenueConnection, 'check'>;

/** The number of recent runs read for the crash-loop guard and the call budget. */
export const runsLookedAt = 100;

/**
 * Reads the markets, the accounts and any state that the store has lost, and combines them with the
 * stored state. Throws MillraceError if the exchange is unreachable for 30 s, or refuses.
 */
export async function gatherStart(
  options: BotOptions & { readonly calls: Pick<CallLog, 'recentMs'> },
  venue: StartVenue,
  store: SqliteStore,
): Promise<EngineStart> {
  const { clock, random, credentials, settings } = options;
  await untilReachable(options, () => venue.check());
  const nowMs = Math.floor(clock.nowMicros() / 1000);
  const lost = await lostStateOf(options, venue, store).catch(async (error: unknown) => {
    // What the exchange refuses for a pair that it does not have says nothing about the pair.
    if (error instanceof VenueRefusedError)
      await fetchMarkets(venue, settings.strategies.flatMap(seenPairs));
    throw error;
  });
  // Unfinished orders of earlier runs are followed even if the settings no longer name their pair.
  const unfinished = store.restore(nowMs).orders.filter(({ state }) => !isFinal(state));
  const pairs = followedPairs(settings.strategies, unfinished);
  const markets = await untilReachable(options, () => fetchMarketStarts(venue, pairs));
  const watchedNames = watchedPairs(settings.strategies, pairs);
  const watched = await untilReachable(options, () => fetchMarketStarts(venue, watchedNames));
  const seen = [...markets, ...watched];
  const isGiven = Object.keys(options.settings.accounts).length > 0;
  const accounts = isGiven
    ? { ...accountsOfOrders(unfinished, markets), ...options.settings.accounts }
    : await untilReachable(options, () => fetchAccounts(venue, markets, unfinished));
  const history =
    options.observes === true
      ? []
      : await untilReachable(options, () =>
          gatherHistory(settings.strategies, options.plugins, async (pair, warmUp) => {
            const market = seen.find((one) => one.market.pair === pair)?.market;
            assert(market !== undefined, `${pair} must have been fetched`);
            return fetchCandles(venue, market, warmUp, Math.floor(clock.nowMicros() / 1000));
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
    ...(options.observes === true ? { observes: true } : { watchesTrading: true }),
    ...(options.again === undefined ? {} : { again: againOf(options, restored) }),
    settings: { ...settings, accounts },
    environment: {
      mode: options.settings.mode,
      ordersGoTo: options.ordersGoTo,
      liveFlag: options.liveFlag,
      keyFingerprint: fingerprintOf(credentials),
      keyFingerprintAllowed: options.settings.liveKeyFingerprint,
    },
    markets,
    ...(watched.length === 0 ? {} : { watched }),
    restored,
    identity: store.identity,
    storeDurable: true,
    lockHeld: true,
    earlierCallsMs: options.calls.recentMs(),
    seed: random.integer(1, 2 ** 31),
    startedMicros,
    venue: venue.properties,
  };
}

/** Returns the strategies to begin again. Throws ConfigError for one that the settings lack. */
function againOf({ again = [], settings, onNotice }: BotOptions, { riskStates }: Restored) {
  const ids = settings.strategies.map(({ id }) => id);
  const done = storedDone(riskStates);
  for (const id of again) {
    if (!ids.includes(id))
      throw new ConfigError(`--again ${id}: there is no such strategy, only ${ids.join(', ')}`);
    if (!done.has(id))
      onNotice({
        level: 'warn',
        topic: 'state',
        text: `--again ${id}: it is not done; it goes on`,
      });
  }
  return again;
}

/** Compares the database with the exchange's lists; with `--adopt`, takes over what it lacks. */
async function lostStateOf(
  options: BotOptions,
  venue: VenueReader,
  store: SqliteStore,
): Promise<LostState | undefined> {
  const { settings, clock } = options;
  const patient = patientReader(options, venue);
  const { namespace, mode } = settings;
  const isPaper = mode === 'paper';
  const pairs = followedPairs(settings.strategies, []);
  const look = () => findLostState(patient, { namespace, pairs, isPaper, store, place: options });
  const asked = await venue.ask({ kind: 'balances' });
  let lost = await look();
  if (options.isAdopting && (lost !== undefined || options.observes === true)) {
    const nowMs = Math.floor(clock.nowMicros() / 1000);
    await takeOver(patient, store, { ...options, nowMs });
    lost = await look();
  }
  const comparedMs = asked.kind === 'ok' ? asked.venueTimeMs : undefined;
  if (lost === undefined && comparedMs !== undefined) store.noteCompared(comparedMs);
  return lost;
}

/** Repeats each read until it succeeds, since long lists may use up the calls of a minute. */
function patientReader(options: BotOptions, venue: VenueReader): VenueReader {
  return {
    ...venue,
    ask: async <Request extends ReadRequest>(request: Request) => {
      let reply: VenueReply<Request['kind']> | undefined;
      const asked = async () => {
        reply = await venue.ask(request);
        if (reply.kind !== 'ok') throw errorOf(request.kind, reply);
        return reply;
      };
      return untilReachable(options, asked, callsFreeWithinMs).catch((error: unknown) => {
        if (reply === undefined) throw error;
        return reply;
      });
    },
  };
}

/** Longer than the minute over which the exchange counts calls, including other programs'. */
export const callsFreeWithinMs = 90_000;
const reachWithinMs = 30_000;
/** The pause between two attempts; it doubles each time. */
const reachPaceMs = 500;
const reachPaceMsMax = 4_000;

/** Repeats a read while the exchange cannot be reached; a refusal is final. */
export async function untilReachable<T>(
  { clock, timers, onNotice }: BotOptions,
  read: () => Promise<T>,
  withinMs = reachWithinMs,
): Promise<T> {
  const beganMicros = clock.monotonicMicros();
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      const mayPass = error instanceof MillraceError && error.recovery !== 'give-up';
      const limitMs = isRateLimited(error) ? callsFreeWithinMs : withinMs;
      if (!mayPass || clock.monotonicMicros() > beganMicros + limitMs * 1000) throw error;
      if (attempt === 1)
        onNotice({
          level: 'warn',
          topic: 'stream',
          text: `the exchange cannot be reached yet: ${error.message}`,
        });
      const paceMs = Math.min(reachPaceMsMax, reachPaceMs * 2 ** (attempt - 1));
      await new Promise<void>((resolve) => timers.after(paceMs, resolve));
    }
  }
}

/** Whether the exchange refused a call because of its rate limit. */
function isRateLimited(error: unknown): boolean {
  return error instanceof VenueRefusedError && error.reason === 'throttled';
}
