/**
 * A batch of stepped events: what they came to, before anything of it is stored or released; how
 * long that waits; and which of its records may wait longer.
 */
import type { StoreRecord } from '../domain/records.ts';
import type { Effect, Step } from './event.ts';
import type { StampedEvent } from './journal.ts';

/** An effect with the time of the event that caused it. */
export type DatedEffect = { readonly atMicros: number; readonly effect: Effect };

export class SteppedBatch {
  readonly events: StampedEvent[] = [];
  readonly records: StoreRecord[] = [];
  readonly effects: DatedEffect[] = [];
  #isUrgent = false;

  /** Whether the exchange or an operator waits for an effect, or trading was halted. */
  get isUrgent(): boolean {
    return this.#isUrgent;
  }

  get hasOrder(): boolean {
    return this.effects.some(({ effect }) => isOrder(effect));
  }

  add(stamped: StampedEvent, { records, effects }: Step): void {
    const { atMicros } = stamped;
    this.events.push(stamped);
    for (const record of records) {
      this.records.push(record);
      this.#isUrgent ||= isHalt(record);
    }
    for (const effect of effects) {
      this.effects.push({ atMicros, effect });
      this.#isUrgent ||= effect.kind !== 'notice' && effect.kind !== 'point';
    }
  }

  /** Adds all of a later batch. */
  append(later: SteppedBatch): void {
    this.events.push(...later.events);
    this.records.push(...later.records);
    this.effects.push(...later.effects);
    this.#isUrgent ||= later.#isUrgent;
  }
}

/**
 * For how many milliseconds a batch that nobody waits for is held back, to share a commit with what
 * comes next: the exchange answers one order by several messages, and in a lively market the next
 * order follows soon. A kill loses the records that are held; a restart reads what they said from
 * the exchange.
 */
export const holdMs = 50;

export function isOrder(effect: Effect): effect is Extract<Effect, { kind: 'request' }> {
  return effect.kind === 'request' && effect.call.kind === 'place';
}

export function isHalt(record: StoreRecord): boolean {
  return record.kind === 'trading-state' && record.state === 'HALTED';
}

/** If as many wait, the next commit that no order waits for writes them all. */
const waitingUsual = 64;
/** If as many wait, any commit writes them all. */
const waitingMax = 256;

/**
 * Records that only explain: what the gate decided, how a request ended, what proved a state. No
 * restart needs them, and their rows and indexes are two fifths of what a commit writes. So they
 * wait for others of their kind, and are written together. They stay in their order, and what they
 * refer to is stored before them or with them.
 */
export class Explanations {
  #waiting: StoreRecord[] = [];

  /**
   * Returns what of `records` must be stored now, with what waits if it is time to write that; the
   * rest waits.
   */
  withhold(records: readonly StoreRecord[], hasOrder: boolean): readonly StoreRecord[] {
    const now: StoreRecord[] = [];
    let isDue = false;
    for (const record of records)
      if (explains(record)) this.#waiting.push(record);
      else {
        now.push(record);
        isDue ||= endsTrading(record);
      }
    isDue ||= this.#waiting.length >= (hasOrder ? waitingMax : waitingUsual);
    // Rows that refer to others come after them.
    return isDue ? now.concat(this.take()) : now;
  }

  /** Returns what waits, which no longer does. */
  take(): readonly StoreRecord[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

/** Whether somebody will soon look for the reasons, and the run may end. */
function endsTrading({ kind }: StoreRecord): boolean {
  return kind === 'trading-state' || kind === 'incident';
}

function explains({ kind }: StoreRecord): boolean {
  return kind === 'evidence' || kind === 'decision' || kind === 'outcome';
}
