/**
 * The part of an NDJSON data set that a scenario plays, in the form of a recording: the book at its
 * beginning, and the blocks after it.
 *
 * The part begins and ends between two messages, so the rows of a message stay together.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, NotFoundError } from '../../domain/errors.ts';
import type { Market } from '../../domain/market.ts';
import type { ScenarioMarket, ScenarioSettings } from '../../domain/scenario-settings.ts';
import type { FlowBlock } from '../../market/flow/flow-block.ts';
import type { OrderFlowRow } from '../../market/flow/order-flow-row.ts';
import { BlockEncoder } from '../../recording/file/block-encoder.ts';
import { sourceFileOf } from '../../recording/file/flow-source.ts';
import { OrderFlowReader, readFlowSnapshot } from '../../recording/import/order-flow-reader.ts';
import type { CompiledFlow } from './compiled-flow.ts';
import type { PlayedRecording } from './played-data.ts';

/** A market's history, from recordings or from an NDJSON data set. */
export type PlayedFlow = CompiledFlow & {
  /** What the recordings are. */
  readonly played: readonly PlayedRecording[];
  /** The end of the played time, known after all blocks; -Infinity if it is the last row. */
  readonly playedMicros: () => number;
};

type Scope = Pick<ScenarioSettings, 'fromMs' | 'toMs'> & {
  readonly market: Market;
  readonly data: Extract<ScenarioMarket['data'], { kind: 'order-flow-ndjson' }>;
};

/**
 * Opens the scenario's data set in `dataFolder`. Throws {@link NotFoundError} for missing files,
 * DecodeError for malformed ones, and {@link ConfigError} if there are no rows in the scenario's
 * time.
 */
export async function openRecordedFlow(scope: Scope, dataFolder: string): Promise<PlayedFlow> {
  const { data, market, fromMs, toMs } = scope;
  const [snapshotPath, eventsPath] = [data.snapshot, data.events].map((file) =>
    join(dataFolder, data.set, file),
  ) as [string, string];
  for (const path of [snapshotPath, eventsPath])
    if (!existsSync(path))
      throw new NotFoundError(
        `${path} does not exist: the scenario plays the data set ${data.set}; ` +
          `put its folder into ${dataFolder}, or set MILLRACE_DATA to the folder that contains it`,
      );
  const recording: PlayedRecording = {
    path: join(dataFolder, data.set),
    grade: 'order',
    from: null,
    to: null,
    hash: null,
    sources: [await sourceFileOf(snapshotPath), await sourceFileOf(eventsPath)],
    misfits: [],
  };
  const encoder = new BlockEncoder();
  encoder.start(await readFlowSnapshot(snapshotPath, market));
  const source = new OrderFlowReader(eventsPath, market).batches();
  const fromMicros = fromMs === undefined ? -Infinity : fromMs * 1000;
  const toMicros = toMs === undefined ? Infinity : toMs * 1000;
  let isCut = false;
  for (;;) {
    const next = await source.next();
    if (next.done === true) throw nothingIn(eventsPath);
    for (const [index, row] of next.value.entries()) {
      if (encoder.isBetweenMessages && row.atMicros >= fromMicros) {
        const isFirst = encoder.counts.rows === 0;
        if (isFirst && row.atMicros > toMicros) throw nothingIn(eventsPath);
        // Only the book is needed of the rows before.
        encoder.take();
        const rest = { first: next.value.slice(index), source, toMicros };
        const blocks = blocksUntil(encoder, rest, () => {
          isCut = true;
        });
        return {
          ...{ market, coarse: undefined, recordings: [], played: [recording] },
          resting: encoder.resting().block,
          // The data set begins with its first row: the book before that is unknown.
          startMicros: isFirst ? Math.max(fromMicros, row.atMicros) : fromMicros,
          endMicros: toMicros,
          playedMicros: () => (isCut ? toMicros : -Infinity),
          blocks: () => blocks,
          candlesBefore: async () => [],
          close: () => {},
        };
      }
      encoder.add(row);
    }
    encoder.take();
  }
}

function nothingIn(path: string): ConfigError {
  return new ConfigError(`${path}: has no rows between the scenario's from and to`);
}

type Rest = {
  readonly first: readonly OrderFlowRow[];
  readonly source: AsyncGenerator<readonly OrderFlowRow[], void>;
  readonly toMicros: number;
};

/** Yields a block for each batch of rows, up to the first message that begins after `toMicros`. */
async function* blocksUntil(
  encoder: BlockEncoder,
  { first, source, toMicros }: Rest,
  onCut: () => void,
): AsyncGenerator<FlowBlock, void> {
  let rows = first;
  for (;;) {
    for (const row of rows) {
      if (encoder.isBetweenMessages && row.atMicros > toMicros) {
        onCut();
        await source.return();
        break;
      }
      encoder.add(row);
    }
    const block = encoder.isBetweenMessages ? encoder.take()?.block : undefined;
    if (block !== undefined) yield block;
    const next = await source.next();
    if (next.done === true) return;
    rows = next.value;
  }
}
