/**
 * The blocks of a recording of trades or candles as they are played: each trade at its time, each
 * bar in its last microsecond.
 *
 * Invariants: a row contains nothing that was unknown at its time; a bar is played a microsecond
 * before the next one begins, when all its trades have happened. Every row is checked for that when
 * its block is played: reading a long recording twice would take longer than playing it.
 */
import { ConfigError, DecodeError } from '../../domain/errors.ts';
import { type FlowBlock, kindMask, longDelta, rowKind } from '../../market/flow/flow-block.ts';
import type { Recording } from '../../recording/file/recording.ts';

export type CoarseBlocksOptions = {
  readonly grade: 'trades' | 'candles';
  /** The length of a bar; 0 for trades. */
  readonly intervalMicros: number;
  /** The recordings' paths, for errors. */
  readonly paths: string;
};

export class CoarseBlocks {
  /** By how much a row is played after its recorded time. */
  readonly lateMicros: number;
  readonly #options: CoarseBlocksOptions;
  readonly #kind: number;
  /** When the last bar began. */
  #lastMicros = Number.NEGATIVE_INFINITY;

  constructor(options: CoarseBlocksOptions) {
    this.#options = options;
    this.lateMicros = Math.max(0, options.intervalMicros - 1);
    this.#kind = options.grade === 'trades' ? rowKind.trade : rowKind.candle;
  }

  /**
   * Returns the next block as it is played. Throws DecodeError for rows of another kind, and
   * ConfigError for bars that are closer than their length.
   */
  played(block: FlowBlock): FlowBlock {
    const { meta } = block;
    for (let row = 0; row < meta.length; row++)
      if (((meta[row] as number) & kindMask) !== this.#kind) this.#refuse(block, row);
    if (this.lateMicros === 0) return block;
    const { leastMicros, lastMicros } = distancesIn(block, this.#lastMicros);
    if (leastMicros < this.#options.intervalMicros) throw this.#wrongInterval(leastMicros);
    this.#lastMicros = lastMicros;
    return { ...block, startMicros: block.startMicros + this.lateMicros };
  }

  /**
   * Throws ConfigError unless two bars are as far apart as a bar is long: an interval that is too
   * short would show bars before their end. Reads only until it has found them.
   */
  checkInterval(recordings: readonly Recording[]): void {
    const { intervalMicros } = this.#options;
    let least = Infinity;
    let before = Number.NEGATIVE_INFINITY;
    for (const recording of recordings)
      for (const entry of recording.index.blocks) {
        const { leastMicros, lastMicros } = distancesIn(recording.block(entry), before);
        least = Math.min(least, leastMicros);
        if (least === intervalMicros) return;
        if (least < intervalMicros) throw this.#wrongInterval(least);
        before = lastMicros;
      }
    if (least !== Infinity) throw this.#wrongInterval(least);
  }

  #wrongInterval(distance: number): ConfigError {
    const { paths, intervalMicros } = this.#options;
    return new ConfigError(
      `${paths}: the closest bars begin ${distance / 1e6} s apart, but ` +
        `fillModel.interval is ${intervalMicros / 1e6} s; it must be the length of a bar`,
    );
  }

  #refuse({ firstRow, meta }: FlowBlock, row: number): never {
    const { paths, grade } = this.#options;
    throw new DecodeError(
      `${paths}: row ${firstRow + row + 1} has kind ${(meta[row] as number) & kindMask}; a recording of ${grade} has no other rows`,
    );
  }
}

/** The least time between two rows, or between the first and a row before, and the last time. */
type Distances = { readonly leastMicros: number; readonly lastMicros: number };

function distancesIn(block: FlowBlock, beforeMicros: number): Distances {
  const { deltas, longDeltas, deltaMicros, startMicros } = block;
  let leastMicros = Infinity;
  let lastMicros = startMicros;
  let longs = 0;
  for (let row = 0; row < deltas.length; row++) {
    const delta = deltas[row] as number;
    const micros = delta === longDelta ? (longDeltas[longs++] as number) : delta * deltaMicros;
    lastMicros += micros;
    const distance = row === 0 ? lastMicros - beforeMicros : micros;
    if (distance < leastMicros) leastMicros = distance;
  }
  return { leastMicros, lastMicros };
}
