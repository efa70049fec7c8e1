/** A list of spans of time, in order and without overlap, and what lies in them. */
export type TimeSpan = { readonly fromMicros: number; readonly toMicros: number };

export class TimeSpans {
  readonly #spans: TimeSpan[] = [];
  /** For each span, the total length of those before it. */
  readonly #lengths: number[] = [];
  #length = 0;

  get all(): readonly TimeSpan[] {
    return this.#spans;
  }

  /** Adds a span, which must not begin before the end of the last one. An empty one is left out. */
  add(fromMicros: number, toMicros: number): void {
    if (toMicros <= fromMicros) return;
    this.#spans.push({ fromMicros, toMicros });
    this.#lengths.push(this.#length);
    this.#length += toMicros - fromMicros;
  }

  /** Begins a span whose end is not known yet, unless one is open. */
  begin(fromMicros: number): void {
    if (this.#spans.at(-1)?.toMicros === Infinity) return;
    this.#spans.push({ fromMicros, toMicros: Infinity });
    this.#lengths.push(this.#length);
  }

  /** Ends the open span, if there is one. */
  end(toMicros: number): void {
    const last = this.#spans.at(-1);
    if (last?.toMicros !== Infinity) return;
    this.#spans.pop();
    this.#lengths.pop();
    this.add(last.fromMicros, toMicros);
  }

  clear(): void {
    this.#spans.length = 0;
    this.#lengths.length = 0;
    this.#length = 0;
  }

  /** Returns the span that contains a time; its end is part of it. */
  at(atMicros: number): TimeSpan | undefined {
    const span = this.#spans[this.#placeOf(atMicros)];
    return span !== undefined && atMicros <= span.toMicros ? span : undefined;
  }

  /** Returns how much of the time from one to the other is in no span. */
  outside(fromMicros: number, toMicros: number): number {
    return toMicros - this.before(toMicros) - (fromMicros - this.before(fromMicros));
  }

  /** Returns how much of the time before `atMicros` is in the spans. */
  before(atMicros: number): number {
    const place = this.#placeOf(atMicros);
    const span = this.#spans[place];
    if (span === undefined) return 0;
    const { fromMicros, toMicros } = span;
    return (this.#lengths[place] as number) + Math.min(atMicros, toMicros) - fromMicros;
  }

  /** Returns the index of the last span that begins at or before a time; -1 if there is none. */
  #placeOf(atMicros: number): number {
    let [low, high] = [0, this.#spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#spans[middle] as TimeSpan).fromMicros <= atMicros) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

export function sharedSpans([first, ...others]: readonly TimeSpans[]): TimeSpans {
  let shared = first ?? new TimeSpans();
  for (const other of others) {
    const both = new TimeSpans();
    let place = 0;
    for (const { fromMicros, toMicros } of shared.all)
      for (; place < other.all.length; place++) {
        const one = other.all[place] as TimeSpan;
        both.add(Math.max(one.fromMicros, fromMicros), Math.min(one.toMicros, toMicros));
        // It may reach into the next span, too.
        if (one.toMicros > toMicros) break;
      }
    shared = both;
  }
  return shared;
}
