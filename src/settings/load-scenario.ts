/**
 * Reads a backtest's `scenario.yaml` into frozen {@link ScenarioSettings}. The bot's strategies
 * and limits stand in it, or it names a bot's file; that file's mode, venue, store and accounts
 * do not matter here.
 *
 *     version: 1
 *     scenario: sse-simple-mm
 *     data: { set: sse_600519_20230207, kind: order-flow-ndjson,
 *             snapshot: derived/snapshot.json.gz, events: derived/events.ndjson.gz }
 *           # or: { kind: recording, recording: day.mrec }, beside this file, or in `set` if given
 *     market: { pair: SSECNY, base: SSE, counter: CNY, priceScale: 3, volumeScale: 0, feeScale: 8,
 *               priceMin: "0.01", priceMax: "100000", volumeMin: "1", volumeMax: "100000" }
 *     fees: { maker: "0bps", taker: "5bps" }   # later: [{ from: "…", maker: "…", taker: "…" }]
 *     lowerGrade: { halfSpread: "0.05", volumeShare: "10%" } # for trades; candles: interval, too
 *     latencies: { feed: "500us", request: { from: "1ms", to: "4ms" }, answer: ["1ms", "3ms"] }
 *     balances: { SSE: "1000", CNY: "2000000" }
 *     seed: 1
 *     expect: { hash: "4fd7…" } # optional: a run with another hash fails
 *     bot: sse-mm              # and strategies, limits; or only botFile: ../../config/desk.yaml
 */
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { type Market, parseLots, parseTicks, type Scales } from '../domain/market.ts';
import type { ScenarioSettings } from '../domain/scenario-settings.ts';
import { checkCoherence } from './bot-coherence.ts';
import {
  deepFreeze,
  limitsField,
  limitsOf,
  must,
  recordOf,
  strategiesField,
  strategiesOf,
} from './bot-fields.ts';
import { type Draft, list, object, optional, Reader, record } from './field.ts';
import { latency } from './latency-field.ts';
import { botSettingsOf } from './load-bot-settings.ts';
import { checkLowerGrade, lowerGradeField, lowerGradeOf } from './lower-grade-field.ts';
import { currency, currencyName, innerPath, namespace, namespaceOf, pair, slug } from './names.ts';
import { readSettings, type SettingsSource } from './settings-source.ts';
import { amount, choice, instant, share, spanMs, text, wholeNumber } from './value-fields.ts';

export type LoadedScenario = ScenarioSettings & {
  /** The file that holds the strategies, for errors in a plugin's parameters. */
  readonly source: SettingsSource;
};

const fee = share({ max: '0.1', signed: true });
const laterFees = object({ from: instant(), maker: fee, taker: fee });
const scale = wholeNumber({ min: 0, max: 18 });

const marketShape = {
  pair,
  base: currency,
  counter: currency,
  priceScale: scale,
  volumeScale: scale,
  feeScale: scale,
  priceMin: amount({ zero: false }),
  priceMax: amount({ zero: false }),
  volumeMin: amount({ zero: false }),
  volumeMax: amount({ zero: false }),
};

const scenarioField = object({
  version: wholeNumber({ min: 1, max: 1 }),
  scenario: slug,
  data: object({
    set: optional(innerPath),
    kind: choice(['order-flow-ndjson', 'recording']),
    snapshot: optional(innerPath),
    events: optional(innerPath),
    recording: optional(innerPath),
  }),
  market: object(marketShape),
  fees: object({ maker: fee, taker: fee, later: optional(list(laterFees)) }),
  consumedFor: optional(spanMs({ minMs: 1, maxMs: 86_400_000 })),
  lowerGrade: optional(lowerGradeField),
  latencies: object({ feed: latency, request: latency, answer: latency }),
  balances: record(amount({ zero: true }), currencyName),
  from: optional(instant()),
  to: optional(instant()),
  seed: wholeNumber({ min: 0, max: 2 ** 32 - 1 }),
  bot: optional(slug),
  namespace: optional(namespace),
  strategies: optional(strategiesField),
  limits: optional(limitsField),
  botFile: optional(
    text(/^[\w .@/-]{1,200}\.ya?ml$/u, 'the path of a bot file, relative to this file'),
  ),
  expect: optional(
    object({
      hash: text(/^[0-9a-f]{64}$/u, 'the hash that a run has printed, 64 hexadecimal digits'),
    }),
  ),
});

type ScenarioDraft = NonNullable<ReturnType<typeof scenarioField>>;

