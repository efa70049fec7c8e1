/** The counts that a feed keeps of its messages. */
export type FeedCounts = Readonly<MutableFeedCounts>;

type MutableFeedCounts = {
  snapshots: number;
  updates: number;
  /** Deletes of orders that were not in the book. */
  unknownDeletes: number;
  /** Trades whose counter amount is not exactly price times volume. */
  valueMismatches: number;
  /** Rows of a recording that did not fit the book. */
  misfits: number;
  /** How often the book became unusable. */
  faults: number;
};

export function noFeedCounts(): MutableFeedCounts {
  return {
    snapshots: 0,
    updates: 0,
    unknownDeletes: 0,
    valueMismatches: 0,
    misfits: 0,
    faults: 0,
  };
}
