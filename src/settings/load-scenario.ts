/**
 * Reads a backtest's `scenario.yaml` into frozen {@link ScenarioSettings}. The file contains the
 * bot's strategies and limits, or names a bot's file, whose mode, venue, store and accounts are
 * ignored. A bot's file can also name a scenario, by `backtest`; it then replaces its bot.
 *
 *     version: 1
 *     scenario: sse-simple-mm
 *     data: { set: sse_600519_20230207, kind: order-flow-ndjson,
 *             snapshot: derived/snapshot.json.gz, events: derived/events.ndjson.gz }
 *           # or: { kind: recording, recording: day.mrec }, relative to this file, or to `set`;
 *           # the recording holds the market's rules, so `market: { pair: SSECNY }` is enough
 *     market: { pair: SSECNY, base: SSE, counter: CNY, priceScale: 3, volumeScale: 0, feeScale: 8,
 *               priceMin: "0.01", priceMax: "100000", volumeMin: "1", volumeMax: "100000" }
 *     # or, instead of both, a recording for each of several markets:
 *     # markets: { XBTZAR: { recording: xbtzar.mrec }, ETHZAR: { recording: ethzar.mrec } }
 *     #   each may have its own `set`, `rules`, `fees` and `fillModel`
 *     fees: { maker: "0bps", taker: "5bps" }   # later: [{ from: "…", maker: "…", taker: "…" }]
 *     fillModel: { halfSpread: "0.05", volumeShare: "10%" } # trades; candles need interval too
 *     latencies: { feed: "500us", request: { from: "1ms", to: "4ms" }, answer: ["1ms", "3ms"] }
 *     balances: { SSE: "1000", CNY: "2000000" }
 *     seed: 1
 *     profile: unlimited        # optional: the rules of the exchange, see `profile-field.ts`
 *     expect: { hash: "4fd7…" } # optional: a run with a different hash fails
 *     feeds: { reference: { ageMax: 30s, file: reference.csv } } # or from the recording
 *     bot: sse-mm              # with strategies and limits; or only botFile: ../config/desk.yaml
 *     packages: [trading-signals] # that its plugins may import
 */
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import {
  isOnlyWatched,
  type PluginsFrom,
  type SeenPairs,
  type StrategySettings,
} from '../domain/bot-settings.ts';
import type { ExchangeProfile } from '../domain/exchange-profile.ts';
import type { FeedSource } from '../domain/feed.ts';
import type { ScenarioSettings } from '../domain/scenario-settings.ts';
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
import { checkScenarioFeeds, scenarioFeedsField, scenarioFeedsOf } from './feeds-field.ts';
import { allowedBy, object, optional, type Reader, record } from './field.ts';
import { limitsOrPreset } from './given-limits.ts';
import { latency } from './latency-field.ts';
import { type LimitsDraft, limitsField } from './limit-fields.ts';
import { botSettingsOf, pluginsFromOf } from './load-bot-settings.ts';
import { currencyName, namespace, namespaceOf, slug } from './names.ts';
import { nearestWord } from './nearest-word.ts';
import { checkProfile, lunoWithUnlimitedCalls, profileField, profileOf } from './profile-field.ts';
import { readChecked } from './read-checked.ts';
import { checkMarkets, marketsOf, marketsShape } from './scenario-markets.ts';
import { isOfBot, type SetValue, withValues } from './set-values.ts';
import { readSettings, type SettingsSource } from './settings-source.ts';
import { spanMs } from './unit-fields.ts';
import { amount, choice, instant, text, wholeNumber } from './value-fields.ts';

export type LoadedScenario = ScenarioSettings & {
  /** The file with the strategies, for errors in a plugin's parameters. */
  readonly source: SettingsSource;
  readonly pluginsFrom: PluginsFrom;
  /** A sentence for each key that the scenario gives by its former name. */
  readonly notices: readonly string[];
};

const latenciesField = object({ feed: latency, request: latency, answer: latency });
const balancesField = record(amount({ zero: true }), currencyName);

export const scenarioField = object({
  version: wholeNumber({ min: 1, max: 1 }),
  scenario: slug,
  ...marketsShape,
  consumedFor: optional(spanMs({ minMs: 1, maxMs: 86_400_000 })),
  latencies: optional(latenciesField),
  balances: optional(balancesField),
  from: optional(instant()),
  to: optional(instant()),
  seed: wholeNumber({ min: 0, max: 2 ** 32 - 1 }),
  profile: optional(profileField),
  callLimit: optional(choice(['exchange', 'unlimited'])),
  bot: optional(slug),
  namespace: optional(namespace),
  packages: optional(packagesField),
  strategies: optional(strategiesField),
  limits: optional(limitsField),
  feeds: optional(scenarioFeedsField),
  botFile: optional(
    text(
      /^[\p{L}\p{M}\p{N}_ .@/-]{1,200}\.ya?ml$/u,
      'the path of a bot file, relative to this file, such as ../config/demo.yaml',
    ),
  ),
  expect: optional(
    object({
      hash: text(/^[0-9a-f]{64}$/u, 'the hash that a run printed, 64 hexadecimal digits'),
    }),
  ),
});

