/** Feeds as a strategy sees them, in its real host. */
import { EMPTY, merge, NEVER } from 'rxjs';
import { mergeMap } from 'rxjs/operators';
import { expect, test } from 'vitest';
import type { Feed, FeedValue } from '../../../src/strategy/feeds/strategy-feeds.ts';
import { hostOf, pluginOf, startMs } from './host-fixture.ts';

type MutableView = { latest: FeedValue | undefined; isUsable: boolean };

function given(value: string, receivedMs = startMs): FeedValue {
  return { value, values: { value }, receivedMs };
}

test('a feed has its last value while that is usable, and streams of values and of usability', () => {
  const view: MutableView = { latest: undefined, isUsable: false };
  let feed: Feed | undefined;
  const saw: unknown[] = [];
  const plugin = pluginOf((context) => {
    feed = context.feed('reference');
    const note = (what: unknown) => {
      saw.push([what, feed?.value]);
      return EMPTY;
    };
    return merge(
      NEVER,
      feed.value$.pipe(mergeMap(({ value }) => note(value))),
      feed.usable$.pipe(mergeMap(note)),
    );
  });
  const host = hostOf(plugin, { parameters: {}, feeds: new Map([['reference', view]]) });
  // Before the start nobody listens.
  host.tellFeed(startMs, { kind: 'feed', name: 'reference', given: given('0') });
  host.start(startMs);
  expect([feed?.name, feed?.value, feed?.values, feed?.receivedMs]).toEqual([
    ...['reference', undefined, undefined, undefined],
  ]);
  view.latest = given('1.50', startMs + 5);
  view.isUsable = true;
  host.tellFeed(startMs + 5, { kind: 'feed-usable', name: 'reference', usable: true });
  host.tellFeed(startMs + 5, { kind: 'feed', name: 'reference', given: view.latest });
  expect([feed?.value, feed?.values, feed?.receivedMs]).toEqual([
    ...['1.50', { value: '1.50' }, startMs + 5],
  ]);
  view.isUsable = false;
  host.tellFeed(startMs + 9, { kind: 'feed-usable', name: 'reference', usable: false });
  expect([feed?.value, feed?.values, feed?.receivedMs]).toEqual([
    ...[undefined, undefined, startMs + 5],
  ]);
  expect(saw).toEqual([
    [true, '1.50'],
    ['1.50', '1.50'],
    [false, undefined],
  ]);
  host.tellFeed(startMs + 9, { kind: 'feed', name: 'other', given: given('1') });
  expect(host.takeFaults()).toEqual([]);
  expect(Object.isFrozen(feed)).toBe(true);
});

test('a feed that the settings do not list is named with those that they do', () => {
  const plugin = pluginOf((context) => {
    context.feed('referenz');
    return NEVER;
  });
  const view = { latest: undefined, isUsable: false };
  const feeds = new Map([
    ['reference', view],
    ['spread', view],
  ]);
  const faultOf = (host: ReturnType<typeof hostOf>) => {
    host.start(startMs);
    return host.takeFaults()[0]?.message;
  };
  expect(faultOf(hostOf(plugin, { parameters: {}, feeds }))).toMatch(
    /context\.feed: name must be a feed of the strategy \(reference, spread\), .*, was "referenz"/u,
  );
  expect(faultOf(hostOf(plugin, { parameters: {} }))).toMatch(
    /must be a feed of the strategy, which has none: list it under feeds in the settings, was/u,
  );
});
