/** The durations of the exchange's candles, in seconds: one minute to one week. */
export const candleDurations = [
  60, 300, 900, 1800, 3600, 10_800, 14_400, 28_800, 86_400, 259_200, 604_800,
] as const;

/**
 * Returns the longest candle of the exchange of which whole ones make up `intervalMs`, in
 * milliseconds; undefined unless it is a number of whole minutes.
 */
export function candlePartMs(intervalMs: number): number | undefined {
  const seconds = candleDurations.findLast((one) => intervalMs % (one * 1_000) === 0);
  return seconds === undefined || intervalMs <= 0 ? undefined : seconds * 1_000;
}
