/**
 * The blocks of a recording of trades or candles as they are played: each trade at its time, each
 * bar in its last microsecond.
 *
 *     bars begin   |     |       |   |           |     |
 *     distance        i     >i     <i     ≥2i       i      i: the interval
 *     played            |       |     |   |     |           in the last microsecond before that
 *
 * A bar lasts for the interval. If the next one begins later than that, but before a whole bar
 * could be missing, the bar may have lasted until then, as a day of 25 hours does; so it is played
 * at its latest end. The times without a bar are collected, and so are those without a trade that
 * are too long for a quiet market: nobody watched the market then.
 *
 * Invariant: a row contains nothing that was unknown at its time.
 */
import { DecodeError } from '../../domain/errors.ts';
import {
  type FlowBlock,
  firstMicrosOf,
  kindMask,
  longDelta,
  rowKind,
} from '../../market/flow/flow-block.ts';
import { type TimeSpan, TimeSpans } from '../../market/flow/time-spans.ts';
import { eachTime } from '../../recording/file/bar-distances.ts';
import type { Recording } from '../../recording/file/recording.ts';
import { timeText } from '../../recording/file/time-text.ts';
import { type QuietLimit, quietLimitOf } from './quiet-limit.ts';

export type CoarseBlocksOptions = {
  readonly grade: 'trades' | 'candles';
  /** The length of a bar; 0 for trades. */
  readonly intervalMicros: number;
  /** In order of time. */
  readonly recordings: readonly Pick<Recording, 'path' | 'index' | 'block'>[];
};

/** Bars whose distance from the bar before is neither the interval nor a hole. */
export type OddBars = {
  count: number;
  readonly place: string;
  readonly distanceMicros: number;
};

export class CoarseBlocks {
  /** By how much a row is played after its recorded time, usually. */
  readonly lateMicros: number;
  /** The times without data, up to the end of the last block. */
  readonly unwatched = new TimeSpans();
  /** The bars so far, and those of them without volume. */
  bars = 0;
  barsWithoutVolume = 0;
  oddBars: OddBars | undefined;
  readonly #options: CoarseBlocksOptions;
  readonly #kind: number;
  readonly #isBeyondQuiet: QuietLimit;
  /** The bars of the present block that may have lasted longer than the interval. */
  readonly #longBars = new TimeSpans();
  /** The time of the last row of the last block. */
  #lastMicros = 0.5;

  constructor(options: CoarseBlocksOptions) {
    this.#options = options;
    this.lateMicros = Math.max(0, options.intervalMicros - 1);
    this.#kind = options.grade === 'trades' ? rowKind.trade : rowKind.candle;
    this.#isBeyondQuiet = quietLimitOf(options.recordings);
  }

  /**
   * Yields all blocks of a run as they are played. The run begins at `startMicros`; no row follows
   * the last one until `endMicros`. Throws like {@link played}.
   */
  async *playedAll(
    recorded: AsyncIterable<FlowBlock>,
    { startMicros, endMicros }: { readonly startMicros: number; readonly endMicros: number },
  ): AsyncGenerator<FlowBlock, void> {
    let waiting: FlowBlock | undefined;
    for await (const block of recorded) {
      const firstMicros = firstMicrosOf(block);
      if (waiting !== undefined) yield this.played(waiting, firstMicros);
      else if (this.lateMicros > 0) this.unwatched.add(startMicros, firstMicros);
      else this.#noteHole(startMicros, firstMicros);
      waiting = block;
    }
    if (waiting === undefined) return;
    yield this.played(waiting);
    this.#noteHole(this.#lastMicros, endMicros);
  }

