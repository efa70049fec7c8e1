/** How fast something grows: a line through its samples, without those of the warm-up. */

/** Caches and the compiler need a while, and the exchange's memory of orders a few hours. */
const warmUpShare = 0.4;
/** The bot remembers the orders of a day, so it grows for a day, and only then not any more. */
const dayHours = 26;
const samplesMin = 4;

/** Whether a run of so many hours is long enough to see what grows for ever. */
export function isLong(hours: number): boolean {
  return hours >= dayHours + 2 * samplesMin;
}

/** Returns bytes per hour by least squares; null if there are too few samples. */
export function slopePerHour(
  samples: readonly { readonly hour: number; readonly bytes: number }[],
): number | null {
  const hours = samples.at(-1)?.hour ?? 0;
  const share = hours * warmUpShare;
  const warmUpHours = isLong(hours) ? Math.max(share, dayHours) : share;
  const warm = samples.filter((one) => one.hour > warmUpHours);
  if (warm.length < samplesMin) return null;
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const hour = mean(warm.map((one) => one.hour));
  const bytes = mean(warm.map((one) => one.bytes));
  let above = 0;
  let below = 0;
  for (const one of warm) {
    above += (one.hour - hour) * (one.bytes - bytes);
    below += (one.hour - hour) ** 2;
  }
  return Math.round(above / below);
}
