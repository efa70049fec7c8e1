/** `millrace panic`: every open order of a namespace is stopped, whatever runs or does not. */
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { credentialsOf } from '../../bot/keys/bot-credentials.ts';
import { panicOrders } from '../../bot/panic/panic-orders.ts';
import { hasOwnExchange, withVenue } from '../../bot/start/bot-venue.ts';
import { statePlaceOf } from '../../bot/state-place.ts';
import { leasePathOf, readLease } from '../../control/lease.ts';
import type { VenueSettings } from '../../domain/bot-settings.ts';
import { ConfigError, SafetyRefusedError } from '../../domain/errors.ts';
import { clientOrderIdPrefix } from '../../execution/orders/client-order-id.ts';
import { createClock } from '../../runtime/clock.ts';
import { watchSignals } from '../../runtime/signals.ts';
import { createTimers } from '../../runtime/timers.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { loadVenue } from '../../settings/load-venue.ts';
import { exchangeCommand } from '../../terminal/command-hints.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { packageRoot } from '../../terminal/package-root.ts';
import { isLoopback } from './run-command.ts';

/** What has to be typed, or said by its flag, before orders of others are stopped. */
const typedWord = 'cancel everything';
const namespaceForm = /^[a-z2-7]{8}$/u;
const tellEveryMs = 2_000;

export type PanicVerbOptions = {
  /** A bot's file tells namespace and venue; else both are given. */
  readonly config: string | undefined;
  readonly namespace: string | undefined;
  readonly venue: string | undefined;
  /** The folder of a simulator whose key is used where the environment gives none. */
  readonly home: string | undefined;
  readonly homeUsual: string;
  /** Every open order of the account, of whomever. */
  readonly isAll: boolean;
  /** `isAll` was confirmed by a flag. */
  readonly isConfirmed: boolean;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly output: Output;
};

export type PanicTarget = {
  readonly namespace: string;
  readonly venue: VenueSettings;
  readonly home: string;
  /** Path of the bot's database, if a configuration told it. */
  readonly store: string | undefined;
};

/** Stops orders until it is proven that none is open; returns the exit code: 6 if one may be. */
export async function runPanic(options: PanicVerbOptions): Promise<number> {
  const target = targetOf(options);
  if (options.isAll && !options.isConfirmed) await confirm(options.output);
  return panic(target, options);
}

type PanicRun = Pick<PanicVerbOptions, 'isAll' | 'environment' | 'output'>;

/** The same for a target that is known. */
export async function panic(target: PanicTarget, options: PanicRun): Promise<number> {
  const { venue, home, store } = target;
  const { environment, output } = options;
  if (store === undefined || !isLoopback(venue) || !hasOwnExchange(home, environment))
    return panicAt(target, options);
  // The orders of a demo that died wait in its folder until its exchange runs again.
  const demo = { mode: 'demo', venue: venue.name } as const;
  return withVenue(demo, { home, store, environment, output }, (beside) =>
    panicAt({ ...target, venue: beside.venue, store: undefined }, options),
  );
}

async function panicAt(
  { namespace, venue, home, store }: PanicTarget,
  options: PanicRun,
): Promise<number> {
  const { isAll, environment, output } = options;
  const isSimulated = isLoopback(venue);
  const credentials = credentialsOf(environment, isSimulated ? 'demo' : 'live', home);
  output.hide([{ id: credentials.keyId, secret: credentials.keySecret }]);
  // The simulator of `start` listens elsewhere at each start; its bot has left word of where.
  const lease = isSimulated && store !== undefined ? readLease(leasePathOf(store)) : undefined;
  const baseUrl = lease?.baseUrl ?? venue.baseUrl;
  const which = isAll
    ? 'every open order of the account'
    : `every open order that begins with ${clientOrderIdPrefix(namespace)}`;
  output.line(`panic: stopping ${which} at ${baseUrl}; Ctrl-C gives up`);
  const clock = createClock();
  const startedMicros = clock.monotonicMicros();
  let isWanted = true;
  const giveUp = (): void => {
    isWanted = false;
  };
  const unwatch = watchSignals({
    stop: giveUp,
    force: () => process.exit(exitCodes.ordersRemain),
    fatal: (error) => {
      output.problem(error);
      process.exit(exitCodes.ordersRemain);
    },
  });
  let tellAtMicros = 0;
  let isStartTold = false;
  try {
    const cleared = await panicOrders({
      baseUrl,
      paths: venue.paths,
      credentials,
      namespace: isAll ? undefined : namespace,
      timers: createTimers(),
      mayGoOn: () => isWanted,
      tell: ({ open, stopsSent, problem }) => {
        if (clock.monotonicMicros() < tellAtMicros) return;
        tellAtMicros = clock.monotonicMicros() + tellEveryMs * 1000;
        const trouble = problem === undefined ? '' : `; ${problem}, trying again`;
        output.line(`panic: ${open ?? '?'} orders open, ${stopsSent} stops sent${trouble}`);
        if (!isSimulated || isStartTold || problem?.includes('ECONNREFUSED') !== true) return;
        isStartTold = true;
        const command = exchangeCommand(home, baseUrl);
        output.line(`panic: a simulated exchange keeps its orders; start it with: ${command}`);
      },
    });
    const seconds = Math.round((clock.monotonicMicros() - startedMicros) / 1e6);
    const text = cleared.isClean
      ? `no order is open: two lists in a row show none; ${cleared.stopsSent} stops in ${seconds} s`
      : `given up: ${cleared.open ?? 'an unknown number of'} orders were open when last seen`;
    output.result({ ...cleared, open: cleared.open ?? null, seconds }, [text]);
    return cleared.isClean ? exitCodes.ok : exitCodes.ordersRemain;
  } finally {
    unwatch();
  }
}

/** Returns what a bot's file says. */
export function targetOfConfig(config: string, home: string | undefined): PanicTarget {
  const settings = loadBotSettings(config, { cwd: packageRoot });
  const place = statePlaceOf(settings.store, home);
  const venue = loadVenue(settings.venue, venueFolder);
  return { namespace: settings.namespace, venue, home: place.home, store: place.store };
}

const venueFolder = join(packageRoot, 'config', 'venues');

function targetOf(options: PanicVerbOptions): PanicTarget {
  const { config, namespace, venue, home, homeUsual, isAll } = options;
  if (config !== undefined) {
    if (namespace !== undefined || venue !== undefined)
      throw new ConfigError('--config tells namespace and venue; give it alone');
    return targetOfConfig(config, home);
  }
  if (venue === undefined || (namespace === undefined && !isAll))
    throw new ConfigError('name the bot with --config FILE, or --namespace NAME and --venue NAME');
  if (namespace !== undefined && !namespaceForm.test(namespace))
    throw new ConfigError(
      `namespace must be 8 characters of a-z and 2-7, was "${namespace}"; every run prints its own`,
    );
  return {
    namespace: namespace ?? '',
    venue: loadVenue(venue, venueFolder),
    home: home ?? homeUsual,
    store: undefined,
  };
}

async function confirm(output: Output): Promise<void> {
  const refusal = `--all stops orders of other bots and of people, too: type "${typedWord}", or give --yes-cancel-everything`;
  if (!process.stdin.isTTY) throw new SafetyRefusedError(refusal);
  output.line(`this stops every open order of the account. Type: ${typedWord}`);
  const lines = createInterface({ input: process.stdin });
  const typed = await lines.question('');
  lines.close();
  if (typed.trim() !== typedWord) throw new SafetyRefusedError(refusal);
}
