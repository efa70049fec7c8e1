/**
 * The messages that the exchange has applied and that have not reached us. It is a
 * second cursor over the same columns, so nothing is copied, however long the latency.
 *
 * The exchange knows what a message does to the top and which trades it has. Both are noted here,
 * so that a reader who needs no more can skip the message, and read its rows later or never.
 */
import type { Lots, Ticks } from '../../domain/money.ts';
import { noLots, ticksOf } from '../../domain/ticks-and-lots.ts';
import type { BookCopy } from '../../market/book/book-copy.ts';
import type { BookTop, TopChange } from '../../market/book/book-top.ts';
import type { DelayedMessages } from '../../market/feed/delayed-messages.ts';
import { NumberRing } from '../../market/feed/number-ring.ts';
import type { FlowBlock, RestingBlock } from '../../market/flow/flow-block.ts';
import { FlowCursor } from '../../market/flow/flow-cursor.ts';

/** A block that the cursor has not reached. */
type ComingBlock = {
  readonly block: FlowBlock;
  /** The number of its first message. */
  readonly message: number;
  /** The orders that rest when it begins, if a reader may start there. */
  readonly orders: BookCopy | undefined;
};

export class DelayedFlow implements DelayedMessages {
  readonly cursor = new FlowCursor();
  unread = 0;
  tradePrice = ticksOf(0);
  tradeVolume = noLots;
  /** A copy that is no longer needed. */
  #spare: BookCopy | undefined;
  readonly #blocks: ComingBlock[] = [];
  /** For each delayed message: when it ended, and when it reaches us. */
  readonly #times = new NumberRing(2, 1_024);
  /** For each change of the top: the number of its message, then the top. */
  readonly #tops = new NumberRing(8, 256);
  /** For each trade: the number of its message, its price and its volume. */
  readonly #trades = new NumberRing(4, 256);
  /** The number of messages noted, and of those taken or skipped. */
  #noted = 0;
  #taken = 0;
  #dueMicros = Infinity;
  #mustTakeUntilMicros = Number.NEGATIVE_INFINITY;

  /** When the oldest delayed message reaches us; Infinity if there is none. */
  get dueMicros(): number {
    return this.#dueMicros;
  }

  get endMicros(): number {
    return this.#times.values[this.#times.first] as number;
  }

  get mustTake(): boolean {
    return this.#dueMicros <= this.#mustTakeUntilMicros;
  }

  /** The number of delayed messages. */
  get count(): number {
    return this.#times.count;
  }

  /**
   * Adds a block; its messages follow those of earlier blocks. With the orders that rest when it
   * begins, a reader may skip the rows of earlier blocks for good.
   */
  add(block: FlowBlock, orders?: BookCopy): void {
    this.#blocks.push({ block, message: this.#noted, orders });
    const start = this.#startBlock();
    // Nobody will read what is before the block where the reader starts.
    if (start <= 0) return;
    for (const dropped of this.#blocks.splice(0, start))
      this.#spare = dropped.orders ?? this.#spare;
  }

  /** Returns a copy that is no longer needed; its memory can be used for the next one. */
  takeSpare(): BookCopy | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare;
  }

  /** Adds a trade of the message that is noted next. */
  noteTrade(price: Ticks, volume: Lots): void {
    const at = this.#trades.add();
    const { values } = this.#trades;
    values[at] = this.#noted;
    values[at + 1] = price;
    values[at + 2] = volume;
  }

  /** Adds the top after the message that is noted next. */
  noteTop(top: BookTop): void {
    const at = this.#tops.add();
    this.#tops.values[at] = this.#noted;
    top.write(this.#tops.values, at + 1);
  }

  /**
   * Adds the next message, which the exchange has applied and whose last row is at `endMicros`;
   * `mustTake`: see {@link DelayedMessages.mustTake}.
   */
  note(endMicros: number, dueMicros: number, mustTake = false): void {
    if (mustTake) this.#mustTakeUntilMicros = dueMicros;
    const times = this.#times;
    const at = times.add();
    times.values[at] = endMicros;
    times.values[at + 1] = dueMicros;
    this.#noted++;
    if (times.count === 1) this.#dueMicros = dueMicros;
  }

  take(): number {
    const endMicros = this.#pop();
    while (this.nextTrade());
    this.#dropTops();
    this.#moveOn();
    return endMicros;
  }

  skip(): number {
    this.unread++;
    return this.#pop();
  }

  restart(): RestingBlock | undefined {
    const start = this.#startBlock();
    if (start < 0) return undefined;
    const { block, message, orders } = this.#blocks[start] as ComingBlock;
    this.#blocks.splice(0, start + 1);
    this.cursor.load(block);
    this.unread = this.#taken - message;
    return orders?.resting(0);
  }

  read(): void {
    this.unread--;
    this.#moveOn();
  }

  nextTrade(): boolean {
    const { values, first, count } = this.#trades;
    if (count === 0 || (values[first] as number) >= this.#taken) return false;
    this.tradePrice = values[first + 1] as Ticks;
    this.tradeVolume = values[first + 2] as Lots;
    this.#trades.drop();
    return true;
  }

  passTop(top: BookTop): TopChange {
    const at = this.#dropTops();
    return at < 0 ? 'none' : top.set(this.#tops.values, at + 1);
  }

  /** Drops the tops of messages that are no longer delayed; returns where the last is, or -1. */
  #dropTops(): number {
    const tops = this.#tops;
    let last = -1;
    while (tops.count > 0 && (tops.values[tops.first] as number) < this.#taken) {
      last = tops.first;
      tops.drop();
    }
    return last;
  }

  #pop(): number {
    const times = this.#times;
    const endMicros = times.values[times.first] as number;
    times.drop();
    this.#taken++;
    this.#dueMicros = times.count === 0 ? Infinity : (times.values[times.first + 1] as number);
    return endMicros;
  }

  /** Returns the last block of messages skipped where a reader may start, or -1. */
  #startBlock(): number {
    return this.#blocks.findLastIndex(
      ({ message, orders }) => orders !== undefined && message <= this.#taken,
    );
  }

  /** Moves the cursor to the block that has its next row. */
  #moveOn(): void {
    while (this.cursor.isAtEnd) {
      const next = this.#blocks.shift();
      if (next === undefined) throw new RangeError('a message must be in a block that was added');
      this.cursor.load(next.block);
    }
  }
}
