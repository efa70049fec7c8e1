/** The prices of a stretch of time, as a chart of candles draws them. */
export type Candle = {
  readonly startMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
};
