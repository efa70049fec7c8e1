/**
 * Plays consecutive recordings of one market as one history.
 *
 * Each recording numbers its slots anew, so between two recordings all orders are deleted and the
 * next book is created. It is unknown which orders are the same and what happened in between, so
 * this is a gap after which no queue place of ours is proven. Trades and candles simply continue.
 */
import { assert, ConfigError } from '../../domain/errors.ts';
import {
  type FlowBlock,
  type RestingBlock,
  rowKind,
  unprovenGap,
} from '../../market/flow/flow-block.ts';
import { FlowBlockBuilder } from '../../recording/file/flow-block-builder.ts';
import type { Recording, RecordingPart } from '../../recording/file/recording.ts';
import { timeText } from '../../recording/file/time-text.ts';

export type Span = { readonly fromMicros: number; readonly toMicros: number };

/** A market's history and its beginning. */
export type Chain = Pick<RecordingPart, 'resting' | 'startMicros'> & {
  /** The latest possible end. */
  readonly endMicros: number;
  /**
   * Iterate once. `live` returns history's resting orders, for when one recording has been played
   * to its end and the next begins.
   */
  readonly blocks: (live: () => RestingBlock) => AsyncGenerator<FlowBlock, void>;
  /** The recordings that are played, at least in part. */
  readonly recordings: readonly Recording[];
};

type Rest = {
  readonly live: () => RestingBlock;
  readonly later: readonly Recording[];
  /** The end of the recording before them. */
  readonly endMicros: number;
  readonly toMicros: number;
};

/** Returns the times of a recording's first and last row; without rows, an empty span. */
export function spanOf({ index: { blocks } }: Recording): Span {
  return {
    fromMicros: blocks.at(0)?.firstMicros ?? Infinity,
    toMicros: blocks.at(-1)?.lastMicros ?? -Infinity,
  };
}

/**
 * Returns the recordings in order of time. Throws ConfigError if two of them overlap or repeat a
 * candle, or if one of several has no rows.
 */
export function inOrder(recordings: readonly Recording[]): readonly Recording[] {
  const sorted = recordings.toSorted((a, b) => spanOf(a).fromMicros - spanOf(b).fromMicros);
  for (const [index, next] of sorted.entries()) {
    if (sorted.length > 1 && next.index.counts.rows === 0)
      throw new ConfigError(`${next.path}: has no rows; remove it from the list`);
    const before = sorted[index - 1];
    if (before === undefined) continue;
    const [endMicros, fromMicros] = [spanOf(before).toMicros, spanOf(next).fromMicros];
    // The time of a candle stands for its whole period.
    if (endMicros === fromMicros && next.header.grade === 'candles')
      throw new ConfigError(
        `${before.path} ends with the candle of ${timeText(endMicros)}, and ${next.path} begins with it: ` +
          'its volume would count twice; remove its line from the table of one of them, and import that again',
      );
    if (endMicros <= fromMicros) continue;
    throw new ConfigError(
      `${before.path} ends at ${timeText(endMicros)}, but ${next.path} begins at ${timeText(fromMicros)}: ` +
        'recordings of one pair must not overlap; remove one, or compile their captures together',
    );
  }
  return sorted;
}

/**
 * Opens recordings of one market, given in order of time, for a span. A row is played `lateMicros`
 * after its time, and the span has what is played in it. Throws ConfigError if the span begins
 * between two recordings, where the book is unknown, and as {@link Recording.part} does.
 */
export async function openChain(
  recordings: readonly Recording[],
  span: Span,
  lateMicros = 0,
): Promise<Chain> {
  const { fromMicros } = span;
  const rowMicros = fromMicros - lateMicros;
  const toMicros = span.toMicros - lateMicros;
  const played = recordings.filter(
    (one, index) =>
      index === 0 || (spanOf(one).toMicros >= rowMicros && spanOf(one).fromMicros <= toMicros),
  );
  while (played.length > 1 && spanOf(played[0] as Recording).toMicros < rowMicros) played.shift();
  const [first, ...later] = played;
  assert(first !== undefined, 'a market must have a recording');
  const before = recordings[recordings.indexOf(first) - 1];
  if (before !== undefined && spanOf(first).fromMicros > fromMicros)
    throw new ConfigError(
      `nothing is recorded at the start of the run, ${timeText(fromMicros)}: ` +
        `${before.path} ends at ${timeText(spanOf(before).toMicros)}, ` +
        `${first.path} begins at ${timeText(spanOf(first).fromMicros)}; set from to a time within one of them`,
    );
  const { resting, startMicros, blocks } = await first.part(rowMicros, toMicros, lateMicros);
  const endMicros = spanOf(first).toMicros;
  return {
    resting,
    startMicros: Math.max(fromMicros, startMicros),
    endMicros: Math.min(toMicros, spanOf(played.at(-1) as Recording).toMicros),
    recordings: played,
    blocks: (live) => chained(blocks, { live, later, endMicros, toMicros }),
  };
}

async function* chained(
  first: AsyncGenerator<FlowBlock, void>,
  { live, later, endMicros: firstEndMicros, toMicros }: Rest,
): AsyncGenerator<FlowBlock, void> {
  let rows = 0;
  let endMicros = firstEndMicros;
  // Row numbers continue across recordings, because trades are also numbered by them.
  const follow = (block: FlowBlock): FlowBlock => {
    const numbered = { ...block, firstRow: rows };
    rows += block.rows;
    return numbered;
  };
  for await (const block of first) {
    rows = block.firstRow + block.rows;
    yield block;
  }
  for (const recording of later) {
    const { resting, startMicros, blocks } = await recording.part(-Infinity, toMicros);
    const gap = { fromMicros: endMicros, toMicros: startMicros };
    // Trades and candles have no book.
    if (recording.header.grade === 'order') yield follow(bridgeBetween(live(), resting, gap));
    for await (const block of blocks) yield follow(block);
    endMicros = spanOf(recording).toMicros;
  }
}

/** Returns a block with the gap between two recordings and the book after it. */
function bridgeBetween(
  before: RestingBlock,
  next: RestingBlock,
  { fromMicros, toMicros }: Span,
): FlowBlock {
  const builder = new FlowBlockBuilder(0, fromMicros);
  const lost = { kind: rowKind.gap, slot: unprovenGap, isAsk: false, endsMessage: true };
  builder.add({ ...lost, atMicros: fromMicros });
  const place = { atMicros: toMicros, isAsk: false, endsMessage: false };
  for (const slot of before.slots) builder.add({ ...place, kind: rowKind.delete, slot });
  for (const [index, slot] of next.slots.entries())
    builder.add({
      ...place,
      kind: rowKind.create,
      slot,
      isAsk: index >= next.bids,
      price: next.prices[index] as number,
      volume: next.volumes[index] as number,
    });
  builder.add({ ...place, kind: rowKind.status, slot: next.status, endsMessage: true });
  return builder.take().block;
}
