/**
 * The state of a strategy that survives a restart: its own state, its slots, and the last period of
 * each of its schedules. For the engine all are one opaque JSON value, the state of a `remember`
 * intent:
 *
 *     {"version":1,"state":{"bought":3},"periods":{"0 9 * * * UTC":"2026-01-05T09:00:00.000Z"}}
 *     {"version":2,"state":{"bought":3},"slots":{"exit/from":1000},"periods":{}}
 *
 * Version 2 is written only with slots, so that an older Millrace does not drop them unseen.
 */
import type { z } from 'zod';
import { assert } from '../domain/errors.ts';
import type { Intent } from '../domain/intent.ts';
import { partOf } from '../domain/part-name.ts';
import type { AnyStrategy } from './contract.ts';
import { copyJson, describe, isPlainObject, stateBytesMax } from './json-value.ts';

/** The maximum number of schedules of one strategy. */
const schedulesMax = 32;
/** The maximum number of slots of one strategy, with those of its parts. */
export const slotsMax = 256;

const periodPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u;

/** State that is not JSON, is too large, or does not fit its schema. */
export class UnfitStateError extends RangeError {}

/** The value of a slot that the strategy has opened. */
type OpenSlot = { readonly schema: z.ZodType; value: unknown };

export class StrategyState {
  readonly #schema: AnyStrategy['state'];
  #state: unknown;
  /** The slots that the strategy has opened in this run, by stored name. */
  readonly #slots = new Map<string, OpenSlot>();
  /** What is remembered in slots, by stored name; also in those that are not open. */
  readonly #kept = new Map<string, unknown>();
  readonly #periods = new Map<string, string>();

  /**
   * Restores `stored`; undefined starts with the initial state. Throws {@link UnfitStateError} if
   * `stored` is not a strategy's state or does not fit the schema.
   */
  constructor(schema: AnyStrategy['state'], stored: unknown) {
    this.#schema = schema;
    this.#state = schema === undefined ? undefined : asJson(schema.initial, 'state');
    if (stored === undefined) return;
    const { version, periods, slots = {} } = isPlainObject(stored) ? stored : {};
    const isKnown = version === 1 || version === 2;
    if (!isPlainObject(stored) || !isKnown || !isPlainObject(periods) || !isPlainObject(slots)) {
      throw new UnfitStateError(`stored state is not a strategy's state, was ${describe(stored)}`);
    }
    for (const [slot, value] of Object.entries(slots)) this.#kept.set(slot, asJson(value, slot));
    for (const [schedule, period] of Object.entries(periods)) {
      if (typeof period !== 'string' || !periodPattern.test(period)) {
        throw new UnfitStateError(
          `stored period of "${schedule}" is not a time, was ${describe(period)}`,
        );
      }
      this.#periods.set(schedule, period);
    }
    if (schema !== undefined && 'state' in stored)
      this.#state = fitted(stored['state'], schema.schema, 'state');
  }

  /** The strategy's own state, frozen. */
  get value(): unknown {
    return this.#state;
  }

