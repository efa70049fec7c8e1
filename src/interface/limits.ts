/** The documented limits, each named for what it bounds. */
export const limits = {
  /** Calls in any 60 seconds, for one customer; more are answered with 429. */
  requestsPerMinuteMax: 300,
  streamSessionsMax: 50,
  ledgerRowsPerCallMax: 1000,
  orderBookTopLevelsMax: 100,
  listLimitMin: 1,
  listLimitMax: 1000,
  listLimitDefault: 100,
  ttlMsMin: 1,
  ttlMsMax: 10_000,
  ttlMsDefault: 10_000,
  clientOrderIdLengthMax: 100,
  marketDataCacheMs: 1_000,
  userStreamCacheMs: 300_000,
  /** A stream that got no credentials is closed after this. */
  streamCredentialsTimeoutMs: 10_000,
  closedOrderArchiveDays: 100,
} as const;
