/** How fast something grows: a line through its samples, without those of the warm-up. */

/** Caches, the exchange's memory of orders and the compiler need a while to fill. */
const warmUpShare = 0.4;
const samplesMin = 4;

/** Returns bytes per hour by least squares; null if there are too few samples. */
export function slopePerHour(
  samples: readonly { readonly hour: number; readonly bytes: number }[],
): number | null {
  const warm = samples.slice(Math.floor(samples.length * warmUpShare));
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
