/** Secrets of feeds come from the environment, and only under names of their own. */
import { expect, test } from 'vitest';
import type { FeedSource } from '../../../src/domain/feed.ts';
import { readyFeeds } from '../../../src/feeds/feed-secrets.ts';

const http: FeedSource = {
  ...{ name: 'reference', ageMsMax: 1_000, everyMs: 1_000, bytesMax: 64_000 },
  ...{ fields: { value: '' }, time: undefined, min: undefined, max: undefined },
  unchangedMsMax: undefined,
  place: {
    kind: 'http',
    url: `https://api.example.com/p?apikey=\${MILLRACE_FEED_KEY}`,
    headers: {
      Authorization: `Bearer \${MILLRACE_FEED_TOKEN}`,
      Note: `\${MILLRACE_API_KEY_SECRET}`,
    },
  },
};
const users = [{ feeds: ['reference'] }];
const environment = {
  MILLRACE_FEED_KEY: 'one/+&two',
  MILLRACE_FEED_TOKEN: 'a-token-of-mine',
  MILLRACE_API_KEY_SECRET: 'the-secret-of-the-exchange',
};

test('they are put in place, and no other variable is', () => {
  const { sources, secrets } = readyFeeds([http], users, environment);
  expect(sources[0]?.place).toEqual({
    kind: 'http',
    url: 'https://api.example.com/p?apikey=one%2F%2B%26two',
    headers: { Authorization: 'Bearer a-token-of-mine', Note: `\${MILLRACE_API_KEY_SECRET}` },
  });
  expect(secrets).toEqual(['one/+&two', 'a-token-of-mine']);
});

test('a feed that no strategy sees is not opened and needs no secret', () => {
  expect(readyFeeds([http], [{}, { feeds: ['other'] }], {})).toEqual({ sources: [], secrets: [] });
});

test('a secret that is missing, or too short to be hidden, is named', () => {
  const { MILLRACE_FEED_TOKEN: _, ...others } = environment;
  expect(() => readyFeeds([http], users, others)).toThrow(
    /^feeds\.reference: the environment variable MILLRACE_FEED_TOKEN is not set; set it, or /u,
  );
  const short = { ...environment, MILLRACE_FEED_KEY: 'short' };
  expect(() => readyFeeds([http], users, short)).toThrow(
    /^feeds\.reference: the secret in MILLRACE_FEED_KEY must have at least 8 characters/u,
  );
});
