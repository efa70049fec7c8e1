/** A connection to Luno: a reader over a client that sends only what it is allowed to. */
import type { VenueSettings } from '../../domain/bot-settings.ts';
import type { VenueReader } from '../../venue/venue-reader.ts';
import type { RequestKind } from '../../venue/venue-request.ts';
import { createLunoReader, operationOf } from './adapter/reader.ts';
import { type Client, type ClientOptions, createClient } from './client/client.ts';
import { probePaths } from './client/path-probe.ts';

export type ConnectOptions = Pick<
  ClientOptions,
  'credentials' | 'guard' | 'beforeCall' | 'timers'
> & {
  readonly venue: Pick<VenueSettings, 'baseUrl' | 'paths'>;
  /** The kinds of requests that may be sent; others end as `not-sent`. */
  readonly allow: readonly RequestKind[];
};

export type Connection = VenueReader & {
  /**
   * Asks for what a bot depends on, and the venue's documents do not promise. Throws ConfigError
   * for what the venue does not have.
   */
  readonly check: () => Promise<void>;
  /** Sends the requests of a run. */
  readonly client: Client;
  /** Ends all connections. Pending requests end as `no-answer`; later ones are not sent. */
  readonly close: () => Promise<void>;
};

/** Connects. Throws ConfigError for a bad address, key or path. */
export function connectLuno({ venue, allow, ...options }: ConnectOptions): Connection {
  const { baseUrl, paths } = venue;
  const client = createClient({
    ...{ ...options, baseUrl, paths },
    allow: allow.map((kind) => operationOf[kind]),
  });
  return {
    ...createLunoReader(client.request),
    check: () => probePaths(client),
    client,
    close: client.close,
  };
}
