/**
 * Finds the files of the journals in a folder. A run's journal consists of one or more segments;
 * full segments are compressed.
 *
 *     demo-20261120T120000-run7.jsonl.gz     the first, with the header
 *     demo-20261120T120000-run7.2.jsonl      the next
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The parts of a journal's name; the names of one bot sort by time. */
export type JournalName = {
  readonly bot: string;
  readonly runId: number;
  readonly startedMs: number;
};

export type JournalSegment = {
  /** Counted from 1. */
  readonly number: number;
  readonly path: string;
};

export type JournalRun = {
  readonly bot: string;
  /** Path of the uncompressed first segment, even if it was deleted; it identifies the journal. */
  readonly path: string;
  readonly segments: readonly JournalSegment[];
  /** Numbers of the segments before the last one that no longer exist. */
  readonly gone: readonly number[];
};

export type NamedJournalRun = JournalRun & {
  /** When the run began, in the form of the file name. */
  readonly time: string;
  readonly runId: number;
};

/** The bounds for the journals of one bot; the oldest segments are deleted first. */
export type JournalBounds = { readonly bytesMax: number; readonly filesMax: number };

type FoundSegment = JournalSegment & {
  readonly bot: string;
  readonly time: string;
  readonly runId: number;
};

const pattern = /^(?<bot>.+)-(?<time>\d{8}T\d{6})-run(?<run>\d+)(?:\.(?<number>\d+))?\.jsonl/u;
const whole = new RegExp(`${pattern.source}(?:\\.gz)?$`, 'u');
const partial = new RegExp(`${pattern.source}\\.gz\\.tmp$`, 'u');

export function segmentNameOf({ bot, runId, startedMs }: JournalName, number: number): string {
  const time = new Date(startedMs).toISOString().replaceAll(/[-:]|\.\d+Z$/gu, '');
  return fileNameOf({ bot, time, runId, number });
}

function fileNameOf(segment: Omit<FoundSegment, 'path'>): string {
  const end = segment.number === 1 ? '' : `.${segment.number}`;
  return `${segment.bot}-${segment.time}-run${segment.runId}${end}.jsonl`;
}

/** Returns the journals in `folder`, oldest first. */
export function journalRunsIn(folder: string): readonly NamedJournalRun[] {
  const runs = Map.groupBy(
    segmentsIn(folder),
    (one) => `${one.time}-${one.bot}-${String(one.runId).padStart(15, '0')}`,
  );
  return [...runs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, segments]) => {
      const [first] = segments;
      if (first === undefined) return [];
      const path = join(folder, fileNameOf({ ...first, number: 1 }));
      const { bot, time, runId } = first;
      return [{ bot, time, runId, path, segments, gone: goneFrom(segments) }];
    });
}

/** Returns the journal to which the file at `path` belongs, or that file alone. */
export function journalRunAt(path: string): JournalRun {
  const alone = { bot: '', path, segments: [{ number: 1, path }], gone: [] };
  const found = segmentOf(dirname(path), basename(path));
  if (found === undefined) return alone;
  const name = fileNameOf({ ...found, number: 1 });
  try {
    return journalRunsIn(dirname(path)).find((run) => basename(run.path) === name) ?? alone;
  } catch {
    // Reading the file will report the error.
    return alone;
  }
}

/**
 * Deletes the oldest segments beyond the bounds, except the file at `current`, and unfinished
 * compressions.
 */
export function pruneJournals(
  folder: string,
  bot: string,
  bounds: JournalBounds,
  current: string,
): void {
  for (const name of readdirSync(folder))
    if (partial.exec(name)?.groups?.['bot'] === bot && !current.startsWith(stemOf(folder, name)))
      rmSync(join(folder, name), { force: true });
  const files = journalRunsIn(folder)
    .filter((run) => run.bot === bot)
    .flatMap((run) => run.segments)
    .map(({ path }) => ({ path, bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0 }));
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  let count = files.length;
  for (const file of files) {
    if (bytes <= bounds.bytesMax && count <= bounds.filesMax) return;
    if (file.path === current) continue;
    rmSync(file.path, { force: true });
    bytes -= file.bytes;
    count--;
  }
}

/** The name without segment and suffix: a current run may still be compressing a segment. */
function stemOf(folder: string, name: string): string {
  return join(folder, name.replace(/(?:\.\d+)?\.jsonl\.gz\.tmp$/u, ''));
}

function segmentsIn(folder: string): FoundSegment[] {
  const found = readdirSync(folder).flatMap((name) => segmentOf(folder, name) ?? []);
  // A crash may leave a segment beside its compressed copy; the copy is complete.
  const byName = new Map(
    found
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map((one) => [`${one.bot} ${one.time} ${one.runId} ${one.number}`, one]),
  );
  return [...byName.values()].sort((a, b) => a.number - b.number);
}

function segmentOf(folder: string, name: string): FoundSegment | undefined {
  const groups = whole.exec(name)?.groups;
  if (groups === undefined) return undefined;
  const { bot = '', time = '', run = '', number = '1' } = groups;
  return {
    bot,
    time,
    runId: Number.parseInt(run, 10),
    number: Number.parseInt(number, 10),
    path: join(folder, name),
  };
}

function goneFrom(segments: readonly JournalSegment[]): number[] {
  const there = new Set(segments.map(({ number }) => number));
  const last = segments.at(-1)?.number ?? 0;
  return Array.from({ length: last }, (_, index) => index + 1).filter(
    (number) => !there.has(number),
  );
}
