/** Reads captures of one market and turns their frames into items, file by file. */
import { ConfigError, DecodeError } from '../../domain/errors.ts';
import { type FeedReading, feedValuesOf } from '../../domain/feed.ts';
import type { Market } from '../../domain/market.ts';
import type { FramesOf, MarketFrames } from '../../venue/market-frames.ts';
import type { FlowItem } from '../file/flow-item.ts';
import { type FlowSource, sourceFileOf } from '../file/flow-source.ts';
import type { SourceFile } from '../file/recording-header.ts';
import { timeText } from '../file/time-text.ts';
import type { CaptureEntry } from './capture-entry.ts';
import {
  captureJson,
  marketWithFinestScales,
  protocolIn,
  type Rules,
  rulesIn,
} from './capture-market.ts';
import { captureEntries, captureLines } from './capture-reader.ts';
import { StreamFlow } from './stream-flow.ts';

export type CaptureSourceOptions = {
  /** Required if the captures hold several markets. */
  readonly pair: string | undefined;
  /** Called with a message for everything that is skipped. */
  readonly onWarning: (message: string) => void;
  readonly framesOf: FramesOf;
};

/** Opens captures; the oldest must come first. Throws DecodeError or ConfigError. */
export async function openCaptures(
  paths: readonly string[],
  options: CaptureSourceOptions,
): Promise<FlowSource> {
  const sources: SourceFile[] = [];
  for (const path of paths) sources.push(await sourceFileOf(path));
  // The capture of a running bot grows: compile only the bytes that were hashed.
  const files = paths.map((path, index) => ({ path, bytes: sources[index]?.bytes ?? 0 }));
  const found = scan(files);
  checkOrder(found.spans);
  const pair = options.pair ?? onlyPair(found.markets, paths);
  const rules = found.markets.get(pair);
  if (rules === undefined)
    throw new ConfigError(
      `no market ${pair} in ${paths.join(', ')}; markets found: ${[...found.markets.keys()].join(', ') || 'none'}`,
    );
  const market = marketWithFinestScales(rules);
  const [first] = rules;
  const changed = rules.find(
    ({ priceScale, volumeScale }) =>
      priceScale !== first?.priceScale || volumeScale !== first.volumeScale,
  );
  const reader = new CaptureItems(market, options);
  return {
    header: {
      grade: 'order',
      market,
      venue: found.venue,
      format: 'capture',
      sources,
      tick: 1,
      lot: 1,
      ...(changed === undefined ? {} : { scalesChangedMicros: changed.atMicros }),
    },
    resting: [],
    items: reader.items(files),
    takeFeeds: () => reader.takenFeeds(),
    notes: reader.notes,
  };
}

/** A capture, and the number of bytes to read of it. */
type CaptureFile = { readonly path: string; readonly bytes: number };

/** The time span of a capture, and the place of its first line. */
type Span = {
  readonly path: string;
  readonly where: string;
  readonly firstMicros: number;
  lastMicros: number;
};

/** Finds the venue, the markets and the time spans without decoding frames. */
function scan(files: readonly CaptureFile[]): {
  readonly venue: string;
  readonly markets: ReadonlyMap<string, readonly Rules[]>;
  readonly spans: readonly Span[];
} {
  const markets = new Map<string, Rules[]>();
  const spans: Span[] = [];
  let venue = '';
  for (const { path, bytes } of files) {
    let span: Span | undefined;
    for (const block of captureLines(path, () => {}, bytes)) {
      for (const line of block.lines) {
        // A malformed line is reported when it is compiled.
        const [, time, letter] = /^(\d{1,16}) \S+ ([a-z])/u.exec(line) ?? [];
        if (time === undefined) continue;
        const atMicros = Number.parseInt(time, 10);
        if (span === undefined) {
          const where = `${block.where}, line 1`;
          span = { path, where, firstMicros: atMicros, lastMicros: atMicros };
          spans.push(span);
        }
        span.lastMicros = atMicros;
        if (letter !== 'b' && letter !== 'm') continue;
        const [entry] = [...captureEntries({ ...block, lines: [line] })] as [CaptureEntry];
        if (letter === 'b') venue ||= venueIn(entry, block.where);
        else
          markets.set(entry.pair, [
            ...(markets.get(entry.pair) ?? []),
            rulesIn(entry, block.where),
          ]);
      }
    }
  }
  return { venue, markets, spans };
}

