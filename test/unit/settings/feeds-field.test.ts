/** Feeds in the settings: what they mean, and what is refused with a reason. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { botWarnings } from '../../../src/bot/start/settings-warnings.ts';
import { loadBotSettings } from '../../../src/settings/load-bot-settings.ts';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { scenarioText } from '../../support/backtest-scenario.ts';
import { workspace } from '../../support/package-root.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-feeds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const times = 'every: 1s, ageMax: 30s';

function botWith(feeds: string, uses = 'feeds: [reference]') {
  const path = join(folder, 'bot.yaml');
  writeFileSync(
    path,
    `version: 1
bot: desk
mode: demo
strategies:
  mm:
    plugin: simple-mm
    pairs: [XBTZAR]
    parameters: { halfSpread: "20bps", size: "0.01" }
    budget: { ZAR: "20000", XBT: "0.05" }
    ${uses}
limits: learner
${feeds}
`,
  );
  return loadBotSettings(path, { workspace });
}

const one = (keys: string) => botWith(`feeds: { reference: { ${keys} } }`);

test('a feed has a place, a rule for its numbers, and limits', () => {
  const { feedSources, feeds, strategies } = one(
    `http: "https://api.example.com/p?key=\${MILLRACE_FEED_KEY}", value: data.price, time: at,
     headers: { Authorization: "Bearer \${MILLRACE_FEED_TOKEN}" }, ${times}, sizeMax: 2kB, min: "1"`,
  );
  expect(feedSources).toEqual([
    {
      ...{ name: 'reference', everyMs: 1_000, ageMsMax: 30_000, bytesMax: 2_000 },
      ...{ fields: { value: 'data.price' }, time: 'at', min: '1', max: undefined },
      unchangedMsMax: undefined,
      place: {
        kind: 'http',
        url: `https://api.example.com/p?key=\${MILLRACE_FEED_KEY}`,
        headers: { Authorization: `Bearer \${MILLRACE_FEED_TOKEN}` },
      },
    },
  ]);
  // What a journal gets has no address.
  expect(feeds).toEqual([{ name: 'reference', ageMsMax: 30_000 }]);
  expect(strategies[0]?.feeds).toEqual(['reference']);
});

test('a file is relative to the settings; numbers may have names', () => {
  const { feedSources } = one(`file: ref.csv, values: { bid: b, ask: a }, ${times}`);
  expect(feedSources[0]).toMatchObject({
    place: { kind: 'file', path: join(folder, 'ref.csv') },
    fields: { bid: 'b', ask: 'a' },
    bytesMax: 64_000,
  });
});

test('a table that lacks a column is warned of before the bot runs', () => {
  const table = join(folder, 'table.csv');
  const warned = (keys: string) =>
    botWarnings(one(`file: table.csv, ${keys}, ${times}`), new Map()).map((line) =>
      line.replace(/^.*: feeds/u, 'feeds'),
    );
  rmSync(table, { force: true });
  expect(warned('value: price')).toEqual([]);
  writeFileSync(table, 'at, price ,bid\n');
  expect(warned('value: price, time: at')).toEqual([]);
  expect(warned('values: { bid: bid, ask: price }')).toEqual([]);
  const only = 'table.csv has only the columns at, price, bid: the feed will have no value';
  expect(warned('value: prise')).toEqual([
    `feeds.reference.value: warning: was prise, but ${only}; try: price`,
  ]);
  expect(warned('values: { bid: bid, ask: ask }, time: when')).toEqual([
    expect.stringContaining(`feeds.reference.values.ask: warning: was ask, but ${only}`),
    expect.stringContaining(`feeds.reference.time: warning: was when, but ${only}`),
  ]);
  expect(warned('min: "1"')).toEqual([
    `feeds.reference: warning: lacks value, the column to read: ${only}`,
  ]);
});

test('settings without feeds have none', () => {
  const { feeds, feedSources, strategies } = botWith('', '');
  expect([feeds, feedSources]).toEqual([undefined, []]);
  expect(strategies[0]).not.toHaveProperty('feeds');
});

test.each([
  [times, /feeds\.reference: lacks its place; allowed: one of http, websocket, file$/mu],
  [
    `file: a.csv, http: "https://a.example", ${times}`,
    /feeds\.reference\.file: is given with http/u,
  ],
  ['file: a.csv, every: 1s', /feeds\.reference: lacks ageMax/u],
  ['file: a.csv, ageMax: 1s', /feeds\.reference: lacks every/u],
  ['file: a.csv, every: 10s, ageMax: 9s', /ageMax: is shorter than every/u],
  ['file: a.csv, every: 50ms, ageMax: 9s', /every: was 50ms; allowed: .*100ms to 24h/u],
  [`file: a.csv, ${times}, sizeMax: 64MB`, /sizeMax: was 64MB; allowed: .*1kB to 1000kB/u],
  [`file: a.csv, ${times}, min: "2", max: "1"`, /max: was "1"; allowed: at least min, "2"/u],
  [`file: a.csv, ${times}, value: a, values: { b: c }`, /values: is given with value/u],
  [`file: a.csv, ${times}, subscribe: hi`, /subscribe: is given without websocket/u],
  [`file: a.csv, ${times}, headers: { A: b }`, /headers: is given without http or websocket/u],
  [
    `http: "http://api.example.com", ${times}`,
    /http: is not such an address; allowed: .*only for this machine/u,
  ],
  [`http: "https://me:hidden-word@a.example", ${times}`, /http: is not such an address/u],
  [`http: "https://\${MILLRACE_FEED_KEY}.example", ${times}`, /http: is not such an address/u],
  [
    `http: "https://a.example?k=\${MILLRACE_API_KEY_SECRET}", ${times}`,
    /http: is not such an address/u,
  ],
  [
    `http: "https://a.example?apikey=hidden-word", ${times}`,
    /http: has a secret in its text: apikey; allowed/u,
  ],
  [`http: "file:///etc/passwd", ${times}`, /http: is not such an address/u],
  [`websocket: "https://a.example", ${times}`, /websocket: is not such an address/u],
  [
    `http: "https://a.example", headers: { X-Api-Key: hidden-word }, ${times}`,
    /headers\.X-Api-Key: has a secret in its text; allowed: a secret is written as/u,
  ],
  [
    `http: "https://a.example", headers: { Note: "\${MILLRACE_API_KEY_SECRET}" }, ${times}`,
    /headers\.Note: was /u,
  ],
])('is refused: %s', (keys, message) => {
  let text = '';
  try {
    one(keys);
  } catch (error) {
    text = (error as Error).message;
  }
  expect(text).toMatch(message);
  expect(text).not.toContain('hidden-word');
});

test('a strategy sees only feeds that the settings have', () => {
  expect(() => botWith(`feeds: { referenz: { file: a.csv, ${times} } }`)).toThrow(
    /feeds\[0\]: was "reference"; allowed: a name under feeds, referenz; try: referenz/u,
  );
  expect(() => botWith('')).toThrow(/allowed: a name under feeds, none: feeds has no entry/u);
  expect(() => botWith(`feeds: { "../x": { file: a.csv, ${times} } }`, '')).toThrow(
    /is not a valid name/u,
  );
});

const inScenario = (feeds: string) =>
  scenarioText()
    .replace('    onStop: cancel\n', '    onStop: cancel\n    feeds: [reference]\n')
    .replace('limits:\n', `${feeds}\nlimits:\n`);

function scenarioOf(text: string, bot?: string) {
  const path = join(folder, 'scenario.yaml');
  writeFileSync(path, text);
  return loadScenario(path, bot);
}

test('a scenario has the values of its feeds in a table, or in its recordings', () => {
  const table = 'feeds: { reference: { ageMax: 30s, file: ref.csv } }';
  expect(scenarioOf(inScenario(table)).feeds).toEqual([
    { name: 'reference', ageMsMax: 30_000, file: join(folder, 'ref.csv') },
  ]);
  expect(scenarioOf(inScenario('feeds: { reference: { ageMax: 30s } }')).feeds).toEqual([
    { name: 'reference', ageMsMax: 30_000, file: undefined },
  ]);
  expect(scenarioOf(scenarioText())).not.toHaveProperty('feeds');
  expect(() => scenarioOf(inScenario('feeds: { reference: { file: ref.csv } }'))).toThrow(
    /feeds\.reference: lacks ageMax, after which its last value is stale/u,
  );
  expect(() => scenarioOf(inScenario(''))).toThrow(/strategies\.mm\.feeds\[0\]: was "reference"/u);
});
