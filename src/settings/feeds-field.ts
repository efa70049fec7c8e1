/** Reads the feeds of a bot's file: where each comes from, and what of it is accepted. */
import { dirname, resolve } from 'node:path';
import { isScalar } from 'yaml';
import type { StrategySettings } from '../domain/bot-settings.ts';
import type { FeedPlace, FeedSource } from '../domain/feed.ts';
import { decimalOf } from '../domain/money.ts';
import type { ScenarioFeed } from '../domain/scenario-settings.ts';
import { isThisMachine } from '../domain/this-machine.ts';
import { must, recordOf, type StrategiesDraft } from './bot-fields.ts';
import {
  type Draft,
  mapped,
  object,
  optional,
  type Reader,
  record,
  refuse,
  type ValueField,
  valueField,
} from './field.ts';
import { anyPath, feedName } from './names.ts';
import { nearestWord } from './nearest-word.ts';
import type { SettingsSource } from './settings-source.ts';
import { spanMs } from './unit-fields.ts';
import { text } from './value-fields.ts';

/** How a secret is written: its value comes from the environment, and only under these names. */
const secretName = /\$\{(MILLRACE_FEED_[A-Z0-9_]{1,40})\}/gu;
const secretText = `a secret is written as \${MILLRACE_FEED_…}, the name of an environment variable that has it`;
/** No other variable, such as one with the key of the exchange, can get into a request. */
const ownNames = String.raw`(?!.*\$\{(?!MILLRACE_FEED_[A-Z0-9_]{1,40}\}))`;
const secretLike = /key|token|secret|passw|sign|auth|cookie/iu;

const path = text(
  /^[^\s.]{1,64}(?:\.[^\s.]{1,64}){0,15}$/u,
  'names and list places joined by dots, such as data.price or result.0.last',
);
const number = text(/^-?(?:0|[1-9]\d{0,29})(?:\.\d{1,30})?$/u, 'a decimal in quotes, such as "0"');
const fieldName = {
  name: /^[a-z][A-Za-z0-9]{0,31}$/u,
  nameAllowed: 'a name of letters and digits, such as bid',
  placeholder: 'name',
};
const headerName = {
  name: /^[A-Za-z0-9-]{1,64}$/u,
  nameAllowed: 'the name of an HTTP header, such as Authorization',
  placeholder: 'header',
};
/** Not a part of a URL that could be logged; no line break, which would begin another header. */
const headerValue = text(
  new RegExp(`^${ownNames}[\\x20-\\x7e]{1,1000}$`, 'u'),
  `one line of at most 1000 characters; ${secretText}`,
);
const message = text(
  new RegExp(`^${ownNames}[\\x20-\\x7e]{1,4000}$`, 'u'),
  `one line of at most 4000 characters; ${secretText}`,
);
const sizeKb = mapped(
  text(/^(?:[1-9]\d{0,2}|1000)kB$/u, 'a whole number with kB, 1kB to 1000kB, such as "64kB"'),
  (size) => Number.parseInt(size, 10) * 1_000,
);
const sizeBytesDefault = 64_000;
const dayMs = 86_400_000;

const shape = {
  http: optional(address('http')),
  websocket: optional(address('ws')),
  file: optional(anyPath),
  headers: optional(record(headerValue, headerName)),
  subscribe: optional(message),
  value: optional(path),
  values: optional(record(path, fieldName)),
  time: optional(path),
  every: spanMs({ minMs: 100, maxMs: dayMs }),
  ageMax: spanMs({ minMs: 1_000, maxMs: 40 * dayMs }),
  sizeMax: optional(sizeKb, sizeBytesDefault),
  min: optional(number),
  max: optional(number),
  unchangedMax: optional(spanMs({ minMs: 1_000, maxMs: 40 * dayMs })),
};

export const feedsField = record(object(shape), feedName);

