/**
 * The messages in columns that the exchange has applied and that have not reached us. It is a
 * second cursor over the same columns, so nothing is copied, however long the latency.
 */
import type { FlowBlock } from '../../market/flow/flow-block.ts';
import { FlowCursor } from '../../market/flow/flow-cursor.ts';

export class DelayedFlow {
  /** Before the first row of the message that {@link take} took. */
  readonly cursor = new FlowCursor();
  /** Blocks that the cursor has not reached. */
  readonly #blocks: FlowBlock[] = [];
  /** A ring with two numbers for each delayed message: when it ended, and when it reaches us. */
  #times = new Float64Array(2_048);
  #head = 0;
  #count = 0;
  #dueMicros = Infinity;

  /** When the oldest delayed message reaches us; Infinity if there is none. */
  get dueMicros(): number {
    return this.#dueMicros;
  }

  /** The number of delayed messages. */
  get count(): number {
    return this.#count;
  }

  /** Adds a block; its messages follow those of earlier blocks. */
  add(block: FlowBlock): void {
    this.#blocks.push(block);
  }

  /** Adds the next message, which the exchange has applied and whose last row is at `endMicros`. */
  note(endMicros: number, dueMicros: number): void {
    if (this.#count * 2 === this.#times.length) this.#grow();
    const at = (this.#head + this.#count * 2) & (this.#times.length - 1);
    this.#times[at] = endMicros;
    this.#times[at + 1] = dueMicros;
    if (this.#count++ === 0) this.#dueMicros = dueMicros;
  }

  /**
   * Takes the oldest delayed message, which must exist, and returns when it ended at the exchange.
   */
  take(): number {
    const endMicros = this.#times[this.#head] as number;
    this.#head = (this.#head + 2) & (this.#times.length - 1);
    this.#count--;
    this.#dueMicros = this.#count === 0 ? Infinity : (this.#times[this.#head + 1] as number);
    while (this.cursor.isAtEnd) {
      const block = this.#blocks.shift();
      if (block === undefined) throw new RangeError('a message must be in a block that was added');
      this.cursor.load(block);
    }
    return endMicros;
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2);
    times.set(this.#times.subarray(this.#head));
    times.set(this.#times.subarray(0, this.#head), this.#times.length - this.#head);
    this.#times = times;
    this.#head = 0;
  }
}
