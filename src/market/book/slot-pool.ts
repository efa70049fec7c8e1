/**
 * Slots for orders, chosen here: which one depends only on the calls before, so the same changes
 * give the same slots.
 */
export class SlotPool {
  readonly #free: number[] = [];
  #next = 1;

  /** Returns a slot that is not in use, the one that was given back last if there is one. */
  take(): number {
    return this.#free.pop() ?? this.#next++;
  }

  giveBack(slot: number): void {
    this.#free.push(slot);
  }

  /** Takes all of them back. */
  clear(): void {
    this.#free.length = 0;
    this.#next = 1;
  }
}