/** Throws DecodeError for a capture that begins before the end of the previous one. */
function checkOrder(spans: readonly Span[]): void {
  for (const [index, later] of spans.entries()) {
    const earlier = spans[index - 1];
    if (earlier === undefined || later.firstMicros >= earlier.lastMicros) continue;
    const fix =
      later.lastMicros <= earlier.firstMicros
        ? `give the oldest first: ${later.path} before ${earlier.path}`
        : 'if two recorders ran at the same time, compile the captures of only one of them';
    throw new DecodeError(
      `${later.where}: this capture begins before the end of the previous one; ` +
        `${spanText(earlier)}; ${spanText(later)}; ${fix}`,
    );
  }
}

function spanText({ path, firstMicros, lastMicros }: Span): string {
  return `${path} covers ${timeText(firstMicros)} to ${timeText(lastMicros)}`;
}

function onlyPair(markets: ReadonlyMap<string, unknown>, paths: readonly string[]): string {
  const [pair, ...more] = markets.keys();
  if (pair === undefined)
    throw new DecodeError(`${paths.join(', ')}: has no market: nothing was recorded`);
  if (more.length > 0)
    throw new ConfigError(
      `${paths.join(', ')}: has several markets, ${[pair, ...more].join(', ')}; choose one with --pair`,
    );
  return pair;
}

function venueIn(entry: CaptureEntry, where: string): string {
  return String(captureJson(entry, where)['venue'] ?? '');
}

class CaptureItems {
  readonly notes = { framesBeforeBook: 0, badFrames: 0, tornFiles: 0, scaleChanges: 0 };
  readonly #market: Market;
  readonly #flow: StreamFlow;
  readonly #onWarning: (message: string) => void;
  readonly #framesOf: FramesOf;
  /** Of the current file. */
  #frames: MarketFrames;
  #scales = '';
  #feeds: FeedReading[] = [];

  constructor(market: Market, options: Omit<CaptureSourceOptions, 'pair'>) {
    const { onWarning, framesOf } = options;
    this.#framesOf = framesOf;
    this.#frames = framesOf();
    this.#market = market;
    this.#onWarning = onWarning;
    this.#flow = new StreamFlow(market, onWarning);
  }

  /** Returns what feeds said since the last call. */
  takenFeeds(): readonly FeedReading[] {
    const feeds = this.#feeds;
    this.#feeds = [];
    return feeds;
  }

  async *items(files: readonly CaptureFile[]): AsyncGenerator<readonly FlowItem[], void> {
    let received = 0;
    for (const { path, bytes } of files) {
      const onTorn = (message: string): void => {
        this.notes.tornFiles++;
        this.#onWarning(message);
      };
      for (const block of captureLines(path, onTorn, bytes)) {
        for (const entry of captureEntries(block, received)) {
          received = entry.atMicros;
          if (entry.kind === 'begin') this.#begin(entry, block.where);
          else if (entry.kind === 'feed') this.#takeFeed(entry, block.where);
          else if (entry.pair === this.#market.pair) this.#take(entry, block.where);
        }
        this.notes.framesBeforeBook = this.#flow.framesBeforeBook;
        yield this.#flow.taken();
      }
      // The messages after the last whole block are unknown.
      if (this.notes.tornFiles > 0) this.#flow.markUnconfirmed();
    }
  }

  #begin(entry: CaptureEntry, where: string): void {
    this.#frames = this.#framesOf(protocolIn(entry, where));
    this.#flow.markUnconfirmed();
  }

  #takeFeed({ atMicros, pair: name, text }: CaptureEntry, where: string): void {
    const values = feedValuesOf(text);
    if (values !== undefined) this.#feeds.push({ name, values, receivedMicros: atMicros });
    else this.#onWarning(`${where}: what feed ${name} said at ${atMicros} is unreadable: skipped`);
  }

  #take(entry: CaptureEntry, where: string): void {
    if (entry.kind === 'market') {
      const { priceScale, volumeScale } = rulesIn(entry, where);
      const scales = `${priceScale} ${volumeScale}`;
      if (this.#scales !== '' && this.#scales !== scales) this.notes.scaleChanges++;
      this.#scales = scales;
      return;
    }
    const isBook = entry.kind === 'book';
    if (!isBook) this.#flow.loseUnconfirmed();
    if (entry.kind === 'closed' || entry.kind === 'dropped') this.#flow.lose();
    if (entry.kind !== 'frame' && !isBook) return;
    try {
      this.#flow.take(this.#frames.decode(entry.text), entry.atMicros);
    } catch (error) {
      // A frame that cannot be read is a gap, too: its content is unknown.
      if (!(error instanceof DecodeError)) throw error;
      this.notes.badFrames++;
      this.#onWarning(`${where}: the frame at ${entry.atMicros} is skipped: ${error.message}`);
      this.#flow.lose();
    }
  }
}
