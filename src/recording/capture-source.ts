/**
 * Compiles captures of one market: frames as they came to items, in the order of the files.
 *
 *     awaiting ──snapshot──▶ live ──closed, dropped, out of sequence──▶ awaiting (a gap)
 *
 * Rows have the exchange's time, which is in milliseconds; when each reached the recorder is kept
 * as its delay.
 */
import type { BookOrder, BookSnapshot, BookUpdate } from '../domain/book-message.ts';
import { ConfigError, DecodeError } from '../domain/errors.ts';
import { type Market, parseLots, parseTicks, type Side } from '../domain/market.ts';
import { type Lots, parseDecimal, type Ticks } from '../domain/money.ts';
import { decodeMarketFrame } from '../interface/market-stream.ts';
import { marketStatusOf } from '../market/market-feed.ts';
import type { CaptureEntry } from './capture-entry.ts';
import { captureEntries, captureLines } from './capture-reader.ts';
import type { FlowItem, FlowRow, RestingOrder } from './flow-item.ts';
import { type FlowSource, sourceFileOf } from './flow-source.ts';

export type CaptureSourceOptions = {
  /** Needed if the captures hold several markets. */
  readonly pair: string | undefined;
  /** Hears what was left out, in words. */
  readonly onWarning: (message: string) => void;
};

const delayMicrosMax = 2 ** 31 - 1;

/** Opens captures, which must be given in order of time. Throws DecodeError or ConfigError. */
export async function openCaptures(
  paths: readonly string[],
  options: CaptureSourceOptions,
): Promise<FlowSource> {
  const found = scan(paths);
  const pair = options.pair ?? onlyPair(found.markets, paths);
  const rules = found.markets.get(pair);
  if (rules === undefined)
    throw new ConfigError(
      `no market ${pair} in ${paths.join(', ')}; there is ${[...found.markets.keys()].join(', ') || 'none'}`,
    );
  const market = finestOf(rules);
  const sources = [];
  for (const path of paths) sources.push(await sourceFileOf(path));
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
    },
    resting: [],
    items: reader.items(paths),
    notes: reader.notes,
  };
}

type Rules = ReturnType<typeof rulesIn>;

/** Looks for venue and markets, without decoding frames. */
function scan(paths: readonly string[]): {
  readonly venue: string;
  readonly markets: ReadonlyMap<string, readonly Rules[]>;
} {
  const markets = new Map<string, Rules[]>();
  let venue = '';
  for (const path of paths)
    for (const block of captureLines(path, () => {}))
      for (const line of block.lines) {
        const letter = /^\d+ \S+ ([bm]) /u.exec(line)?.[1];
        if (letter === undefined) continue;
        const [entry] = [...captureEntries({ ...block, lines: [line] })] as [CaptureEntry];
        if (letter === 'b') venue ||= venueIn(entry, block.where);
        else
          markets.set(entry.pair, [
            ...(markets.get(entry.pair) ?? []),
            rulesIn(entry, block.where),
          ]);
      }
  return { venue, markets };
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

function jsonIn(entry: CaptureEntry, where: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(entry.text) as Record<string, unknown>;
  } catch (cause) {
    throw new DecodeError(`${where}: ${entry.kind} is not JSON`, { cause });
  }
}

function venueIn(entry: CaptureEntry, where: string): string {
  return String(jsonIn(entry, where)['venue'] ?? '');
}

function rulesIn(entry: CaptureEntry, where: string) {
  const json = jsonIn(entry, where) as unknown as Record<keyof Market, never>;
  const { priceScale, volumeScale, feeScale } = json as unknown as Record<string, number>;
  if (![priceScale, volumeScale, feeScale].every((scale) => Number.isInteger(scale)))
    throw new DecodeError(`${where}: the market's scales must be integers`);
  return json as unknown as Omit<Market, LimitName> & Record<LimitName, string>;
}

type LimitName = 'priceMin' | 'priceMax' | 'volumeMin' | 'volumeMax';

