/**
 * A binary heap of callbacks that are due at times of the engine's own clock.
 *
 * Invariant: callbacks run in order of (time, insertion), so that equal times replay equally.
 */
type Entry = { readonly dueMicros: number; readonly order: number; run: (() => void) | undefined };

export class TimerQueue {
  readonly #heap: Entry[] = [];
  #order = 0;
  #changes = 0;

  /** Increases whenever a timer is added, cancelled or run. */
  get changes(): number {
    return this.#changes;
  }

  /** Calls `run` once when the engine's time reaches `dueMicros`; the returned function cancels. */
  at(dueMicros: number, run: () => void): () => void {
    this.#changes++;
    const entry: Entry = { dueMicros, order: this.#order++, run };
    this.#push(entry);
    return () => {
      entry.run = undefined;
      this.#changes++;
    };
  }

  /** The next due time; undefined if the queue is empty. */
  get nextMicros(): number | undefined {
    this.#dropCancelled();
    return this.#heap[0]?.dueMicros;
  }

  /** Runs every callback that is due at `nowMicros`, including those added meanwhile. */
  runDue(nowMicros: number): void {
    for (;;) {
      this.#dropCancelled();
      const first = this.#heap[0];
      if (first === undefined || first.dueMicros > nowMicros) return;
      this.#pop();
      this.#changes++;
      first.run?.();
    }
  }

  // A cancelled entry is removed when it reaches the top of the heap.
  #dropCancelled(): void {
    while (this.#heap[0] !== undefined && this.#heap[0].run === undefined) this.#pop();
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    heap.push(entry);
    let i = heap.length - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isBefore(heap[i] as Entry, heap[parent] as Entry)) break;
      swap(heap, i, parent);
      i = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    let i = 0;
    for (;;) {
      let least = i;
      for (let child = 2 * i + 1; child <= 2 * i + 2 && child < heap.length; child++)
        if (isBefore(heap[child] as Entry, heap[least] as Entry)) least = child;
      if (least === i) return;
      swap(heap, i, least);
      i = least;
    }
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.dueMicros < b.dueMicros || (a.dueMicros === b.dueMicros && a.order < b.order);
}

function swap(heap: Entry[], a: number, b: number): void {
  const held = heap[a] as Entry;
  heap[a] = heap[b] as Entry;
  heap[b] = held;
}
