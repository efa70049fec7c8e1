/**
 * The feeds of a run: their last values, and whether these are too old. What a feed says arrives as
 * events; what counts is when it was received.
 *
 *     no value ──value──▶ usable ──older than its ageMax──▶ stale ──value──▶ usable
 *
 * Invariants: a value never gets younger; a stale feed is reported once, and once more when it has
 * values again.
 */
import type { FeedStatus } from '../../domain/bot-status.ts';
import type { FeedReading, FeedRule } from '../../domain/feed.ts';
import { durationText } from '../../domain/unit-text.ts';
import type { FeedChange, FeedValue, FeedView } from '../../strategy/feeds/strategy-feeds.ts';
import type { EngineContext } from '../engine-context.ts';
import type { RunnerStrategy } from '../strategy-runner.ts';
import type { FeedEvent } from './feed-event.ts';

type FeedState = FeedRule & {
  latest: FeedValue | undefined;
  isUsable: boolean;
  /** Since when it has had no value that can be used. */
  staleMs: number;
  /** Whether that has been reported. */
  isReported: boolean;
  /** Why its source gives nothing; undefined if it does, or if nothing is known. */
  trouble: string | undefined;
  /** Whether a timer waits for the last value to become too old. */
  isWatched: boolean;
};

type Context = Pick<EngineContext, 'nowMs' | 'notice' | 'wakeAfter'>;

export class EngineFeeds {
  readonly #context: Context;
  readonly #feeds: ReadonlyMap<string, FeedState>;
  #strategies: readonly RunnerStrategy[] = [];

  constructor(context: Context, rules: readonly FeedRule[] = []) {
    this.#context = context;
    const state = { latest: undefined, isUsable: false, trouble: undefined };
    const { nowMs: staleMs } = context;
    this.#feeds = new Map(
      rules.map((rule) => [
        rule.name,
        { ...rule, ...state, staleMs, isReported: false, isWatched: false },
      ]),
    );
  }

  /** Returns the views of the named feeds. The settings were checked, so each is known. */
  viewsOf(names: readonly string[] = []): ReadonlyMap<string, FeedView> {
    return new Map(
      names.flatMap((name) => {
        const view = this.#feeds.get(name);
        return view === undefined ? [] : [[name, view] as const];
      }),
    );
  }

  /** Sets the strategies that are told of changes. */
  connect(strategies: readonly RunnerStrategy[]): void {
    this.#strategies = strategies;
  }

  /** Tells a strategy that starts now what its feeds have said before. */
  tellLatest({ settings, host }: Pick<RunnerStrategy, 'settings' | 'host'>): void {
    const { nowMs } = this.#context;
    for (const name of settings.feeds ?? []) {
      const { latest: given, isUsable } = this.#feeds.get(name) ?? {};
      if (given === undefined || isUsable !== true) continue;
      host.tellFeed(nowMs, { kind: 'feed-usable', name, usable: true });
      host.tellFeed(nowMs, { kind: 'feed', name, given });
    }
  }

  /** Begins to watch for feeds that say nothing. */
  begin(): void {
    for (const feed of this.#feeds.values()) {
      feed.staleMs = this.#context.nowMs;
      this.#watch(feed, feed.ageMsMax);
    }
  }

  take(event: FeedEvent): void {
    const feed = this.#feeds.get(event.kind === 'feed' ? event.reading.name : event.name);
    if (feed === undefined) return;
    if (event.kind === 'feed-trouble') feed.trouble = event.reason;
    else this.#takeReading(feed, event.reading);
  }

  /** Returns every feed as it is now. */
  states(): readonly FeedStatus[] {
    return [...this.#feeds.values()].map((feed) => ({
      name: feed.name,
      values: feed.latest?.values ?? null,
      receivedMs: feed.latest?.receivedMs ?? null,
      problem: feed.isUsable ? null : this.#textOf(feed),
    }));
  }

  /** Why the first feed without a value is unusable; undefined if all are usable. */
  troubleOf(names: readonly string[] = []): string | undefined {
    for (const name of names) {
      const feed = this.#feeds.get(name);
      if (feed !== undefined && !feed.isUsable) return this.#textOf(feed);
    }
    return undefined;
  }

  #takeReading(feed: FeedState, { name, values, receivedMicros }: FeedReading): void {
    const { nowMs } = this.#context;
    const receivedMs = Math.min(nowMs, Math.floor(receivedMicros / 1000));
    const isOld = receivedMs < (feed.latest?.receivedMs ?? 0);
    // A recording may begin with a value from long before the run.
    if (isOld || nowMs - receivedMs >= feed.ageMsMax) return;
    const copy = Object.freeze({ ...values });
    const given = Object.freeze({ value: copy['value'], values: copy, receivedMs });
    feed.latest = given;
    feed.trouble = undefined;
    this.#watch(feed, receivedMs + feed.ageMsMax - nowMs);
    if (!feed.isUsable) {
      feed.isUsable = true;
      if (feed.isReported) {
        const after = durationText(Math.max(1, Math.round((nowMs - feed.staleMs) / 1000)) * 1000);
        const text = `feed ${name} has values again after ${after}`;
        this.#context.notice({ level: 'info', topic: 'stream', text });
        feed.isReported = false;
      }
      this.#tell({ kind: 'feed-usable', name, usable: true });
    }
    this.#tell({ kind: 'feed', name, given });
  }

  /** Looks at the feed's age after `milliseconds`, and later again while it gets values. */
  #watch(feed: FeedState, milliseconds: number): void {
    if (feed.isWatched) return;
    feed.isWatched = true;
    this.#context.wakeAfter(milliseconds, () => {
      feed.isWatched = false;
      const { nowMs } = this.#context;
      const sinceMs = feed.latest?.receivedMs ?? feed.staleMs;
      const leftMs = sinceMs + feed.ageMsMax - nowMs;
      if (leftMs > 0) this.#watch(feed, leftMs);
      else this.#end(feed, sinceMs);
    });
  }

  #end(feed: FeedState, sinceMs: number): void {
    const { name } = feed;
    const wasUsable = feed.isUsable;
    feed.isUsable = false;
    feed.staleMs = sinceMs;
    feed.isReported = true;
    this.#context.notice({ level: 'warn', topic: 'stream', text: this.#textOf(feed) });
    if (wasUsable) this.#tell({ kind: 'feed-usable', name, usable: false });
  }

  #textOf({ name, latest, staleMs, trouble }: FeedState): string {
    const why = trouble === undefined ? '' : `: ${trouble}`;
    const seconds = Math.floor((this.#context.nowMs - staleMs) / 1000);
    const forText = `for ${durationText(Math.max(1, seconds) * 1000)}`;
    return latest === undefined
      ? `feed ${name} has had no value since the start, ${forText}${why}`
      : `feed ${name} is stale: no value ${forText}${why}`;
  }

  #tell(change: FeedChange): void {
    for (const { settings, host } of this.#strategies)
      if (settings.feeds?.includes(change.name) === true)
        host.tellFeed(this.#context.nowMs, change);
  }
}
