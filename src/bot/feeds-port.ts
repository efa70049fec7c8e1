/**
 * The driver's port to an exchange and to the bot's feeds: what feeds say becomes events, which the
 * capture records.
 */
import type { ExchangePort } from '../engine/exchange-port.ts';
import type { ReadyFeeds } from '../feeds/feed-secrets.ts';
import type { OpenFeed } from '../feeds/open-feed.ts';
import { type FeedTools, openFeeds } from '../feeds/open-feeds.ts';
import type { CaptureRecorder } from '../recording/capture/capture-recorder.ts';
import type { BotOptions } from './bot-options.ts';

type FeedsPortOptions = FeedTools &
  Pick<BotOptions, 'onNotice'> & {
    readonly feeds?: Pick<ReadyFeeds, 'sources'> | undefined;
    readonly capture: Pick<CaptureRecorder, 'feed'> | undefined;
  };

/** Returns `exchange` with the feeds, which are opened and closed with it. */
export function withFeeds(
  { feeds, capture, onNotice, ...tools }: FeedsPortOptions,
  exchange: ExchangePort,
): ExchangePort {
  const { sources = [] } = feeds ?? {};
  if (sources.length === 0) return exchange;
  let opened: OpenFeed | undefined;
  return {
    open(sink) {
      exchange.open(sink);
      const feedSink = {
        read: (reading: Parameters<CaptureRecorder['feed']>[0]) => {
          capture?.feed(reading);
          sink({ kind: 'feed', reading });
        },
        failed: (name: string, reason: string) => sink({ kind: 'feed-trouble', name, reason }),
        noted: (text: string) => onNotice({ level: 'info', topic: 'stream', text }),
      };
      opened = openFeeds(sources, feedSink, tools);
    },
    request: (effect) => exchange.request(effect),
    reconnect: (effect) => exchange.reconnect(effect),
    close: async () => {
      await opened?.close();
      await exchange.close();
    },
  };
}
