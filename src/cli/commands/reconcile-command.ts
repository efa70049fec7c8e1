/**
 * `millrace reconcile`: compares the store of a stopped bot with the exchange and its ledger, and
 * with `--repair` completes the store with evidence from the exchange.
 *
 * Invariant: the store is locked while it is compared. Without `--repair` it is only read, and only
 * reads are sent to the exchange.
 */

import { statSync } from 'node:fs';
import { differenceLine } from '../../audit/difference.ts';
import { accountReads } from '../../audit/exchange-account.ts';
import { type Reconciliation, readExchange, reconcile } from '../../audit/reconciliation.ts';
import { haltedScopeLine, haltedScopes } from '../../bot/halted-scopes.ts';
import { isKeyGiven } from '../../bot/keys/bot-credentials.ts';
import { repair } from '../../bot/repair.ts';
import { type VenueAccess, withVenue } from '../../bot/start/bot-venue.ts';
import { fetchAccounts, fetchMarketStarts } from '../../bot/start/market-start.ts';
import { preparePlugins } from '../../bot/start/prepare-plugins.ts';
import { simulatorFolder, statePlaceOf } from '../../bot/state-place.ts';
import type { BotSettings } from '../../domain/bot-settings.ts';
import { ConfigError } from '../../domain/errors.ts';
import { isLoopback } from '../../domain/this-machine.ts';
import type { Environment } from '../../runtime/secrets.ts';
import { createTimers } from '../../runtime/timers.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { prepareStorePath } from '../../store/open-database.ts';
import { openStoreReports } from '../../store/sqlite-reports.ts';
import { takeStoreLock } from '../../store/store-lock.ts';
import type { EnteredState, StoreReports } from '../../store/store-reports.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { VenueReader } from '../../venue/venue-reader.ts';
import { connectVenue, simulatorKeysPath } from '../../venues.ts';
import type { BotCommandOptions } from '../bot-argument.ts';

export type ReconcileOptions = BotCommandOptions & {
  /** Whether to complete the store with evidence from the exchange, and compare again. */
  readonly isRepairing: boolean;
  readonly environment: Environment;
};

/**
 * Prints the differences; returns the exit code: 0 if none remain, 1 if some do, 4 if the bot has
 * no state to compare. Throws AlreadyRunningError while the bot runs.
 */
export async function runReconcile(options: ReconcileOptions): Promise<number> {
  const { output, config, environment, workspace } = options;
  const loaded = loadBotSettings(config, options);
  const { source: _source, capture: _capture, feedSources: _feeds, ...settings } = loaded;
  if (settings.mode === 'paper')
    throw new ConfigError(
      `${config}: mode is paper, so no exchange has its orders; reconcile works in the modes demo and live`,
    );
  const place = statePlaceOf(settings.store, options.home);
  const needed = [place.store];
  // With a key in the environment, the exchange is a separate process with its own folder.
  if (settings.mode === 'demo' && !isKeyGiven(environment))
    needed.push(simulatorKeysPath(simulatorFolder(place.home)));
  for (const path of needed)
    if (statSync(path, { throwIfNoEntry: false }) === undefined) {
      output.result({ found: false, problem: `there is no ${path}` }, [
        `there is no ${path}; give the home of a bot that has run before with --home`,
      ]);
      return exitCodes.notFound;
    }
  const store = prepareStorePath(place.store);
  const { home } = place;
  // Fails now if the bot runs; otherwise its simulator would only report that it is in use.
  takeStoreLock(store).release();
  return withVenue(settings, { home, store, environment, workspace, output }, async (access) => {
    const before = await compareLocked(store, settings, access);
    const mustRepair = options.isRepairing && !isComplete(before);
    if (mustRepair) {
      output.line(`${before.differences.length} differences; completing the database`);
      const ordersGoTo = isLoopback(access.venue) ? 'simulator' : 'exchange';
      const plugins = await preparePlugins(loaded, workspace.strategies);
      const storeSettings = { ...settings, store };
      await repair({
        ...access,
        settings: storeSettings,
        ordersGoTo,
        home,
        config,
        plugins,
        workspace,
        output,
      });
    }
    const found = mustRepair ? await compareLocked(store, settings, access) : before;
    const repaired = before.differences.length - found.differences.length;
    const isEqual = found.differences.length === 0;
    const states = haltedScopes(settings, { tradingStates: () => statesOf(store) });
    output.result({ store, equal: isEqual, repaired, ...found, states }, [
      ...linesOf(found),
      ...adviceOf(found, options.isRepairing ? repaired : undefined),
      ...states.map((one) => `! ${haltedScopeLine(one, { config, home, workspace })}`),
    ]);
    return isEqual ? exitCodes.ok : exitCodes.error;
  });
}

