/** The engine's views of the account for one strategy on one pair. All values are frozen. */
import type { AccountBalance, Profit, Totals, Traded } from './own-account.ts';
import type { RecentFills } from './recent-fills.ts';

export type AccountReads = {
  readonly fills: RecentFills;
  totals(): Totals;
  profit(): Profit;
  /** What the order of a key has traded; undefined if that is not known. */
  traded(key: string): Traded | undefined;
  /** Undefined while it is not known. */
  balance(currency: string): AccountBalance | undefined;
};