  /**
   * Sets the strategy's own state, or the value of an open slot. Throws {@link UnfitStateError} if
   * it is not JSON, is too large, or does not fit the schema.
   */
  remember(value: unknown, slot?: string): void {
    if (slot !== undefined) {
      this.#rememberSlot(slot, value);
      return;
    }
    if (this.#schema === undefined)
      throw new UnfitStateError(
        'the strategy declares no state schema, so it cannot remember a state',
      );
    const checked = fitted(value, this.#schema.schema, 'state');
    checkSize(checked, this.#kept);
    this.#state = checked;
  }

  #rememberSlot(slot: string, value: unknown): void {
    const open = this.#slots.get(slot);
    assert(open !== undefined, `there is no slot ${slot}`);
    const checked = fitted(value, open.schema, `slot ${slot}`);
    checkSize(this.#state, new Map(this.#kept).set(slot, checked));
    this.#kept.set(slot, checked);
    open.value = checked;
  }

  /** Whether the strategy has opened a slot of this stored name. */
  hasSlot(slot: string): boolean {
    return this.#slots.has(slot);
  }

  /** Whether no more slots can be opened. */
  get hasAllSlots(): boolean {
    return this.#slots.size >= slotsMax;
  }

  /**
   * Opens a slot, with what is remembered in it or `initial`, which fits. Throws
   * {@link UnfitStateError} if what is remembered does not fit the schema.
   */
  openSlot(slot: string, schema: z.ZodType, initial: unknown): void {
    const value = this.#kept.has(slot)
      ? fitted(this.#kept.get(slot), schema, `slot ${slot}`)
      : initial;
    this.#slots.set(slot, { schema, value });
  }

  /** The value of an open slot, frozen. */
  slotValue(slot: string): unknown {
    return this.#slots.get(slot)?.value;
  }

  /** Drops what the parts have that match; returns whether anything was remembered of them. */
  dropParts(matches: (part: string) => boolean): boolean {
    const before = this.#kept.size + this.#periods.size;
    for (const slots of [this.#slots, this.#kept])
      for (const slot of slots.keys()) if (isOfPart(partOf(slot), matches)) slots.delete(slot);
    for (const schedule of this.#periods.keys())
      if (isOfPart(partOfSchedule(schedule), matches)) this.#periods.delete(schedule);
    return this.#kept.size + this.#periods.size < before;
  }

  /** Returns the last emitted period of a schedule; undefined if there is none. */
  lastPeriod(schedule: string): string | undefined {
    return this.#periods.get(schedule);
  }

  /** Stores the last emitted period; throws RangeError for more than 32 schedules. */
  rememberPeriod(schedule: string, period: string): void {
    if (!this.#periods.has(schedule) && this.#periods.size >= schedulesMax) {
      throw new RangeError(`more than ${schedulesMax} schedules`);
    }
    this.#periods.set(schedule, period);
  }

  /** Returns everything as one frozen JSON value, for the store. */
  toStored(): unknown {
    const slots =
      this.#kept.size === 0 ? {} : { slots: Object.freeze(Object.fromEntries(this.#kept)) };
    return Object.freeze({
      version: this.#kept.size === 0 ? 1 : 2,
      ...(this.#state === undefined ? {} : { state: this.#state }),
      ...slots,
      periods: Object.freeze(Object.fromEntries(this.#periods)),
    });
  }

  /** Returns the intent that stores all of it. */
  toIntent(): Intent {
    return Object.freeze({ kind: 'remember', state: this.toStored() });
  }
}

function checkSize(state: unknown, kept: ReadonlyMap<string, unknown>): void {
  const bytes = [...kept.values()].reduce<number>(
    (sum, value) => sum + bytesOf(value),
    bytesOf(state),
  );
  if (bytes <= stateBytesMax) return;
  const what = kept.size === 0 ? 'state' : 'state and slots together';
  throw new UnfitStateError(`${what} must be at most ${stateBytesMax} bytes, was ${bytes}`);
}

function isOfPart(part: string, matches: (part: string) => boolean): boolean {
  return part !== '' && matches(part);
}

/** Returns the name under which the periods of a schedule are stored. */
export function scheduleName(part: string, cron: string, zone: string): string {
  return part === '' ? `${cron} ${zone}` : `${part}: ${cron} ${zone}`;
}

function partOfSchedule(schedule: string): string {
  // Neither a cron pattern nor a time zone has a colon before a space.
  const end = schedule.indexOf(': ');
  return end === -1 ? '' : schedule.slice(0, end);
}

/** Returns a checked, frozen copy of what a strategy remembers. */
function fitted(value: unknown, schema: z.ZodType, what: string): unknown {
  const copy = asJson(value, what);
  const result = schema.safeParse(copy);
  if (result.success) return asJson(result.data, what);
  const [issue] = result.error.issues;
  throw new UnfitStateError(
    `${what} does not fit its schema at ${issue?.path.join('.') || '(top)'}: ${issue?.message}`,
  );
}

function asJson(value: unknown, what: string): unknown {
  try {
    return copyJson(value, what);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UnfitStateError(error.message);
  }
}

function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value), 'utf8');
}
