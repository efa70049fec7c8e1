/** What a venue can and cannot do, as data. */
export type VenueProperties = {
  readonly lists: {
    /** Rows of a page of orders, and of own trades. */
    readonly pageMax: number;
  };
};
