/** The age of feeds: values are usable until they are too old, which is reported once. */
import { describe, expect, it } from 'vitest';
import type { Notice } from '../../../src/domain/notice.ts';
import { EngineFeeds } from '../../../src/engine/feeds/engine-feeds.ts';
import type { RunnerStrategy } from '../../../src/engine/strategy-runner.ts';
import { TimerQueue } from '../../../src/engine/timer-queue.ts';
import type { FeedChange } from '../../../src/strategy/feeds/strategy-feeds.ts';

const startMs = 1_000_000;

class World {
  nowMs = startMs;
  readonly timers = new TimerQueue();
  readonly notices: string[] = [];
  readonly told: FeedChange[] = [];
  readonly feeds: EngineFeeds;

  static strategy(feeds: readonly string[] | undefined, told: FeedChange[]): RunnerStrategy {
    const host = { tellFeed: (_: number, change: FeedChange) => told.push(change) };
    return { settings: { feeds }, host } as unknown as RunnerStrategy;
  }

  constructor() {
    this.feeds = new EngineFeeds(this, [{ name: 'reference', ageMsMax: 30_000 }]);
    this.feeds.connect([World.strategy(['reference'], this.told), World.strategy(undefined, [])]);
    this.feeds.begin();
  }

  notice({ level, text }: Notice): void {
    this.notices.push(`${level} ${text}`);
  }

  wakeAfter(milliseconds: number, run: () => void): void {
    this.timers.at((this.nowMs + milliseconds) * 1_000, { onTime: run });
  }

  at(milliseconds: number): this {
    for (;;) {
      const dueMs = Math.min(this.timers.nextMicros / 1_000, startMs + milliseconds);
      this.nowMs = dueMs;
      this.timers.runDue(dueMs * 1_000);
      if (dueMs === startMs + milliseconds && this.timers.nextMicros > dueMs * 1_000) return this;
    }
  }

  say(value: string, receivedMs = this.nowMs): void {
    const reading = { name: 'reference', values: { value }, receivedMicros: receivedMs * 1_000 };
    this.feeds.take({ kind: 'feed', reading });
  }

  get view() {
    return this.feeds.viewsOf(['reference']).get('reference');
  }
}

describe('a feed', () => {
  it('tells a strategy that starts later its last value, unless that is too old', () => {
    const world = new World();
    const toldAt = (milliseconds: number): readonly FeedChange[] => {
      const told: FeedChange[] = [];
      world.at(milliseconds).feeds.tellLatest(World.strategy(['reference'], told));
      return told;
    };
    expect(toldAt(1_000)).toEqual([]);
    world.at(5_000).say('1');
    expect(toldAt(20_000)).toMatchObject([
      { kind: 'feed-usable', usable: true },
      { kind: 'feed', given: { value: '1', receivedMs: startMs + 5_000 } },
    ]);
    expect(toldAt(36_000)).toEqual([]);
  });

  it('is usable from its first value until that is too old', () => {
    const world = new World();
    expect(world.view).toMatchObject({ isUsable: false, latest: undefined });
    world.at(5_000).say('1');
    expect(world.view).toMatchObject({ isUsable: true, latest: { value: '1' } });
    world.at(20_000).say('2');
    world.at(49_999);
    expect(world.view?.isUsable).toBe(true);
    world.at(50_000);
    expect(world.view).toMatchObject({ isUsable: false, latest: { receivedMs: startMs + 20_000 } });
    world.at(95_000).say('3');
    expect(world.told.map((one) => (one.kind === 'feed' ? one.given.value : one.usable))).toEqual([
      ...[true, '1', '2', false, true, '3'],
    ]);
    expect(world.notices).toEqual([
      'warn feed reference is stale: no value for 30s',
      'info feed reference has values again after 1m 15s',
    ]);
  });

  it('says why it has no value, once, and its reason later on', () => {
    const world = new World();
    world.feeds.take({ kind: 'feed-trouble', name: 'reference', reason: 'HTTP 500' });
    world.at(29_999);
    expect(world.notices).toEqual([]);
    world.at(600_000);
    expect(world.notices).toEqual([
      'warn feed reference has had no value since the start, for 30s: HTTP 500',
    ]);
    world.feeds.take({ kind: 'feed-trouble', name: 'reference', reason: 'HTTP 502' });
    expect(world.feeds.troubleOf(['reference'])).toBe(
      'feed reference has had no value since the start, for 10m: HTTP 502',
    );
    world.say('1');
    expect(world.feeds.troubleOf(['reference'])).toBeUndefined();
    world.at(630_000);
    expect(world.notices.slice(1)).toEqual([
      'info feed reference has values again after 10m',
      'warn feed reference is stale: no value for 30s',
    ]);
  });

  it('counts the age of a value from its receipt, which never goes back', () => {
    const world = new World().at(60_000);
    world.say('old', startMs + 30_000);
    expect(world.view?.isUsable).toBe(false);
    world.say('1', startMs + 40_000);
    world.say('0', startMs + 39_999);
    world.say('ahead', startMs + 99_000);
    expect(world.view?.latest).toMatchObject({ value: 'ahead', receivedMs: startMs + 60_000 });
    world.at(89_999);
    expect(world.view?.isUsable).toBe(true);
    world.at(90_000);
    expect(world.view?.isUsable).toBe(false);
  });

  it('that the settings do not have is left out', () => {
    const world = new World();
    const reading = { name: 'other', values: { value: '1' }, receivedMicros: 1 };
    world.feeds.take({ kind: 'feed', reading });
    world.feeds.take({ kind: 'feed-trouble', name: 'other', reason: 'HTTP 500' });
    expect([world.told, world.feeds.viewsOf(['other']).size]).toEqual([[], 0]);
  });
});