/** Returns the market in the finest scales that it had: exact for all of its prices and volumes. */
function finestOf(rules: readonly Rules[]): Market {
  const last = rules.at(-1) as Rules;
  const priceScale = Math.max(...rules.map((one) => one.priceScale));
  const volumeScale = Math.max(...rules.map((one) => one.volumeScale));
  const scales = { priceScale, volumeScale };
  return {
    pair: last.pair,
    base: last.base,
    counter: last.counter,
    ...scales,
    feeScale: last.feeScale,
    priceMin: parseTicks(last.priceMin, scales) ?? (1 as Ticks),
    priceMax: parseTicks(last.priceMax, scales) ?? (Number.MAX_SAFE_INTEGER as Ticks),
    volumeMin: parseLots(last.volumeMin, scales) ?? (1 as Lots),
    volumeMax: parseLots(last.volumeMax, scales) ?? (Number.MAX_SAFE_INTEGER as Lots),
    status: last.status,
  };
}

type RowPlace = {
  readonly atMicros: number;
  readonly sequence: number;
  readonly endsMessage: boolean;
};

class CaptureItems {
  readonly notes = { framesBeforeBook: 0, badFrames: 0, tornFiles: 0, scaleChanges: 0 };
  readonly #market: Market;
  readonly #onWarning: (message: string) => void;
  #last: bigint | undefined;
  #lastMicros = 0;
  /** A file has begun; only the same book at its beginning says that nothing is missing. */
  #isUnconfirmed = false;
  #scales = '';

  constructor(market: Market, onWarning: (message: string) => void) {
    this.#market = market;
    this.#onWarning = onWarning;
  }

