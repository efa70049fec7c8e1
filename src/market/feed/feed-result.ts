/** The state of a market feed, and what a message has done to it. */
import type { BookFault } from '../book/book-error.ts';
import type { TopChange } from '../book/book-top.ts';
import type { MarketTrade } from '../book/market-trade.ts';

export type FeedState =
  | { readonly kind: 'awaiting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'unusable'; readonly fault: BookFault; readonly message: string };

export type FeedResult =
  | {
      readonly kind: 'applied';
      readonly trades: readonly MarketTrade[];
      readonly topChange: TopChange;
    }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'unusable'; readonly fault: BookFault; readonly message: string };