type ScenarioDraft = NonNullable<ReturnType<typeof scenarioField>>;

/**
 * Returns the scenario in the file at `path`, with the bot of `botFile` instead of its own if that
 * is given, and with the values `set` instead of those of the files. Throws one ConfigError with
 * all problems of a file.
 */
export function loadScenario(
  path: string,
  botFile?: string,
  set: readonly SetValue[] = [],
): LoadedScenario {
  const file = readSettings(path, path, 'scenario');
  const hasBotFile = (botFile ?? file.valueAt(['botFile'])) !== undefined;
  const ofBot = hasBotFile ? set.filter(isOfBot) : [];
  const source = withValues(file, hasBotFile ? set.filter((one) => !isOfBot(one)) : set);
  const { draft, limits, notices } = readChecked(source, (reader) => {
    const draft = reader.read(scenarioField);
    const limits = limitsOrPreset(reader, draft?.limits);
    if (draft !== undefined) check(reader, { draft, limits, hasOtherBot: botFile !== undefined });
    return { draft, limits, notices: reader.notices };
  });
  const given = must(draft);
  const profile =
    given.callLimit === 'unlimited' ? lunoWithUnlimitedCalls : profileOf(given.profile);
  const markets = marketsOf(given);
  const {
    source: botSource,
    rules,
    ...bot
  } = botFile === undefined
    ? botOf({ ...given, limits }, source, ofBot)
    : botInFile(source, withValues(readSettings(botFile, botFile, 'bot'), ofBot));
  if (botFile !== undefined) checkPairs(botSource, bot.strategies, markets);
  const scenario: ScenarioSettings & Pick<LoadedScenario, 'pluginsFrom'> = {
    scenario: must(given.scenario),
    markets,
    consumedMs: given.consumedFor,
    latencies: latenciesOf(given, profile),
    balances: given.balances === undefined ? {} : recordOf(given.balances),
    fromMs: given.from,
    toMs: given.to,
    seed: must(given.seed),
    profile,
    folder: dirname(resolve(path)),
    // The hash of the scenario as it is says nothing about another bot or other values.
    expectedHash: botFile === undefined && set.length === 0 ? given.expect?.hash : undefined,
    ...bot,
    ...scenarioFeedsOf(source, given.feeds, { rules, strategies: bot.strategies }),
  };
  return Object.freeze({ ...deepFreeze(scenario), source: botSource, notices });
}

function latenciesOf(
  { latencies }: ScenarioDraft,
  profile: ExchangeProfile,
): ScenarioSettings['latencies'] {
  if (latencies === undefined) return must(profile.latencies);
  return {
    feed: must(latencies.feed),
    request: must(latencies.request),
    answer: must(latencies.answer),
  };
}

type ScenarioBot = Pick<
  LoadedScenario,
  'bot' | 'namespace' | 'strategies' | 'pluginsFrom' | 'limits' | 'hash' | 'source'
> & { readonly rules: readonly FeedSource[] };

/** Returns the bot's settings, from the scenario itself or from its bot file. */
function botOf(
  given: Omit<ScenarioDraft, 'limits'> & { readonly limits: LimitsDraft | undefined },
  source: SettingsSource,
  ofBot: readonly SetValue[],
): ScenarioBot {
  if (given.botFile !== undefined) {
    const file = resolve(dirname(source.file), given.botFile);
    return botInFile(source, withValues(readSettings(file, undefined, 'bot'), ofBot));
  }
  const bot = must(given.bot);
  return {
    bot,
    namespace: given.namespace ?? namespaceOf(bot),
    strategies: strategiesOf(must(given.strategies)),
    pluginsFrom: pluginsFromOf(source, given.packages),
    limits: tradesAny(given.strategies) ? limitsOf(must(given.limits)) : limitsOfWatcher,
    hash: source.hash,
    source,
    rules: [],
  };
}

function botInFile(source: SettingsSource, file: SettingsSource): ScenarioBot {
  const folder = dirname(source.file);
  // A backtest has no database.
  const workspace = { root: folder, homeOf: () => folder, command: 'millrace' };
  const settings = botSettingsOf(file, { workspace });
  const { bot, namespace, strategies, pluginsFrom, limits, feedSources: rules } = settings;
  const hash = createHash('sha256').update(`${source.hash} ${settings.hash}`).digest('hex');
  return { bot, namespace, strategies, pluginsFrom, limits, hash, source: file, rules };
}

/** Throws ConfigError if a strategy of the bot's file trades another market than the scenario's. */
function checkPairs(
  bot: SettingsSource,
  strategies: readonly StrategySettings[],
  markets: readonly { readonly pair: string }[],
): void {
  const pairs = markets.map(({ pair }) => pair);
  readChecked(bot, (reader) => {
    for (const strategy of strategies) reportOtherPairs(reader, strategy, pairs);
  });
}

