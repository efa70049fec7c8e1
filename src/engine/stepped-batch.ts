/**
 * A batch of stepped events: what they came to, before anything of it is stored or released.
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
      this.#isUrgent ||= effect.kind !== 'notice';
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

export function isOrder(effect: Effect): effect is Extract<Effect, { kind: 'request' }> {
  return effect.kind === 'request' && effect.operation === 'postorder';
}

export function isHalt(record: StoreRecord): boolean {
  return record.kind === 'trading-state' && record.state === 'HALTED';
}
