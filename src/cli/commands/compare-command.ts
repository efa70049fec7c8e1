/**
 * `millrace compare`: backtests the hours of a finished run on the market streams that it received,
 * and explains each difference by order. Markets are compared separately, because amounts in
 * different base currencies cannot be added.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Comparison,
  compareRuns,
  type OrderDifference,
  type Totals,
} from '../../backtest/compare/compare-runs.ts';
import type { RunOrder } from '../../backtest/compare/run-book.ts';
import { StreamRun } from '../../backtest/compare/stream-run.ts';
import { journalRunsIn, type NamedJournalRun } from '../../bot/journal/journal-segments.ts';
import {
  outsideEvents,
  type PluginsOf,
  type RecordedRun,
  readRecordedRun,
} from '../../bot/journal/recorded-run.ts';
import { answeredOf, latenciesOf } from '../../bot/journal/run-latencies.ts';
import { preparePlugins } from '../../bot/start/prepare-plugins.ts';
import { ConfigError, NotFoundError } from '../../domain/errors.ts';
import { nothingRestored, type Restored } from '../../domain/records.ts';
import type { Workspace } from '../../domain/workspace.ts';
import type { EngineStart } from '../../engine/engine-start.ts';
import type { PaperLatencies } from '../../paper/paper-core.ts';
import { timeText } from '../../recording/file/time-text.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import type { VenueProperties } from '../../venue/venue-properties.ts';

export type CompareCommandOptions = {
  /** The path of a journal, or the number of a run of `home`; undefined uses the newest. */
  readonly run: string | undefined;
  readonly home: string;
  /** Considers only the runs of this bot; by default those of every bot. */
  readonly bot?: string;
  readonly workspace: Workspace;
  readonly output: Output;
};

/** Orders match within this time plus twice the longest round trip, in milliseconds. */
const windowMsMin = 1_000;
const shownMax = 50;

/** Compares; returns exit code 0 even if there are differences, since they are the result. */
export async function runCompareCommand(options: CompareCommandOptions): Promise<number> {
  const { output } = options;
  const journal = journalOf(options);
  const run = await readRecordedRun(journal, pluginsIn(options.workspace));
  const { markets, latencies } = await compareRecorded(journal, run, options.workspace);
  const basis = {
    journal,
    runId: run.run,
    mode: run.start.settings.mode,
    latencies: latencySummaryOf(run, latencies),
    notes: notesOf(run),
  };
  const [only] = markets.map(({ pair: _pair, ...comparison }) => comparison);
  output.result(
    markets.length === 1 ? { ...basis, ...only } : { ...basis, markets },
    linesOf(basis, markets),
  );
  return exitCodes.ok;
}

export type MarketComparison = Comparison & { readonly pair: string };

/**
 * Backtests the run on the streams that it received and with its latencies. Returns a comparison
 * for each of its markets, at least one. Throws ConfigError if it had none.
 */
export async function compareRecorded(
  journal: string,
  run: RecordedRun,
  workspace: Pick<Workspace, 'strategies'>,
): Promise<{ readonly markets: readonly MarketComparison[]; readonly latencies: PaperLatencies }> {
  const { start } = run;
  const { markets } = start;
  if (markets.length === 0) throw new ConfigError('the run has no market to compare');
  const currencies = currenciesOf(start);
  const latencies = latenciesOf(run);
  const backtest = new StreamRun({
    start: backtestStart(start, currencies),
    plugins: await pluginsIn(workspace)(start),
    paper: {
      profile: start.venue,
      markets: markets.map(({ market, makerFee, takerFee }) => ({
        market,
        fees: { maker: makerFee, taker: takerFee },
      })),
      balances: Object.fromEntries(currencies.map((one) => [one, balanceOf(run, one)])),
      latencies,
      seed: start.seed,
      own: start.settings.mode === 'paper' ? undefined : run.own,
    },
  });
  for await (const { atMicros, event } of outsideEvents(journal)) backtest.play(atMicros, event);
  backtest.finish(run.lastMicros);
  const startedMs = Math.floor(start.startedMicros / 1000);
  const longestUs = answeredOf(run).reduce((longest, { backUs }) => Math.max(longest, backUs), 0);
  const windowMs = windowMsMin + 2 * Math.ceil(longestUs / 1000);
  const orders = run.book.orders(startedMs);
  const backtestOrders = backtest.book.orders(startedMs);
  const compared = markets.map(({ market: { pair } }) => {
    const isOfPair = ({ row }: RunOrder): boolean => row.pair === pair;
    const comparison = compareRuns(
      orders.filter(isOfPair),
      backtestOrders.filter(isOfPair),
      windowMs,
    );
    return { pair, ...comparison };
  });
  return { markets: compared, latencies };
}

