/**
 * Replays a run's journal: creates the engine as the run did, feeds it the same events, and
 * compares its effects and records.
 *
 * Only the last line may be torn, for example by a kill while it was written, and batches after it
 * may be missing. Any damage before it, in a line or in the commit numbers, is a difference.
 */
import { DecodeError, NotFoundError } from '../../domain/errors.ts';
import { otherKindOf } from '../../domain/file-kind.ts';
import type { StoreRecord } from '../../domain/records.ts';
import { Engine } from '../../engine/engine.ts';
import type { Effect } from '../../engine/event.ts';
import {
  decodeEvent,
  decodeLine,
  digestOf,
  type JournalBatch,
  type JournalBlock,
  type JournalContinuation,
  type JournalHeader,
  journaledEffects,
} from '../../engine/journal.ts';
import type { StepObserver } from '../../engine/stepping/step-observer.ts';
import type { SteppedRun } from '../../engine/stepping/stepped-run.ts';
import { fileHeadOf } from '../../runtime/file-head.ts';
import { runCodeOf } from '../../runtime/running-code.ts';
import type { MarketFrames } from '../../venue/market-frames.ts';
import { marketFramesOf } from '../../venues.ts';
import { preparePlugins } from '../start/prepare-plugins.ts';
import { hashSources } from './hash-sources.ts';
import { journalLines } from './journal-file.ts';
import { type JournalRun, journalRunAt } from './journal-segments.ts';

export type ReplayResult = {
  readonly run: string;
  readonly batches: number;
  readonly events: number;
  readonly effects: number;
  /** The number of batches with other effects, records or commits, and of damaged lines. */
  readonly different: number;
  readonly firstDifference: string | undefined;
  /** The error that ended the run, if the engine threw it again; not a difference. */
  readonly failure: string | undefined;
  /** 1 if the last line was torn. */
  readonly droppedLines: number;
  /** The number of lines after the first one that could not be replayed. */
  readonly unreadLines: number;
  /** The code that has changed since the run: `millrace`, or `strategy <id>`. */
  readonly changedCode: readonly string[];
};

/** Returns why a journal cannot be replayed if segments were deleted; undefined if none were. */
export function goneText({ path, segments, gone }: JournalRun): string | undefined {
  if (gone.length === 0) return undefined;
  const count = gone.length + segments.length;
  return (
    `${path}: ${gone.length} of ${count} segments were deleted (${rangesOf(gone)}) to keep the ` +
    'journals within their size limit; a replay needs every segment from the first one on'
  );
}

/** Returns the error about a file that does not begin as a journal does. */
export function notJournal(path: string): DecodeError {
  const other = otherKindOf(fileHeadOf(path), 'journal');
  return new DecodeError(
    `${path} is not a journal${other === undefined ? ': it does not begin with a header' : `, but ${other}`}`,
  );
}

function rangesOf(numbers: readonly number[]): string {
  const [first, last] = [numbers[0], numbers.at(-1)];
  const isDense = first !== undefined && last === first + numbers.length - 1;
  return isDense && first !== last ? `${first} to ${last}` : numbers.join(', ');
}

/**
 * Replays the journal to which the file at `path` belongs, with all its segments. Throws
 * DecodeError if it is not a journal, NotFoundError if it or a segment does not exist, StoreError
 * if it cannot be read.
 */
export async function replayJournal(path: string, strategiesFolder: string): Promise<ReplayResult> {
  const journal = await openJournal(path, strategiesFolder);
  await journal.play(() => false);
  return journal.result();
}

export type OpenedJournal = Pick<SteppedRun, 'engine' | 'play' | 'close'> & {
  readonly header: JournalHeader;
  /** See {@link ReplayResult}. */
  readonly changedCode: readonly string[];
  /** What is known so far. */
  readonly result: () => ReplayResult;
};

