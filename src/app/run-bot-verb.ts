/** `millrace run`: a bot from its file against a venue that runs already, simulated or real. */
import { join, resolve } from 'node:path';
import { isThisMachine } from '../client/address.ts';
import type { Credentials } from '../client/credentials.ts';
import type { BotSettings, Mode, VenueSettings } from '../domain/bot-settings.ts';
import { ConfigError, SafetyRefusedError } from '../domain/errors.ts';
import { createClock } from '../runtime/clock.ts';
import type { LogLevel } from '../runtime/log.ts';
import { readSecret } from '../runtime/secrets.ts';
import { createTimers } from '../runtime/timers.ts';
import { loadBotSettings } from '../settings/load-bot-settings.ts';
import { loadVenue } from '../settings/load-venue.ts';
import { readCredentials } from '../simulator/credentials-file.ts';
import { fingerprintOf } from './bot.ts';
import { simulatorFolder } from './exchange-verb.ts';
import type { Output } from './output.ts';
import { packageRoot } from './package-root.ts';
import { preparePlugins } from './prepare-plugins.ts';
import { runBot } from './run-verb.ts';
import { statePlaceOf } from './state-place.ts';

export type RunBotVerbOptions = {
  readonly config: string;
  /** Where state is kept instead of beside the database of the configuration. */
  readonly home: string | undefined;
  readonly live: boolean;
  readonly forMs: number | undefined;
  readonly resumeReason: string | undefined;
  readonly logLevel: LogLevel;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly output: Output;
};

const keyIdName = 'MILLRACE_API_KEY_ID';
const keySecretName = 'MILLRACE_API_KEY_SECRET';

/** Runs the bot; returns the exit code. */
export async function runBotVerb(options: RunBotVerbOptions): Promise<number> {
  const loaded = loadBotSettings(options.config, { cwd: process.cwd() });
  const { source: _source, capture, ...settings } = loaded;
  const venue = loadVenue(settings.venue, join(packageRoot, 'config', 'venues'));
  const ordersGoTo = isLoopback(venue) ? 'simulator' : 'exchange';
  checkMode(options, settings, ordersGoTo);
  const plugins = await preparePlugins(loaded, join(packageRoot, 'strategies'));
  const place = statePlaceOf(settings.store, options.home);
  const credentials = credentialsOf(options, settings.mode, place.home);
  options.output.line(`key fingerprint ${fingerprintOf(credentials)}`);
  return runBot({
    settings: { ...settings, store: place.store },
    venue,
    credentials,
    ordersGoTo,
    liveFlag: options.live,
    home: place.home,
    config: resolve(options.config),
    plugins,
    capture,
    forMs: options.forMs,
    isSupervised: true,
    resumeReason: options.resumeReason,
    logLevel: options.logLevel,
    clock: createClock(),
    timers: createTimers(),
    output: options.output,
  });
}

/** Mode, flag and address must agree before anything is opened; the gate checks it again. */
function checkMode(
  { config, live }: RunBotVerbOptions,
  { mode, venue }: BotSettings,
  ordersGoTo: 'simulator' | 'exchange',
): void {
  if (mode === 'paper')
    throw new ConfigError(`${config}: mode paper cannot be run yet; use demo, or a backtest`);
  if (mode === 'demo' && ordersGoTo === 'exchange')
    throw new ConfigError(
      `${config}: mode demo trades on this machine only, but venue ${venue} is elsewhere; use a venue on 127.0.0.1`,
    );
  if (mode === 'live' && ordersGoTo === 'simulator')
    throw new ConfigError(
      `${config}: mode live needs a real venue, but ${venue} is on this machine`,
    );
  if (live !== (mode === 'live'))
    throw new SafetyRefusedError(
      `${config}: mode is ${mode}, and --live was ${live ? '' : 'not '}given; live trading needs both`,
    );
}

function credentialsOf(options: RunBotVerbOptions, mode: Mode, home: string): Credentials {
  const keyId = readSecret(keyIdName, options.environment);
  const keySecret = readSecret(keySecretName, options.environment);
  if (keyId !== undefined && keySecret !== undefined) return { keyId, keySecret };
  if (mode === 'demo') {
    // The simulator of the same home has issued a key for us.
    const issued = readCredentials(simulatorFolder(home));
    return { keyId: issued.api_key_id, keySecret: issued.api_key_secret };
  }
  throw new ConfigError(
    `no API key: set ${keyIdName}_FILE and ${keySecretName}_FILE to files that only you can read`,
  );
}

function isLoopback(venue: VenueSettings): boolean {
  return [venue.baseUrl, venue.streamUrl].every((url) => isThisMachine(new URL(url).hostname));
}
