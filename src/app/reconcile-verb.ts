/**
 * `millrace reconcile`: compares store, exchange and ledger of a demo bot that does not run. It
 * repairs nothing.
 *
 * Invariant: the store is locked meanwhile and only read; of the exchange only reads are allowed to
 * leave.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient } from '../client/client.ts';
import type { BotSettings } from '../domain/bot-settings.ts';
import { AlreadyRunningError, ConfigError } from '../domain/errors.ts';
import { createClock } from '../runtime/clock.ts';
import { createTimers, type Timers } from '../runtime/timers.ts';
import { loadBotSettings } from '../settings/load-bot-settings.ts';
import { loadVenue } from '../settings/load-venue.ts';
import { credentialsPath, readCredentials } from '../simulator/credentials-file.ts';
import { lockFolder } from '../simulator/process-lock.ts';
import { prepareStorePath } from '../store/open-database.ts';
import { openStoreReports } from '../store/sqlite-reports.ts';
import { takeStoreLock } from '../store/store-lock.ts';
import type { StoreReports } from '../store/store-reports.ts';
import { differenceLine } from './difference.ts';
import { accountReads } from './exchange-account.ts';
import { simulatorFolder } from './exchange-verb.ts';
import { exitCodes } from './exit-code.ts';
import { fetchAccounts, fetchMarketStarts } from './market-start.ts';
import type { Output } from './output.ts';
import { packageRoot } from './package-root.ts';
import { type Reconciliation, readExchange, reconcile } from './reconciliation.ts';
import { startSimulatorChild } from './simulator-process.ts';
import { statePlaceOf } from './state-place.ts';

export type ReconcileOptions = {
  readonly config: string;
  /** Where state is kept instead of beside the database of the configuration. */
  readonly home: string | undefined;
  readonly output: Output;
};

/**
 * Prints what differs; returns the exit code: 0 if nothing does, 1 if something does, 4 if there is
 * nothing to compare. Throws AlreadyRunningError while the bot runs.
 */
export async function runReconcile(options: ReconcileOptions): Promise<number> {
  const { output, config } = options;
  const loaded = loadBotSettings(config, { cwd: packageRoot });
  const { source: _source, capture: _capture, ...settings } = loaded;
  if (settings.mode !== 'demo')
    throw new ConfigError(
      `${config}: reconcile compares bots of mode demo, this one has mode ${settings.mode}; the summary at the end of its run compares fills`,
    );
  const place = statePlaceOf(settings.store, options.home);
  for (const path of [place.store, credentialsPath(simulatorFolder(place.home))])
    if (statSync(path, { throwIfNoEntry: false }) === undefined) {
      output.result({ found: false, problem: `there is no ${path}` }, [
        `there is no ${path}; name the home of a demo bot that has run with --home`,
      ]);
      return exitCodes.notFound;
    }
  const path = prepareStorePath(place.store);
  const lock = takeStoreLock(path);
  try {
    const reports = openStoreReports(path);
    try {
      const found = await withExchange(settings, place.home, output, (client) =>
        compare(client, reports, settings),
      );
      output.result(
        { store: path, equal: found.differences.length === 0, ...found },
        linesOf(found),
      );
      return found.differences.length === 0 ? exitCodes.ok : exitCodes.error;
    } finally {
      reports.close();
    }
  } finally {
    lock.release();
  }
}

async function compare(
  client: Client,
  reports: StoreReports,
  settings: BotSettings,
): Promise<Reconciliation> {
  // Pairs that the configuration does not name any more have their orders and fills, too.
  const names = new Set(settings.strategies.flatMap((strategy) => strategy.pairs));
  for (const order of reports.orders()) names.add(order.pair);
  const markets = await fetchMarketStarts(client, [...names]);
  const isGiven = Object.keys(settings.accounts).length > 0;
  const accounts = isGiven ? settings.accounts : await fetchAccounts(client, markets);
  const pairs = new Map(markets.map(({ market }) => [market.pair, market]));
  const exchange = await readExchange(client, { namespace: settings.namespace, accounts, pairs });
  return reconcile(exchange, { reports, accounts, pairs });
}

/** Runs `use` with the exchange of `home`: the one that runs, else one started for the purpose. */
async function withExchange<Result>(
  settings: BotSettings,
  home: string,
  output: Output,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const timers = createTimers();
  const venue = loadVenue(settings.venue, join(packageRoot, 'config', 'venues'));
  if (isHeld(simulatorFolder(home))) {
    const client = clientAt(venue.baseUrl, home, timers);
    try {
      if ((await client.request('balance', {})).kind === 'ok') return await use(client);
    } finally {
      await client.close();
    }
  }
  // One that is still ending, or listens elsewhere, is waited for.
  const simulator = await startSimulatorChild({
    home,
    // The state is there already, so the seed is not used.
    seed: '1',
    clock: createClock(),
    timers,
    onLost: (text) => output.line(`! ${text}`),
    onBack: () => output.line('! the simulator is back'),
  });
  const client = clientAt(simulator.address.baseUrl, home, timers);
  try {
    return await use(client);
  } finally {
    await client.close();
    await simulator.close();
  }
}

function clientAt(baseUrl: string, home: string, timers: Timers): Client {
  const issued = readCredentials(simulatorFolder(home));
  const credentials = { keyId: issued.api_key_id, keySecret: issued.api_key_secret };
  return createClient({ baseUrl, credentials, allow: accountReads, timers });
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

function linesOf(found: Reconciliation): readonly string[] {
  const count = found.differences.length;
  return [
    `orders     ${found.orders} here, ${found.ordersAtExchange} at the exchange, ${found.openOrders} open there`,
    `fills      ${found.fills} here, ${found.fillsAtExchange} at the exchange`,
    `ledger     ${found.ledgerRows} rows here, ${found.ledgerRowsAtExchange} at the exchange`,
    ...(found.ledgerRowsNotReadYet === 0
      ? []
      : [`  ${found.ledgerRowsNotReadYet} newer ones of reservations are not read yet`]),
    `position   difference ${found.positionDifference}`,
    ...found.balances.map(
      (one) =>
        `balance    ${one.currency} ${one.exchange} at the exchange, ${one.expected} expected`,
    ),
    ...found.undecided.map((id) => `undecided  ${id} is not at the exchange and may still come`),
    ...found.differences.map((one) => `! ${differenceLine(one)}`),
    count === 0 ? 'everything is equal' : `${count} differences; nothing was repaired`,
    ...(count === 0
      ? []
      : ['the next start reads what is missing; what differs after it needs a person']),
  ];
}