/** Opens a journal to play it a batch at a time. Throws as {@link replayJournal} does. */
export async function openJournal(
  path: string,
  strategiesFolder: string,
  observer?: StepObserver,
): Promise<OpenedJournal> {
  const run = journalRunAt(path);
  const gone = goneText(run);
  if (gone !== undefined) throw new NotFoundError(gone);
  const lines = linesOf(run);
  const first = await lines.next();
  if (first.done === true) throw new DecodeError(`${path} is not a journal: it is empty`);
  const header = blockOf(first.value);
  if (header?.kind !== 'header') throw notJournal(path);
  const { engine, changedCode } = await createEngine(header, strategiesFolder, observer);
  const replay = new Replay(engine, marketFramesOf(header.protocol));
  let number = 1;
  let torn: number | undefined;
  let unreadLines = 0;
  const take = (line: string): void => {
    number++;
    // A damaged line that is not the last one.
    if (torn !== undefined) replay.fail(`line ${torn} is damaged`);
    torn = undefined;
    if (replay.isOver) {
      unreadLines++;
      replay.followed();
      return;
    }
    const block = blockOf(line);
    if (block === undefined) torn = number;
    else if (block.kind === 'header') replay.fail(`line ${number} is a second header`);
    else if (block.kind === 'segment') replay.enter(block);
    else replay.step(block);
  };
  return {
    ...{ header, engine, changedCode },
    async play(isEnough) {
      while (!isEnough()) {
        const next = await lines.next();
        if (next.done === true) return false;
        take(next.value);
      }
      return true;
    },
    close: () => void lines.return(undefined),
    result: () => ({
      run: header.run,
      ...replay.counts,
      firstDifference: replay.firstDifference,
      failure: replay.failure,
      droppedLines: torn === undefined ? 0 : 1,
      unreadLines,
      changedCode,
    }),
  };
}

async function* linesOf({ segments }: JournalRun): AsyncGenerator<string, void, void> {
  for (const { path } of segments) yield* journalLines(path);
}

/** Steps one engine through the batches of a journal. */
export class Replay {
  readonly counts = { batches: 0, events: 0, effects: 0, different: 0 };
  firstDifference: string | undefined;
  failure: string | undefined;
  /** Whether the rest cannot be compared any more. */
  isOver = false;
  readonly #engine: Engine;
  readonly #frames: MarketFrames;
  #commit = 0;

  constructor(engine: Engine, frames: MarketFrames) {
    this.#engine = engine;
    this.#frames = frames;
  }

  fail(text: string): void {
    this.#differ(text);
    this.isOver = true;
  }

  /** Checks the number of batches before a new segment. */
  enter({ number, batches }: JournalContinuation): void {
    if (batches !== this.counts.batches)
      this.fail(
        `segment ${number} must follow ${batches} batches, but ${this.counts.batches} were read`,
      );
  }

  /** Notes a line after the end of the comparison. */
  followed(): void {
    if (this.counts.different === 0) this.#differ('there are lines after the end of the run');
  }

  step(block: JournalBatch): void {
    runCodeOf('millrace', () => this.#step(block));
  }

  #step(block: JournalBatch): void {
    const effects: Effect[] = [];
    const records: StoreRecord[] = [];
    this.counts.batches++;
    const batch = `batch ${this.counts.batches}`;
    try {
      for (const [atMicros, event] of block.events) {
        this.counts.events++;
        const step = this.#engine.step(atMicros, decodeEvent(event, this.#frames));
        effects.push(...journaledEffects(step.effects));
        records.push(...step.records);
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const text = `${batch}, event ${this.counts.events}: ${message}`;
      if (message === block.failure) this.failure = text;
      else this.#differ(text);
      this.isOver = true;
      return;
    }
    if (block.failure !== undefined) {
      this.fail(`${batch}: "${block.failure}" ended the run, but does not occur in the replay`);
      return;
    }
    this.counts.effects += effects.length;
    const now = JSON.stringify(effects);
    const then = JSON.stringify(block.effects);
    const commit = this.#commit + (records.length > 0 ? 1 : 0);
    this.#commit = block.commit;
    if (now !== then) this.#differ(`${batch}: ${then.slice(0, 500)} became ${now.slice(0, 500)}`);
    else if (digestOf(records) !== block.records) this.#differ(`${batch}: the records differ`);
    else if (commit !== block.commit)
      this.#differ(`${batch}: its commit number is ${block.commit}, expected ${commit}`);
  }

  #differ(text: string): void {
    this.counts.different++;
    this.firstDifference ??= text;
  }
}

/** Returns a line's block, or undefined if it is damaged. */
function blockOf(line: string): JournalBlock | undefined {
  try {
    return decodeLine(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function createEngine(
  header: JournalHeader,
  strategiesFolder: string,
  observer: StepObserver | undefined,
): Promise<{ readonly engine: Engine; readonly changedCode: readonly string[] }> {
  const plugins = await preparePlugins(header.start.settings, strategiesFolder);
  const hashes = await hashSources(plugins);
  const changedCode = Object.entries(header.hashes)
    .filter(([name, hash]) => hashes[name] !== hash)
    .map(([name]) => name);
  return { engine: new Engine(header.start, plugins, undefined, observer), changedCode };
}