function journalOf({ run, home, bot }: CompareCommandOptions): string {
  if (run !== undefined && !/^\d+$/u.test(run)) return run;
  const folder = join(home, 'journal');
  const all = existsSync(folder) ? journalRunsIn(folder) : [];
  const known = all.filter((one) => bot === undefined || one.bot === bot);
  const found =
    run === undefined
      ? known.slice(-1)
      : known.filter(({ runId }) => runId === Number.parseInt(run, 10));
  const [one, ...others] = found;
  const listed = (runs: readonly NamedJournalRun[]): string =>
    runs.map((one) => `${one.bot} ${one.runId}`).join(', ');
  if (one === undefined)
    throw new NotFoundError(
      run === undefined
        ? `no journal in ${folder}; every run of a bot writes one there`
        : `no run ${run} in ${folder}; its runs are: ${listed(known) || 'none'}`,
    );
  if (others.length > 0)
    throw new ConfigError(
      `several bots have a run ${run} in ${folder}: ${listed(found)}; ` +
        `name the journal instead: ${found.map(({ path }) => path).join(' or ')}`,
    );
  return one.path;
}

function pluginsIn({ strategies }: Pick<Workspace, 'strategies'>): PluginsOf {
  return ({ settings }) => preparePlugins(settings, strategies);
}

/** Returns the markets' currencies in the order of the run's accounts, which requests follow. */
function currenciesOf({ settings, markets }: EngineStart): readonly string[] {
  const all = new Set(markets.flatMap(({ market }) => [market.base, market.counter]));
  const named = Object.keys(settings.accounts).filter((one) => all.has(one));
  return [...new Set([...named, ...all])];
}

/** Returns the run's start, changed to trade with a new account on the replay exchange. */
function backtestStart(start: EngineStart, currencies: readonly string[]): EngineStart {
  const { settings, restored } = start;
  const isFirst = restored.intentIdNext === 1;
  const { lost: _lost, venue, ...rest } = start;
  return {
    ...rest,
    settings: {
      ...settings,
      mode: 'paper',
      // The replay exchange numbers its accounts from 1.
      accounts: Object.fromEntries(currencies.map((one, index) => [one, String(index + 1)])),
    },
    environment: { ...start.environment, mode: 'paper', ordersGoTo: 'replay', liveFlag: false },
    restored: isFirst ? restored : withoutAccount(restored),
    venue: isFirst ? venue : withoutComparisons(venue),
  };
}

/** With positions of earlier runs, the ledger of the new account cannot explain the fills. */
function withoutComparisons(venue: VenueProperties): VenueProperties {
  const { lagMs, ...reads } = venue.reads;
  const { min } = lagMs;
  return { ...venue, reports: { mayBeLost: false }, reads: { ...reads, lagMs: { min, max: min } } };
}

/** Keeps the state of strategies and limits, and drops the state of the run's account. */
function withoutAccount(restored: Restored): Restored {
  const { intentIdNext, usedKeys, totals, totalsToday } = restored;
  const { strategyStates, tradingStates, riskStates } = restored;
  const placed = restored.orders.filter(({ level }) => level === undefined);
  return {
    ...nothingRestored,
    ...{ intentIdNext, usedKeys, totals, totalsToday, strategyStates, tradingStates, riskStates },
    earlierTraded: [...(restored.earlierTraded ?? []), ...placed],
  };
}