function check(
  reader: Reader,
  {
    draft,
    limits,
    hasOtherBot,
  }: {
    readonly draft: ScenarioDraft;
    readonly limits: LimitsDraft | undefined;
    readonly hasOtherBot: boolean;
  },
): void {
  const isGiven = (name: string) => reader.source.has([name]);
  const inline = ['bot', 'strategies', 'limits'];
  if (isGiven('botFile')) {
    for (const name of [...inline, 'namespace', 'packages'].filter(isGiven)) {
      const problem = { message: 'is given with botFile', allowed: `${name} or botFile, not both` };
      reader.report([name], problem, true);
    }
  } else if (!hasOtherBot) {
    const isNeeded = (key: string) => key !== 'limits' || tradesAny(draft.strategies);
    for (const name of inline.filter((key) => !isGiven(key) && isNeeded(key))) {
      const allowed = 'bot, strategies and limits, or a botFile';
      reader.reportMissing([], `lacks ${name}`, allowed);
    }
  }
  checkCoherence(
    reader,
    draft.strategies,
    typeof draft.limits === 'string' ? undefined : limits,
    {},
  );
  if (!isGiven('botFile') && !hasOtherBot)
    checkScenarioFeeds(reader, draft.feeds, draft.strategies);
  if (draft.from !== undefined && draft.to !== undefined && draft.from >= draft.to) {
    reader.report(['to'], { message: 'is not after from', allowed: 'a time after from' });
  }
  checkProfile(reader, draft.profile);
  checkFormerKey(reader, draft);
  checkLatencies(reader, draft);
  checkUse(reader, draft, checkMarkets(reader, draft));
}

/** Notes what to write instead of `callLimit`; it cannot stand beside `profile`. */
function checkFormerKey(reader: Reader, { callLimit, profile }: ScenarioDraft): void {
  if (callLimit === undefined) return;
  if (profile !== undefined)
    reader.report(
      ['callLimit'],
      { message: 'is part of profile now', allowed: 'profile without it' },
      true,
    );
  const instead =
    callLimit === 'unlimited'
      ? 'write profile: { from: luno, calls: unlimited } instead of callLimit: unlimited'
      : 'remove callLimit: exchange, which says nothing any more';
  reader.note(`${instead}; the former key still works`);
}

/** Reports that neither the scenario nor its own profile has latencies. */
function checkLatencies(reader: Reader, { profile }: ScenarioDraft): void {
  const isInProfile = typeof profile === 'object' && profile.latencies !== undefined;
  if (!reader.source.has(['latencies']) && !isInProfile)
    reader.reportMissing([], 'lacks latencies, which is required', allowedBy(latenciesField));
}

/**
 * Reports currencies without a balance, balances in other currencies (reading their ledgers would
 * use up call budget), and strategies that trade other markets than the scenario's.
 */
function checkUse(
  reader: Reader,
  { balances, strategies }: ScenarioDraft,
  markets: ReturnType<typeof checkMarkets>,
): void {
  const currencies = markets.flatMap(({ rules }) => [rules.base, rules.counter]);
  const isWatched = (pair: string) => isOnlyWatched([...(strategies?.values() ?? [])], pair);
  const traded = markets
    .filter(({ pair }) => !isWatched(pair))
    .flatMap(({ rules }) => [rules.base, rules.counter]);
  for (const name of new Set(traded)) {
    if (name === undefined || balances === undefined || balances.has(name)) continue;
    reader.reportMissing(['balances'], `lacks ${name}, a currency of the market`);
  }
  // Currencies that only the recording names are compared when it is opened.
  const known = [...new Set(currencies)].filter((name) => name !== undefined);
  if (known.length > 0 && !currencies.includes(undefined))
    for (const [name, value] of balances ?? []) {
      if (known.includes(name)) continue;
      const message = `was "${value}", but no market has this currency`;
      const suggestion = nearestWord(name, known);
      reader.report(['balances', name], { message, allowed: known.join(', '), suggestion }, true);
    }
  if (!reader.source.has(['balances']) && tradesAny(strategies))
    reader.reportMissing([], 'lacks balances, which is required', allowedBy(balancesField));
  const pairs = markets.map(({ pair }) => pair);
  for (const [id, strategy] of strategies ?? [])
    reportOtherPairs(reader, { id, ...strategy }, pairs);
}

/** Reports the pairs of a strategy that are not among `pairs`, those of the scenario. */
function reportOtherPairs(
  reader: Reader,
  strategy: { readonly id: string } & SeenPairs,
  pairs: readonly string[],
): void {
  for (const key of ['pairs', 'watch'] as const)
    for (const [i, name] of (strategy[key] ?? []).entries()) {
      if (pairs.length === 0 || pairs.includes(name)) continue;
      const of = pairs.length === 1 ? "the scenario's market" : "the scenario's markets";
      const problem = { message: `was "${name}"`, allowed: `${of}, ${pairs.join(', ')}` };
      reader.report(['strategies', strategy.id, key, i], problem);
    }
}
