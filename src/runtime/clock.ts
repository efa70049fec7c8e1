/**
 * The only clock. Wall time in integer microseconds that never goes backwards within a process.
 *
 * Invariant: our time is the wall time at the start plus the monotonic time since then, so a step
 * of the system's clock does not change it; {@link SystemClock.driftMs} shows the difference.
 */

export type Clock = {
  /** Microseconds since 1970, a safe integer; never less than an earlier result. */
  nowMicros(): number;
  /** Microseconds since an arbitrary start, for durations only. */
  monotonicMicros(): number;
};

export type SystemClock = Clock & {
  /**
   * The system's wall clock minus ours, in milliseconds. It changes when the system's clock is set,
   * and when the machine sleeps, since a monotonic clock may stop during sleep.
   */
  driftMs(): number;
  /** Moves our clock forward to the system's, never back. Returns the microseconds moved. */
  catchUp(): number;
};

/** The two sources of a clock; only tests pass their own. */
export type TimeSource = {
  readonly wallMs: () => number;
  readonly monotonicMs: () => number;
};

const system: TimeSource = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** If the process is delayed between two readings, it reads again, at most 8 times. */
const readingsMax = 8;
const closeMicros = 50;

export function createClock(source: TimeSource = system): SystemClock {
  const monotonicMicros = (): number => Math.floor(source.monotonicMs() * 1000);
  const wallMicros = (): number => Math.floor(source.wallMs() * 1000);
  let offsetMicros = readOffset(wallMicros, monotonicMicros);
  const nowMicros = (): number => offsetMicros + monotonicMicros();
  return {
    nowMicros,
    monotonicMicros,
    driftMs: () => (wallMicros() - nowMicros()) / 1000,
    catchUp: () => {
      const behindMicros = Math.max(0, wallMicros() - nowMicros());
      offsetMicros += behindMicros;
      return behindMicros;
    },
  };
}

/** Returns wall time minus monotonic time, from the two readings closest to each other. */
function readOffset(wallMicros: () => number, monotonicMicros: () => number): number {
  let offsetMicros = 0;
  let closest = Infinity;
  for (let reading = 0; reading < readingsMax && closest > closeMicros; reading++) {
    const before = monotonicMicros();
    const wall = wallMicros();
    const after = monotonicMicros();
    if (after - before >= closest) continue;
    closest = after - before;
    offsetMicros = wall - after;
  }
  return offsetMicros;
}
