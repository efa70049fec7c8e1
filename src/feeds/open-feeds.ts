/** Opens the feeds of a bot. */
import type { FeedSource } from '../domain/feed.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import type { Timers } from '../runtime/timers.ts';
import { FeedIntake, type FeedSink } from './feed-intake.ts';
import { followFile } from './followed-file.ts';
import { pollHttp } from './http-poll.ts';
import type { OpenFeed } from './open-feed.ts';
import { openWebSocketFeed } from './websocket-feed.ts';

export type FeedTools = {
  readonly clock: Pick<Clock, 'nowMicros'>;
  readonly timers: Timers;
  readonly random: Pick<Random, 'next'>;
};

/** Opens every feed of `sources`; `sink` is told what they say, from now on. */
export function openFeeds(
  sources: readonly FeedSource[],
  sink: FeedSink,
  tools: FeedTools,
): OpenFeed {
  const feeds = sources.map((source) => openFeed(source, sink, tools));
  return {
    close: async () => {
      await Promise.all(feeds.map((feed) => feed.close()));
    },
  };
}

function openFeed(source: FeedSource, sink: FeedSink, { clock, ...tools }: FeedTools): OpenFeed {
  const intake = new FeedIntake(source, sink, clock);
  const { place } = source;
  switch (place.kind) {
    case 'http':
      return pollHttp(place, intake, tools.timers);
    case 'websocket':
      return openWebSocketFeed(place, intake, tools);
    case 'file':
      return followFile(place.path, intake, tools.timers);
  }
}
