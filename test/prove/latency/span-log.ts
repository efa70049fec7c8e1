/**
 * Where a process spends its time: spans of named parts, which never overlap. A part that is called
 * by another one interrupts it.
 */
import { monotonicMicros } from './monotonic.ts';

/** Besides these there are `socket`, and `waiting` for all that is in no span. */
export const spanParts = [
  'socket',
  'decode',
  'capture',
  'step',
  'journal',
  'rows',
  'commit',
  'guard',
  'client',
] as const;
export type SpanPart = (typeof spanParts)[number];

/** Each span as three numbers: its place in {@link spanParts}, its begin and its end. */
export type Spans = Float64Array;
export const spanFields = 3;

type Method = (...given: never[]) => unknown;

export class SpanLog {
  readonly #spans: number[] = [];
  #isOn = false;
  #part = -1;
  #sinceMicros = 0;

  /**
   * Returns all spans since the last call, in the order of time. `isOn` says whether spans are
   * measured from now on; while they are not, they cost nearly nothing. No span may be open.
   */
  next(isOn: boolean): Spans {
    this.#isOn = isOn;
    const spans = Float64Array.from(this.#spans);
    this.#spans.length = 0;
    return spans;
  }

  /** Returns `call`, which from now on is a span of `part` until it returns. */
  wrap<Call extends Method>(part: SpanPart, call: Call): Call {
    const log = this;
    const number = spanParts.indexOf(part);
    const wrapped = function (this: unknown, ...given: never[]): unknown {
      if (!log.#isOn) return call.apply(this, given);
      const outer = log.#enter(number);
      try {
        return call.apply(this, given);
      } finally {
        log.#enter(outer);
      }
    };
    return wrapped as unknown as Call;
  }

  /** Ends the present span and begins one of another part; returns the part that it interrupts. */
  #enter(part: number): number {
    const nowMicros = monotonicMicros();
    const outer = this.#part;
    if (outer !== -1) this.#spans.push(outer, this.#sinceMicros, nowMicros);
    this.#part = part;
    this.#sinceMicros = nowMicros;
    return outer;
  }
}
