/** `millrace run`: runs a bot on an exchange that is already running, simulated or real. */

import { resolve } from 'node:path';
import type { RunChoices } from '../../bot/bot-options.ts';
import { runBot } from '../../bot/foreground.ts';
import { requirePrivateHome } from '../../bot/guards/private-home.ts';
import { credentialsOf } from '../../bot/keys/bot-credentials.ts';
import { fingerprintOf } from '../../bot/keys/key-fingerprint.ts';
import { checkTransportEnvironment } from '../../bot/keys/transport-environment.ts';
import { servePage } from '../../bot/serve-page.ts';
import { listMarkets } from '../../bot/start/list-markets.ts';
import { loadBot } from '../../bot/start/load-bot.ts';
import { tellingIfRunning } from '../../bot/start/second-start.ts';
import { startWarnings } from '../../bot/start/start-warnings.ts';
import { statePlaceOf } from '../../bot/state-place.ts';
import type { BotSettings } from '../../domain/bot-settings.ts';
import { ConfigError, SafetyRefusedError } from '../../domain/errors.ts';
import { isLoopback } from '../../domain/this-machine.ts';
import { readyFeeds } from '../../feeds/feed-secrets.ts';
import { createClock } from '../../runtime/clock.ts';
import { createTimers } from '../../runtime/timers.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { loadVenue } from '../../settings/load-venue.ts';
import type { BotCommandOptions } from '../bot-argument.ts';

export type RunBotCommandOptions = BotCommandOptions &
  RunChoices & {
    readonly live: boolean;
    /** Names of the dangerous key permissions that a person has accepted. */
    readonly acceptedPermissions: readonly string[];
  };

/** Prints the markets of the exchange of a bot; returns the exit code. */
export async function listBotMarkets(
  options: Pick<RunBotCommandOptions, 'config' | 'home' | 'workspace' | 'output'>,
): Promise<number> {
  const { config, workspace, output } = options;
  const { venue } = loadBotSettings(config, { ...options, isBeingWritten: true, isShown: true });
  return listMarkets(loadVenue(venue, workspace.venues), output);
}

/** Runs the bot; returns the exit code. */
export async function runBotCommand(options: RunBotCommandOptions): Promise<number> {
  const { environment, output } = options;
  const transportWarnings = checkTransportEnvironment(environment);
  const {
    settings: loaded,
    plugins,
    venue,
    egressCaps,
  } = await loadBot(options.config, options, (checked, address) =>
    checkMode(options, checked, isLoopback(address) ? 'simulator' : 'exchange'),
  );
  const { source: _source, capture, dashboard, feedSources, ...settings } = loaded;
  const venueKind = isLoopback(venue) ? 'simulator' : 'exchange';
  const ordersGoTo = settings.mode === 'paper' ? 'replay' : venueKind;
  if (venueKind === 'exchange') for (const text of transportWarnings) output.line(`! ${text}`);
  const warnings = startWarnings(loaded, plugins);
  for (const text of warnings) output.line(`! ${text}`);
  const feeds = readyFeeds(feedSources, settings.strategies, environment);
  const place = statePlaceOf(settings.store, options.home);
  requirePrivateHome(place.home);
  const isSimulatedPaper = settings.mode === 'paper' && venueKind === 'simulator';
  const credentials = credentialsOf(
    environment,
    isSimulatedPaper ? 'demo' : settings.mode,
    place.home,
  );
  output.line(`key fingerprint ${fingerprintOf(credentials)}`);
  checkKeyOfMode(options, settings, fingerprintOf(credentials));
  const parts = { clock: createClock(), timers: createTimers(), environment, output };
  const own = { ...settings, store: place.store };
  const page = await servePage({ settings: own, dashboard, home: place.home, ...parts });
  const { home } = place;
  const config = resolve(options.config);
  return tellingIfRunning({ bot: own.bot, config, home, workspace: options.workspace }, () =>
    runBot({
      ...options,
      ...parts,
      settings: own,
      venue,
      credentials,
      egressCaps,
      ordersGoTo,
      liveFlag: options.live,
      home,
      config,
      plugins,
      capture,
      feeds,
      page,
      isSupervised: true,
    }),
  );
}

/**
 * Throws SafetyRefusedError unless the key named in the settings is used for live trading, and for
 * nothing else.
 */
export function checkKeyOfMode(
  { config }: Pick<RunBotCommandOptions, 'config'>,
  { mode, liveKeyFingerprint }: Pick<BotSettings, 'mode' | 'liveKeyFingerprint'>,
  fingerprint: string,
): void {
  const isLiveKey = fingerprint === liveKeyFingerprint;
  if (mode === 'live' && !isLiveKey)
    throw new SafetyRefusedError(
      `${config}: live.keyFingerprint is ${liveKeyFingerprint}, but the key has the fingerprint ${fingerprint}; only the named key may trade live`,
    );
  if (mode !== 'live' && isLiveKey)
    throw new SafetyRefusedError(
      `${config}: mode is ${mode}, but the key ${fingerprint} is named for live trading; use a key of the simulator, or a read-only key`,
    );
}

/** Throws unless mode, --live and the venue's address agree; the gate checks this again. */
export function checkMode(
  { config, live }: Pick<RunBotCommandOptions, 'config' | 'live'>,
  { mode, venue }: Pick<BotSettings, 'mode' | 'venue'>,
  venueKind: 'simulator' | 'exchange',
): void {
  if (mode === 'demo' && venueKind === 'exchange')
    throw new ConfigError(
      `${config}: mode demo trades only on this machine, but venue ${venue} is remote; use a venue on 127.0.0.1`,
    );
  if (mode === 'live' && venueKind === 'simulator')
    throw new ConfigError(
      `${config}: mode live needs a remote venue, but ${venue} is on this machine; use mode demo, or another venue`,
    );
  if (live !== (mode === 'live'))
    throw new SafetyRefusedError(
      `${config}: mode is ${mode}, but --live was ${live ? '' : 'not '}given; live trading needs mode live and --live`,
    );
}
