/**
 * History on its way to us: the messages that the exchange has had and we have not. It is a second
 * place in the same columns, so nothing is copied, however late we hear.
 */
import type { FlowBlock } from '../../market/flow/flow-block.ts';
import { FlowCursor } from '../../market/flow/flow-cursor.ts';

export class DelayedFlow {
  /** Stands before the message that {@link take} has taken. */
  readonly cursor = new FlowCursor();
  /** Blocks that the cursor has not come to. */
  readonly #blocks: FlowBlock[] = [];
  /** When each message on its way ended, and when it reaches us, in a ring: two floats each. */
  #times = new Float64Array(2_048);
  #head = 0;
  #count = 0;
  #dueMicros = Infinity;

  /** When the oldest message on its way reaches us; Infinity if there is none. */
  get dueMicros(): number {
    return this.#dueMicros;
  }

  /** How many messages are on their way. */
  get count(): number {
    return this.#count;
  }

  /** The messages of `block` come after all those before. */
  add(block: FlowBlock): void {
    this.#blocks.push(block);
  }

  /** The exchange has had a whole message, whose last row is of `endMicros`. */
  note(endMicros: number, dueMicros: number): void {
    if (this.#count * 2 === this.#times.length) this.#grow();
    const at = (this.#head + this.#count * 2) & (this.#times.length - 1);
    this.#times[at] = endMicros;
    this.#times[at + 1] = dueMicros;
    if (this.#count++ === 0) this.#dueMicros = dueMicros;
  }

  /**
   * Takes the oldest message off its way and returns when it ended at the exchange; there must be
   * one.
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
