/**
 * Recordings of one market that follow each other, played as one history.
 *
 * Slots are each recording's own, so from one to the next every order is taken out and the next
 * book put in. Who of history's orders is still the same is not known then, nor what happened in
 * between: it is a gap in which no place of ours is proven. Trades and candles just go on.
 */
import { assert, ConfigError } from '../../domain/errors.ts';
import type { Book } from '../../market/book/book.ts';
import { restingOf } from '../../market/book/flow-columns-book.ts';
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

/** A market's history, and where it begins. */
export type Chain = Pick<RecordingPart, 'resting' | 'startMicros'> & {
  /** When it ends at the latest. */
  readonly endMicros: number;
  /**
   * Iterate once. `live` is history's book, which is asked for when one recording has been played
   * to its end and the next begins.
   */
  readonly blocks: (live: Book) => AsyncGenerator<FlowBlock, void>;
  /** Those that have a part in it. */
  readonly recordings: readonly Recording[];
};

type Rest = {
  readonly live: Book;
  readonly later: readonly Recording[];
  /** When the recording before them ends. */
  readonly endMicros: number;
  readonly toMicros: number;
};

/** Returns the times of a recording's first and last row; none if it has no rows. */
export function spanOf({ index: { blocks } }: Recording): Span {
  return {
    fromMicros: blocks.at(0)?.firstMicros ?? Infinity,
    toMicros: blocks.at(-1)?.lastMicros ?? -Infinity,
  };
}

/**
 * Returns the recordings in order of time. Throws ConfigError for two that overlap, and for one
 * without rows among others.
 */
export function inOrder(recordings: readonly Recording[]): readonly Recording[] {
  const sorted = recordings.toSorted((a, b) => spanOf(a).fromMicros - spanOf(b).fromMicros);
  for (const [index, next] of sorted.entries()) {
    if (sorted.length > 1 && next.index.counts.rows === 0)
      throw new ConfigError(`${next.path}: has no rows; leave it out`);
    const before = sorted[index - 1];
    if (before === undefined || spanOf(before).toMicros <= spanOf(next).fromMicros) continue;
    throw new ConfigError(
      `${before.path} holds rows until ${timeText(spanOf(before).toMicros)}, and ${next.path} from ${timeText(spanOf(next).fromMicros)}: ` +
        'recordings of one pair must follow each other; leave one out, or compile their captures together',
    );
  }
  return sorted;
}

/**
 * Opens recordings of one market, which are in order, for a time. Throws ConfigError if it begins
 * between two of them, where no book is known, and as {@link Recording.part} does.
 */
export async function openChain(recordings: readonly Recording[], span: Span): Promise<Chain> {
  const { fromMicros, toMicros } = span;
  const played = recordings.filter(
    (one, index) =>
      index === 0 || (spanOf(one).toMicros >= fromMicros && spanOf(one).fromMicros <= toMicros),
  );
  while (played.length > 1 && spanOf(played[0] as Recording).toMicros < fromMicros) played.shift();
  const [first, ...later] = played;
  assert(first !== undefined, 'a market must have a recording');
  const before = recordings[recordings.indexOf(first) - 1];
  if (before !== undefined && spanOf(first).fromMicros > fromMicros)
    throw new ConfigError(
      `nothing is recorded at ${timeText(fromMicros)}, where the run begins: ` +
        `${before.path} ends at ${timeText(spanOf(before).toMicros)}, ` +
        `${first.path} begins at ${timeText(spanOf(first).fromMicros)}; give a from that one of them holds`,
    );
  const { resting, startMicros, blocks } = await first.part(fromMicros, toMicros);
  const endMicros = spanOf(first).toMicros;
  return {
    resting,
    startMicros,
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
  // Rows are numbered through, since the numbers are those of trades, too.
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
    const hole = { fromMicros: endMicros, toMicros: startMicros };
    // Trades and candles have no book that could be lost.
    if (recording.header.grade === 'order')
      yield follow(bridgeBetween(restingOf(live, 0), resting, hole));
    for await (const block of blocks) yield follow(block);
    endMicros = spanOf(recording).toMicros;
  }
}

/** Tells when history is lost, and when and as what it is known again. */
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
