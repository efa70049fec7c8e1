/** Opens the parts of compiled recordings that a scenario plays, and checks that they match it. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { assert, ConfigError, NotFoundError } from '../../domain/errors.ts';
import type { Market } from '../../domain/market.ts';
import { type MarketRules, marketOfRules, rulesOf } from '../../domain/market-rules.ts';
import type { Candle } from '../../domain/market-view.ts';
import { decimalOf, parseDecimal, parseScaled } from '../../domain/money.ts';
import type { ScenarioMarket, ScenarioSettings } from '../../domain/scenario-settings.ts';
import { Recording } from '../../recording/file/recording.ts';
import { timeText } from '../../recording/file/time-text.ts';
import type { WarmUp } from '../../strategy/needs.ts';
import { type CoarseModel, coarseModelOf } from '../coarse/coarse-data.ts';
import { recordedCandles } from './recorded-candles.ts';
import { type Chain, inOrder, openChain, type Span, spanOf } from './recording-chain.ts';

export type CompiledFlow = Chain & {
  /** The market as recorded; for an imported recording, with the scenario's own rules. */
  readonly market: Market;
  /** Decides fills over coarse data; undefined for order-by-order recordings. */
  readonly coarse: CoarseModel | undefined;
  /** Returns the candles before a time; fewer than requested if the recordings have no more. */
  readonly candlesBefore: (endMicros: number, requested: WarmUp) => Promise<readonly Candle[]>;
  readonly close: () => void;
};

type Scope = Pick<ScenarioSettings, 'fromMs' | 'toMs' | 'folder' | 'markets'>;
type Opened = Pick<CompiledFlow, 'market' | 'coarse'> & {
  readonly recordings: readonly Recording[];
};

/**
 * Opens the recordings of all markets of the scenario, in the same order. Several markets are
 * played for the time that all of them cover. Throws NotFoundError if a recording does not exist,
 * DecodeError if one is damaged or has no rows in the scenario's time, and ConfigError if one is
 * of another market, does not match the scenario's fill model, overlaps another recording of its
 * pair, or has no time in common with the other markets.
 */
export async function openCompiledFlows(
  scope: Scope,
  dataFolder: string,
): Promise<readonly CompiledFlow[]> {
  const all: Recording[] = [];
  try {
    const opened: Opened[] = [];
    for (const settings of scope.markets) {
      const own = pathsOf(settings.data, scope.folder, dataFolder).map((path) => {
        const recording = new Recording(path);
        all.push(recording);
        return recording;
      });
      const market = onlyMarketOf(own, settings);
      const recordings = inOrder(own);
      const coarse = coarseModelOf(recordings, market, settings.fillModel);
      opened.push({ market, recordings, coarse });
    }
    const span = sharedSpan(scope, opened);
    const flows: CompiledFlow[] = [];
    for (const market of opened) flows.push(await openFlow(market, span));
    return flows;
  } catch (error) {
    closeAll(all);
    throw error;
  }
}

async function openFlow(
  { market, recordings, coarse }: Opened,
  { fromMicros, toMicros }: Span,
): Promise<CompiledFlow> {
  const close = (): void => closeAll(recordings);
  const chain = await openChain(recordings, { fromMicros, toMicros }, lateMicrosOf(coarse));
  const candlesBefore: CompiledFlow['candlesBefore'] = (endMicros, requested) =>
    recordedCandles(recordings, requested, { endMicros, blocks: coarse?.createBlocks() });
  const flow = { ...chain, market, coarse, candlesBefore, close };
  if (coarse === undefined) return flow;
  return { ...flow, blocks: (live) => coarse.blocks.playedAll(chain.blocks(live), chain) };
}

/** By how much a row is played after its recorded time. */
function lateMicrosOf(coarse: CoarseModel | undefined): number {
  return coarse?.blocks.lateMicros ?? 0;
}

function closeAll(recordings: readonly Recording[]): void {
  for (const recording of recordings) recording.close();
}

function pathsOf(
  data: ScenarioMarket['data'],
  folder: string,
  dataFolder: string,
): readonly string[] {
  if (data.kind !== 'recording')
    throw new ConfigError(
      `${data.set}: is a data set, not a recording; docs/recordings.md explains how to convert it`,
    );
  return data.recordings.map((name) => {
    const path = data.set === undefined ? resolve(folder, name) : join(dataFolder, data.set, name);
    if (existsSync(path)) return path;
    throw new NotFoundError(
      `${path} does not exist: the scenario plays this recording; docs/recordings.md explains how to create one`,
    );
  });
}

/** Returns the market of consecutive recordings. Throws ConfigError if its rules change. */
function onlyMarketOf(recordings: readonly Recording[], settings: ScenarioMarket): Market {
  const markets = recordings.map((recording) => marketOf(recording, settings));
  const [first] = markets;
  assert(first !== undefined, `${settings.pair} must have a recording`);
  const rules = rulesOf(first);
  for (const [index, market] of markets.entries())
    for (const [name, rule] of Object.entries(rulesOf(market)))
      if (rule !== rules[name as keyof MarketRules])
        throw new ConfigError(
          `${recordings[index]?.path}: has ${name} ${rule}, but ${recordings[0]?.path} has ${rules[name as keyof MarketRules]}; ` +
            `a market must keep its rules during a run: ${cureOf(recordings)}`,
        );
  return first;
}

