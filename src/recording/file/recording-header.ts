/**
 * The header of a recording, before its rows, and the index, after them.
 *
 * Both are JSON blocks. Keys have a fixed order, so that equal recordings have equal bytes.
 */
import { DecodeError } from '../../domain/errors.ts';
import {
  formatLots,
  formatTicks,
  type Market,
  parseLots,
  parseTicks,
} from '../../domain/market.ts';
import type { Grade } from './flow-item.ts';

export const recordingBlock = {
  header: 1,
  rows: 2,
  checkpoint: 3,
  ids: 4,
  checkpointIds: 5,
  delays: 6,
  index: 7,
  /** The last block of every recording: the offset of its index, as f64. */
  end: 8,
  /** What feeds said, in order of time. */
  feeds: 9,
} as const;

const recordingVersion = 1;

export type SourceFile = { readonly name: string; readonly bytes: number; readonly sha256: string };

export type RecordingHeader = {
  readonly grade: Grade;
  readonly market: Market;
  /** Where the data was recorded. */
  readonly venue: string;
  readonly format: string;
  readonly sources: readonly SourceFile[];
  /** The smallest price step in use, in ticks, and the smallest volume step, in lots. */
  readonly tick: number;
  readonly lot: number;
  /** When the scales of the market first changed; all rows have its finest scales. */
  readonly scalesChangedMicros?: number;
};

/** Counts of rows by kind, and of anomalies: `crossed` and all after it are 0 for good data. */
export type RecordingCounts = {
  rows: number;
  messages: number;
  creates: number;
  deletes: number;
  trades: number;
  resizes: number;
  statuses: number;
  gaps: number;
  /** Messages after which the best bid is at or above the best ask. */
  crossed: number;
  unknownOrders: number;
  repeatedIds: number;
  /** Trades of more than the maker's volume. */
  excessVolumes: number;
  /** Trades at a price that is not their maker's. */
  otherPrices: number;
  /** Trades whose side in the source differs from the maker's; the maker's side is kept. */
  otherSides: number;
  /** Rows with an earlier time than the row before, whose time they get. */
  timesWentBack: number;
};

/** The counts of rows that contradict the book of their own source. */
export type MisfitKind =
  | 'unknownOrders'
  | 'repeatedIds'
  | 'excessVolumes'
  | 'otherPrices'
  | 'otherSides'
  | 'timesWentBack';

/** Where the first misfit of a kind is. */
export type MisfitPlace = {
  /** The row's number in the recording, from 1; 0 for an order that rests at the start. */
  readonly row: number;
  /** The row's time; absent for an order that rests at the start. */
  readonly micros?: number;
};

export type MisfitPlaces = Partial<Record<MisfitKind, MisfitPlace>>;

export function emptyCounts(): RecordingCounts {
  return {
    rows: 0,
    messages: 0,
    creates: 0,
    deletes: 0,
    trades: 0,
    resizes: 0,
    statuses: 0,
    gaps: 0,
    crossed: 0,
    unknownOrders: 0,
    repeatedIds: 0,
    excessVolumes: 0,
    otherPrices: 0,
    otherSides: 0,
    timesWentBack: 0,
  };
}

/** The index entry of one block of rows. Offsets are in bytes from the start of the file. */
export type IndexEntry = {
  readonly offset: number;
  readonly firstRow: number;
  readonly rows: number;
  readonly firstMicros: number;
  readonly lastMicros: number;
  /** Offset of the checkpoint just before the block, or 0. */
  readonly checkpoint: number;
  /** Offsets of the blocks with its ids and its delays, or 0. */
  readonly ids: number;
  readonly delays: number;
};

export type RecordingIndex = {
  /** SHA-256 of the header, the rows and the checkpoints, before compression. */
  readonly hash: string;
  readonly counts: RecordingCounts;
  /** The first misfit of each kind; absent if there is none, and in older recordings. */
  readonly firstMisfits?: MisfitPlaces;
  /** Bytes of the file without ids and delays. */
  readonly bytes: number;
  /** Bytes of ids and delays. */
  readonly sideBytes: number;
  readonly blocks: readonly IndexEntry[];
  /** Absent if no feed was recorded. */
  readonly feeds?: FeedIndex;
};

/** What a recording has of feeds. */
export type FeedIndex = {
  /** Offsets of the blocks with their readings. */
  readonly blocks: readonly number[];
  /** The number of readings, by feed. */
  readonly readings: Readonly<Record<string, number>>;
};

export function encodeHeader(header: RecordingHeader): Buffer {
  const { market } = header;
  return Buffer.from(
    JSON.stringify({
      version: recordingVersion,
      grade: header.grade,
      venue: header.venue,
      format: header.format,
      market: {
        pair: market.pair,
        base: market.base,
        counter: market.counter,
        priceScale: market.priceScale,
        volumeScale: market.volumeScale,
        feeScale: market.feeScale,
        priceMin: formatTicks(market.priceMin, market),
        priceMax: formatTicks(market.priceMax, market),
        volumeMin: formatLots(market.volumeMin, market),
        volumeMax: formatLots(market.volumeMax, market),
        status: market.status,
      },
      tick: header.tick,
      lot: header.lot,
      ...(header.scalesChangedMicros === undefined
        ? {}
        : { scalesChangedMicros: header.scalesChangedMicros }),
      sources: header.sources.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    }),
  );
}

/** Returns the decoded header. Throws {@link DecodeError}; its message begins with `where`. */
export function decodeHeader(bytes: Buffer, where: string): RecordingHeader {
  const given = decodeJson(bytes, where) as Omit<RecordingHeader, 'market'> & {
    readonly version: number;
    readonly market: Record<string, string | number>;
  };
  if (given.version !== recordingVersion)
    throw new DecodeError(
      `${where}: the recording has version ${String(given.version)}; this program reads version ${recordingVersion}`,
    );
  const { market } = given;
  const text = (name: string): string => String(market[name]);
  const scales = {
    priceScale: market['priceScale'] as number,
    volumeScale: market['volumeScale'] as number,
  };
  const amount = <Value>(value: Value | undefined, name: string): Value => {
    if (value === undefined) throw new DecodeError(`${where}: ${name} does not fit its scale`);
    return value;
  };
  return {
    grade: given.grade,
    venue: given.venue,
    format: given.format,
    tick: given.tick,
    lot: given.lot,
    ...(given.scalesChangedMicros === undefined
      ? {}
      : { scalesChangedMicros: given.scalesChangedMicros }),
    sources: given.sources,
    market: {
      pair: text('pair'),
      base: text('base'),
      counter: text('counter'),
      ...scales,
      feeScale: market['feeScale'] as number,
      priceMin: amount(parseTicks(text('priceMin'), scales), 'priceMin'),
      priceMax: amount(parseTicks(text('priceMax'), scales), 'priceMax'),
      volumeMin: amount(parseLots(text('volumeMin'), scales), 'volumeMin'),
      volumeMax: amount(parseLots(text('volumeMax'), scales), 'volumeMax'),
      status: text('status') as Market['status'],
    },
  };
}

/**
 * Returns the JSON object in `bytes`. Throws {@link DecodeError}; its message begins with `where`.
 */
export function decodeJson(bytes: Buffer, where: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch (cause) {
    throw new DecodeError(`${where}: is not JSON`, { cause });
  }
  throw new DecodeError(`${where}: must be a JSON object`);
}
