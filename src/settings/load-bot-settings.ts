/** Reads a bot's YAML file into frozen {@link BotSettings}. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type {
  ApprovedVersions,
  BotSettings,
  CaptureSettings,
  DashboardSettings,
  KeepSettings,
  PaperSettings,
  PluginsFrom,
} from '../domain/bot-settings.ts';
import { declaredLimits, isRequired, type LimitSections } from '../domain/declared-limits.ts';
import type { FeedRule, FeedSource } from '../domain/feed.ts';
import type { Latency } from '../domain/trading-conditions.ts';
import { feeDecimalsMax } from '../domain/unit-text.ts';
import type { Workspace } from '../domain/workspace.ts';
import { checkCoherence } from './bot-coherence.ts';
import {
  deepFreeze,
  must,
  packagesField,
  recordOf,
  strategiesField,
  strategiesOf,
  tradesAny,
} from './bot-fields.ts';
import { limitsOf, limitsOfWatcher } from './complete-limits.ts';
import { checkDashboard, dashboardField, dashboardOf } from './dashboard-field.ts';
import { checkFeeds, feedSourcesOf, feedsField } from './feeds-field.ts';
import { allowedBy, list, object, optional, type Reader, record } from './field.ts';
import { limitsOrPreset } from './given-limits.ts';
import { latency } from './latency-field.ts';
import { limitsField } from './limit-fields.ts';
import { approvedPackage, currencyName, innerPath, namespace, namespaceOf, slug } from './names.ts';
import { PlacedConfigError } from './problem.ts';
import { readChecked } from './read-checked.ts';
import { type KeyPath, readSettings, type SettingsSource } from './settings-source.ts';
import { share, sizeBytes, spanMsOr, spanUs } from './unit-fields.ts';
import { amount, choice, id, text, wholeNumber } from './value-fields.ts';

/** Settings with their file, for errors that are found later, such as in plugin parameters. */
export type LoadedBotSettings = BotSettings & {
  readonly source: SettingsSource;
  readonly pluginsFrom: PluginsFrom;
  readonly capture: CaptureSettings;
  /** Undefined serves no page. */
  readonly dashboard: DashboardSettings | undefined;
  /** With addresses, which no journal gets: they may have secrets. */
  readonly feedSources: readonly FeedSource[];
};

const dayMs = 86_400_000;
/** One way between a home connection and a distant exchange. */
const latencyUsDefault = 50_000;
const latencyDefault: Latency = { kind: 'fixed', us: latencyUsDefault };
const fee = share({ max: '0.1', signed: true, decimalsMax: feeDecimalsMax, unit: 'bps' });
const feedLatency = spanUs({
  minUs: 0,
  maxUs: 60_000_000,
  allowed: 'a whole number with us, ms or s, at most 60s, such as "20ms"',
  unit: 'ms',
});
const accountId = id('an account id, such as "11"');