/** The feeds of a scenario: the rest of what a bot's file says of a feed is for running bots. */
export const scenarioFeedsField = record(
  object({ ageMax: optional(shape.ageMax), file: optional(anyPath) }),
  feedName,
);

type ScenarioFeedsDraft = NonNullable<ReturnType<typeof scenarioFeedsField>>;
type FeedsDraft = NonNullable<ReturnType<typeof feedsField>>;
type FeedDraft = Draft<typeof shape>;

/** Only an address of this machine may be unencrypted: others could change the values. */
function address(scheme: 'http' | 'ws'): ValueField<string> {
  const allowed =
    `an address such as ${scheme}s://api.example.com/price, without user and fragment; ${scheme}:// only for ` +
    `this machine; ${secretText}, after the host`;
  const schema = { type: 'string', pattern: `^${scheme}s?://` };
  return valueField({ allowed, schema }, (cursor) => {
    const { node } = cursor;
    if (!isScalar(node) || typeof node.value !== 'string') return refuse(cursor, allowed);
    const url = URL.parse(node.value.replaceAll(secretName, 'secret'));
    const isKnown =
      url?.protocol === `${scheme}s:` ||
      (url?.protocol === `${scheme}:` && isThisMachine(url.hostname));
    const isBare = url?.username === '' && url.password === '' && url.hash === '';
    const [, , host = ''] = node.value.split('/');
    const isOwn = !node.value.replaceAll(secretName, '').includes('$');
    // The address may contain a secret, so it is not shown.
    const refused = (message: string) => cursor.reader.report(cursor.path, { message, allowed });
    if (!isKnown || !isBare || !isOwn || host.includes('$') || node.value.length > 2_000) {
      refused('is not such an address');
      return undefined;
    }
    const bare = new URL(node.value.replaceAll(secretName, ''));
    const open = [...bare.searchParams].find(([name, value]) => secretLike.test(name) && value);
    if (open === undefined) return node.value;
    refused(`has a secret in its text: ${open[0]}`);
    return undefined;
  });
}

/** Returns the feeds of a draft without problems. */
export function feedSourcesOf(
  source: SettingsSource,
  draft: FeedsDraft | undefined,
): readonly FeedSource[] {
  return [...(draft ?? [])].map(([name, given]) => {
    const feed = must(given);
    return {
      name,
      place: placeOf(source, feed),
      fields: feed.values === undefined ? { value: feed.value ?? '' } : recordOf(feed.values),
      time: feed.time,
      everyMs: must(feed.every),
      ageMsMax: must(feed.ageMax),
      bytesMax: must(feed.sizeMax),
      min: feed.min,
      max: feed.max,
      unchangedMsMax: feed.unchangedMax,
    };
  });
}

function placeOf(source: SettingsSource, feed: FeedDraft): FeedPlace {
  const headers = feed.headers === undefined ? {} : recordOf(feed.headers);
  if (feed.http !== undefined) return { kind: 'http', url: feed.http, headers };
  if (feed.websocket !== undefined)
    return { kind: 'websocket', url: feed.websocket, headers, subscribe: feed.subscribe };
  return { kind: 'file', path: resolve(dirname(source.file), must(feed.file)) };
}

/** Returns the feeds that the strategies of a scenario see; `rules` are those of its bot's file. */
export function scenarioFeedsOf(
  source: SettingsSource,
  draft: ScenarioFeedsDraft | undefined,
  bot: {
    readonly rules: readonly FeedSource[];
    readonly strategies: readonly Pick<StrategySettings, 'feeds'>[];
  },
): { readonly feeds?: readonly ScenarioFeed[] } {
  const names = new Set(bot.strategies.flatMap(({ feeds = [] }) => feeds));
  if (names.size === 0) return {};
  const feeds = [...names].map((name) => {
    const { ageMax, file } = draft?.get(name) ?? {};
    const rule = bot.rules.find((one) => one.name === name);
    const ageMsMax = must(ageMax ?? rule?.ageMsMax);
    const path = file === undefined ? undefined : resolve(dirname(source.file), file);
    const fields = rule === undefined ? {} : { fields: Object.keys(rule.fields) };
    return { name, ageMsMax, file: path, ...fields };
  });
  return { feeds };
}

