/** What a venue can and cannot do, as data. */
export type VenueProperties = {
  /** Which adapter reads its frames, also from captures and journals. */
  readonly protocol: string;
  readonly lists: {
    /** Rows of a page of orders, and of own trades. */
    readonly pageMax: number;
  };
};
