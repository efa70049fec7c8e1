/** A source of recorded order flow: its header, and its items in order of time. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { ConfigError, DecodeError } from '../../domain/errors.ts';
import type { FeedReading } from '../../domain/feed.ts';
import type { Market, MarketStatus } from '../../domain/market.ts';
import { lotsOf, ticksOf } from '../../domain/ticks-and-lots.ts';
import { BookError } from '../../market/book/book-error.ts';
import { checkInputFile } from '../../runtime/input-file.ts';
import { loopTurn } from '../../runtime/timers.ts';
import type { FlowItem, RestingOrder } from './flow-item.ts';
import type { RecordingHeader, RecordingIndex, SourceFile } from './recording-header.ts';
import { type RecordingOptions, RecordingWriter } from './recording-writer.ts';

export type FlowSource = {
  readonly header: RecordingHeader;
  /** The book at the start. */
  readonly resting: readonly RestingOrder[];
  readonly status?: MarketStatus;
  /** Iterate once. Throws DecodeError that names the file and the place in it. */
  readonly items: AsyncIterable<readonly FlowItem[]>;
  /** Returns what feeds said since the last call; absent if the source has no feeds. */
  readonly takeFeeds?: () => readonly FeedReading[];
  /** Counts of the source that a recording does not hold, by name; complete after the last item. */
  readonly notes?: Readonly<Record<string, number>>;
};

export type WrittenRecording = {
  readonly path: string;
  readonly header: RecordingHeader;
  readonly index: RecordingIndex;
  readonly notes: Readonly<Record<string, number>>;
};

/** Writes a source as a recording; if the source fails, no file is left. */
export async function writeRecording(
  source: FlowSource,
  path: string,
  options: RecordingOptions = {},
): Promise<WrittenRecording> {
  const writer = new RecordingWriter(path, source.header, options);
  try {
    writer.start(source.resting, source.status);
    for await (const items of source.items) {
      for (const item of items) writer.add(item);
      for (const reading of source.takeFeeds?.() ?? []) writer.addFeed(reading);
      // A source may never wait for anything; without this wait signals could not interrupt it.
      await loopTurn();
    }
    const index = writer.finish();
    return { path, header: source.header, index, notes: source.notes ?? {} };
  } catch (error) {
    writer.abandon();
    if (!(error instanceof BookError)) throw error;
    const names = source.header.sources.map(({ name }) => name).join(', ');
    throw new DecodeError(`${names}: row ${writer.rows + 1}: ${error.message}`, { cause: error });
  }
}

/** Returns name, size and SHA-256 of a file; throws NotFoundError or DecodeError. */
export async function sourceFileOf(path: string): Promise<SourceFile> {
  checkInputFile(path);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
  } catch (cause) {
    throw new DecodeError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  }
  return { name: basename(path), bytes, sha256: hash.digest('hex') };
}

export type ImportedMarket = {
  readonly base: string;
  readonly counter: string;
  readonly priceScale: number;
  readonly volumeScale: number;
  /** Where scales that were taken from the data come from; empty if they were given. */
  readonly why?: string;
};

/** The gate can calculate values with at most 18 decimals. */
const scalesMax = 18;

/**
 * Returns a market from its currencies and scales only, with limits wide enough for all orders.
 * Throws ConfigError for scales that a backtest cannot use.
 */
export function importedMarket({ why = '', ...known }: ImportedMarket): Market {
  const { priceScale, volumeScale } = known;
  if (priceScale + volumeScale > scalesMax)
    throw new ConfigError(
      `the scales of price and volume are ${priceScale} and ${volumeScale}; allowed: together at most ${scalesMax}` +
        (why === ''
          ? ''
          : `; ${why}; set the market's decimals with --price-scale and --volume-scale, and --round if the data have more`),
    );
  return {
    pair: `${known.base}${known.counter}`,
    ...known,
    feeScale: 8,
    priceMin: ticksOf(1),
    priceMax: ticksOf(1e15),
    volumeMin: lotsOf(1),
    volumeMax: lotsOf(1e15),
    status: 'ACTIVE',
  };
}
