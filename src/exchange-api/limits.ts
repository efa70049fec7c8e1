/**
 * The documented limits, each named for what it bounds, and those that earlier revisions stated.
 * `limits-table.ts` says where each is written.
 */
export const limits = {
  /** Calls in any 60 seconds, for one customer; more are answered with 429. */
  requestsPerMinuteMax: 300,
  streamSessionsMax: 50,
  accountsPerCurrencyMax: 10,
  ledgerRowsPerCallMax: 1000,
  orderBookTopLevelsMax: 100,
  publicTradesPerCallMax: 100,
  publicTradesAgeMsMax: 86_400_000,
  listLimitMin: 1,
  listLimitMax: 1000,
  listLimitDefault: 100,
  candlesPerCallMax: 1000,
  ttlMsMin: 1,
  ttlMsMax: 10_000,
  ttlMsDefault: 10_000,
  clientOrderIdLengthMax: 100,
  clientMoveIdLengthMax: 255,
  descriptionLengthMax: 256,
  /** Receive addresses: one becomes free in this time, and so many may be created at once. */
  addressCreationIntervalMs: 3_600_000,
  addressCreationBurst: 10,
  ethereumAddressesMax: 1,
  closedOrderArchiveDays: 100,
  marketDataCacheMs: 1_000,
  userStreamCacheMs: 300_000,
  /** A stream that got no credentials is closed after this. */
  streamCredentialsTimeoutMs: 10_000,
  amountIntegerDigitsMax: 12,
  amountFractionDigitsMax: 18,
  walletNameLengthMin: 1,
  walletNameLengthMax: 100,
  pageSizeMin: 1,
  pageSizeMax: 1000,
  pageSizeDefault: 100,
  pageIndexMax: 100,
  pageIndexDefault: 0,
} as const;

/** The limits that revisions of the interface stated differently. */
export type RevisionLimits = {
  readonly accountsPerCurrencyMax: number;
  readonly clientOrderIdLengthMax: number;
  /** For one customer. */
  readonly requests: RequestLimit;
  /** For one address, without authentication; undefined: not limited, and no headers say so. */
  readonly publicRequests: RequestLimit | undefined;
};

/** `max` calls in any `windowMs`; a `burst` of calls at once, then one in each `intervalMs`. */
export type RequestLimit =
  | { readonly kind: 'window'; readonly max: number; readonly windowMs: number }
  | { readonly kind: 'bucket'; readonly burst: number; readonly intervalMs: number };

/** No document limits public calls now; these are the headers seen on the wire. */
const seenPublicRequests = { kind: 'window', max: 5_000, windowMs: 1_000 } as const;

export const limitRevisions = {
  /** Interface 1.2.5 with the change of 2026-10-01. */
  current: {
    accountsPerCurrencyMax: limits.accountsPerCurrencyMax,
    clientOrderIdLengthMax: limits.clientOrderIdLengthMax,
    requests: { kind: 'window', max: limits.requestsPerMinuteMax, windowMs: 60_000 },
    publicRequests: seenPublicRequests,
  },
  /** As before 2026-10-01. */
  'long-order-ids': {
    accountsPerCurrencyMax: limits.accountsPerCurrencyMax,
    clientOrderIdLengthMax: 255,
    requests: { kind: 'window', max: limits.requestsPerMinuteMax, windowMs: 60_000 },
    publicRequests: seenPublicRequests,
  },
  /** What the earlier revisions stated. */
  earlier: {
    accountsPerCurrencyMax: 4,
    clientOrderIdLengthMax: 255,
    requests: { kind: 'bucket', burst: 5, intervalMs: 1_000 },
    publicRequests: { kind: 'bucket', burst: 1, intervalMs: 1_000 },
  },
} as const satisfies Record<string, RevisionLimits>;

export type LimitRevision = keyof typeof limitRevisions;
