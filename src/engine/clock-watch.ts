/** Watches the exchange's clock, the system's, and whether the process runs at all. */
import type { Notice } from '../domain/notice.ts';
import { clockSkewMsMax } from '../risk/checks/health-check.ts';
import type { SystemClock } from '../runtime/clock.ts';

/** A system clock further ahead of ours means that the machine slept or its clock was set. */
const driftMsMax = 500;
/** The clock skew that the gate allows: if the clock is set back further, it may refuse orders. */
const setBackMsMax = 2_000;
/** A process that did nothing for longer than this was suspended. */
const pauseMsMax = 5_000;

/**
 * Reports that the clock in the exchange's answers differs from ours by so much that every order is
 * held back, and reports when the clocks agree again.
 */
export class ClockWatch {
  #isReported = false;

  /**
   * Takes how far the exchange's clock is ahead of ours; returns a notice when the clocks begin or
   * cease to differ too much.
   */
  note(offsetMs: number | undefined): Notice | undefined {
    const differs = offsetMs !== undefined && Math.abs(offsetMs) > clockSkewMsMax;
    if (differs === this.#isReported) return undefined;
    this.#isReported = differs;
    if (!differs)
      return { level: 'info', topic: 'state', text: "the exchange's clock agrees with ours again" };
    const seconds = (Math.abs(offsetMs) / 1000).toFixed(1);
    const where = offsetMs > 0 ? 'ahead of' : 'behind';
    return {
      level: 'warn',
      topic: 'state',
      text:
        `by its answers, the exchange's clock is ${seconds} s ${where} this machine's: no order is ` +
        `sent while they differ by more than ${clockSkewMsMax / 1000} s (CLOCK_SKEW); if this lasts, ` +
        "this machine's clock or a proxy's is wrong",
    };
  }
}

/** Detects that the process was suspended or that the system's clock was moved. */
export class PauseWatch {
  readonly #clock: SystemClock;
  readonly #onNotice: (notice: Notice) => void;
  #isSetBackReported = false;
  /** When the process was last known to run; undefined before the first look. */
  #aliveMicros: number | undefined;

  constructor(clock: SystemClock, onNotice: (notice: Notice) => void) {
    this.#clock = clock;
    this.#onNotice = onNotice;
  }

  /** Returns for how many milliseconds the process was away; undefined if it was not. */
  look(): number | undefined {
    const clock = this.#clock;
    const driftMs = clock.driftMs();
    this.#reportSetBack(-driftMs);
    const movedMicros = driftMs > driftMsMax ? clock.catchUp() : 0;
    const nowMicros = clock.nowMicros();
    const awayMs = (nowMicros - (this.#aliveMicros ?? nowMicros)) / 1000;
    const isFirst = this.#aliveMicros === undefined;
    this.#aliveMicros = nowMicros;
    if (isFirst || (movedMicros === 0 && awayMs <= pauseMsMax)) return undefined;
    return Math.round(awayMs);
  }

  /** The bot's clock never goes back, so if it was ahead it stays ahead until a restart. */
  #reportSetBack(setBackMs: number): void {
    if (setBackMs < setBackMsMax) {
      this.#isSetBackReported = false;
      return;
    }
    if (this.#isSetBackReported) return;
    this.#isSetBackReported = true;
    const seconds = (setBackMs / 1000).toFixed(1);
    this.#onNotice({
      level: 'warn',
      topic: 'state',
      text:
        `this machine's clock was set back by ${seconds} s, which the bot's own clock does not ` +
        'follow; if it was ahead of the exchange before, orders are refused with CLOCK_SKEW until ' +
        'the bot is restarted',
    });
  }
}