function statesOf(store: string): readonly EnteredState[] {
  const reports = openStoreReports(store);
  try {
    return reports.tradingStates();
  } finally {
    reports.close();
  }
}

/** Whether a repair could not add anything. */
function isComplete({ differences, undecided, ledgerRowsNotReadYet }: Reconciliation): boolean {
  return differences.length === 0 && undecided.length === 0 && ledgerRowsNotReadYet === 0;
}

async function compareLocked(
  store: string,
  settings: BotSettings,
  access: VenueAccess,
): Promise<Reconciliation> {
  const lock = takeStoreLock(store);
  try {
    const reports = openStoreReports(store);
    const connection = connectVenue({ ...access, allow: accountReads, timers: createTimers() });
    try {
      return await compare(connection, reports, settings);
    } finally {
      await connection.close();
      reports.close();
    }
  } finally {
    lock.release();
  }
}

async function compare(
  venue: VenueReader,
  reports: StoreReports,
  settings: BotSettings,
): Promise<Reconciliation> {
  // Pairs that were removed from the configuration still have orders and fills.
  const names = new Set(settings.strategies.flatMap((strategy) => strategy.pairs));
  const orders = reports.orders();
  for (const order of orders) names.add(order.pair);
  const markets = await fetchMarketStarts(venue, [...names]);
  const isGiven = Object.keys(settings.accounts).length > 0;
  const accounts = isGiven ? settings.accounts : await fetchAccounts(venue, markets, orders);
  const pairs = new Map(markets.map(({ market }) => [market.pair, market]));
  const exchange = await readExchange(venue, { namespace: settings.namespace, accounts, pairs });
  return reconcile(exchange, { reports, accounts, pairs });
}

function linesOf(found: Reconciliation): readonly string[] {
  return [
    `orders     ${found.orders} here, ${found.ordersAtExchange} at the exchange, ${found.openOrders} open there`,
    `fills      ${found.fills} here, ${found.fillsAtExchange} at the exchange`,
    `ledger     ${found.ledgerRows} rows here, ${found.ledgerRowsAtExchange} at the exchange`,
    ...(found.ledgerRowsNotReadYet === 0
      ? []
      : [`  ${found.ledgerRowsNotReadYet} newer rows, all of reservations, are not read yet`]),
    `position   difference ${found.positionDifference}`,
    ...found.balances.map(
      (one) =>
        `balance    ${one.currency} ${one.exchange} at the exchange, ${one.expected} expected`,
    ),
    ...found.undecided.map((id) => `undecided  ${id} is not at the exchange, but may still arrive`),
    ...found.differences.map((one) => `! ${differenceLine(one)}`),
  ];
}

function adviceOf(
  { differences }: Reconciliation,
  repaired: number | undefined,
): readonly string[] {
  const count = differences.length;
  const done = repaired === undefined ? 'none repaired' : `${repaired} repaired`;
  if (count === 0)
    return [repaired === undefined ? 'everything is equal' : `everything is equal; ${done}`];
  return [
    `${count} differences; ${done}`,
    repaired === undefined
      ? 'reconcile --repair or the next start completes the database; a person must examine what differs afterwards'
      : 'a person must examine the remaining differences: a start does not change them either',
  ];
}
