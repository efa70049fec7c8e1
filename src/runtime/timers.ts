/**
 * The only timers. Delays may have any length, and repetitions do not drift.
 *
 * Invariant: after a cancel the callback is never called again.
 */

/** Cancels a timer; has no effect if it has already fired or been cancelled. */
export type Cancel = () => void;

export type TimerOptions = {
  /** True lets the process end while the timer is waiting. Default: false. */
  readonly unref?: boolean;
};

export type Timers = {
  /** Calls back once, after `delayMs` or a little more. */
  after(delayMs: number, callback: () => void, options?: TimerOptions): Cancel;
  /** Calls back every `intervalMs`; periods missed while the process was busy are skipped. */
  every(intervalMs: number, callback: () => void, options?: TimerOptions): Cancel;
  /** Calls back once, when the input and output waiting now has been handled. */
  soon(callback: () => void): Cancel;
};

// Node fires immediately if a delay does not fit 32 bits.
const delayMsMax = 2 ** 31 - 1;

/** Returns the timers of the process. They throw RangeError unless delay >= 0 and interval >= 1. */
export function createTimers(): Timers {
  return { after, every, soon };
}

function after(delayMs: number, callback: () => void, options: TimerOptions = {}): Cancel {
  if (!(delayMs >= 0)) throw new RangeError(`delay must not be negative, was ${delayMs}`);
  if (delayMs > delayMsMax) return afterLong(delayMs, callback, options);
  // Node keeps a list of timers for each delay, so equal delays are cheaper than exact ones.
  const handle = setTimeout(callback, delayMs);
  if (options.unref === true) handle.unref();
  return () => clearTimeout(handle);
}

function afterLong(delayMs: number, callback: () => void, options: TimerOptions): Cancel {
  const dueMs = performance.now() + delayMs;
  const next = (): void => {
    cancel = after(Math.max(0, dueMs - performance.now()), callback, options);
  };
  let cancel = after(delayMsMax, next, options);
  return () => cancel();
}

function every(intervalMs: number, callback: () => void, options: TimerOptions = {}): Cancel {
  if (!(intervalMs >= 1)) throw new RangeError(`interval must be 1 ms or more, was ${intervalMs}`);
  let dueMs = performance.now();
  let cancel: Cancel = () => {};
  let isEnded = false;
  const arm = (): void => {
    const nowMs = performance.now();
    dueMs += intervalMs * Math.max(1, Math.ceil((nowMs - dueMs) / intervalMs));
    cancel = after(dueMs - nowMs, fire, options);
  };
  const fire = (): void => {
    // A callback that throws must not end the repetition, but one that cancels it must.
    try {
      callback();
    } finally {
      if (!isEnded) arm();
    }
  };
  arm();
  return () => {
    isEnded = true;
    cancel();
  };
}

function soon(callback: () => void): Cancel {
  const handle = setImmediate(callback);
  return () => clearImmediate(handle);
}

/** Waits until the input, output and signals waiting now have been handled. */
export function loopTurn(): Promise<void> {
  return new Promise((resolve) => {
    // Twice, because the loop may not have polled before the first callback.
    soon(() => soon(resolve));
  });
}
