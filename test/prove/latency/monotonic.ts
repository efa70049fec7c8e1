/** Microseconds of CLOCK_MONOTONIC, which is the same in every process of the machine. */
export function monotonicMicros(): number {
  return Number(process.hrtime.bigint()) / 1_000;
}