/** Reports what the strategies of a scenario without a bot's file lack of their feeds. */
export function checkScenarioFeeds(
  reader: Reader,
  feeds: ScenarioFeedsDraft | undefined,
  strategies: StrategiesDraft | undefined,
): void {
  checkFeedNames(reader, [...(feeds?.keys() ?? [])], strategies);
  for (const name of feeds?.keys() ?? [])
    if (!reader.source.has(['feeds', name, 'ageMax']))
      reader.reportMissing(
        ['feeds', name],
        'lacks ageMax, after which its last value is stale',
        'a span such as "30s"',
      );
}

/** Reports feeds whose keys do not fit together, and names of feeds that do not exist. */
export function checkFeeds(
  reader: Reader,
  feeds: FeedsDraft | undefined,
  strategies: StrategiesDraft | undefined,
): void {
  for (const [name, feed] of feeds ?? []) if (feed !== undefined) checkFeed(reader, name, feed);
  checkFeedNames(reader, [...(feeds?.keys() ?? [])], strategies);
}

/** Reports the feeds of strategies that are not among `names`. */
function checkFeedNames(
  reader: Reader,
  names: readonly string[],
  strategies: StrategiesDraft | undefined,
): void {
  for (const [id, strategy] of strategies ?? [])
    for (const [index, name] of (strategy?.feeds ?? []).entries()) {
      if (names.includes(name)) continue;
      const known = names.length === 0 ? 'none: feeds has no entry' : names.join(', ');
      const problem = { message: `was "${name}"`, allowed: `a name under feeds, ${known}` };
      const suggestion = nearestWord(name, names);
      reader.report(['strategies', id, 'feeds', index], { ...problem, suggestion });
    }
}

function checkFeed(reader: Reader, name: string, feed: FeedDraft): void {
  const at = (key: string) => ['feeds', name, key];
  const has = (key: string) => reader.source.has(at(key));
  const places = ['http', 'websocket', 'file'].filter(has);
  if (places.length === 0)
    reader.reportMissing(['feeds', name], 'lacks its place', 'one of http, websocket, file');
  for (const place of places.slice(1))
    reader.report(
      at(place),
      { message: `is given with ${places[0]}`, allowed: 'one of http, websocket, file' },
      true,
    );
  const needs = (key: string, allowed: readonly string[]) => {
    const message = `is given without ${allowed.join(' or ')}`;
    if (has(key) && !allowed.some(has))
      reader.report(at(key), { message, allowed: `only with ${allowed.join(', ')}` }, true);
  };
  needs('subscribe', ['websocket']);
  needs('headers', ['http', 'websocket']);
  if (has('value') && has('values'))
    reader.report(
      at('values'),
      { message: 'is given with value', allowed: 'value or values, not both' },
      true,
    );
  const { every, ageMax, min, max } = feed;
  if (every !== undefined && ageMax !== undefined && ageMax < every)
    reader.report(at('ageMax'), {
      message: 'is shorter than every, so that the feed would always be stale',
      allowed: 'at least every; twice as long bears a lost reading',
    });
  if (min !== undefined && max !== undefined && decimalOf(min).greaterThan(max))
    reader.report(at('max'), { message: `was "${max}"`, allowed: `at least min, "${min}"` });
  for (const [header, value] of feed.headers ?? []) {
    const isOpen = secretLike.test(header) && value?.search(secretName) === -1;
    // It may be a secret, so it is not shown.
    if (isOpen)
      reader.report([...at('headers'), header], {
        message: 'has a secret in its text',
        allowed: secretText,
      });
  }
}