const paperField = object({
  balances: record(amount({ zero: true }), currencyName),
  fees: optional(object({ maker: fee, taker: fee })),
  latencies: optional(
    object({
      feed: optional(feedLatency, latencyUsDefault),
      request: optional(latency, latencyDefault),
      answer: optional(latency, latencyDefault),
    }),
  ),
});
/** The venue of a demo that names none: the simulator that starts with it. */
const demoVenue = 'simulator';
const scenarioName = text(
  /^(?:[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?|\.{1,2}\/[\p{L}\p{M}\p{N}_ .@/-]{1,200})$/u,
  'the name of a shipped scenario, such as first, or the path of one from the folder of this file, such as ./backtests/mine/scenario.yaml',
);
const hash = text(
  /^[0-9a-f]{16,64}$/u,
  'a hash as `millrace checks` prints it, in quotes, such as "0123456789abcdef"',
);

export const botField = object({
  version: wholeNumber({ min: 1, max: 1 }),
  bot: slug,
  mode: choice(['demo', 'paper', 'live']),
  venue: optional(slug),
  store: optional(innerPath),
  namespace: optional(namespace),
  accounts: optional(record(accountId, currencyName)),
  live: optional(
    object({
      keyFingerprint: text(
        /^[A-Za-z0-9:+/=_-]{8,100}$/u,
        'the fingerprint that `millrace keycheck` prints, such as "0123456789abcdef"',
      ),
    }),
  ),
  approved: optional(
    object({
      settings: list(hash),
      strategies: list(hash),
      packages: optional(list(approvedPackage)),
    }),
  ),
  packages: optional(packagesField),
  strategies: strategiesField,
  limits: optional(limitsField),
  feeds: optional(feedsField),
  keep: optional(
    object({
      journals: optional(sizeBytes({ minBytes: 200e6, maxBytes: 1e15 }), 2e9),
      rows: optional(spanMsOr('all', { minMs: 7 * dayMs, maxMs: 40_000 * dayMs }), 400 * dayMs),
    }),
  ),
  capture: optional(
    object({
      days: wholeNumber({ min: 0, max: 3_650 }),
      megabytes: wholeNumber({ min: 1, max: 1_000_000 }),
    }),
  ),
  dashboard: optional(dashboardField),
  egress: optional(innerPath),
  paper: optional(paperField),
  backtest: optional(scenarioName),
});

type PaperDraft = NonNullable<NonNullable<ReturnType<typeof botField>>['paper']>;
type KeepDraft = NonNullable<NonNullable<ReturnType<typeof botField>>['keep']>;

export type LoadOptions = {
  readonly workspace: Pick<Workspace, 'root' | 'homeOf' | 'command'>;
  /** The folder that replaces the one of `store`, if a command was given one. */
  readonly home?: string | undefined;
  /**
   * Accepts a file without the hashes of `approved` and the fingerprint of the key. For the
   * commands that print them; nothing may trade with such settings.
   */
  readonly isBeingWritten?: boolean;
  /** Accepts a file without what its mode requires, for the command that prints what it has. */
  readonly isShown?: boolean;
};

/**
 * Returns the settings in the file at `path`. Paths in it are relative to its folder. Throws one
 * ConfigError with a line for each problem: file, line, column, key, value and what is allowed.
 */
export function loadBotSettings(path: string, options: LoadOptions): LoadedBotSettings {
  return botSettingsOf(readSettings(resolve(path), path, 'bot'), options);
}

/** Returns the settings of a file that has already been read. Throws ConfigError. */
export function botSettingsOf(source: SettingsSource, options: LoadOptions): LoadedBotSettings {
  const { workspace, home } = options;
  const given = must(readChecked(source, (reader) => readBot(reader, options)));
  const bot = must(given.bot);
  const fingerprint = given.live?.keyFingerprint;
  const feedSources = feedSourcesOf(source, given.feeds);
  const settings: BotSettings & { readonly pluginsFrom: PluginsFrom } = {
    bot,
    mode: must(given.mode),
    venue: given.venue ?? demoVenue,
    store: storeOf(source, { bot, store: given.store }, { workspace, home }),
    namespace: given.namespace ?? namespaceOf(bot),
    accounts: given.accounts === undefined ? {} : recordOf(given.accounts),
    ...(fingerprint === undefined ? {} : { liveKeyFingerprint: fingerprint }),
    ...(given.approved === undefined ? {} : { approved: versionsOf(given.approved) }),
    strategies: strategiesOf(must(given.strategies)),
    pluginsFrom: pluginsFromOf(source, given.packages),
    limits: given.trades ? limitsOf(must(given.limits)) : limitsOfWatcher,
    ...(given.feeds === undefined ? {} : { feeds: feedSources.map(ruleOf) }),
    ...(given.keep === undefined ? {} : { keep: keepOf(given.keep) }),
    ...(given.paper === undefined ? {} : { paper: paperOf(given.paper) }),
    ...(given.egress === undefined ? {} : { egress: egressFileOf(source, given.egress) }),
    hash: source.hash,
  };
  const days = given.capture?.days ?? 7;
  const megabytes = given.capture?.megabytes ?? 1_024;
  const capture = Object.freeze({ days, bytesMax: megabytes * 1_048_576 });
  const dashboard = given.dashboard === undefined ? undefined : dashboardOf(given.dashboard);
  const more = { source, capture, dashboard, feedSources: deepFreeze(feedSources) };
  return Object.freeze({ ...deepFreeze(settings), ...more });
}

/** Returns where the plugins that the file names are found; `packages` is its key. */
export function pluginsFromOf(
  source: SettingsSource,
  packages: readonly string[] | undefined,
): PluginsFrom {
  return { folder: dirname(resolve(source.file)), packages: packages ?? [] };
}

/** Returns the path of the database: in the bot's home if the file names none. */
function storeOf(
  source: SettingsSource,
  { bot, store }: { readonly bot: string; readonly store: string | undefined },
  { workspace, home }: LoadOptions,
): string {
  if (store === undefined) return join(workspace.homeOf(resolve(source.file)), `${bot}.sqlite`);
  const path = resolve(dirname(source.file), store);
  // Earlier versions looked there. A bot with an empty database would not know its orders.
  const former = resolve(workspace.root, store);
  if (home === undefined && !existsSync(path) && former !== path && existsSync(former)) {
    const { line, column } = source.locate(['store']);
    const text =
      `${source.file}:${line}:${column}: store: was "${store}", which is relative to this file's folder, ` +
      `but the bot's database is ${former}: move it to ${path}`;
    throw new PlacedConfigError(source.file, [{ line, column, text }]);
  }
  return path;
}

/** Returns the path of the file of caps, which is relative to the settings file. */
export function egressFileOf(source: SettingsSource, egress: string): string {
  return resolve(dirname(source.file), egress);
}

function readBot(reader: Reader, options: LoadOptions) {
  const draft = reader.read(botField);
  if (draft === undefined) return undefined;
  const limits = limitsOrPreset(reader, draft.limits);
  const trades = tradesAny(draft.strategies);
  if (trades && !reader.source.has(['limits']))
    reader.reportMissing([], 'lacks limits, which is required', allowedBy(limitsField));
  checkCoherence(reader, draft.strategies, typeof draft.limits === 'string' ? undefined : limits, {
    accounts: draft.accounts,
    paperBalances: draft.mode === 'paper' ? draft.paper?.balances : undefined,
  });
  checkDashboard(reader, draft.dashboard);
  checkFeeds(reader, draft.feeds, draft.strategies);
  if (options.isShown !== true) requireByMode(reader, draft, { ...options, trades });
  return { ...draft, limits, trades };
}

function ruleOf({ name, ageMsMax }: FeedSource): FeedRule {
  return { name, ageMsMax };
}

function keepOf({ journals, rows }: KeepDraft): KeepSettings {
  const rowsMs = must(rows);
  return { journalBytesMax: must(journals), rowsMs: rowsMs === 'all' ? undefined : rowsMs };
}

function paperOf({ balances, fees, latencies }: PaperDraft): PaperSettings {
  return {
    balances: recordOf(balances),
    ...(fees === undefined ? {} : { fees: { maker: must(fees.maker), taker: must(fees.taker) } }),
    latencies: {
      feedUs: latencies?.feed ?? latencyUsDefault,
      request: latencies?.request ?? latencyDefault,
      answer: latencies?.answer ?? latencyDefault,
    },
  };
}

/** Reports keys that the mode requires: only live needs accounts, a key and egress caps. */
function requireByMode(
  reader: Reader,
  draft: NonNullable<ReturnType<typeof botField>>,
  { isBeingWritten = false, workspace, trades }: LoadOptions & { readonly trades: boolean },
): void {
  const missing = (name: string, why: string) => reader.reportMissing([], `lacks ${name}: ${why}`);
  const printedBy = (name: string) =>
    `printed by: ${workspace.command} ${name} ${reader.source.file}`;
  const { mode } = draft;
  const has = (name: string) => reader.source.has([name]);
  if (mode !== 'demo' && mode !== undefined && !has('venue')) {
    missing('venue', `mode ${mode} needs the exchange, the name of a file in config/venues`);
  }
  if (mode === 'live' && trades && !has('accounts')) {
    missing('accounts', 'mode live needs the account of each currency: { XBT: "11", ZAR: "13" }');
  }
  if (mode === 'demo' && trades && has('approved') && !has('accounts')) {
    missing('accounts', 'approved.settings also covers them, so the demo must not choose its own');
  }
  if (mode === 'paper' && !has('paper')) {
    const why = 'mode paper needs the first balances of its account';
    missing('paper', `${why}: { balances: { XBT: "1", ZAR: "1000000" } }`);
  }
  if (mode !== 'live') return;
  for (const [id, strategy] of draft.strategies ?? [])
    if (strategy?.pairs !== undefined && !reader.source.has(['strategies', id, 'allow']))
      missing(`strategies.${id}.allow`, 'mode live needs the kinds of orders that it may place');
  if (!has('live') && !isBeingWritten) {
    const why = 'mode live needs the only key that may trade: { keyFingerprint: "…" }';
    missing('live', `${why}; ${printedBy('keycheck')}`);
  }
  if (trades && !has('egress')) {
    missing('egress', 'mode live needs the file with absolute caps on orders: egress.yaml');
  }
  if (!has('approved') && !isBeingWritten) {
    missing('approved', `mode live needs the versions that may trade; ${printedBy('checks')}`);
  }
  if (draft.limits === undefined) return;
  if (typeof draft.limits === 'string') {
    const message = `was ${draft.limits}, but in mode live every limit is written out`;
    reader.report(['limits'], {
      message,
      allowed: `the limits ${printedBy('config show')}`,
    });
    return;
  }
  const requireAll = (path: KeyPath, section: keyof LimitSections) => {
    for (const limit of declaredLimits[section])
      if (!isRequired(limit) && !reader.source.has([...path, limit.key]))
        missing(`${path.join('.')}.${limit.key}`, 'in mode live every limit is required');
  };
  requireAll(['limits', 'account'], 'account');
  requireAll(['limits', 'eachStrategy'], 'eachStrategy');
  for (const pair of draft.limits?.pairs?.keys() ?? [])
    requireAll(['limits', 'pairs', pair], 'pairs');
}

function versionsOf(draft: {
  readonly settings: readonly string[] | undefined;
  readonly strategies: readonly string[] | undefined;
  readonly packages: readonly string[] | undefined;
}): ApprovedVersions {
  const { settings, strategies, packages } = draft;
  const hashes = { settings: must(settings), strategies: must(strategies) };
  return packages === undefined ? hashes : { ...hashes, packages };
}
