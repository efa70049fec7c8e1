/**
 * Counts orders of the last minute, so that a rate limit cannot be overrun by several intents in
 * one event: an order counts from the moment it is approved.
 */
const windowMs = 60_000;

export class OrderWindow {
  #timesMs: number[] = [];

  /** Adds one order. Times may come in any order; those that have left the window are forgotten. */
  add(timeMs: number): void {
    this.#timesMs.push(timeMs);
  }

  /** Returns how many orders were added after `nowMs` minus one minute. */
  count(nowMs: number): number {
    // Time that goes back would bring orders back, so only what is two windows old is forgotten.
    if (this.#timesMs.some((timeMs) => timeMs <= nowMs - 2 * windowMs)) {
      this.#timesMs = this.#timesMs.filter((timeMs) => timeMs > nowMs - 2 * windowMs);
    }
    let count = 0;
    for (const timeMs of this.#timesMs) if (!(timeMs <= nowMs - windowMs)) count += 1;
    return count;
  }
}
