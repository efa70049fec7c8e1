/**
 * The times of the calls in the last minute, in a small file next to the database. The exchange
 * keeps counting across a restart of the bot, so the next run must know how many calls remain.
 *
 *     8 bytes per call, milliseconds of our clock, in a ring of 512
 *
 * Invariants: every call of the process, including those at the start, is in the log before it is
 * sent. The log survives a killed process. It need not survive a restart of the machine, which
 * takes longer than a minute. If the file cannot be written, only the next run's count is affected.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { ExchangeProfile } from '../domain/exchange-profile.ts';
import { callsPerMinuteMax } from '../execution/requests/call-capacity.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Timers } from '../runtime/timers.ts';

const slots = 512;
const slotBytes = 8;
const windowMs = 60_000;
const checkEveryMs = 250;

export class CallLog {
  readonly #clock: Pick<Clock, 'nowMicros'>;
  readonly #timers: Pick<Timers, 'after'>;
  /** Times of the calls of the last minute; a ring. */
  readonly #timesMs = new Float64Array(slots);
  readonly #bytes = new Uint8Array(this.#timesMs.buffer);
  #next = 0;
  #file: number | undefined;
  /** See {@link pace}. */
  #callsMax = Number.POSITIVE_INFINITY;

  /** Opens the log at `path` and restores the calls of the previous run. */
  constructor(
    path: string,
    options: { readonly clock: Pick<Clock, 'nowMicros'>; readonly timers: Pick<Timers, 'after'> },
  ) {
    this.#clock = options.clock;
    this.#timers = options.timers;
    this.#restore(path);
    try {
      this.#file = openSync(path, 'w+', 0o600);
      writeSync(this.#file, this.#bytes);
    } catch {
      this.#file = undefined;
    }
  }

  /** Returns the times of the calls in the last minute, in milliseconds of our clock, ascending. */
  recentMs(): readonly number[] {
    const nowMs = this.#nowMs();
    // If the clock was set back, past calls have times in the future.
    return [...this.#timesMs]
      .filter((timeMs) => timeMs > nowMs - windowMs)
      .map((timeMs) => Math.min(timeMs, nowMs))
      .sort((a, b) => a - b);
  }

  /** Must be called before every call: counts it, or returns a promise that it must wait for. */
  readonly beforeCall = (): Promise<void> | undefined => {
    const isPaced = this.#callsMax !== Number.POSITIVE_INFINITY;
    if (isPaced && this.recentMs().length >= this.#callsMax) return this.#wait();
    this.#note();
    return undefined;
  };

  /**
   * Makes later calls wait here, because the engine's call budget no longer limits them. `rules`:
   * how many the venue allows.
   */
  pace(rules: ExchangeProfile['calls']): void {
    if (rules !== 'unlimited') this.#callsMax = Math.min(callsPerMinuteMax(rules), slots);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  async #wait(): Promise<void> {
    while (this.recentMs().length >= this.#callsMax)
      await new Promise<void>((resolve) => this.#timers.after(checkEveryMs, resolve));
    this.#note();
  }

  #nowMs(): number {
    return Math.floor(this.#clock.nowMicros() / 1000);
  }

  #note(): void {
    const slot = this.#next;
    this.#next = (slot + 1) % slots;
    this.#timesMs[slot] = this.#nowMs();
    if (this.#file === undefined) return;
    try {
      writeSync(this.#file, this.#bytes, slot * slotBytes, slotBytes, slot * slotBytes);
    } catch {
      this.close();
    }
  }

  #restore(path: string): void {
    try {
      const bytes = readFileSync(path);
      if (bytes.length !== slots * slotBytes) return;
      const times = new Float64Array(new Uint8Array(bytes).buffer);
      const kept = [...times].filter((timeMs) => timeMs > this.#nowMs() - windowMs);
      this.#timesMs.set(kept.sort((a, b) => a - b));
      this.#next = kept.length % slots;
    } catch {
      // This is the first run, or the log was deleted.
    }
  }
}
