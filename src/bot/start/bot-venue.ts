/**
 * Connects to the exchange of a bot's state: for a demo the simulator of its home, which is started
 * if it does not run; otherwise the venue of its settings, with the key of the environment.
 */
import { existsSync } from 'node:fs';
import { accountReads } from '../../audit/exchange-account.ts';
import { leasePathOf, readLease } from '../../control/lease.ts';
import type { BotSettings, VenueSettings } from '../../domain/bot-settings.ts';
import { AlreadyRunningError } from '../../domain/errors.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { createClock } from '../../runtime/clock.ts';
import { lockFolder } from '../../runtime/process-lock.ts';
import type { Environment } from '../../runtime/secrets.ts';
import { createTimers } from '../../runtime/timers.ts';
import { loadVenue } from '../../settings/load-venue.ts';
import type { Output } from '../../terminal/output.ts';
import type { Credentials } from '../../venue/key-credentials.ts';
import { connectVenue, simulatorKeysPath } from '../../venues.ts';
import { credentialsOf, isKeyGiven } from '../keys/bot-credentials.ts';
import { simulatorFolder } from '../state-place.ts';
import {
  type SimulatorAddress,
  type SimulatorChild,
  startSimulatorChild,
} from './simulator-process.ts';

export type VenueAccess = { readonly venue: VenueSettings; readonly credentials: Credentials };

/** Runs `use` with the exchange; a simulator that was started for it is stopped afterwards. */
export async function withVenue<Result>(
  settings: Pick<BotSettings, 'mode' | 'venue'>,
  options: {
    readonly home: string;
    /** Path of the bot's database; the lease beside it has the address of a running simulator. */
    readonly store: string;
    readonly environment: Environment;
    readonly workspace: Workspace;
    readonly output: Output;
  },
  use: (beside: VenueAccess) => Promise<Result>,
): Promise<Result> {
  const { home, store, environment, workspace, output } = options;
  const venue = loadVenue(settings.venue, workspace.venues);
  const credentials = credentialsOf(environment, settings.mode, home);
  if (settings.mode !== 'demo' || isKeyGiven(environment)) return await use({ venue, credentials });
  if (isHeld(simulatorFolder(home))) {
    const baseUrl = readLease(leasePathOf(store))?.baseUrl ?? venue.baseUrl;
    for (const one of [{ ...venue, baseUrl }, venue])
      if (await answers({ venue: one, credentials })) return await use({ venue: one, credentials });
  }
  // This also waits for a simulator that is still stopping, or listens at an unknown address.
  const started = startSimulatorChild({
    home,
    // The simulator's state exists, so the seed is not used.
    seed: '1',
    clock: createClock(),
    timers: createTimers(),
    onLost: (text) => output.line(`! ${text}`),
    onBack: () => output.line('! the simulator is running again'),
  });
  return await during(started, (address) => use({ venue: { ...venue, ...address }, credentials }));
}

/** Whether an exchange at this address accepts the key. */
async function answers(access: VenueAccess): Promise<boolean> {
  const venue = connectVenue({ ...access, allow: accountReads, timers: createTimers() });
  try {
    return (await venue.ask({ kind: 'balances' })).kind === 'ok';
  } finally {
    await venue.close();
  }
}

/** Whether a demo in `home` uses its own simulator, which ends with the bot. */
export function hasOwnExchange(home: string, environment: Environment): boolean {
  return !isKeyGiven(environment) && existsSync(simulatorKeysPath(simulatorFolder(home)));
}

/**
 * Runs `use` with the address of the simulator of `home`, which is started if it does not run.
 * `begin` starts it.
 */
export async function withSimulator<Result>(
  venue: VenueSettings,
  place: { readonly home: string; readonly store: string },
  begin: () => Promise<SimulatorChild>,
  use: (venue: VenueSettings) => Promise<Result>,
): Promise<Result> {
  const { baseUrl } = readLease(leasePathOf(place.store)) ?? {};
  if (baseUrl !== undefined && isHeld(simulatorFolder(place.home)))
    return await use({ ...venue, baseUrl });
  return await during(begin(), (address) => use({ ...venue, ...address }));
}

/** Runs `use` with the address of a simulator, and stops it afterwards. */
async function during<Result>(
  started: Promise<SimulatorChild>,
  use: (address: SimulatorAddress) => Promise<Result>,
): Promise<Result> {
  const simulator = await started;
  try {
    return await use(simulator.address);
  } finally {
    await simulator.close();
  }
}

/** Whether a simulator runs in `folder`. */
export function isHeld(folder: string): boolean {
  try {
    lockFolder(folder)();
    return false;
  } catch (error) {
    if (error instanceof AlreadyRunningError) return true;
    throw error;
  }
}
