/**
 * The index of a run: its times, and its events at which something happened to a strategy. It is
 * made in a first pass; what happened exactly is found by playing the run again.
 */
import type { StoreRecord } from '../../domain/records.ts';
import type { MarkKind, markKinds, RunFacts, TimelineBucket } from './event-facts.ts';

/** Something that happened to a strategy at an event; without a strategy, to the bot. */
export type Mark = {
  readonly number: number;
  readonly atMicros: number;
  readonly kind: MarkKind;
  readonly strategyId: string | undefined;
};

export type MarkQuery = {
  /** The event to start from, which is not found itself. */
  readonly from: number;
  readonly isBackward: boolean;
  /** Any kind, if undefined. */
  readonly kind: MarkKind | undefined;
  readonly strategyId: string | undefined;
};

/** A time is kept for one of so many events. */
const timeEvery = 256;
const bucketsMax = 240;
const nearIdsMax = 3;
/** Marks beyond these are not kept: a run of months has them, and each takes memory. */
const marksMax = 4_000_000;

export class RunIndex {
  events = 0;
  firstMicros = 0;
  lastMicros = 0;
  /** Whether there were more marks than are kept. */
  isCut = false;
  readonly #marks: Mark[] = [];
  readonly #times: number[] = [];
  /** The event at which an order was first stored, by intent id. */
  readonly #orders = new Map<number, number>();
  /** The intent ids by client order id and order id. */
  readonly #ids = new Map<string, number>();

  add(atMicros: number, marks: readonly Omit<Mark, 'number' | 'atMicros'>[]): void {
    this.events++;
    if (this.events === 1) this.firstMicros = atMicros;
    this.lastMicros = atMicros;
    if ((this.events - 1) % timeEvery === 0) this.#times.push(atMicros);
    for (const mark of marks)
      if (this.#marks.length < marksMax)
        this.#marks.push({ number: this.events, atMicros, ...mark });
      else this.isCut = true;
  }

  /** Notes the orders in the records of the last event. */
  noteOrders(records: readonly StoreRecord[]): void {
    for (const record of records) {
      if (record.kind !== 'order') continue;
      const { intentId, clientOrderId, orderId } = record.row;
      if (!this.#orders.has(intentId)) this.#orders.set(intentId, this.events);
      this.#ids.set(clientOrderId, intentId);
      if (orderId !== undefined) this.#ids.set(orderId, intentId);
    }
  }

  /** Returns the event at which an order was decided: by intent id, client order id or order id. */
  eventOfOrder(id: string): number | undefined {
    const intentId = this.#ids.get(id) ?? (/^\d+$/u.test(id) ? Number.parseInt(id, 10) : undefined);
    return intentId === undefined ? undefined : this.#orders.get(intentId);
  }

  get orderCount(): number {
    return this.#orders.size;
  }

  /** Returns ids that contain `id`, or the newest ones. */
  idsNear(id: string): readonly string[] {
    const all = [...this.#ids.keys()];
    const near = all.filter((one) => id !== '' && one.toLowerCase().includes(id.toLowerCase()));
    return (near.length > 0 ? near : all).slice(-nearIdsMax);
  }

  /** Returns an event that is at most {@link timeEvery} before the first one of the time. */
  eventBefore(atMicros: number): number {
    let low = 0;
    let high = this.#times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#times[middle] as number) < atMicros) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1) * timeEvery + 1;
  }

  marksOf(number: number): readonly Mark[] {
    const marks: Mark[] = [];
    for (let at = this.#firstAfter(number - 1); this.#marks[at]?.number === number; at++)
      marks.push(this.#marks[at] as Mark);
    return marks;
  }

  /** Returns the nearest event that the query asks for; undefined if there is none. */
  find({ from, isBackward, kind, strategyId }: MarkQuery): number | undefined {
    const fits = (mark: Mark): boolean =>
      (kind === undefined || mark.kind === kind) &&
      (strategyId === undefined || mark.strategyId === strategyId);
    const step = isBackward ? -1 : 1;
    let at = isBackward ? this.#firstAfter(from - 1) - 1 : this.#firstAfter(from);
    for (; at >= 0 && at < this.#marks.length; at += step)
      if (fits(this.#marks[at] as Mark)) return (this.#marks[at] as Mark).number;
    return undefined;
  }

  /** Returns how many marks of each kind the run has. */
  counts(): RunFacts['counts'] {
    return countsOf(this.#marks);
  }

  /** Returns the parts of the run's time that have marks. */
  timeline(): readonly TimelineBucket[] {
    const width = Math.max(1, (this.lastMicros - this.firstMicros + 1) / bucketsMax);
    const groups = Map.groupBy(this.#marks, ({ atMicros }) =>
      Math.floor((atMicros - this.firstMicros) / width),
    );
    return [...groups].map(([place, marks]) => ({
      fromMs: (this.firstMicros + place * width) / 1000,
      number: (marks[0] as Mark).number,
      counts: countsOf(marks),
    }));
  }

  /** Returns the place of the first mark of a later event. */
  #firstAfter(number: number): number {
    let low = 0;
    let high = this.#marks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#marks[middle] as Mark).number <= number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function countsOf(marks: readonly Mark[]): RunFacts['counts'] {
  const counts = { decision: 0, order: 0, fill: 0, refusal: 0, incident: 0 };
  for (const { kind } of marks) counts[kind]++;
  return counts satisfies Record<(typeof markKinds)[number], number>;
}