/** Imported data have the scales that each file needs, unless they are stated. */
function cureOf(recordings: readonly Recording[]): string {
  const price = new Set(recordings.map(({ header }) => header.market.priceScale));
  const volume = new Set(recordings.map(({ header }) => header.market.volumeScale));
  const areImported = recordings.every(({ header }) => header.format !== 'capture');
  if (!areImported || (price.size === 1 && volume.size === 1))
    return 'play them in separate scenarios';
  return (
    'import all files of the market again with the same scales, as with ' +
    `--price-scale ${Math.max(...price)} --volume-scale ${Math.max(...volume)}`
  );
}

/** Returns the recorded market. Throws ConfigError if the scenario contradicts it. */
function marketOf({ path, header }: Recording, { pair, rules }: ScenarioMarket): Market {
  if (header.scalesChangedMicros !== undefined)
    throw new ConfigError(
      `${path}: the market's scales change within it, at ${timeText(header.scalesChangedMicros)}; ` +
        'compile the captures before and after that time into separate recordings',
    );
  const { market, format } = header;
  if (market.pair !== pair)
    throw new ConfigError(
      `${path}: records ${market.pair}, but the scenario says ${pair}; change the pair or the recording`,
    );
  const recorded = rulesOf(market);
  for (const name of Object.keys(recorded) as (keyof MarketRules)[]) {
    const [wanted, found] = [rules[name], recorded[name]];
    // Imported data does not contain its market's limits; the scenario may set them.
    if (wanted === undefined || (format !== 'capture' && !isOfData.has(name))) continue;
    if (!isSame(wanted, found)) throw differs(path, name, found, wanted);
  }
  const given = Object.fromEntries(Object.entries(rules).filter(([, rule]) => rule !== undefined));
  const whole = { ...recorded, ...given };
  const { priceScale, volumeScale } = whole;
  for (const [low, high, scale] of [
    ['priceMin', 'priceMax', priceScale],
    ['volumeMin', 'volumeMax', volumeScale],
  ] as const) {
    const wrong = [low, high].find((name) => parseScaled(whole[name], scale) === undefined);
    if (wrong !== undefined)
      throw new ConfigError(
        `${path}: ${wrong} of ${pair} was "${whole[wrong]}"; allowed: at most ${scale} decimals and 15 digits`,
      );
    if (decimalOf(whole[low]).greaterThan(whole[high]))
      throw new ConfigError(
        `${path}: ${high} of ${pair} was "${whole[high]}"; allowed: at least ${low}, which is "${whole[low]}"`,
      );
  }
  const found = marketOfRules(pair, whole);
  assert(found !== undefined, `the rules of ${pair} must be complete`);
  return found;
}

/** The rules that every recording contains. */
const isOfData: ReadonlySet<string> = new Set(['base', 'counter', 'priceScale', 'volumeScale']);

function isSame(wanted: string | number, found: string | number): boolean {
  if (wanted === found) return true;
  const [one, other] = [parseDecimal(String(wanted)), parseDecimal(String(found))];
  return one !== undefined && other !== undefined && one.equals(other);
}

function differs(
  path: string,
  name: string,
  found: string | number,
  wanted: string | number,
): ConfigError {
  return new ConfigError(
    `${path}: has ${name} ${found}, but the scenario says ${wanted}; remove it from the scenario to use the recorded value, or change the recording`,
  );
}

/** Returns the played span: for one market the requested one, for several what all cover. */
function sharedSpan({ fromMs, toMs }: Scope, markets: readonly Opened[]): Span {
  const requested: Span = {
    fromMicros: fromMs === undefined ? -Infinity : fromMs * 1000,
    toMicros: toMs === undefined ? Infinity : toMs * 1000,
  };
  if (markets.length === 1) return requested;
  const held = markets.map(({ market: { pair }, recordings, coarse }) => {
    const spans = recordings.map(spanOf);
    return {
      pair,
      fromMicros: Math.min(...spans.map((span) => span.fromMicros)),
      toMicros: Math.max(...spans.map((span) => span.toMicros)) + lateMicrosOf(coarse),
    };
  });
  const spans = [requested, ...held];
  const fromMicros = Math.max(...spans.map((span) => span.fromMicros));
  const toMicros = Math.min(...spans.map((span) => span.toMicros));
  if (fromMicros < toMicros) return { fromMicros, toMicros };
  const texts = held.map((span) =>
    span.fromMicros === Infinity
      ? `the recording of ${span.pair} has no rows`
      : `${span.pair} is recorded ${spanText(span)}`,
  );
  const within =
    spanText(requested) === '' ? '' : `, and the scenario plays ${spanText(requested)}`;
  throw new ConfigError(
    `the markets have no recorded time in common to play: ${texts.join('; ')}${within}`,
  );
}

function spanText({ fromMicros, toMicros }: Span): string {
  const texts = [
    Number.isFinite(fromMicros) ? `from ${timeText(fromMicros)}` : '',
    Number.isFinite(toMicros) ? `to ${timeText(toMicros)}` : '',
  ];
  return texts.filter((text) => text !== '').join(' ');
}
