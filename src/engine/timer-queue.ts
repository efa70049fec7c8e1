/**
 * A binary heap of what is to be woken at times of the engine's own clock. It keeps numbers instead
 * of an object for each timer, since every order and every reader sets and cancels timers.
 *
 * Invariant: timers run in order of (time, insertion), so that equal times replay equally.
 */
import type { Timed } from '../execution/requests/task.ts';

export class TimerQueue {
  // The three arrays have the same indices; the number of a timer is the order of its insertion.
  readonly #dueMicros: number[] = [];
  readonly #numbers: number[] = [];
  readonly #timed: Timed[] = [];
  #next = 0;

  /** Wakes `timed` once when the engine's time reaches `dueMicros`; returns the timer's number. */
  at(dueMicros: number, timed: Timed): number {
    const number = this.#next++;
    this.#moveUp(this.#numbers.length, dueMicros, number, timed);
    return number;
  }

  /** Cancels a timer by its number; one that has run or was cancelled stays as it is. */
  cancel(number: number): void {
    const place = this.#numbers.indexOf(number);
    if (place !== -1) this.#removeAt(place);
  }

  /** The next due time; Infinity if the queue is empty. */
  get nextMicros(): number {
    return this.#numbers.length === 0 ? Infinity : (this.#dueMicros[0] as number);
  }

  /** Wakes everything that is due at `nowMicros`, including timers that are added meanwhile. */
  runDue(nowMicros: number): void {
    while (this.#numbers.length > 0 && (this.#dueMicros[0] as number) <= nowMicros) {
      const first = this.#timed[0] as Timed;
      this.#removeAt(0);
      first.onTime();
    }
  }

  #removeAt(place: number): void {
    const dueMicros = this.#dueMicros.pop() as number;
    const number = this.#numbers.pop() as number;
    const timed = this.#timed.pop() as Timed;
    const { length } = this.#numbers;
    if (place === length) return;
    const parent = (place - 1) >> 1;
    if (place > 0 && this.#isBefore(dueMicros, number, parent))
      this.#moveUp(place, dueMicros, number, timed);
    else this.#moveDown(place, dueMicros, number, timed);
  }

  /** Puts a timer at `place` or above it, moving those that are due later down. */
  #moveUp(from: number, dueMicros: number, number: number, timed: Timed): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isBefore(dueMicros, number, parent)) break;
      this.#copy(parent, place);
      place = parent;
    }
    this.#set(place, dueMicros, number, timed);
  }

  /** Puts a timer at `place` or below it, moving those that are due earlier up. */
  #moveDown(from: number, dueMicros: number, number: number, timed: Timed): void {
    const { length } = this.#numbers;
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= length) break;
      const right = child + 1;
      if (right < length && this.#isAhead(right, child)) child = right;
      if (this.#isBefore(dueMicros, number, child)) break;
      this.#copy(child, place);
      place = child;
    }
    this.#set(place, dueMicros, number, timed);
  }

  #copy(from: number, to: number): void {
    this.#set(
      to,
      this.#dueMicros[from] as number,
      this.#numbers[from] as number,
      this.#timed[from] as Timed,
    );
  }

  #set(place: number, dueMicros: number, number: number, timed: Timed): void {
    this.#dueMicros[place] = dueMicros;
    this.#numbers[place] = number;
    this.#timed[place] = timed;
  }

  #isAhead(place: number, other: number): boolean {
    return this.#isBefore(this.#dueMicros[place] as number, this.#numbers[place] as number, other);
  }

  #isBefore(dueMicros: number, number: number, other: number): boolean {
    const otherMicros = this.#dueMicros[other] as number;
    return (
      dueMicros < otherMicros ||
      (dueMicros === otherMicros && number < (this.#numbers[other] as number))
    );
  }
}