function balanceOf({ start, balances }: RecordedRun, currency: string): string {
  const { accounts, paper, mode } = start.settings;
  const { ledger } = start.restored;
  const accountId = accounts[currency] ?? '';
  const known =
    ledger.find((row) => row.accountId === accountId)?.balance ??
    (mode === 'paper' ? paper?.balances[currency] : undefined) ??
    balances.get(accountId);
  if (known === undefined)
    throw new ConfigError(
      `the journal has no balance of the ${currency} account: the run ended before it was read; compare a longer run`,
    );
  return known;
}

function notesOf({ start, isFinished, lastMicros }: RecordedRun): readonly string[] {
  const notes: string[] = [];
  if (!isFinished)
    notes.push(
      `the journal ends at ${timeText(lastMicros)}, before a normal stop: the run was killed or ` +
        'is still running, or the file is truncated; orders that were open then may differ',
    );
  if (start.settings.mode !== 'paper')
    notes.push(
      "the run's own orders are removed from the stream; the trades with them are available to the backtest's orders instead",
      'request and answer latency are each half of a measured round trip, feed latency is half of the median one',
    );
  if (start.restored.intentIdNext > 1)
    notes.push(
      'the run continued earlier ones: the backtest has the same positions, but not the orders that were open then',
    );
  return notes;
}

/** Summarises the latencies, in microseconds. */
function latencySummaryOf(run: RecordedRun, { feedUs }: PaperLatencies) {
  const sorted = answeredOf(run)
    .map(({ backUs }) => backUs)
    .sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? null;
  return { feedUs, roundTrips: sorted.length, medianUs: at(0.5), p90Us: at(0.9), maxUs: at(1) };
}

type Basis = {
  readonly journal: string;
  /** The run's number from the journal. It is not called `run`, which {@link Comparison} uses. */
  readonly runId: string;
  readonly mode: string;
  readonly latencies: ReturnType<typeof latencySummaryOf>;
  readonly notes: readonly string[];
};

function linesOf(basis: Basis, markets: readonly MarketComparison[]): readonly string[] {
  const { feedUs, roundTrips, medianUs, maxUs } = basis.latencies;
  return [
    `run ${basis.runId}, mode ${basis.mode}: ${basis.journal}`,
    `  feed ${feedUs} us, ${roundTrips} round trips of ${medianUs ?? '?'} us (median) to ${maxUs ?? '?'} us`,
    ...basis.notes.map((note) => `  ${note}`),
    ...markets.flatMap((one) => ['', ...marketLines(one, markets.length > 1 ? one.pair : '')]),
  ];
}

function marketLines(comparison: Comparison, name: string): readonly string[] {
  const { matched, same, causes, totals, differences } = comparison;
  const counts = Object.entries(causes).filter(([, count]) => count > 0);
  const row = (name: string, pick: (one: Totals) => string | number): string =>
    `${name.padEnd(14)} ${[totals.run, totals.backtest, totals.difference].map((one) => String(pick(one)).padStart(18)).join('')}`;
  return [
    `${name.padEnd(14)} ${['run', 'backtest', 'difference'].map((name) => name.padStart(18)).join('')}`,
    row('orders', (one) => one.orders),
    row('fills', (one) => one.fills),
    row('bought', (one) => one.bought),
    row('sold', (one) => one.sold),
    row('position', (one) => one.position),
    row('cash', (one) => one.cash),
    row('fees in base', (one) => one.feeBase),
    row('fees in counter', (one) => one.feeCounter),
    '',
    `${matched} orders matched, ${same} of them identical; ${counts.map(([cause, count]) => `${count} ${cause}`).join(', ') || 'no difference'}`,
    ...differences.slice(0, shownMax).map(differenceText),
    ...(differences.length > shownMax
      ? [`  and ${differences.length - shownMax} more; --json prints all`]
      : []),
  ];
}

function differenceText({ cause, strategy, pair, side, run, backtest }: OrderDifference): string {
  const outcome = (one: OrderDifference['run']): string =>
    one === null
      ? 'none'
      : `${one.volume} at ${one.price} ${one.state}, ${one.fills} fills of ${one.base}`;
  const at = new Date((run ?? backtest)?.createdMs ?? 0).toISOString();
  return `  ${at} ${cause.padEnd(16)} ${strategy} ${pair} ${side}: run ${outcome(run)}; backtest ${outcome(backtest)}`;
}
