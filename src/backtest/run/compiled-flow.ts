/** The parts of compiled recordings that a scenario plays, and whether they suit the scenario. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { assert, ConfigError, NotFoundError } from '../../domain/errors.ts';
import type { Market } from '../../domain/market.ts';
import { type MarketRules, marketOfRules, rulesOf } from '../../domain/market-rules.ts';
import type { Candle } from '../../domain/market-view.ts';
import { decimalOf, parseDecimal, parseScaled } from '../../domain/money.ts';
import type { ScenarioMarket, ScenarioSettings } from '../../domain/scenario-settings.ts';
import type { FlowBlock } from '../../market/flow/flow-block.ts';
import { Recording } from '../../recording/file/recording.ts';
import { timeText } from '../../recording/file/time-text.ts';
import type { WarmUp } from '../../strategy/contract.ts';
import { type CoarseModel, coarseModelOf } from '../coarse/coarse-data.ts';
import { recordedCandles } from './recorded-candles.ts';
import { type Chain, inOrder, openChain, type Span, spanOf } from './recording-chain.ts';

export type CompiledFlow = Chain & {
  /** As it was recorded, with what the scenario says of an imported one. */
  readonly market: Market;
  /** Decides fills if the recordings are not order by order. */
  readonly coarse: CoarseModel | undefined;
  /** What was traded before a moment; less than asked for where that is all. */
  readonly candlesBefore: (endMicros: number, asked: WarmUp) => Promise<readonly Candle[]>;
  readonly close: () => void;
};

type Scope = Pick<ScenarioSettings, 'fromMs' | 'toMs' | 'folder' | 'markets'>;
type Opened = Pick<CompiledFlow, 'market' | 'coarse'> & {
  readonly recordings: readonly Recording[];
};

/**
 * Opens the recordings of all markets of the scenario, in their order. Several markets are played
 * for the time that all of them have. Throws NotFoundError if a recording is not there, DecodeError
 * if one is damaged or has no rows in the scenario's time, and ConfigError if one is of another
 * market, of a grade that the scenario is not for, overlaps another of its pair, or shares no time
 * with the others.
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
      const coarse = await coarseModelOf(recordings, market, settings.fillModel);
      opened.push({ market, recordings, coarse });
    }
    const span = sharedSpan(scope, opened);
    const flows: CompiledFlow[] = [];
    for (const one of opened) flows.push(await openFlow(one, span));
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
  const chain = await openChain(recordings, {
    fromMicros,
    toMicros: toMicros - lateMicrosOf(coarse),
  });
  const barMicros = coarse?.report.grade === 'candles' ? coarse.lateMicros + 1 : undefined;
  const candlesBefore: CompiledFlow['candlesBefore'] = (endMicros, asked) =>
    recordedCandles(recordings, asked, { endMicros, barMicros });
  const flow = { ...chain, market, coarse, candlesBefore, close };
  if (coarse === undefined) return flow;
  return { ...flow, blocks: (live) => through(chain.blocks(live), coarse) };
}

async function* through(
  blocks: AsyncIterable<FlowBlock>,
  { flow }: CoarseModel,
): AsyncGenerator<FlowBlock, void> {
  for await (const block of blocks) yield flow.blockOf(block);
}

/** How much later than its row a message is told. */
function lateMicrosOf(coarse: CoarseModel | undefined): number {
  return coarse?.lateMicros ?? 0;
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
    throw new ConfigError(`${data.set}: is no recording; the command import makes one of it`);
  return data.recordings.map((name) => {
    const path = data.set === undefined ? resolve(folder, name) : join(dataFolder, data.set, name);
    if (existsSync(path)) return path;
    throw new NotFoundError(
      `${path} is not there: the scenario plays this recording; the commands compile and import make one`,
    );
  });
}

/** Returns the market of recordings that follow each other; its rules stay. */
function onlyMarketOf(recordings: readonly Recording[], settings: ScenarioMarket): Market {
  const markets = recordings.map((recording) => marketOf(recording, settings));
  const [first] = markets;
  assert(first !== undefined, `${settings.pair} must have a recording`);
  const rules = rulesOf(first);
  for (const [index, market] of markets.entries())
    for (const [name, rule] of Object.entries(rulesOf(market)))
      if (rule !== rules[name as keyof MarketRules])
        throw new ConfigError(
          `${recordings[index]?.path}: is of ${name} ${rule}, ${recordings[0]?.path} of ${rules[name as keyof MarketRules]}; ` +
            'a market has the same rules for a whole run: play them apart',
        );
  return first;
}

/** Returns the market that is recorded, if the scenario says nothing else of it. */
function marketOf({ path, header }: Recording, { pair, rules }: ScenarioMarket): Market {
  if (header.scalesChangedMicros !== undefined)
    throw new ConfigError(
      `${path}: the market's scales changed at ${timeText(header.scalesChangedMicros)}, within it; ` +
        'compile the captures of before and of after into recordings of their own',
    );
  const { market, format } = header;
  if (market.pair !== pair)
    throw new ConfigError(
      `${path}: is of pair ${market.pair}, the scenario says ${pair}; say the pair that was recorded, or name the recording that is meant`,
    );
  const recorded = rulesOf(market);
  for (const name of Object.keys(recorded) as (keyof MarketRules)[]) {
    const [wanted, found] = [rules[name], recorded[name]];
    // Data from outside does not say what limits its market had; the scenario may.
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
  assert(found !== undefined, `the rules of ${pair} must make a market`);
  return found;
}

/** What every recording says of its market. */
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
    `${path}: is of ${name} ${found}, the scenario says ${wanted}; leave it out to take what was recorded, or name the recording that is meant`,
  );
}

/** Returns what is played: of one market all that was asked for, of several what they share. */
function sharedSpan({ fromMs, toMs }: Scope, markets: readonly Opened[]): Span {
  const asked: Span = {
    fromMicros: fromMs === undefined ? -Infinity : fromMs * 1000,
    toMicros: toMs === undefined ? Infinity : toMs * 1000,
  };
  if (markets.length === 1) return asked;
  const held = markets.map(({ market: { pair }, recordings, coarse }) => {
    const spans = recordings.map(spanOf);
    return {
      pair,
      fromMicros: Math.min(...spans.map((span) => span.fromMicros)),
      toMicros: Math.max(...spans.map((span) => span.toMicros)) + lateMicrosOf(coarse),
    };
  });
  const spans = [asked, ...held];
  const fromMicros = Math.max(...spans.map((span) => span.fromMicros));
  const toMicros = Math.min(...spans.map((span) => span.toMicros));
  if (fromMicros < toMicros) return { fromMicros, toMicros };
  const texts = held.map((span) =>
    span.fromMicros === Infinity
      ? `the recording of ${span.pair} has no rows`
      : `${span.pair} is recorded ${spanText(span)}`,
  );
  const within = spanText(asked) === '' ? '' : `, and the scenario plays ${spanText(asked)}`;
  throw new ConfigError(
    `the markets have no recorded time in common that is played: ${texts.join('; ')}${within}`,
  );
}

function spanText({ fromMicros, toMicros }: Span): string {
  const texts = [
    Number.isFinite(fromMicros) ? `from ${timeText(fromMicros)}` : '',
    Number.isFinite(toMicros) ? `to ${timeText(toMicros)}` : '',
  ];
  return texts.filter((text) => text !== '').join(' ');
}
