/**
 * Reads a run from its journal: its orders and fills, the external events, and the durations of its
 * requests.
 */

import { RunBook } from '../../backtest/compare/run-book.ts';
import { formatAmount } from '../../domain/amount.ts';
import { ConfigError, NotFoundError } from '../../domain/errors.ts';
import type { Side } from '../../domain/market.ts';
import { Engine } from '../../engine/engine.ts';
import type { EngineStart } from '../../engine/engine-start.ts';
import type { Effect, EngineEvent } from '../../engine/event.ts';
import {
  decodeEvent,
  decodeLine,
  type JournalBatch,
  type JournalHeader,
  journaledEffects,
  type StampedEvent,
} from '../../engine/journal.ts';
import type { PreparedStrategy } from '../../strategy/loader.ts';
import type { MarketFrames } from '../../venue/market-frames.ts';
import type { Answers } from '../../venue/venue-reply.ts';
import type { VenueRequest } from '../../venue/venue-request.ts';
import { marketFramesOf } from '../../venues.ts';
import { journalLines } from './journal-file.ts';
import { type JournalRun, journalRunAt } from './journal-segments.ts';
import { goneText, notJournal } from './replay-journal.ts';

export type RecordedRun = {
  readonly run: string;
  readonly start: EngineStart;
  readonly book: RunBook;
  /** One per request, in the order of sending; undefined if it could not be measured. */
  readonly roundTrips: readonly (RoundTrip | undefined)[];
  /** The exchange's ids of the run's orders, with their sides. */
  readonly own: ReadonlyMap<string, Side>;
  /** The first balance reported for each account, by account id. */
  readonly balances: ReadonlyMap<string, string>;
  readonly lastMicros: number;
  /** Whether the run stopped normally; false if it was killed or its journal is truncated. */
  readonly isFinished: boolean;
};

/** Times in microseconds after the event that caused the request. */
export type RoundTrip = {
  /** Arrival by the exchange clock, in whole milliseconds; undefined if the answer has no time. */
  readonly thereUs: number | undefined;
  readonly backUs: number;
};

export type PluginsOf = (start: EngineStart) => Promise<ReadonlyMap<string, PreparedStrategy>>;

/**
 * Reads the journal to which the file at `path` belongs. Throws NotFoundError or DecodeError if it
 * cannot be read, ConfigError if this version of the code behaves differently from the run.
 */
export async function readRecordedRun(path: string, pluginsOf: PluginsOf): Promise<RecordedRun> {
  const journal = journalRunAt(path);
  const gone = goneText(journal);
  if (gone !== undefined) throw new NotFoundError(gone);
  let reader: RunReader | undefined;
  let run = '';
  for await (const block of blocksOf(journal)) {
    if (block.kind === 'header') {
      run = block.run;
      reader = new RunReader(block, await pluginsOf(block.start));
    } else if (block.kind === 'batch') reader?.take(block, path);
  }
  if (reader === undefined) throw notJournal(path);
  const { start, book, roundTrips, balances, lastMicros, isFinished } = reader;
  const own = new Map<string, Side>();
  for (const { row } of book.orders(0))
    if (row.orderId !== undefined) own.set(row.orderId, row.side);
  return { run, start, book, roundTrips, own, balances, lastMicros, isFinished };
}

/** Yields the external events that are no answers: market data, feeds, operators and pauses. */
export async function* outsideEvents(path: string): AsyncGenerator<StampedEvent> {
  let frames = marketFramesOf();
  for await (const block of blocksOf(journalRunAt(path))) {
    if (block.kind === 'header') frames = marketFramesOf(block.protocol);
    if (block.kind !== 'batch') continue;
    for (const [atMicros, encoded] of block.events)
      if (isOutside(encoded as EngineEvent))
        yield { atMicros, event: decodeEvent(encoded, frames) };
  }
}

function isOutside({ kind }: EngineEvent): boolean {
  const kinds: readonly string[] = ['operator', 'paused', 'feed', 'feed-trouble'];
  return kind.startsWith('market-') || kinds.includes(kind);
}

async function* blocksOf({ segments }: JournalRun) {
  for (const { path } of segments)
    for await (const line of journalLines(path)) {
      const block = decodeLine(line);
      // A kill may leave a torn last line.
      if (block === undefined) return;
      yield block;
    }
}

type Sent = {
  readonly sentMicros: number;
  readonly place: number;
  readonly call: VenueRequest;
};

class RunReader {
  readonly start: EngineStart;
  readonly book = new RunBook();
  readonly roundTrips: (RoundTrip | undefined)[] = [];
  readonly balances = new Map<string, string>();
  lastMicros = 0;
  isFinished = false;
  readonly #engine: Engine;
  readonly #frames: MarketFrames;
  /** The requests without an answer: when each was sent, and its index in `roundTrips`. */
  readonly #sent = new Map<number, Sent>();

  constructor({ start, protocol }: JournalHeader, plugins: ReadonlyMap<string, PreparedStrategy>) {
    this.start = start;
    this.#frames = marketFramesOf(protocol);
    this.#engine = new Engine(start, plugins);
  }

  take(batch: JournalBatch, path: string): void {
    const effects: Effect[] = [];
    for (const [atMicros, encoded] of batch.events) {
      const event = decodeEvent(encoded, this.#frames);
      this.lastMicros = atMicros;
      this.#note(atMicros, event);
      const step = this.#engine.step(atMicros, event);
      this.book.note(step.records);
      for (const effect of journaledEffects(step.effects)) {
        if (effect.kind === 'request') {
          const place = this.roundTrips.push(undefined) - 1;
          this.#sent.set(effect.request, { sentMicros: atMicros, place, call: effect.call });
        } else if (effect.kind === 'stopped') this.isFinished = true;
        effects.push(effect);
      }
    }
    if (JSON.stringify(effects) !== JSON.stringify(batch.effects))
      throw new ConfigError(
        `${path}: this code behaves differently from the run: use the version that ran; to see what changed:`,
        { suggests: ['replay', path] },
      );
  }

  #note(atMicros: number, event: EngineEvent): void {
    if (event.kind !== 'reply') return;
    const sent = this.#sent.get(event.request);
    this.#sent.delete(event.request);
    const { reply } = event;
    // The paper exchange answers every request, and reports when a late answer arrived.
    const isTimed =
      reply.kind === 'ok' || reply.kind === 'refused' || this.start.settings.mode === 'paper';
    if (sent !== undefined && isTimed) {
      const venueTimeMs = reply.kind === 'not-sent' ? undefined : reply.venueTimeMs;
      const { sentMicros, place } = sent;
      this.roundTrips[place] = {
        thereUs: venueTimeMs === undefined ? undefined : venueTimeMs * 1000 - sentMicros,
        backUs: atMicros - sentMicros,
      };
    }
    if (reply.kind === 'ok' && sent?.call.kind === 'balances')
      this.#noteBalances(reply.value as Answers['balances']);
  }

  #noteBalances(balances: Answers['balances']): void {
    for (const { account, balance } of balances)
      if (!this.balances.has(account)) this.balances.set(account, formatAmount(balance));
  }
}
