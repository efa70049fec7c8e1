/** Compiles captures of one market: frames as they came to items, in the order of the files. */
import { ConfigError, DecodeError } from '../../domain/errors.ts';
import type { Market } from '../../domain/market.ts';
import { decodeMarketFrame } from '../../exchange-api/market-messages.ts';
import type { FlowItem } from '../file/flow-item.ts';
import { type FlowSource, sourceFileOf } from '../file/flow-source.ts';
import type { SourceFile } from '../file/recording-header.ts';
import { timeText } from '../file/time-text.ts';
import type { CaptureEntry } from './capture-entry.ts';
import { captureJson, finestOf, type Rules, rulesIn } from './capture-market.ts';
import { captureEntries, captureLines } from './capture-reader.ts';
import { StreamFlow } from './stream-flow.ts';

export type CaptureSourceOptions = {
  /** Needed if the captures hold several markets. */
  readonly pair: string | undefined;
  /** Hears what was left out, in words. */
  readonly onWarning: (message: string) => void;
};

/** Opens captures, which must be given in order of time. Throws DecodeError or ConfigError. */
export async function openCaptures(
  paths: readonly string[],
  options: CaptureSourceOptions,
): Promise<FlowSource> {
  const sources: SourceFile[] = [];
  for (const path of paths) sources.push(await sourceFileOf(path));
  // Beside a running bot a capture grows: what is compiled is what was hashed.
  const files = paths.map((path, index) => ({ path, bytes: sources[index]?.bytes ?? 0 }));
  const found = scan(files);
  checkOrder(found.spans);
  const pair = options.pair ?? onlyPair(found.markets, paths);
  const rules = found.markets.get(pair);
  if (rules === undefined)
    throw new ConfigError(
      `no market ${pair} in ${paths.join(', ')}; there is ${[...found.markets.keys()].join(', ') || 'none'}`,
    );
  const market = finestOf(rules);
  const [first] = rules;
  const changed = rules.find(
    ({ priceScale, volumeScale }) =>
      priceScale !== first?.priceScale || volumeScale !== first.volumeScale,
  );
  const reader = new CaptureItems(market, options.onWarning);
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
    notes: reader.notes,
  };
}

/** A capture, and how much of it is read. */
type CaptureFile = { readonly path: string; readonly bytes: number };

/** From when to when a capture tells, and where its first line stands. */
type Span = {
  readonly path: string;
  readonly where: string;
  readonly firstMicros: number;
  lastMicros: number;
};

/** Looks for venue, markets and times, without decoding frames. */
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
        // What is no line is told when it is compiled.
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

/** Throws DecodeError for a capture that begins before the one in front of it has ended. */
function checkOrder(spans: readonly Span[]): void {
  for (const [index, later] of spans.entries()) {
    const earlier = spans[index - 1];
    if (earlier === undefined || later.firstMicros >= earlier.lastMicros) continue;
    const fix =
      later.lastMicros <= earlier.firstMicros
        ? `give the oldest first: ${later.path} before ${earlier.path}`
        : 'if two recorders recorded the same minutes, compile the captures of one of them';
    throw new DecodeError(
      `${later.where}: it begins before the capture in front of it has ended; ` +
        `${spanText(earlier)}; ${spanText(later)}; ${fix}`,
    );
  }
}

function spanText({ path, firstMicros, lastMicros }: Span): string {
  return `${path} is of ${timeText(firstMicros)} to ${timeText(lastMicros)}`;
}

function onlyPair(markets: ReadonlyMap<string, unknown>, paths: readonly string[]): string {
  const [pair, ...more] = markets.keys();
  if (pair === undefined)
    throw new DecodeError(`${paths.join(', ')}: no market: nothing was recorded`);
  if (more.length > 0)
    throw new ConfigError(
      `${paths.join(', ')}: several markets, ${[pair, ...more].join(', ')}; say which with --pair`,
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
  #scales = '';

  constructor(market: Market, onWarning: (message: string) => void) {
    this.#market = market;
    this.#onWarning = onWarning;
    this.#flow = new StreamFlow(market, onWarning);
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
          if (entry.kind === 'begin') this.#flow.doubt();
          else if (entry.pair === this.#market.pair) this.#take(entry, block.where);
        }
        this.notes.framesBeforeBook = this.#flow.framesBeforeBook;
        yield this.#flow.taken();
      }
      // Whatever came after the last whole block is not known.
      if (this.notes.tornFiles > 0) this.#flow.doubt();
    }
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
    if (!isBook) this.#flow.settleDoubt();
    if (entry.kind === 'closed' || entry.kind === 'dropped') this.#flow.lose();
    if (entry.kind !== 'frame' && !isBook) return;
    try {
      const message = decodeMarketFrame(entry.text);
      if (message.kind === 'snapshot' || message.kind === 'update')
        this.#flow.take(message, entry.atMicros);
    } catch (error) {
      // A frame that cannot be read is a gap, too: nobody knows what it said.
      if (!(error instanceof DecodeError)) throw error;
      this.notes.badFrames++;
      this.#onWarning(`${where}: a frame at ${entry.atMicros} is left out: ${error.message}`);
      this.#flow.lose();
    }
  }
}