  /**
   * Returns a block as it is played; `nextMicros` is the time of the first row after it. Throws
   * DecodeError for rows of another kind.
   */
  played(block: FlowBlock, nextMicros?: number): FlowBlock {
    const { meta, volumes } = block;
    for (let row = 0; row < meta.length; row++)
      if (((meta[row] as number) & kindMask) !== this.#kind) this.#refuse(block, row);
    this.#longBars.clear();
    let beforeMicros: number | undefined;
    const note = (atMicros: number): void => {
      if (beforeMicros !== undefined) this.#noteNext(beforeMicros, atMicros);
      beforeMicros = atMicros;
    };
    eachTime(block, note);
    this.#lastMicros = beforeMicros ?? block.startMicros;
    if (nextMicros !== undefined) note(nextMicros);
    if (this.lateMicros === 0) return block;
    this.bars += block.rows;
    for (const volume of volumes) if (volume === 0) this.barsWithoutVolume++;
    return this.#longBars.all.length === 0
      ? { ...block, startMicros: block.startMicros + this.lateMicros }
      : this.#withLongBars(block);
  }

  /** Returns the bar that contains a time, if it may have lasted longer than the interval. */
  longBarAt(atMicros: number): TimeSpan | undefined {
    return this.#longBars.at(atMicros);
  }

  /** Notes two rows that follow each other. */
  #noteNext(fromMicros: number, toMicros: number): void {
    const { intervalMicros } = this.#options;
    const distanceMicros = toMicros - fromMicros;
    if (distanceMicros === intervalMicros) return;
    if (intervalMicros === 0 || distanceMicros >= 2 * intervalMicros) {
      this.#noteHole(fromMicros, toMicros);
      return;
    }
    if (this.oddBars !== undefined) this.oddBars.count++;
    else this.oddBars = { count: 1, place: this.#placeOf(toMicros), distanceMicros };
    if (distanceMicros > intervalMicros) this.#longBars.add(fromMicros, toMicros - 1);
  }

  /** Notes a time without rows, if it is a hole; `fromMicros` is the time of a row. */
  #noteHole(fromMicros: number, toMicros: number): void {
    const { intervalMicros } = this.#options;
    if (intervalMicros > 0) {
      if (toMicros - fromMicros >= 2 * intervalMicros)
        this.unwatched.add(fromMicros + intervalMicros, toMicros);
    } else if (this.#isBeyondQuiet(fromMicros, toMicros)) this.unwatched.add(fromMicros, toMicros);
  }

  /** Returns a block whose long bars are played at their latest end. */
  #withLongBars(block: FlowBlock): FlowBlock {
    const longDeltas = new Float64Array(block.rows);
    let { startMicros: beforeMicros } = block;
    eachTime(block, (atMicros, row) => {
      const long = this.#longBars.at(atMicros);
      const endMicros = long?.fromMicros === atMicros ? long.toMicros : atMicros + this.lateMicros;
      longDeltas[row] = endMicros - beforeMicros;
      beforeMicros = endMicros;
    });
    const deltas = new Uint16Array(block.rows).fill(longDelta);
    return { ...block, deltaMicros: 1, deltas, longDeltas };
  }

  /** Names a bar by its row and its time. */
  #placeOf(atMicros: number): string {
    for (const recording of this.#options.recordings) {
      const entry = recording.index.blocks.find(
        ({ firstMicros, lastMicros }) => firstMicros <= atMicros && atMicros <= lastMicros,
      );
      if (entry === undefined) continue;
      let number = entry.firstRow;
      eachTime(recording.block(entry), (micros) => {
        if (micros <= atMicros) number++;
      });
      return `row ${number} of ${recording.path}, at ${timeText(atMicros)},`;
    }
    return `the bar at ${timeText(atMicros)}`;
  }

  #refuse({ firstRow, meta }: FlowBlock, row: number): never {
    const { recordings, grade } = this.#options;
    const paths = recordings.map(({ path }) => path).join(', ');
    throw new DecodeError(
      `${paths}: row ${firstRow + row + 1} has kind ${(meta[row] as number) & kindMask}; a recording of ${grade} has no other rows`,
    );
  }
}
