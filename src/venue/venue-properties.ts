/** What a venue can and cannot do, as data: what the executor decides by. */
import type { ExchangeProfile } from '../domain/exchange-profile.ts';

/** The venue's profile, and what its adapter adds to that. */
export type VenueProperties = ExchangeProfile & {
  /** Which adapter reads its frames, also from captures and journals. */
  readonly protocol: string;
  readonly lists: {
    /** Rows of a page of orders, and of own trades. */
    readonly pageMax: number;
  };
  /** What proves that an order which was sent does not exist, and never will. */
  readonly absence: {
    /** This many answers that it is not found, each later than a read may lag. */
    readonly misses: number;
    /** The last of them, and complete lists without it, so long after it was sent. */
    readonly afterMs: number;
    /** The same, if the venue has said that an order with its id exists. */
    readonly afterExistsMs: number;
  };
  readonly reports: {
    /** Whether a report may be missing or come twice. */
    readonly mayBeLost: boolean;
  };
  readonly reads: {
    /**
     * How long after the venue has accepted an order its reads may not show it: at least, and the
     * most that is tolerated. Where they differ, the lag is measured.
     */
    readonly lagMs: { readonly min: number; readonly max: number };
    /** How long after the end of an order its reads may still show it as open. */
    readonly endLagMs: number;
  };
  readonly movements: {
    /** Whether the rows of a ledger are numbered without gaps, so that none can be missed. */
    readonly isGapless: boolean;
  };
};
