/**
 * Replays a run's journal: builds the engine that the run started with, steps the same events, and
 * compares what it answers.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { DecodeError } from '../domain/errors.ts';
import { Engine } from '../engine/engine.ts';
import { decodeEvent, decodeLine, digestOf, type JournalHeader } from '../engine/journal.ts';
import { prepareStrategy } from '../strategy/loader.ts';
import { hashSources } from './hash-sources.ts';

export type ReplayResult = {
  readonly run: string;
  readonly batches: number;
  readonly events: number;
  readonly effects: number;
  /** Batches whose effects or records are not the same. */
  readonly different: number;
  /** The first of them, in words. */
  readonly firstDifference: string | undefined;
  /** Lines at the end that were torn, for example by a kill in the middle of writing. */
  readonly droppedLines: number;
  /** Code that is not what the run used. */
  readonly changedCode: readonly string[];
};

/** Replays the journal at `path`. Throws DecodeError if it is none. */
export async function replayJournal(path: string, strategiesFolder: string): Promise<ReplayResult> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  let engine: Engine | undefined;
  let header: JournalHeader | undefined;
  let changedCode: readonly string[] = [];
  const counts = { batches: 0, events: 0, effects: 0, different: 0, droppedLines: 0 };
  let firstDifference: string | undefined;

  for await (const line of lines) {
    const block = decodeLine(line);
    if (block === undefined || counts.droppedLines > 0) {
      counts.droppedLines++;
      continue;
    }
    if (block.kind === 'header') {
      header = block;
      ({ engine, changedCode } = await createEngine(block, strategiesFolder));
      continue;
    }
    if (engine === undefined) throw new DecodeError(`${path} does not begin with a header`);
    const effects = [];
    const records = [];
    for (const [atMicros, event] of block.events) {
      const step = engine.step(atMicros, decodeEvent(event));
      effects.push(...step.effects);
      records.push(...step.records);
      counts.events++;
    }
    counts.batches++;
    counts.effects += effects.length;
    const now = JSON.stringify(effects);
    const then = JSON.stringify(block.effects);
    if (now === then && digestOf(records) === block.records) continue;
    counts.different++;
    firstDifference ??=
      now === then
        ? `batch ${counts.batches}: the records differ`
        : `batch ${counts.batches}: ${then.slice(0, 500)} became ${now.slice(0, 500)}`;
  }
  if (header === undefined) throw new DecodeError(`${path} is no journal`);
  return { run: header.run, ...counts, firstDifference, changedCode };
}

async function createEngine(
  header: JournalHeader,
  strategiesFolder: string,
): Promise<{ readonly engine: Engine; readonly changedCode: readonly string[] }> {
  const plugins = new Map();
  for (const settings of header.start.settings.strategies)
    plugins.set(settings.id, await prepareStrategy({ folder: strategiesFolder, settings }));
  const hashes = await hashSources(plugins);
  const changedCode = Object.entries(header.hashes)
    .filter(([name, hash]) => hashes[name] !== hash)
    .map(([name]) => name);
  return { engine: new Engine(header.start, plugins), changedCode };
}
