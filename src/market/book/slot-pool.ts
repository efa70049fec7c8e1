/**
 * Chooses slots for orders. The choice depends only on the calls before, so the same changes give
 * the same slots.
 */
export class SlotPool {
  readonly #free: number[] = [];
  #next = 1;

  /** The slot that is taken next: the one given back last, or a new one. */
  get next(): number {
    return this.#free.at(-1) ?? this.#next;
  }

  take(): void {
    if (this.#free.pop() === undefined) this.#next++;
  }

  giveBack(slot: number): void {
    this.#free.push(slot);
  }

  clear(): void {
    this.#free.length = 0;
    this.#next = 1;
  }
}
