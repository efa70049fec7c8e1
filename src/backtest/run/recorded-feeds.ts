/** What the feeds of a scenario said, from its recordings or from tables, as it was received. */
import { ConfigError } from '../../domain/errors.ts';
import type { FeedReading } from '../../domain/feed.ts';
import type { ScenarioFeed, ScenarioSettings } from '../../domain/scenario-settings.ts';
import type { Recording } from '../../recording/file/recording.ts';
import { timeText } from '../../recording/file/time-text.ts';
import { readFeedTable } from '../../recording/import/feed-table.ts';

/** Those of a run are in memory. */
const readingsMax = 5_000_000;

type Span = { readonly startMicros: number; readonly endMicros: number };

/** The readings of a run in order of time, and the place of the next one. */
export class RecordedFeeds {
  readonly #readings: readonly FeedReading[];
  readonly #startMicros: number;
  #next = 0;
  /** When the next reading reaches the engine; Infinity if there is none. */
  #dueMicros = Infinity;

  constructor(readings: readonly FeedReading[], startMicros: number) {
    this.#readings = readings;
    this.#startMicros = startMicros;
    this.#note();
  }

  get dueMicros(): number {
    return this.#dueMicros;
  }

  /** Returns the next reading, which must exist. */
  take(): FeedReading {
    const reading = this.#readings[this.#next++] as FeedReading;
    this.#note();
    return reading;
  }

  /** No reading follows: the run is at its end. */
  end(): void {
    this.#dueMicros = Infinity;
  }

  #note(): void {
    const next = this.#readings[this.#next];
    // What was received before the run is known at its start.
    this.#dueMicros =
      next === undefined ? Infinity : Math.max(next.receivedMicros, this.#startMicros);
  }
}

/**
 * Returns what the feeds of the scenario said during the run, and what each said last before it.
 * Throws ConfigError for a feed that neither has a table nor is in the recordings, and DecodeError
 * or NotFoundError for one whose data are damaged or missing.
 */
export async function recordedFeeds(
  { scenario, feeds = [], strategies }: ScenarioSettings,
  recordings: readonly (readonly Recording[])[],
  span: Span,
): Promise<readonly FeedReading[]> {
  const all: FeedReading[] = [];
  for (const feed of feeds) {
    const { name, file, fields = [] } = feed;
    const users = strategies.filter((one) => one.feeds?.includes(name)).map(({ id }) => id);
    if (users.length === 0) continue;
    const readings =
      file === undefined
        ? readingsIn(feed, recordings)
        : await readFeedTable(file, name, { toMicros: span.endMicros, readingsMax, fields });
    const played = playedOf(readings, span);
    if (played.length === 0) {
      const { endMicros } = span;
      const until = Number.isFinite(endMicros)
        ? ` by ${timeText(endMicros)}, the end of the run`
        : '';
      const end = `none of its values${until}`;
      const missing =
        file !== undefined
          ? `${file} has ${end}`
          : readings.length > 0
            ? `the recordings have ${end}`
            : `${missingText(recordings)}; name a table with its values: feeds: { ${name}: { file: ${name}.csv } }`;
      throw new ConfigError(
        `scenario ${scenario}: strategy ${users.join(', ')} uses the feed ${name}, but ${missing}`,
      );
    }
    all.push(...played);
  }
  return feeds.length === 1 ? all : all.sort((a, b) => a.receivedMicros - b.receivedMicros);
}

/** Captures of several markets at once have the same feeds, so those of one market suffice. */
function readingsIn(
  { name }: ScenarioFeed,
  recordings: readonly (readonly Recording[])[],
): readonly FeedReading[] {
  const having =
    recordings.find((ofMarket) => ofMarket.some((one) => countOf(one, name) > 0)) ?? [];
  const count = having.reduce((sum, one) => sum + countOf(one, name), 0);
  if (count > readingsMax)
    throw new ConfigError(
      `the recordings have ${count} values of the feed ${name}; a backtest keeps at most ${readingsMax} in memory: play fewer recordings`,
    );
  const readings: FeedReading[] = [];
  for (const recording of having)
    for (const block of recording.feeds())
      for (const reading of block) if (reading.name === name) readings.push(reading);
  return readings;
}

function countOf({ index }: Recording, name: string): number {
  const { readings = {} } = index.feeds ?? {};
  return Object.hasOwn(readings, name) ? (readings[name] ?? 0) : 0;
}

function missingText(recordings: readonly (readonly Recording[])[]): string {
  const names = new Set(
    recordings.flat().flatMap(({ index }) => Object.keys(index.feeds?.readings ?? {})),
  );
  return names.size === 0
    ? 'the data of its markets have no feeds'
    : `the recordings have only ${[...names].sort().join(', ')}`;
}

/** Returns the readings within the span, and the last one before it. */
function playedOf(readings: readonly FeedReading[], { startMicros, endMicros }: Span) {
  const from = readings.findIndex(({ receivedMicros }) => receivedMicros > startMicros);
  const first = from === -1 ? readings.length : from;
  return readings
    .slice(Math.max(0, first - 1))
    .filter(({ receivedMicros }) => receivedMicros <= endMicros);
}
