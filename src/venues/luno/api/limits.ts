/**
 * The documented limits, and the different limits of earlier revisions. `limits-table.ts` lists the
 * source of each.
 */
import { lunoProfile } from '../../profiles.ts';

const { calls, placing } = lunoProfile;

export const limits = {
  /** Calls of one customer in any 60 seconds; more are refused with 429. */
  requestsPerMinuteMax: calls.perMinute,
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
  ttlMsMin: placing.ttlMs.min,
  ttlMsMax: placing.ttlMs.max,
  ttlMsDefault: 10_000,
  clientOrderIdLengthMax: placing.idLengthMax,
  clientMoveIdLengthMax: 255,
  descriptionLengthMax: 256,
  /** Receive addresses: one per interval, with bursts of up to `addressCreationBurst`. */
  addressCreationIntervalMs: 3_600_000,
  addressCreationBurst: 10,
  ethereumAddressesMax: 1,
  closedOrderArchiveDays: 100,
  marketDataCacheMs: 1_000,
  userStreamCacheMs: 300_000,
  /** A stream without credentials is closed after this time. */
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

/** The limits that differ between revisions of the API. */
export type RevisionLimits = {
  readonly accountsPerCurrencyMax: number;
  readonly clientOrderIdLengthMax: number;
  /** Per customer. */
  readonly requests: RequestLimit;
  /** Per IP address, without authentication; undefined: no limit and no limit headers. */
  readonly publicRequests: RequestLimit | undefined;
};

/** `window`: `max` calls in any `windowMs`; `bucket`: a `burst`, then one call per `intervalMs`. */
export type RequestLimit =
  | { readonly kind: 'window'; readonly max: number; readonly windowMs: number }
  | { readonly kind: 'bucket'; readonly burst: number; readonly intervalMs: number };

/** The documents no longer limit public calls; these figures are from headers on the wire. */
const seenPublicRequests = { kind: 'window', max: 5_000, windowMs: 1_000 } as const;

export const limitRevisions = {
  /** Version 1.2.5 with the change of 2026-10-01. */
  current: {
    accountsPerCurrencyMax: limits.accountsPerCurrencyMax,
    clientOrderIdLengthMax: limits.clientOrderIdLengthMax,
    requests: { kind: 'window', max: limits.requestsPerMinuteMax, windowMs: 60_000 },
    publicRequests: seenPublicRequests,
  },
  /** Before 2026-10-01. */
  'long-order-ids': {
    accountsPerCurrencyMax: limits.accountsPerCurrencyMax,
    clientOrderIdLengthMax: 255,
    requests: { kind: 'window', max: limits.requestsPerMinuteMax, windowMs: 60_000 },
    publicRequests: seenPublicRequests,
  },
  /** The limits of earlier revisions. */
  earlier: {
    accountsPerCurrencyMax: 4,
    clientOrderIdLengthMax: 255,
    requests: { kind: 'bucket', burst: 5, intervalMs: 1_000 },
    publicRequests: { kind: 'bucket', burst: 1, intervalMs: 1_000 },
  },
} as const satisfies Record<string, RevisionLimits>;

export type LimitRevision = keyof typeof limitRevisions;