/**
 * Returns the scenario in the file at `path`; throws one ConfigError with all problems of the
 * file.
 */
export function loadScenario(path: string): LoadedScenario {
  const source = readSettings(path);
  const reader = new Reader(source);
  const draft = reader.read(scenarioField);
  if (draft !== undefined) check(reader, draft);
  reader.finish();
  const given = must(draft);
  const data = must(given.data);
  const latencies = must(given.latencies);
  const fees = must(given.fees);
  const market = must(marketOf(must(given.market)));
  const { source: botSource, ...bot } = botOf(given, source);
  const scenario: ScenarioSettings = {
    scenario: must(given.scenario),
    data: dataOf(data),
    market,
    fees: { maker: must(fees.maker), taker: must(fees.taker) },
    feesLater: (fees.later ?? []).map((later) => ({
      fromMs: must(later?.from),
      maker: must(later?.maker),
      taker: must(later?.taker),
    })),
    consumedMs: given.consumedFor,
    lowerGrade: given.lowerGrade && lowerGradeOf(given.lowerGrade, market),
    latencies: {
      feed: must(latencies.feed),
      request: must(latencies.request),
      answer: must(latencies.answer),
    },
    balances: recordOf(given.balances),
    fromMs: given.from,
    toMs: given.to,
    seed: must(given.seed),
    folder: dirname(resolve(path)),
    expectedHash: given.expect?.hash,
    ...bot,
  };
  return Object.freeze({ ...deepFreeze(scenario), source: botSource });
}

function dataOf(data: NonNullable<ScenarioDraft['data']>): ScenarioSettings['data'] {
  const { set } = data;
  return data.kind === 'recording'
    ? { kind: 'recording', set, recording: must(data.recording) }
    : {
        kind: 'order-flow-ndjson',
        set: must(set),
        snapshot: must(data.snapshot),
        events: must(data.events),
      };
}

/** Either the bot stands in the scenario or in a file of its own. */
function botOf(
  given: ScenarioDraft,
  source: SettingsSource,
): Pick<LoadedScenario, 'bot' | 'namespace' | 'strategies' | 'limits' | 'hash' | 'source'> {
  if (given.botFile === undefined) {
    const bot = must(given.bot);
    return {
      bot,
      namespace: given.namespace ?? namespaceOf(bot),
      strategies: strategiesOf(must(given.strategies)),
      limits: limitsOf(must(given.limits)),
      hash: source.hash,
      source,
    };
  }
  const folder = dirname(source.file);
  const file = readSettings(resolve(folder, given.botFile));
  const { bot, namespace: space, strategies, limits, hash } = botSettingsOf(file, { cwd: folder });
  const both = createHash('sha256').update(`${source.hash} ${hash}`).digest('hex');
  return { bot, namespace: space, strategies, limits, hash: both, source: file };
}

function check(reader: Reader, draft: ScenarioDraft): void {
  const isGiven = (name: string) => reader.source.has([name]);
  const inline = ['bot', 'strategies', 'limits'];
  if (isGiven('botFile')) {
    for (const name of [...inline, 'namespace'].filter(isGiven)) {
      reader.report([name], { message: 'is given with botFile', allowed: 'one of the two' }, true);
    }
  } else {
    for (const name of inline.filter((key) => !isGiven(key))) {
      const message = `lacks ${name}: it needs bot, strategies and limits, or a botFile`;
      reader.report([], { message, allowed: '' }, true);
    }
  }
  checkData(reader, draft.data);
  if (draft.data?.kind === 'order-flow-ndjson' && isGiven('lowerGrade')) {
    const message = 'does not belong to kind order-flow-ndjson, which is order by order';
    reader.report(['lowerGrade'], { message, allowed: 'kind recording' }, true);
  }
  checkCoherence(reader, draft.strategies, draft.limits, undefined);
  if (draft.from !== undefined && draft.to !== undefined && draft.from >= draft.to) {
    reader.report(['to'], { message: 'is not after from', allowed: 'a later time' });
  }
  const later = draft.fees?.later ?? [];
  for (const [index, period] of later.entries())
    if ((later[index - 1]?.from ?? 0) >= (period?.from ?? Infinity)) {
      const place = ['fees', 'later', index, 'from'];
      reader.report(place, { message: 'is not after the one before', allowed: 'a later time' });
    }
  if (draft.market !== undefined) checkMarket(reader, draft.market);
  const market = draft.market && marketOf(draft.market);
  if (draft.lowerGrade !== undefined && market !== undefined)
    checkLowerGrade(reader, draft.lowerGrade, market);
  checkMarketUse(reader, draft);
}