  async *items(paths: readonly string[]): AsyncGenerator<readonly FlowItem[], void> {
    let received = 0;
    for (const path of paths) {
      const onTorn = (message: string): void => {
        this.notes.tornFiles++;
        this.#onWarning(message);
      };
      for (const block of captureLines(path, onTorn)) {
        const items: FlowItem[] = [];
        for (const entry of captureEntries(block, received)) {
          received = entry.atMicros;
          if (entry.kind === 'begin') this.#isUnconfirmed = true;
          else if (entry.pair === this.#market.pair) this.#take(entry, items, block.where);
        }
        yield items;
      }
      // Whatever came after the last whole block is not known.
      if (this.notes.tornFiles > 0) this.#isUnconfirmed = true;
    }
  }

  #take(entry: CaptureEntry, items: FlowItem[], where: string): void {
    if (entry.kind === 'market') {
      const { priceScale, volumeScale } = rulesIn(entry, where);
      const scales = `${priceScale} ${volumeScale}`;
      if (this.#scales !== '' && this.#scales !== scales) this.notes.scaleChanges++;
      this.#scales = scales;
      return;
    }
    const isBook = entry.kind === 'book';
    if (this.#isUnconfirmed && !isBook) this.#lose(items);
    if (entry.kind === 'closed' || entry.kind === 'dropped') this.#lose(items);
    if (entry.kind !== 'frame' && !isBook) return;
    const message = this.#decoded(entry, items, where);
    if (message?.kind === 'snapshot') this.#takeSnapshot(message.snapshot, entry, items);
    else if (message?.kind === 'update') this.#takeUpdate(message.update, entry, items);
  }

  /** A frame that cannot be read is a gap, too: nobody knows what it said. */
  #decoded(entry: CaptureEntry, items: FlowItem[], where: string) {
    try {
      return decodeMarketFrame(entry.text);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.notes.badFrames++;
      this.#onWarning(`${where}: a frame at ${entry.atMicros} is left out: ${error.message}`);
      this.#lose(items);
      return undefined;
    }
  }

  #lose(items: FlowItem[]): void {
    this.#isUnconfirmed = false;
    if (this.#last === undefined) return;
    this.#last = undefined;
    items.push({ kind: 'gap', atMicros: this.#lastMicros });
  }

  #takeSnapshot(snapshot: BookSnapshot, entry: CaptureEntry, items: FlowItem[]): void {
    const sequence = BigInt(snapshot.sequence);
    const isKnown = this.#last === sequence;
    if (this.#isUnconfirmed && !isKnown) this.#lose(items);
    this.#isUnconfirmed = false;
    // The same book said again changes nothing.
    if (isKnown) return;
    if (this.#last !== undefined) this.#lose(items);
    this.#last = sequence;
    const orders = [
      ...snapshot.bids.map((order) => this.#order(order, 'BID', entry)),
      ...snapshot.asks.map((order) => this.#order(order, 'ASK', entry)),
    ];
    const status = marketStatusOf(snapshot.status);
    items.push({ ...this.#timeOf(snapshot.timestamp, entry), kind: 'snapshot', status, orders });
  }

  #takeUpdate(update: BookUpdate, entry: CaptureEntry, items: FlowItem[]): void {
    if (this.#last !== undefined && BigInt(update.sequence) !== this.#last + 1n) {
      this.#onWarning(`out of sequence: ${update.sequence} after ${this.#last}; a gap`);
      this.#lose(items);
    }
    if (this.#last === undefined) {
      this.notes.framesBeforeBook++;
      return;
    }
    this.#last = BigInt(update.sequence);
    const time = this.#timeOf(update.timestamp, entry);
    const rows = this.#rowsOf(update, { ...time, sequence: 0, endsMessage: false }, entry);
    const { status } = update;
    const last = rows.pop();
    items.push(...rows);
    if (last !== undefined) items.push({ ...last, endsMessage: status === undefined });
    if (status !== undefined)
      items.push({ ...time, kind: 'status', status: marketStatusOf(status) });
  }

  /** Returns the rows of one message; none of them ends it yet. */
  #rowsOf(update: BookUpdate, place: RowPlace, entry: CaptureEntry): FlowRow[] {
    const rows: FlowRow[] = update.trades.map((trade) => {
      const volume = this.#lots(trade.base, entry);
      const price = this.#priceOf(trade, entry);
      const { makerOrderId: makerId, takerOrderId: takerId } = trade;
      return { ...place, kind: 'trade', makerId, takerId, makerSide: undefined, price, volume };
    });
    const { create, delete: gone } = update;
    if (create !== undefined) {
      const order = this.#order({ ...create, id: create.orderId }, create.side, entry);
      rows.push({ ...place, kind: 'create', ...order });
    }
    if (gone !== undefined) rows.push({ ...place, kind: 'delete', id: gone.orderId });
    return rows;
  }

  /** A trade tells two amounts; its price is the one that is nearest to their ratio. */
  #priceOf(trade: BookUpdate['trades'][number], entry: CaptureEntry): Ticks {
    const base = parseDecimal(trade.base);
    const ratio = parseDecimal(trade.counter)?.div(base ?? 1);
    if (base === undefined || ratio === undefined)
      throw new DecodeError(
        `frame at ${entry.atMicros}: amounts of trade ${trade.sequence} must be decimals`,
      );
    const text = ratio.toFixed(this.#market.priceScale);
    return parseTicks(text, this.#market) ?? (0 as Ticks);
  }

  #order({ id, price, volume }: BookOrder, side: Side, entry: CaptureEntry): RestingOrder {
    const ticks = parseTicks(price, this.#market);
    if (ticks === undefined)
      throw new DecodeError(`frame at ${entry.atMicros}: price of ${id} does not fit: "${price}"`);
    return { id, side, price: ticks, volume: this.#lots(volume, entry) };
  }

  #lots(text: string, entry: CaptureEntry): Lots {
    const volume = parseLots(text, this.#market);
    if (volume === undefined || volume <= 0)
      throw new DecodeError(`frame at ${entry.atMicros}: volume does not fit: "${text}"`);
    return volume;
  }

  #timeOf(exchangeMs: number, entry: CaptureEntry) {
    const atMicros = exchangeMs * 1_000;
    this.#lastMicros = Math.max(this.#lastMicros, atMicros);
    const delayMicros = entry.atMicros - atMicros;
    return Math.abs(delayMicros) <= delayMicrosMax ? { atMicros, delayMicros } : { atMicros };
  }
}
