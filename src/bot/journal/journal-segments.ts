/**
 * Which files make up the journals in a folder. A run's journal is one file or several segments;
 * full segments are compressed.
 *
 *     demo-20261120T120000-run7.jsonl.gz     the first, with the header
 *     demo-20261120T120000-run7.2.jsonl      the next
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What a journal is named after; names of one bot sort by time. */
export type JournalName = {
  readonly bot: string;
  readonly runId: number;
  readonly startedMs: number;
};

export type JournalSegment = {
  /** From 1. */
  readonly number: number;
  readonly path: string;
};

export type JournalRun = {
  readonly bot: string;
  /** Where the run's first segment is or was, uncompressed: the name of the whole journal. */
  readonly path: string;
  /** Those that are there, in order. */
  readonly segments: readonly JournalSegment[];
  /** Numbers of those that are not there any more, below the last one. */
  readonly gone: readonly number[];
};

/** A journal that is named as journals are. */
export type NamedJournalRun = JournalRun & {
  /** When the run began, as the name has it. */
  readonly time: string;
  readonly runId: number;
};

/** How much of the journals of one bot stays; the oldest go first. */
export type JournalBounds = { readonly bytesMax: number; readonly filesMax: number };

type FoundSegment = JournalSegment & {
  readonly bot: string;
  readonly time: string;
  readonly runId: number;
};

const pattern = /^(?<bot>.+)-(?<time>\d{8}T\d{6})-run(?<run>\d+)(?:\.(?<number>\d+))?\.jsonl/u;
const whole = new RegExp(`${pattern.source}(?:\\.gz)?$`, 'u');
const partial = new RegExp(`${pattern.source}\\.gz\\.tmp$`, 'u');

/** Returns the file name of a segment. */
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

/** Returns the journal that the file at `path` is part of, or that file alone. */
export function journalRunAt(path: string): JournalRun {
  const alone = { bot: '', path, segments: [{ number: 1, path }], gone: [] };
  const found = segmentOf(dirname(path), basename(path));
  if (found === undefined) return alone;
  const name = fileNameOf({ ...found, number: 1 });
  try {
    return journalRunsIn(dirname(path)).find((run) => basename(run.path) === name) ?? alone;
  } catch {
    // Reading the file itself will say what is wrong.
    return alone;
  }
}

/** Removes what is beyond the bounds, never the file at `current`, and what was left half made. */
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

/** A compression that is under way belongs to the run that writes now. */
function stemOf(folder: string, name: string): string {
  return join(folder, name.replace(/(?:\.\d+)?\.jsonl\.gz\.tmp$/u, ''));
}

function segmentsIn(folder: string): FoundSegment[] {
  const found = readdirSync(folder).flatMap((name) => segmentOf(folder, name) ?? []);
  // A crash may leave a segment beside its compressed copy; the copy is whole.
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
