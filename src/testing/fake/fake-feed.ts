/** A feed of a test, which says what the script says. */
import { ConfigError } from '../../domain/errors.ts';
import { plainNumber } from '../../domain/feed.ts';
import type { FeedChange, FeedValue, FeedView } from '../../strategy/feeds/strategy-feeds.ts';
import type { FeedGiven } from './fake-options.ts';

export class FakeFeed implements FeedView {
  readonly name: string;
  latest: FeedValue | undefined;
  isUsable = false;

  constructor(name: string) {
    this.name = name;
  }

  /** Takes what the script says at `receivedMs`; returns what the strategy is told. */
  take(given: FeedGiven, receivedMs: number): readonly FeedChange[] {
    const { name } = this;
    const wasUsable = this.isUsable;
    this.isUsable = given !== 'stale';
    if (given === 'stale') return wasUsable ? [{ kind: 'feed-usable', name, usable: false }] : [];
    const values = typeof given === 'string' ? { value: given } : given;
    for (const [field, value] of Object.entries(values))
      if (plainNumber(value) !== value)
        throw new ConfigError(
          `fakeContext: feeds.${name}: ${field} must be decimal text such as "1000.5" or stale, was "${value}"`,
        );
    const copy = Object.freeze({ ...values });
    const latest = Object.freeze({ value: copy['value'], values: copy, receivedMs });
    this.latest = latest;
    const told: FeedChange = { kind: 'feed', name, given: latest };
    return wasUsable ? [told] : [{ kind: 'feed-usable', name, usable: true }, told];
  }
}
