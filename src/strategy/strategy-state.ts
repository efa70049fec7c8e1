/**
 * The state of a strategy that survives a restart: its own state, and the last period of each of
 * its schedules. For the engine both are one opaque JSON value, the state of a `remember` intent:
 *
 *     {"version":1,"state":{"bought":3},"periods":{"0 9 * * * UTC":"2026-01-05T09:00:00.000Z"}}
 */
import type { AnyStrategy } from './contract.ts';
import { copyJson, describe, isPlainObject, stateBytesMax } from './json-value.ts';

/** The maximum number of schedules of one strategy. */
const schedulesMax = 32;

const periodPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u;

export class StrategyState {
  readonly #schema: AnyStrategy['state'];
  #state: unknown;
  readonly #periods = new Map<string, string>();

  /**
   * Restores `stored`; undefined starts with the initial state. Throws RangeError if `stored` is
   * not a strategy's state or does not fit the schema.
   */
  constructor(schema: AnyStrategy['state'], stored: unknown) {
    this.#schema = schema;
    this.#state = schema === undefined ? undefined : copyJson(schema.initial);
    if (stored === undefined) return;
    if (!isPlainObject(stored) || stored['version'] !== 1 || !isPlainObject(stored['periods'])) {
      throw new RangeError(`stored state is not a strategy's state, was ${describe(stored)}`);
    }
    for (const [schedule, period] of Object.entries(stored['periods'])) {
      if (typeof period !== 'string' || !periodPattern.test(period)) {
        throw new RangeError(
          `stored period of "${schedule}" is not a time, was ${describe(period)}`,
        );
      }
      this.#periods.set(schedule, period);
    }
    if (schema !== undefined && 'state' in stored) this.#state = this.#check(stored['state']);
  }

  /** The strategy's own state, frozen. */
  get value(): unknown {
    return this.#state;
  }

  /**
   * Sets the strategy's own state. Throws RangeError if it is not JSON, is too large, or does not
   * fit the schema.
   */
  remember(state: unknown): void {
    if (this.#schema === undefined)
      throw new RangeError('the strategy declares no state schema, so it cannot remember a state');
    const checked = this.#check(state);
    const bytes = Buffer.byteLength(JSON.stringify(checked), 'utf8');
    if (bytes > stateBytesMax) {
      throw new RangeError(`state must be at most ${stateBytesMax} bytes, was ${bytes}`);
    }
    this.#state = checked;
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

  /** Returns both parts as one frozen JSON value, for the store. */
  toStored(): unknown {
    return Object.freeze({
      version: 1,
      ...(this.#state === undefined ? {} : { state: this.#state }),
      periods: Object.freeze(Object.fromEntries(this.#periods)),
    });
  }

  #check(state: unknown): unknown {
    const copy = copyJson(state);
    const result = this.#schema?.schema.safeParse(copy);
    if (result?.success === true) return copyJson(result.data);
    const issue = result?.error.issues[0];
    throw new RangeError(
      `state does not fit its schema at ${issue?.path.join('.') || '(top)'}: ${issue?.message}`,
    );
  }
}
