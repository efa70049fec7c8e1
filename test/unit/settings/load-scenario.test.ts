/** A backtest's file: data, market, fees, latencies and the bot, inline or in a separate file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { edited, goodBotFile, mistakesIn, problemLines } from './bot-file.ts';

const scenarioFile = `version: 1
scenario: sse-simple-mm
data: { set: sse_600519_20230207, kind: order-flow-ndjson,
        snapshot: derived/snapshot.json.gz, events: derived/events.ndjson.gz }
market: { pair: SSECNY, base: SSE, counter: CNY, priceScale: 3, volumeScale: 0, feeScale: 8,
          priceMin: "0.01", priceMax: "100000", volumeMin: "1", volumeMax: "100000" }
fees: { maker: "-1bps", taker: "5bps" }
latencies: { feed: "500us", request: "1ms", answer: "1ms" }
balances: { SSE: "1000", CNY: "2000000" }
from: "2023-02-07T09:30:00+08:00"
to: "2023-02-07T11:30:00+08:00"
seed: 7
bot: sse-mm
strategies:
  mm:
    plugin: simple-mm
    pairs: [SSECNY]
    parameters: { size: "100" }
    budget: { SSE: "1000", CNY: "2000000" }
    allow: { sides: [BID, ASK], types: [limit], timeInForce: [GTC], postOnly: required }
limits:
  account: { openNotionalMax: { CNY: "1000000" }, turnoverDayMax: { CNY: "100000000" },
             lossDayMax: { CNY: "100000" }, ordersOpenMax: 10, ordersPerMinuteMax: 600 }
  pairs:
    SSECNY: { orderBaseMax: "200", positionBaseMax: "1000", collar: "2%", bookAgeMax: "1m" }
`;

const inlineBot = scenarioFile.slice(scenarioFile.indexOf('bot: sse-mm'));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-scenario-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function load(text: string): ReturnType<typeof loadScenario> {
  const path = join(folder, 'scenario.yaml');
  writeFileSync(path, text);
  return loadScenario(path);
}

test('a compiled recording is given by its file, optionally with an expected hash', () => {
  const data = /data: \{[^}]*\}/u;
  const hash = 'ab'.repeat(32);
  const text = scenarioFile.replace(data, 'data: { kind: recording, recording: day.mrec }');
  const scenario = load(`${text}expect: { hash: "${hash}" }\n`);
  expect(scenario.markets[0]?.data).toEqual({
    kind: 'recording',
    set: undefined,
    recordings: ['day.mrec'],
  });
  expect(scenario.expectedHash).toBe(hash);
  const days = load(text.replace('day.mrec', '[day.mrec, next.mrec]')).markets[0]?.data;
  expect(days).toMatchObject({ recordings: ['day.mrec', 'next.mrec'] });
  for (const [wrong, message] of [
    ['[]', 'allowed: a list of at least one: [a path'],
    ['[day.mrec, day.mrec]', 'each value once'],
    ['[day.mrec, ~/day.mrec]', 'data.recording[1]'],
    ['/days/day.mrec, set: days', 'data.recording: was "/days/day.mrec", with a set'],
  ] as const)
    expect(problemLines(() => load(text.replace('day.mrec', wrong))).join()).toContain(message);
  for (const elsewhere of ['../days/day.mrec', '/days/day.mrec']) {
    const shared = load(text.replace('day.mrec', elsewhere)).markets[0]?.data;
    expect(shared).toMatchObject({ recordings: [elsewhere] });
  }
  const mixed = text.replace('day.mrec', 'day.mrec, events: e.gz');
  expect(problemLines(() => load(mixed)).join()).toContain('does not belong to kind recording');
  const bare = scenarioFile.replace(data, 'data: { kind: recording }');
  expect(problemLines(() => load(bare)).join()).toContain('lacks recording, for kind recording');
});

const severalMarkets = `markets:
  XBTCNY: { recording: xbt.mrec, fees: { maker: "0bps", taker: "1bps" } }
  SSECNY: { recording: sse.mrec, set: day, rules: { priceScale: 3, volumeMin: "1" } }
`;
const several = scenarioFile.replace(/data: .*?(?=fees:)/su, severalMarkets);

test('several markets are given by pair, in any order, each with its fees', () => {
  const scenario = load(several);
  expect(scenario.markets).toEqual([
    {
      pair: 'SSECNY',
      data: { kind: 'recording', set: 'day', recordings: ['sse.mrec'] },
      rules: { priceScale: 3, volumeMin: '1' },
      fees: { maker: '-0.0001', taker: '0.0005' },
      feesLater: [],
    },
    {
      pair: 'XBTCNY',
      data: { kind: 'recording', set: undefined, recordings: ['xbt.mrec'] },
      rules: {},
      fees: { maker: '0', taker: '0.0001' },
      feesLater: [],
    },
  ]);
  const [head = '', first = '', second = ''] = severalMarkets.split('\n');
  const swapped = several.replace(severalMarkets, `${[head, second, first].join('\n')}\n`);
  expect(load(swapped).markets).toEqual(scenario.markets);
});

test.each([
  ['SSECNY: { recording', 'XBTCNY: { recording', 'XBTCNY'],
  ['markets:', 'market: { pair: SSECNY }\nmarkets:', 'market: is given with markets'],
  ['fees: { maker: "-1bps", taker: "5bps" }\n', '', 'markets.SSECNY: lacks fees'],
  ['pairs: [SSECNY]', 'pairs: [SSECNY, ABCCNY]', "allowed: the scenario's markets, XBTCNY, SSECNY"],
  ['recording: xbt.mrec', 'recording: ~/xbt.mrec', 'markets.XBTCNY.recording: was ~/xbt.mrec'],
  ['recording: sse.mrec', 'recording: /sse.mrec', 'SSECNY.recording: was "/sse.mrec", with a set'],
  ['recording: xbt.mrec, ', '', 'markets.XBTCNY: lacks recording'],
  ['priceScale: 3', 'priceScale: 3, volumeScale: 0, priceMin: "0.0001"', 'SSECNY.rules.priceMin'],
  ['markets:', 'fillModel: { halfSpread: "1", volumeShare: "1%" }\nmarkets:', 'given with markets'],
  ['set: day', 'fillModel: { halfSpread: "1", volumeShare: "0%" }', 'SSECNY.fillModel.volumeShare'],
  [
    'set: day, rules: { priceScale: 3,',
    'fillModel: { halfSpread: "0.0001", volumeShare: "1%" }, rules: { priceScale: 3, volumeScale: 0,',
    'SSECNY.fillModel.halfSpread: was "0.0001"; allowed: at most 3 decimals',
  ],
])('with several markets, %j -> %j is reported', (from, to, message) => {
  expect(problemLines(() => load(edited(from, to, several))).join('\n')).toContain(message);
});

test('a recording contains the rules of its market; other data does not', () => {
  const data = /data: \{[^}]*\}/u;
  const market = /market: \{[^}]*\}/u;
  const bare = scenarioFile.replace(market, 'market: { pair: SSECNY }');
  expect(problemLines(() => load(bare)).join('\n')).toContain(
    'market: lacks volumeMax, which data of this kind does not contain',
  );
  const recorded = bare.replace(data, 'data: { kind: recording, recording: day.mrec }');
  expect(load(recorded).markets[0]?.rules).toEqual({});
});

test('a scenario with its bot in it is read exactly', () => {
  const { source, strategies, limits, hash, folder: place, ...scenario } = load(scenarioFile);
  expect(place).toBe(folder);
  expect(scenario).toEqual({
    notices: [],
    expectedHash: undefined,
    pluginsFrom: { folder, packages: [] },
    scenario: 'sse-simple-mm',
    markets: [
      {
        pair: 'SSECNY',
        data: {
          set: 'sse_600519_20230207',
          kind: 'order-flow-ndjson',
          snapshot: 'derived/snapshot.json.gz',
          events: 'derived/events.ndjson.gz',
        },
        rules: {
          ...{ base: 'SSE', counter: 'CNY', priceScale: 3, volumeScale: 0, feeScale: 8 },
          ...{ priceMin: '0.01', priceMax: '100000', volumeMin: '1', volumeMax: '100000' },
        },
        fees: { maker: '-0.0001', taker: '0.0005' },
        feesLater: [],
      },
    ],
    consumedMs: undefined,
    latencies: {
      feed: { kind: 'fixed', us: 500 },
      request: { kind: 'fixed', us: 1_000 },
      answer: { kind: 'fixed', us: 1_000 },
    },
    balances: { SSE: '1000', CNY: '2000000' },
    fromMs: 1_675_733_400_000,
    toMs: 1_675_740_600_000,
    seed: 7,
    profile: lunoProfile,
    bot: 'sse-mm',
    namespace: expect.stringMatching(/^[a-z2-7]{8}$/u),
  });
  expect(strategies[0]?.id).toBe('mm');
  expect(limits.pairs['SSECNY']?.collar).toBe('0.02');
  expect(hash).toBe(source.hash);
});

test('fees may change at later dates, in order; consumed volume may return after a time', () => {
  const period = (from: string): string => `{ from: "${from}", maker: "0bps", taker: "4bps" }`;
  const withLater = (...from: string[]): string =>
    scenarioFile
      .replace(/fees: \{ (.*) \}/u, `fees: { $1, later: [${from.map(period).join(', ')}] }`)
      .replace('seed: 7', 'seed: 7\nconsumedFor: "30s"');
  const march = '2026-03-01T00:00:00Z';
  expect(load(withLater(march))).toMatchObject({
    markets: [{ feesLater: [{ fromMs: Date.parse(march), maker: '0', taker: '0.0004' }] }],
    consumedMs: 30_000,
  });
  expect(() => load(withLater(march, march))).toThrow('fees.later[1].from');
});

test('the assumptions for coarse data are exact: ticks, millionths and the interval', () => {
  const data = /data: \{[^}]*\}/u;
  const text = scenarioFile.replace(data, 'data: { kind: recording, recording: day.mrec }');
  const fillModelIn = (file: string) => load(file).markets[0]?.fillModel;
  const given = (fillModel: string) => fillModelIn(`${text}fillModel: ${fillModel}\n`);
  expect(given('{ halfSpread: "0.05", volumeShare: "12.5%" }')).toEqual({
    halfSpread: '0.05',
    volumeShareMillionths: 125_000,
    intervalMs: undefined,
  });
  const candles = given('{ halfSpread: "0.001", volumeShare: "1bps", interval: "24h" }');
  expect(candles).toEqual({
    halfSpread: '0.001',
    volumeShareMillionths: 100,
    intervalMs: 86_400_000,
  });
  expect(fillModelIn(text)).toBeUndefined();
  const fillModel = 'fillModel: { halfSpread: "0.0001", volumeShare: "1%" }';
  const among = several.replace('recording: xbt.mrec', `$&, ${fillModel}`);
  // The recording contains the tick size.
  expect(load(among).markets.map((market) => market.fillModel?.halfSpread)).toEqual([
    undefined,
    '0.0001',
  ]);
  for (const wrong of [
    '{ halfSpread: "0.0005", volumeShare: "1%" }',
    '{ halfSpread: 0.05, volumeShare: "1%" }',
    '{ halfSpread: "0.05", volumeShare: "0%" }',
    '{ halfSpread: "0.05" }',
    '{ halfSpread: "0.05", volumeShare: "1%", interval: "25h" }',
    '{ halfSpread: "0.05", volumeShare: "1%", slip: "1" }',
  ])
    expect(() => given(wrong), wrong).toThrow('fillModel');
  expect(() => load(`${scenarioFile}fillModel: { halfSpread: "1", volumeShare: "1%" }\n`)).toThrow(
    'does not belong to kind order-flow-ndjson',
  );
});

describe('the former key lowerGrade', () => {
  const rules = '{ halfSpread: "1", volumeShare: "1%" }';
  const oneMarket = scenarioFile.replace(
    /data: \{[^}]*\}/u,
    'data: { kind: recording, recording: day.mrec }',
  );
  const notice = /^\S+scenario\.yaml: rename the key lowerGrade to fillModel; /u;

  test('means fillModel, with one notice that names the file and the new key', () => {
    const { markets, notices } = load(`${oneMarket}lowerGrade: ${rules}\n`);
    expect(markets[0]?.fillModel).toMatchObject({ volumeShareMillionths: 10_000 });
    expect(notices).toEqual([expect.stringMatching(notice)]);
    const both = several
      .replace('recording: xbt.mrec', `$&, lowerGrade: ${rules}`)
      .replace('set: day', `$&, lowerGrade: ${rules}`);
    const loaded = load(both);
    expect(loaded.markets.map(({ fillModel }) => fillModel?.halfSpread)).toEqual(['1', '1']);
    expect(loaded.notices).toEqual([expect.stringMatching(notice)]);
  });

  test('gives no notice when the file says fillModel', () => {
    expect(load(`${oneMarket}fillModel: ${rules}\n`).notices).toEqual([]);
  });

  test('is refused beside fillModel', () => {
    const both = `${oneMarket}lowerGrade: ${rules}\nfillModel: ${rules}\n`;
    expect(problemLines(() => load(both)).join('\n')).toMatch(
      /:\d+:1: lowerGrade: is the former name of fillModel; allowed: fillModel alone$/u,
    );
  });

  test('is checked like fillModel, at its own place in the file', () => {
    const wrong = `${oneMarket}lowerGrade: { halfSpread: "0.0005", volumeShare: "1%" }\n`;
    expect(() => load(wrong)).toThrow('lowerGrade.halfSpread: was "0.0005"');
    const withMarkets = edited('markets:', `lowerGrade: ${rules}\nmarkets:`, several);
    expect(() => load(withMarkets)).toThrow('lowerGrade: is given with markets');
  });
});

test('a latency may be drawn between bounds or from measurements', () => {
  const given = 'latencies: { feed: "500us", request: "1ms", answer: "1ms" }';
  const text = scenarioFile.replace(
    given,
    'latencies: { feed: { from: "1ms", to: "3ms" }, request: ["900us", "2ms"], answer: "1ms" }',
  );
  expect(load(text).latencies).toMatchObject({
    feed: { kind: 'between', fromUs: 1_000, toUs: 3_000 },
    request: { kind: 'measured', samplesUs: [900, 2_000] },
  });
  for (const wrong of ['{ from: "3ms", to: "1ms" }', '[]', '["1ms", 2]', '{ from: "1ms" }', '5'])
    expect(() => load(text.replace('{ from: "1ms", to: "3ms" }', wrong)), wrong).toThrow('feed');
});

test('a scenario may name a bot file, and its hash then depends on both', () => {
  const bot = edited('mm-xbt:', 'mm:', goodBotFile)
    .replaceAll('XBTZAR', 'SSECNY')
    .replaceAll('XBT', 'SSE')
    .replaceAll('ZAR', 'CNY');
  const text = scenarioFile.replace(inlineBot, 'botFile: desk.yaml\n');
  writeFileSync(join(folder, 'desk.yaml'), bot);
  const first = load(text);
  expect(first.bot).toBe('desk');
  expect(first.source.file).toMatch(/desk\.yaml$/u);
  writeFileSync(join(folder, 'desk.yaml'), `${bot}# changed\n`);
  expect(load(text).hash).not.toBe(first.hash);
});

test.each(mistakesIn('scenario-mistakes.txt'))('%j -> %j is reported', (from, to, line) => {
  const lines = problemLines(() => load(edited(from, to, scenarioFile)));
  expect(lines).toContain(`${join(folder, 'scenario.yaml')}:${line}`);
});

describe('callLimit, which came before profile', () => {
  test('means the profile with unlimited calls, and says what to write', () => {
    const now = load(`${scenarioFile}profile: { from: luno, calls: unlimited }\n`);
    const before = load(`${scenarioFile}callLimit: unlimited\n`);
    expect(before.profile).toEqual(now.profile);
    expect(before.notices).toEqual([
      expect.stringMatching(/: write profile: \{ from: luno, calls: unlimited \} instead of /u),
    ]);
  });

  test('says nothing any more as exchange, and is refused beside profile', () => {
    const given = load(`${scenarioFile}callLimit: exchange\n`);
    expect(given.profile).toEqual(load(scenarioFile).profile);
    expect(given.notices.join()).toMatch(/: remove callLimit: exchange, which says nothing any/u);
    expect(() => load(`${scenarioFile}callLimit: exchange\nprofile: unlimited\n`)).toThrow(
      'callLimit: is part of profile now; allowed: profile without it',
    );
  });
});
