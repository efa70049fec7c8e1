/**
 * The feeds of one strategy: what it sees of them, and their streams.
 *
 * Invariant: a feed is looked up by the names of the strategy's settings; a plugin opens nothing.
 */
import type { Observable } from 'rxjs';
import type { FeedValues } from '../../domain/feed.ts';
import { refuseArgument } from '../argument.ts';
import { EventSource } from '../event-source.ts';

/** What a feed said at one time; frozen. */
export type FeedValue = {
  /** The number, as decimal text; undefined if the settings give its numbers other names. */
  readonly value: string | undefined;
  /** The numbers by the names that the settings give them; a feed of one number has `value`. */
  readonly values: FeedValues;
  /** When it was received, in milliseconds since the epoch. */
  readonly receivedMs: number;
};

/** One feed, as a strategy sees it. */
export interface Feed {
  /** The feed's name in the settings. */
  readonly name: string;
  /**
   * The last number, as decimal text for `market.nearestTick` and `decimalOf`. Undefined before the
   * first one and once it is older than the feed's `ageMax`: such a feed is stale.
   */
  readonly value: string | undefined;
  /** The last numbers by name, if the settings name several. Undefined as `value`. */
  readonly values: FeedValues | undefined;
  /** When the last numbers were received, in milliseconds since the epoch; also while stale. */
  readonly receivedMs: number | undefined;
  /**
   * Emits what is received, also if it is the same as before; right after the start the last value,
   * if it is not too old.
   */
  readonly value$: Observable<FeedValue>;
  /**
   * Emits false when the feed becomes stale, and true when it has values again; right after the
   * start true, if it has one.
   */
  readonly usable$: Observable<boolean>;
}

/** The engine's view of a feed. */
export type FeedView = {
  readonly latest: FeedValue | undefined;
  /** Whether there is a value that is not too old. */
  readonly isUsable: boolean;
};

/** What happened to a feed. */
export type FeedChange =
  | { readonly kind: 'feed'; readonly name: string; readonly given: FeedValue }
  | { readonly kind: 'feed-usable'; readonly name: string; readonly usable: boolean };

type Streams = {
  readonly feed: Feed;
  readonly values: EventSource<FeedValue>;
  readonly usable: EventSource<boolean>;
};

export class StrategyFeeds {
  readonly #streams: ReadonlyMap<string, Streams>;

  constructor(views: ReadonlyMap<string, FeedView>) {
    this.#streams = new Map([...views].map(([name, view]) => [name, streamsOf(name, view)]));
  }

  /** Returns a feed of the strategy. Throws RangeError for any other name. */
  get(name: string): Feed {
    const streams = this.#streams.get(name);
    if (streams !== undefined) return streams.feed;
    const names = [...this.#streams.keys()];
    const allowed =
      names.length === 0
        ? 'a feed of the strategy, which has none: list it under feeds in the settings'
        : `a feed of the strategy (${names.join(', ')}), which its settings list under feeds`;
    return refuseArgument(['context.feed', 'name'], allowed, name);
  }

  /** Whether code of the plugin runs on the change. */
  isObserved({ kind, name }: FeedChange): boolean {
    const streams = this.#streams.get(name);
    return (kind === 'feed' ? streams?.values : streams?.usable)?.isObserved === true;
  }

  emit(change: FeedChange): void {
    const streams = this.#streams.get(change.name);
    if (change.kind === 'feed') streams?.values.emit(change.given);
    else streams?.usable.emit(change.usable);
  }
}

function streamsOf(name: string, view: FeedView): Streams {
  const values = new EventSource<FeedValue>();
  const usable = new EventSource<boolean>();
  const latest = () => (view.isUsable ? view.latest : undefined);
  const feed: Feed = Object.freeze({
    name,
    get value() {
      return latest()?.value;
    },
    get values() {
      return latest()?.values;
    },
    get receivedMs() {
      return view.latest?.receivedMs;
    },
    value$: values.stream$,
    usable$: usable.stream$,
  });
  return { feed, values, usable };
}
