/**
 * History on its way to us: the messages that the exchange has had and we have not. It is a second
 * place in the same columns, so nothing is copied, however late we hear.
 */
import type { FlowBlock } from '../market/flow-block.ts';
import { FlowCursor } from '../market/flow-cursor.ts';

export class DelayedFlow {
  /** Stands before the message that {@link take} has taken. */
  readonly cursor = new FlowCursor();
  /** Blocks that the cursor has not come to. */
  readonly #blocks: FlowBlock[] = [];
  /** When each message on its way ended, in a ring. */
  #ends = new Float64Array(1_024);
  #head = 0;
  #count = 0;

  /** When the oldest message on its way ended, at the exchange; Infinity if there is none. */
  get endMicros(): number {
    return this.#count === 0 ? Infinity : (this.#ends[this.#head] as number);
  }

  /** The messages of `block` come after all those before. */
  add(block: FlowBlock): void {
    this.#blocks.push(block);
  }

  /** The exchange has had a whole message, whose last row is of `endMicros`. */
  note(endMicros: number): void {
    if (this.#count === this.#ends.length) this.#grow();
    this.#ends[(this.#head + this.#count) & (this.#ends.length - 1)] = endMicros;
    this.#count++;
  }

  /** Takes the oldest message off its way and returns when it ended; there must be one. */
  take(): number {
    const endMicros = this.endMicros;
    this.#head = (this.#head + 1) & (this.#ends.length - 1);
    this.#count--;
    while (this.cursor.isAtEnd) {
      const block = this.#blocks.shift();
      if (block === undefined) throw new RangeError('a message must be in a block that was added');
      this.cursor.load(block);
    }
    return endMicros;
  }

  #grow(): void {
    const ends = new Float64Array(this.#ends.length * 2);
    for (let i = 0; i < this.#count; i++)
      ends[i] = this.#ends[(this.#head + i) & (this.#ends.length - 1)] as number;
    this.#ends = ends;
    this.#head = 0;
  }
}