/** Each kind of data has its own keys. */
function checkData(reader: Reader, data: ScenarioDraft['data']): void {
  if (data?.kind === undefined) return;
  const isRecording = data.kind === 'recording';
  const needed = isRecording ? ['recording'] : ['set', 'snapshot', 'events'];
  const foreign = isRecording ? ['snapshot', 'events'] : ['recording'];
  for (const name of needed.filter((key) => !reader.source.has(['data', key])))
    reader.report(['data'], { message: `lacks ${name}, for kind ${data.kind}`, allowed: '' }, true);
  for (const name of foreign.filter((key) => reader.source.has(['data', key])))
    reader.report(
      ['data', name],
      { message: `does not belong to kind ${data.kind}`, allowed: needed.join(', ') },
      true,
    );
}

/** The market's amounts must be whole ticks and lots, and its minimums below its maximums. */
function checkMarket(reader: Reader, market: Draft<typeof marketShape>): void {
  const { base, counter, priceScale, volumeScale } = market;
  if (base !== undefined && base === counter) {
    reader.report(['market', 'counter'], { message: 'is the base', allowed: 'another currency' });
  }
  if (priceScale === undefined || volumeScale === undefined) return;
  if (priceScale + volumeScale > 18) {
    const allowed = 'priceScale + volumeScale of at most 18';
    reader.report(['market', 'volumeScale'], { message: 'is too large', allowed });
    return;
  }
  const scales: Scales = { priceScale, volumeScale };
  for (const [name, parse, decimals] of [
    ['priceMin', parseTicks, priceScale],
    ['priceMax', parseTicks, priceScale],
    ['volumeMin', parseLots, volumeScale],
    ['volumeMax', parseLots, volumeScale],
  ] as const) {
    const value = market[name];
    if (value === undefined || parse(value, scales) !== undefined) continue;
    const allowed = `at most ${decimals} decimals and 15 digits`;
    reader.report(['market', name], { message: `was "${value}"`, allowed });
  }
  const parsed = marketOf(market);
  if (parsed === undefined) return;
  const range = { message: 'is below the minimum', allowed: 'a maximum at or above the minimum' };
  if (parsed.priceMin > parsed.priceMax) reader.report(['market', 'priceMax'], range);
  if (parsed.volumeMin > parsed.volumeMax) reader.report(['market', 'volumeMax'], range);
}

/** The account needs a balance of both currencies, and the strategies trade this market alone. */
function checkMarketUse(reader: Reader, { market, balances, strategies }: ScenarioDraft): void {
  for (const name of [market?.base, market?.counter]) {
    if (name === undefined || balances === undefined || balances.has(name)) continue;
    const message = `lacks ${name}, a currency of the market`;
    reader.report(['balances'], { message, allowed: '' }, true);
  }
  for (const [id, strategy] of strategies ?? []) {
    for (const [i, name] of (strategy?.pairs ?? []).entries()) {
      if (market?.pair === undefined || name === market.pair) continue;
      const problem = {
        message: `was "${name}"`,
        allowed: `the scenario's market, ${market.pair}`,
      };
      reader.report(['strategies', id, 'pairs', i], problem);
    }
  }
}

function marketOf(market: Draft<typeof marketShape>): Market | undefined {
  const { priceScale, volumeScale } = market;
  if (priceScale === undefined || volumeScale === undefined) return undefined;
  const scales: Scales = { priceScale, volumeScale };
  const priceMin = parseTicks(market.priceMin ?? '', scales);
  const priceMax = parseTicks(market.priceMax ?? '', scales);
  const volumeMin = parseLots(market.volumeMin ?? '', scales);
  const volumeMax = parseLots(market.volumeMax ?? '', scales);
  if (priceMin === undefined || priceMax === undefined) return undefined;
  if (volumeMin === undefined || volumeMax === undefined) return undefined;
  if (market.pair === undefined || market.base === undefined) return undefined;
  if (market.counter === undefined || market.feeScale === undefined) return undefined;
  return {
    pair: market.pair,
    base: market.base,
    counter: market.counter,
    priceScale,
    volumeScale,
    feeScale: market.feeScale,
    priceMin,
    priceMax,
    volumeMin,
    volumeMax,
    status: 'ACTIVE',
  };
}
