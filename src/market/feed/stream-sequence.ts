/**
 * The sequence check of a stream: message n applies only to the state after message n - 1.
 *
 * Sequences are integers as text and may exceed 2^53.
 */
import { BookError } from '../book/book-error.ts';

const integer = /^(?:0|[1-9]\d{0,37})$/u;

export class StreamSequence {
  #last = '0';
  #next = '1';

  /** The sequence of the last message taken. */
  get last(): string {
    return this.#last;
  }

  /** Restarts at a snapshot; throws {@link BookError} if the text is not a decimal integer. */
  restart(sequence: string): void {
    if (!integer.test(sequence))
      throw new BookError(
        'SEQUENCE_INVALID',
        `sequence must be a decimal integer, was "${sequence}"`,
      );
    this.#take(sequence);
  }

  /** Takes the next message's sequence; throws {@link BookError} unless it follows the last one. */
  advance(sequence: string): void {
    if (sequence === this.#next) {
      this.#take(sequence);
      return;
    }
    if (!integer.test(sequence))
      throw new BookError(
        'SEQUENCE_INVALID',
        `sequence must be a decimal integer, was "${sequence}"`,
      );
    const repeated = BigInt(sequence) <= BigInt(this.#last);
    throw new BookError(
      repeated ? 'SEQUENCE_REPEATED' : 'SEQUENCE_GAP',
      `sequence after ${this.#last} must be ${this.#next}, was ${sequence}`,
    );
  }

  #take(sequence: string): void {
    this.#last = sequence;
    // Integers of up to 15 digits are safe. All sequences seen so far are that short.
    this.#next =
      sequence.length <= 15
        ? String(Number.parseInt(sequence, 10) + 1)
        : (BigInt(sequence) + 1n).toString();
  }
}
