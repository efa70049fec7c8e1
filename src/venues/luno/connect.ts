/** A connection to Luno: a client that sends only what it is allowed to, and its streams. */
import type { VenueSettings } from '../../domain/bot-settings.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import type { VenueReader } from '../../venue/venue-reader.ts';
import type { VenueReply } from '../../venue/venue-reply.ts';
import type { RequestKind, VenueRequest } from '../../venue/venue-request.ts';
import type { MarketListener, ReportListener, VenueStream } from '../../venue/venue-streams.ts';
import { operationsOf, type ScalesOf, venueReplyOf, wireRequestOf } from './adapter/codec.ts';
import { createLunoReader, noScales } from './adapter/reader.ts';
import { type ClientOptions, createClient } from './client/client.ts';
import { createMarketStream } from './client/market-stream-client.ts';
import { probePaths } from './client/path-probe.ts';
import { createUserStream } from './client/user-stream-client.ts';

export type ConnectOptions = Pick<
  ClientOptions,
  'credentials' | 'guard' | 'beforeCall' | 'timers'
> & {
  readonly venue: Omit<VenueSettings, 'name'>;
  /** The kinds of requests that may be sent; others end as `not-sent`. */
  readonly allow: readonly RequestKind[];
};

type StreamParts = {
  readonly clock: Pick<Clock, 'monotonicMicros'>;
  readonly random: Pick<Random, 'next'>;
};

export type MarketStreamOptions = StreamParts & {
  readonly pair: string;
  readonly listener: MarketListener;
};

export type ReportStreamOptions = StreamParts & { readonly listener: ReportListener };

export type Connection = VenueReader & {
  /**
   * Asks for what a bot depends on, and the venue's documents do not promise. Throws ConfigError
   * for what the venue does not have.
   */
  readonly check: () => Promise<void>;
  /**
   * Sends a request of a run, at most once. Never throws; only an order needs the scales of its
   * pair.
   */
  readonly send: (
    request: VenueRequest,
    deadlineMs: number,
    scalesOf?: ScalesOf,
  ) => Promise<VenueReply>;
  /** Returns a market's stream, not started. Throws ConfigError for a bad pair or address. */
  readonly marketStream: (options: MarketStreamOptions) => VenueStream;
  /** Returns the stream of reports, not started. Throws ConfigError without a key. */
  readonly reportStream: (options: ReportStreamOptions) => VenueStream;
  /** Ends the connections of requests. Pending ones end as `no-answer`; later ones are not sent. */
  readonly close: () => Promise<void>;
};

/** Connects. Throws ConfigError for a bad address, key or path. */
export function connectLuno({ venue, allow, ...options }: ConnectOptions): Connection {
  const { baseUrl, paths, streamUrl: url, userStreamPath } = venue;
  const { credentials, timers } = options;
  const client = createClient({
    ...{ ...options, baseUrl, paths },
    allow: allow.flatMap(operationsOf),
  });
  return {
    ...createLunoReader(client.request),
    check: () => probePaths(client),
    send: async (request, deadlineMs, scalesOf = noScales) => {
      const { operation, parameters } = wireRequestOf(request, scalesOf);
      // The parameters are those of the operation.
      const given = parameters as never;
      return venueReplyOf(request, await client.request(operation, given, { deadlineMs }));
    },
    marketStream: (stream) => createMarketStream({ url, credentials, timers, ...stream }),
    reportStream: (stream) =>
      createUserStream({ url, credentials, timers, pathOverride: userStreamPath, ...stream }),
    close: client.close,
  };
}
