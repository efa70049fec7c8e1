/** The events of a feed: what it said, and why it says nothing. */
import type { FeedReading } from '../../domain/feed.ts';

export type FeedEvent =
  | { readonly kind: 'feed'; readonly reading: FeedReading }
  | { readonly kind: 'feed-trouble'; readonly name: string; readonly reason: string };
