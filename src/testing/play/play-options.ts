/** The options of `playRecording`, and the scenario that they mean. */
import { dirname, resolve } from 'node:path';
import { findScenario } from '../../cli/find-scenario.ts';
import type { Limits } from '../../domain/declared-limits.ts';
import { ConfigError } from '../../domain/errors.ts';
import { formatLots, type Market } from '../../domain/market.ts';
import { parseDecimal } from '../../domain/money.ts';
import type { ScenarioFeed, ScenarioSettings } from '../../domain/scenario-settings.ts';
import { parseSpanUs } from '../../domain/unit-text.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { Recording } from '../../recording/file/recording.ts';
import { completeLimits } from '../../settings/complete-limits.ts';
import { loadScenario } from '../../settings/load-scenario.ts';
import { namespaceOf } from '../../settings/names.ts';
import { profileOf } from '../../settings/profile-field.ts';
import { testedStrategy } from '../tested-strategy.ts';

/** What differs from the scenario, or from the defaults of a recording that stands alone. */
export type PlayOptions = {
  /**
   * The account's balances, by currency, as decimal text. Default of a recording: "1" of the base
   * currency and "1000000" of the counter currency.
   */
  readonly balances?: Readonly<Record<string, string>>;
  /** What the strategy may use, by currency. Default of a recording: the balances. */
  readonly budget?: Readonly<Record<string, string>>;
  /** Fractions as decimal text ("0.001" is 10 bps). Default of a recording: "0" and "0.001". */
  readonly fees?: { readonly maker: string; readonly taker: string };
  /**
   * How long the market stream, a request and its answer take, each, such as "2ms". Default of a
   * recording: "5ms".
   */
  readonly latency?: string;
  /** The part to play, in ISO 8601. Default of a recording: all of it. */
  readonly from?: string;
  readonly to?: string;
  /**
   * The feeds that the strategy sees: how old a value may be, such as "30s", and a table with the
   * values. Without a table the recording has them. Default: those of the scenario.
   */
  readonly feeds?: Readonly<Record<string, { readonly ageMax: string; readonly file?: string }>>;
  /** The seed of `context.random`. Default of a recording: 1. */
  readonly seed?: number;
};

/**
 * Returns the scenario that plays `plugin` over `what`: the name or path of a scenario, the path of
 * a bot's file that names one, or the path of a recording. Throws NotFoundError if it does not
 * exist, DecodeError for a damaged recording, and ConfigError for a wrong option or scenario.
 */
export function playedScenario(
  plugin: string,
  parameters: Readonly<Record<string, unknown>>,
  what: string,
  { options, workspace }: { readonly options: PlayOptions; readonly workspace: Workspace },
): ScenarioSettings {
  const given = what.endsWith('.mrec')
    ? ofRecording(resolve(what))
    : namedScenario(what, workspace);
  const { fees, latency, from, to, balances = given.balances, seed = given.seed } = options;
  const [first] = given.strategies;
  if (first === undefined)
    throw new ConfigError(`playRecording: ${what} has no strategy to replace`);
  for (const [kind, rate] of Object.entries(fees ?? {}))
    if (parseDecimal(rate)?.abs().lt(1) !== true)
      throw new ConfigError(
        `playRecording: fees.${kind} must be a fraction as decimal text, such as "0.001", was ${JSON.stringify(rate)}`,
      );
  const feeds = feedsOf(options);
  const used = feeds === undefined ? {} : { feeds: feeds.map(({ name }) => name) };
  // What the strategy of a scenario may do says nothing about another one.
  const allow = first.plugin === plugin ? first.allow : testedStrategy.allow;
  const budget = options.budget ?? (what.endsWith('.mrec') ? balances : first.budget);
  return {
    ...given,
    ...{ balances, seed, expectedHash: undefined },
    markets: given.markets.map((market) =>
      fees === undefined ? market : { ...market, fees, feesLater: [] },
    ),
    latencies: latency === undefined ? given.latencies : latenciesOf(latency),
    fromMs: from === undefined ? given.fromMs : timeOf('from', from),
    toMs: to === undefined ? given.toMs : timeOf('to', to),
    strategies: [{ ...first, plugin, parameters, budget, allow, ...used }],
    ...(feeds === undefined ? {} : { feeds }),
  };
}

function feedsOf({ feeds }: PlayOptions): readonly ScenarioFeed[] | undefined {
  if (feeds === undefined) return undefined;
  return Object.entries(feeds).map(([name, { ageMax, file }]) => {
    const ageUsMax = parseSpanUs(ageMax);
    if (ageUsMax === undefined)
      throw new ConfigError(
        `playRecording: feeds.${name}.ageMax must be a span such as "30s", was "${ageMax}"`,
      );
    return {
      name,
      ageMsMax: ageUsMax / 1_000,
      file: file === undefined ? undefined : resolve(file),
    };
  });
}

function namedScenario(name: string, workspace: Workspace): ScenarioSettings {
  const { file, botFile } = findScenario(name, workspace);
  const { source: _source, notices: _notices, ...scenario } = loadScenario(file, botFile);
  return scenario;
}

/** Returns a scenario of one recording, whose limits bind nothing that its market allows. */
function ofRecording(path: string): ScenarioSettings {
  const recording = new Recording(path);
  const { market } = recording.header;
  recording.close();
  const { pair, base, counter } = market;
  const balances = { [base]: '1', [counter]: '1000000' };
  const { id: bot } = testedStrategy;
  return {
    scenario: 'recording',
    markets: [
      {
        ...{ pair, rules: {}, feesLater: [], fillModel: undefined },
        fees: { maker: '0', taker: '0.001' },
        data: { kind: 'recording', set: undefined, recordings: [path] },
      },
    ],
    consumedMs: undefined,
    latencies: latenciesOf('5ms'),
    balances,
    profile: profileOf(undefined),
    ...{ fromMs: undefined, toMs: undefined, seed: 1, expectedHash: undefined, hash: '' },
    ...{ bot, namespace: namespaceOf(bot) },
    folder: dirname(path),
    strategies: [
      { ...testedStrategy, plugin: bot, pairs: [pair], parameters: {}, budget: balances },
    ],
    limits: wideLimits(market),
  };
}

const wide = '1000000000000';

function wideLimits(market: Market): Limits {
  const { pair, counter, volumeMax } = market;
  return completeLimits({
    account: {
      openNotionalMax: { [counter]: wide },
      turnoverDayMax: { [counter]: wide },
      lossDayMax: { [counter]: wide },
      ...{ ordersOpenMax: 100, ordersPerMinuteMax: 1_000 },
    },
    pairs: {
      [pair]: {
        orderBaseMax: formatLots(volumeMax, market),
        ...{ positionBaseMax: wide, collar: '0.05', bookAgeMsMax: 60_000 },
      },
    },
  });
}

function latenciesOf(text: string): ScenarioSettings['latencies'] {
  const us = parseSpanUs(text);
  if (us === undefined)
    throw new ConfigError(`playRecording: latency must be a span such as "2ms", was "${text}"`);
  const fixed = { kind: 'fixed', us } as const;
  return { feed: fixed, request: fixed, answer: fixed };
}

function timeOf(name: string, text: string): number {
  const ms = Date.parse(text);
  if (Number.isFinite(ms)) return ms;
  throw new ConfigError(`playRecording: ${name} must be a time in ISO 8601, was "${text}"`);
}
