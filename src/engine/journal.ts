/**
 * The journal of one run: its start, then every event in engine order with the engine's effects.
 * SQLite restores a bot; the journal explains and replays it.
 *
 *     1c291ca3 {"kind":"header","version":1,…}
 *     9b7e0d12 {"kind":"batch","commit":1,"events":[[1700000000000000,{"kind":"tick"}]],
 *               "effects":[…],"records":"…"}
 *
 * Each block is one line, with the CRC-32 of its text. A torn or wrong last line is dropped. A long
 * journal continues in further segments, each beginning with a line about the segments before it.
 * Lines are written a moment later, together: a killed bot's journal may lack its last batches,
 * although the database has them.
 */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { DecodeError } from '../domain/errors.ts';
import type { StoreRecord } from '../domain/records.ts';
import type { MarketFrames } from '../venue/market-frames.ts';
import type { EngineStart } from './engine-start.ts';
import type { Effect, EngineEvent } from './event.ts';

/** Increases when the engine decides differently on the same events, or the format changes. */
const version = 9;
/** Which Millrace replays the journals of each earlier version. */
const writers: Readonly<Record<number, string>> = {
  2: 'Millrace 0.1.0',
  3: 'a development version of Millrace from before 2026-11-24',
  4: 'a development version of Millrace of 2026-11-23',
  5: 'a development version of Millrace of 2026-11-24 to 2026-11-26',
  6: 'a development version of Millrace of 2026-11-26 to 2026-11-28',
  7: 'a development version of Millrace of 2026-11-28',
  8: 'a development version of Millrace of 2026-11-28 to 2026-11-29',
};
/** Computed once, because most batches have no records. */
const digestOfNoRecords = shortHashOf('[]');
const eventsOfUsualLine = 8;

export type StampedEvent = { readonly atMicros: number; readonly event: EngineEvent };

export type JournalHeader = {
  readonly kind: 'header';
  readonly version: number;
  readonly run: string;
  readonly node: string;
  /** SHA-256 of each strategy plugin and of our sources, so that a replay knows what differs. */
  readonly hashes: Readonly<Record<string, string>>;
  /** Whose frames it has. */
  readonly protocol: string;
  readonly start: EngineStart;
};

/** The first line of a later segment: which batches the earlier segments hold. */
export type JournalContinuation = {
  readonly kind: 'segment';
  readonly run: string;
  /** Number of this segment; the first is 1 and begins with the header. */
  readonly number: number;
  /** Number of batches in the earlier segments. */
  readonly batches: number;
};

export type JournalBlock = JournalHeader | JournalContinuation | JournalBatch;

export type JournalBatch = {
  readonly kind: 'batch';
  /** The commit that stores the batch's records; that of the last batch if it has no records. */
  readonly commit: number;
  readonly events: readonly (readonly [atMicros: number, event: unknown])[];
  readonly effects: readonly Effect[];
  /** Digest of the records. */
  readonly records: string;
  /** The error that ended the run in this batch: nothing was stored and no effect was released. */
  readonly failure?: string | undefined;
};

/** Returns the first line of a journal. */
export function encodeHeader(header: Omit<JournalHeader, 'kind' | 'version'>): string {
  return encodeLine({ kind: 'header', version, ...header });
}

/** Returns the first line of a later segment. */
export function encodeSegment(segment: Omit<JournalContinuation, 'kind'>): string {
  return encodeLine({ kind: 'segment', ...segment });
}

/** Returns the line of one batch. */
export function encodeBatch(batch: {
  readonly commit: number;
  readonly events: readonly StampedEvent[];
  readonly effects: readonly Effect[];
  readonly records: readonly StoreRecord[];
  readonly failure?: string;
}): string {
  return encodeLine({
    kind: 'batch',
    commit: batch.commit,
    events: batch.events.map(({ atMicros, event }) => [atMicros, encodeEvent(event)]),
    effects: journaledEffects(batch.effects),
    records: digestOf(batch.records),
    failure: batch.failure,
  });
}

/**
 * Returns the effects that a journal keeps, and that a replay must repeat: all but what strategies
 * print, which nothing depends on.
 */
export function journaledEffects(effects: readonly Effect[]): readonly Effect[] {
  return effects.some(isPrint) ? effects.filter((effect) => !isPrint(effect)) : effects;
}

function isPrint(effect: Effect): boolean {
  return effect.kind === 'notice' && effect.notice.topic === 'print';
}

/** Returns as how many usual lines that of a batch counts: making many long ones takes a while. */
export function lineSizeOf(events: readonly StampedEvent[]): number {
  return Math.ceil(events.length / eventsOfUsualLine);
}

/** Returns the digest of records that the journal stores. */
export function digestOf(records: readonly StoreRecord[]): string {
  return records.length === 0 ? digestOfNoRecords : shortHashOf(JSON.stringify(records));
}

function shortHashOf(text: string): string {
  return hash('sha256', text).slice(0, 16);
}

/**
 * Returns a line's block, or undefined if the line is torn or was changed. Throws DecodeError for a
 * journal of another version.
 */
export function decodeLine(line: string): JournalBlock | undefined {
  const text = line.slice(9);
  if (line[8] !== ' ' || checksumOf(text) !== line.slice(0, 8)) return undefined;
  const block = JSON.parse(text) as JournalBlock;
  if (block.kind === 'header' && block.version !== version)
    throw new DecodeError(
      `the journal has version ${block.version}, but this Millrace replays version ${version}: ` +
        `replay it with ${writers[block.version] ?? 'the version that wrote it'}`,
    );
  return block;
}

/** Decodes an event of a batch; `frames` decodes the frames again from their text. */
export function decodeEvent(encoded: unknown, frames: MarketFrames): EngineEvent {
  const event = encoded as EngineEvent;
  if (event.kind === 'market-frame') return { ...event, message: frames.decode(event.text) };
  if (event.kind === 'report' || event.kind === 'reply') return withAmounts(event) as EngineEvent;
  return event;
}

function encodeEvent(event: EngineEvent): unknown {
  if (event.kind === 'market-frame')
    return { kind: event.kind, pair: event.pair, text: event.text };
  if (event.kind === 'report' || event.kind === 'reply') return withoutAmounts(event);
  return event;
}

/**
 * Returns a copy that JSON can carry: an amount becomes an object with its figure in units of
 * 10^-18, as in `{"e18":"1500000000000000000"}`.
 */
function withoutAmounts(value: unknown): unknown {
  if (typeof value === 'bigint') return { e18: String(value) };
  return mapped(value, withoutAmounts);
}

/** Returns a copy with its amounts; the inverse of {@link withoutAmounts}. */
function withAmounts(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'e18' in value)
    return BigInt(String(value.e18));
  return mapped(value, withAmounts);
}

function mapped(value: unknown, copy: (inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copy(inner)]));
}

function encodeLine(block: unknown): string {
  const text = JSON.stringify(block);
  return `${checksumOf(text)} ${text}\n`;
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
