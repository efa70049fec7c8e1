/**
 * Puts the secrets of feeds into their addresses and headers. The settings have only the names of
 * environment variables, so that neither they nor a journal has a secret.
 */
import { ConfigError } from '../domain/errors.ts';
import type { FeedHeaders, FeedPlace, FeedSource } from '../domain/feed.ts';
import { secretLengthMin } from '../runtime/secret-filter.ts';
import { type Environment, readSecret } from '../runtime/secrets.ts';

/** Feeds that can be opened, and the secrets in them, which no output may have. */
export type ReadyFeeds = {
  readonly sources: readonly FeedSource[];
  readonly secrets: readonly string[];
};

/**
 * Returns the feeds that strategies see, with their secrets. Throws ConfigError for a secret that
 * the environment lacks.
 */
export function readyFeeds(
  sources: readonly FeedSource[],
  strategies: readonly { readonly feeds?: readonly string[] }[],
  environment: Environment,
): ReadyFeeds {
  const seen = new Set(strategies.flatMap(({ feeds = [] }) => feeds));
  const secrets = new Set<string>();
  const filled = (feed: string, text: string, encode: (secret: string) => string): string =>
    text.replaceAll(/\$\{(MILLRACE_FEED_[A-Z0-9_]+)\}/gu, (_, name: string) => {
      const secret = readSecret(name, environment);
      if (secret === undefined)
        throw new ConfigError(
          `feeds.${feed}: the environment variable ${name} is not set; set it, or ${name}_FILE to the path of a private file that has it`,
        );
      if (secret.length < secretLengthMin)
        throw new ConfigError(
          `feeds.${feed}: the secret in ${name} must have at least ${secretLengthMin} characters, so that it can be kept out of logs`,
        );
      secrets.add(secret);
      return encode(secret);
    });
  const withHeaders = (feed: string, headers: FeedHeaders): FeedHeaders =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, filled(feed, value, String)]),
    );
  const placeOf = (name: string, place: FeedPlace): FeedPlace => {
    if (place.kind === 'file') return place;
    const url = filled(name, place.url, encodeURIComponent);
    const headers = withHeaders(name, place.headers);
    if (place.kind === 'http') return { ...place, url, headers };
    const subscribe = place.subscribe && filled(name, place.subscribe, inJson);
    return { ...place, url, headers, subscribe };
  };
  const ready = sources
    .filter(({ name }) => seen.has(name))
    .map((source) => ({ ...source, place: placeOf(source.name, source.place) }));
  return { sources: ready, secrets: [...secrets] };
}

/** What a websocket is sent is JSON nearly everywhere. */
function inJson(secret: string): string {
  return JSON.stringify(secret).slice(1, -1);
}
