/** What a venue can and cannot do, as data: what the executor decides by. */
export type VenueProperties = {
  /** Which adapter reads its frames, also from captures and journals. */
  readonly protocol: string;
  readonly lists: {
    /** Rows of a page of orders, and of own trades. */
    readonly pageMax: number;
  };
  /** What keeps an order that is sent twice from becoming two. */
  readonly placing: {
    /** It refuses an id that an order has or had. */
    readonly idsLast: boolean;
    /** It refuses an order that arrives after its time to live. */
    readonly refusesExpired: boolean;
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
  };
  readonly movements: {
    /** Whether the rows of a ledger are numbered without gaps, so that none can be missed. */
    readonly isGapless: boolean;
  };
  readonly fees: { readonly takenIn: 'received' | 'base' | 'counter' };
  readonly calls: { readonly perMinute: number };
};
