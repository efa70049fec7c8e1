/**
 * The blocks of a recording of trades or candles as they are played: each trade at its time, each
 * bar in its last microsecond.
 *
 * Invariant: a row contains nothing that was unknown at its time. A bar is played a microsecond
 * before the next one begins, when all its trades have happened.
 */
import { DecodeError } from '../../domain/errors.ts';
import { type FlowBlock, kindMask, rowKind } from '../../market/flow/flow-block.ts';

/** What all rows of the recordings are, and by how much they are played after their time. */
export type CoarseRowKind = {
  readonly kind: typeof rowKind.trade | typeof rowKind.candle;
  readonly lateMicros: number;
  /** The recordings' paths, for errors. */
  readonly path: string;
};

/** Returns a block as it is played. Throws DecodeError for rows of another kind. */
export function playedBlock(block: FlowBlock, { kind, lateMicros, path }: CoarseRowKind) {
  const { meta } = block;
  for (let row = 0; row < meta.length; row++) {
    const found = (meta[row] as number) & kindMask;
    if (found !== kind)
      throw new DecodeError(
        `${path}: row ${block.firstRow + row + 1} has kind ${found}; a recording of ${kind === rowKind.trade ? 'trades' : 'candles'} has no other rows`,
      );
  }
  return lateMicros === 0 ? block : { ...block, startMicros: block.startMicros + lateMicros };
}
