/**
 * `millrace reconcile`: compares store, exchange and ledger of a bot that does not run, and with
 * `--repair` completes the store from what the exchange proves.
 *
 * Invariant: the store is locked meanwhile. Without `--repair` it is only read, and of the exchange
 * only reads are allowed to leave.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { differenceLine } from '../../audit/difference.ts';
import { accountReads } from '../../audit/exchange-account.ts';
import { type Reconciliation, readExchange, reconcile } from '../../audit/reconciliation.ts';
import { closedLine, closedScopes } from '../../bot/halted-scopes.ts';
import { isKeyGiven } from '../../bot/keys/bot-credentials.ts';
import { repair } from '../../bot/repair.ts';
import { type VenueBeside, withVenue } from '../../bot/start/bot-venue.ts';
import { fetchAccounts, fetchMarketStarts } from '../../bot/start/market-start.ts';
import { preparePlugins } from '../../bot/start/prepare-plugins.ts';
import { simulatorFolder, statePlaceOf } from '../../bot/state-place.ts';
import { isLoopback } from '../../client/address.ts';
import { createClient } from '../../client/client.ts';
import type { BotSettings } from '../../domain/bot-settings.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { Environment } from '../../runtime/secrets.ts';
import { createTimers } from '../../runtime/timers.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { credentialsPath } from '../../simulator/server/credentials-file.ts';
import { prepareStorePath } from '../../store/open-database.ts';
import { openStoreReports } from '../../store/sqlite-reports.ts';
import { takeStoreLock } from '../../store/store-lock.ts';
import type { EnteredState, StoreReports } from '../../store/store-reports.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { packageRoot } from '../../terminal/package-root.ts';

export type ReconcileOptions = {
  readonly config: string;
  /** Where state is kept instead of beside the database of the configuration. */
  readonly home: string | undefined;
  /** Completes the store from what the exchange proves, and compares again. */
  readonly isRepairing: boolean;
  readonly environment: Environment;
  readonly output: Output;
};

/**
 * Prints what differs; returns the exit code: 0 if nothing does (any more), 1 if something does, 4
 * if there is nothing to compare. Throws AlreadyRunningError while the bot runs.
 */
export async function runReconcile(options: ReconcileOptions): Promise<number> {
  const { output, config, environment } = options;
  const loaded = loadBotSettings(config, { cwd: packageRoot });
  const { source: _source, capture: _capture, ...settings } = loaded;
  if (settings.mode === 'paper')
    throw new ConfigError(`${config}: mode is paper: no exchange knows these orders`);
  const place = statePlaceOf(settings.store, options.home);
  const needed = [place.store];
  // A key of the environment is for an exchange that runs by itself, wherever its folder is.
  if (settings.mode === 'demo' && !isKeyGiven(environment))
    needed.push(credentialsPath(simulatorFolder(place.home)));
  for (const path of needed)
    if (statSync(path, { throwIfNoEntry: false }) === undefined) {
      output.result({ found: false, problem: `there is no ${path}` }, [
        `there is no ${path}; name the home of a bot that has run with --home`,
      ]);
      return exitCodes.notFound;
    }
  const store = prepareStorePath(place.store);
  const { home } = place;
  // Said before anything is started: the simulator of a bot that runs would say that it is in use.
  takeStoreLock(store).release();
  return withVenue(settings, { home, store, environment, output }, async (beside) => {
    const before = await compareLocked(store, settings, beside);
    const mustRepair = options.isRepairing && !isWhole(before);
    if (mustRepair) {
      output.line(`${before.differences.length} differences; reading what is missing`);
      const ordersGoTo = isLoopback(beside.venue) ? 'simulator' : 'exchange';
      const plugins = await preparePlugins(loaded, join(packageRoot, 'strategies'));
      const own = { ...settings, store };
      await repair({ ...beside, settings: own, ordersGoTo, home, config, plugins, output });
    }
    const found = mustRepair ? await compareLocked(store, settings, beside) : before;
    const repaired = before.differences.length - found.differences.length;
    const isEqual = found.differences.length === 0;
    const states = closedScopes(settings, { tradingStates: () => statesOf(store) });
    output.result({ store, equal: isEqual, repaired, ...found, states }, [
      ...linesOf(found),
      ...adviceOf(found, options.isRepairing ? repaired : undefined),
      ...states.map((one) => `! ${closedLine(one, { config, home })}`),
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

/** Whether there is nothing that reading could complete. */
function isWhole({ differences, undecided, ledgerRowsNotReadYet }: Reconciliation): boolean {
  return differences.length === 0 && undecided.length === 0 && ledgerRowsNotReadYet === 0;
}

async function compareLocked(
  store: string,
  settings: BotSettings,
  { venue, credentials }: VenueBeside,
): Promise<Reconciliation> {
  const lock = takeStoreLock(store);
  try {
    const reports = openStoreReports(store);
    const { baseUrl, paths } = venue;
    const timers = createTimers();
    const client = createClient({ baseUrl, paths, credentials, allow: accountReads, timers });
    try {
      return await compare(client, reports, settings);
    } finally {
      await client.close();
      reports.close();
    }
  } finally {
    lock.release();
  }
}

async function compare(
  client: ReturnType<typeof createClient>,
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

function linesOf(found: Reconciliation): readonly string[] {
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
  ];
}

function adviceOf(
  { differences }: Reconciliation,
  repaired: number | undefined,
): readonly string[] {
  const count = differences.length;
  const done = repaired === undefined ? 'nothing was repaired' : `${repaired} were repaired`;
  if (count === 0)
    return [repaired === undefined ? 'everything is equal' : `everything is equal; ${done}`];
  return [
    `${count} differences; ${done}`,
    repaired === undefined
      ? 'reconcile --repair, or the next start, reads what is missing; what differs after it needs a person'
      : 'what still differs is nothing that a start may change: it needs a person',
  ];
}
