/**
 * When the calls of the last minute left, kept in a small file beside the database: the exchange
 * counts on over a restart, and the next run must know what is left of its minute.
 *
 *     8 bytes for each call, milliseconds of our clock, in a ring of 512
 *
 * Invariants: every call of the process is in it before it leaves, those of the start included; it
 * outlives a process that is killed, not the machine, whose restart takes longer than a minute. A
 * file that cannot be written costs the next run this knowledge and nothing else.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { cancelsPerMinuteMax } from '../execution/requests/call-budget.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Timers } from '../runtime/timers.ts';

const slots = 512;
const slotBytes = 8;
const windowMs = 60_000;
const lookAgainMs = 250;

export class CallLog {
  readonly #clock: Pick<Clock, 'nowMicros'>;
  readonly #timers: Pick<Timers, 'after'>;
  /** Times of the calls of the last minute; a ring. */
  readonly #timesMs = new Float64Array(slots);
  #next = 0;
  #file: number | undefined;
  /** See {@link pace}. */
  #isPaced = false;

  /** Opens the log at `path`, and takes over what a run before this one left. */
  constructor(
    path: string,
    options: { readonly clock: Pick<Clock, 'nowMicros'>; readonly timers: Pick<Timers, 'after'> },
  ) {
    this.#clock = options.clock;
    this.#timers = options.timers;
    this.#restore(path);
    try {
      this.#file = openSync(path, 'w+', 0o600);
      writeSync(this.#file, new Uint8Array(this.#timesMs.buffer));
    } catch {
      this.#file = undefined;
    }
  }

  /** When the calls of the last minute left, by our clock, oldest first. */
  recentMs(): readonly number[] {
    const nowMs = this.#nowMs;
    // A clock that was set back since makes them look as if they were still to come.
    return [...this.#timesMs]
      .filter((timeMs) => timeMs > nowMs - windowMs)
      .map((timeMs) => Math.min(timeMs, nowMs))
      .sort((a, b) => a - b);
  }

  /** To be asked before every call: counts it, or returns what it has to wait for first. */
  readonly beforeCall = (): Promise<void> | undefined => {
    if (this.#isPaced && this.recentMs().length >= cancelsPerMinuteMax) return this.#wait();
    this.#note();
    return undefined;
  };

  /** From now on calls wait for room by themselves: no call budget lets them go any more. */
  pace(): void {
    this.#isPaced = true;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  async #wait(): Promise<void> {
    while (this.recentMs().length >= cancelsPerMinuteMax)
      await new Promise<void>((resolve) => this.#timers.after(lookAgainMs, resolve));
    this.#note();
  }

  get #nowMs(): number {
    return Math.floor(this.#clock.nowMicros() / 1000);
  }

  #note(): void {
    const slot = this.#next;
    this.#next = (slot + 1) % slots;
    this.#timesMs[slot] = this.#nowMs;
    if (this.#file === undefined) return;
    try {
      const bytes = new Uint8Array(this.#timesMs.buffer, slot * slotBytes, slotBytes);
      writeSync(this.#file, bytes, 0, slotBytes, slot * slotBytes);
    } catch {
      this.close();
    }
  }

  #restore(path: string): void {
    try {
      const bytes = readFileSync(path);
      if (bytes.length !== slots * slotBytes) return;
      const times = new Float64Array(new Uint8Array(bytes).buffer);
      const kept = [...times].filter((timeMs) => timeMs > this.#nowMs - windowMs);
      this.#timesMs.set(kept.sort((a, b) => a - b));
      this.#next = kept.length % slots;
    } catch {
      // The first run, or one whose log is gone.
    }
  }
}
