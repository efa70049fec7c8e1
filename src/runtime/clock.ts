/**
 * The only clock. Wall time in integer microseconds that never goes backwards within a process.
 *
 * Invariant: the wall time is the one read at the start plus what the monotonic clock has counted
 * since, so a step of the system's clock does not move ours; {@link SystemClock.driftMs} shows it.
 */

/** What the rest of the program may know of time. */
export type Clock = {
  /** Microseconds since 1970, a safe integer; never less than an earlier answer. */
  nowMicros(): number;
  /** Microseconds since an arbitrary start, for durations only. */
  monotonicMicros(): number;
};

export type SystemClock = Clock & {
  /**
   * How far the system's wall clock is ahead of ours, in milliseconds. It grows when the system's
   * clock is set, and when the machine sleeps, since a monotonic clock may stop meanwhile.
   */
  driftMs(): number;
  /** Moves ours forward to the system's, never back. Returns the microseconds moved. */
  catchUp(): number;
};

/** The two readings a clock is made of; only tests give their own. */
export type TimeSource = {
  readonly wallMs: () => number;
  readonly monotonicMs: () => number;
};

const system: TimeSource = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** A process that is held up between two readings reads again, so often at most. */
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

/** Returns wall time less monotonic time, of the closest two readings. */
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
