/**
 * The exchange that a bot's state belongs to: for a demo the simulator of its home, running or
 * started for the purpose; else the venue of its configuration, with the key of the environment.
 */
import { existsSync } from 'node:fs';
import { accountReads } from '../../audit/exchange-account.ts';
import { createClient } from '../../client/client.ts';
import type { Credentials } from '../../client/credentials.ts';
import { leasePathOf, readLease } from '../../control/lease.ts';
import type { BotSettings, VenueSettings } from '../../domain/bot-settings.ts';
import { AlreadyRunningError } from '../../domain/errors.ts';
import { createClock } from '../../runtime/clock.ts';
import type { Environment } from '../../runtime/secrets.ts';
import { createTimers } from '../../runtime/timers.ts';
import { loadVenue } from '../../settings/load-venue.ts';
import { credentialsPath } from '../../simulator/server/credentials-file.ts';
import { lockFolder } from '../../simulator/server/process-lock.ts';
import type { Output } from '../../terminal/output.ts';
import { venuesFolder } from '../../terminal/package-root.ts';
import { credentialsOf, isKeyGiven } from '../keys/bot-credentials.ts';
import { simulatorFolder } from '../state-place.ts';
import { startSimulatorChild } from './simulator-process.ts';

export type VenueBeside = { readonly venue: VenueSettings; readonly credentials: Credentials };

/** Runs `use` with the exchange; a simulator that was started for it ends with it. */
export async function withVenue<Result>(
  settings: Pick<BotSettings, 'mode' | 'venue'>,
  options: {
    readonly home: string;
    /** Path of the bot's database, beside which a bot that runs says where its simulator is. */
    readonly store: string;
    readonly environment: Environment;
    readonly output: Output;
  },
  use: (beside: VenueBeside) => Promise<Result>,
): Promise<Result> {
  const { home, store, environment, output } = options;
  const venue = loadVenue(settings.venue, venuesFolder);
  const credentials = credentialsOf(environment, settings.mode, home);
  if (settings.mode !== 'demo' || isKeyGiven(environment)) return await use({ venue, credentials });
  if (isHeld(simulatorFolder(home))) {
    const baseUrl = readLease(leasePathOf(store))?.baseUrl ?? venue.baseUrl;
    for (const one of [{ ...venue, baseUrl }, venue])
      if (await answers({ venue: one, credentials })) return await use({ venue: one, credentials });
  }
  // One that is still ending, or listens elsewhere, is waited for.
  const simulator = await startSimulatorChild({
    home,
    // The state is there already, so the seed is not used.
    seed: '1',
    clock: createClock(),
    timers: createTimers(),
    onLost: (text) => output.line(`! ${text}`),
    onBack: () => output.line('! the simulator is back'),
  });
  try {
    return await use({ venue: { ...venue, ...simulator.address }, credentials });
  } finally {
    await simulator.close();
  }
}

/** Whether the exchange at this address knows the key. */
async function answers({ venue, credentials }: VenueBeside): Promise<boolean> {
  const { baseUrl } = venue;
  const client = createClient({
    baseUrl,
    credentials,
    allow: accountReads,
    timers: createTimers(),
  });
  try {
    return (await client.request('balance', {})).kind === 'ok';
  } finally {
    await client.close();
  }
}

/** Whether a demo in `home` has an exchange of its own, which ends with its bot. */
export function hasOwnExchange(home: string, environment: Environment): boolean {
  return !isKeyGiven(environment) && existsSync(credentialsPath(simulatorFolder(home)));
}

/** Whether a simulator runs in `folder`. */
function isHeld(folder: string): boolean {
  try {
    lockFolder(folder)();
    return false;
  } catch (error) {
    if (error instanceof AlreadyRunningError) return true;
    throw error;
  }
}
