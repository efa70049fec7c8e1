/** The durations of the exchange's candles, in seconds: one minute to one week. */
export const candleDurations = [
  60, 300, 900, 1800, 3600, 10_800, 14_400, 28_800, 86_400, 259_200, 604_800,
] as const;
