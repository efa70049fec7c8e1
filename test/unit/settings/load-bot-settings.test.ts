/** A bot's YAML: correct files are read exactly; every mistake is reported with place and fix. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completeLimits } from '../../../src/settings/complete-limits.ts';
import { botSettingsOf, loadBotSettings } from '../../../src/settings/load-bot-settings.ts';
import { namespaceOf } from '../../../src/settings/names.ts';
import { SettingsSource } from '../../../src/settings/settings-source.ts';
import { workspace } from '../../support/package-root.ts';
import {
  botSettingsIn,
  demoBotFile,
  edited,
  goodBotFile,
  mistakesIn,
  problemLines,
} from './bot-file.ts';

describe('a correct file', () => {
  test('is read with spans in milliseconds, shares as fractions and amounts as written', () => {
    const { source, hash, capture, dashboard, feedSources, ...settings } =
      botSettingsIn(goodBotFile);
    expect(feedSources).toEqual([]);
    expect(dashboard).toBeUndefined();
    expect(capture).toEqual({ days: 7, bytesMax: 2 ** 30 });
    expect(hash).toMatch(/^[0-9a-f]{64}$/u);
    expect(source.hash).toBe(hash);
    expect(settings).toEqual({
      pluginsFrom: { folder: process.cwd(), packages: [] },
      bot: 'desk',
      mode: 'demo',
      venue: 'simulator',
      store: resolve('data/desk.sqlite'),
      namespace: namespaceOf('desk'),
      accounts: { XBT: '11', ZAR: '13' },
      strategies: [
        {
          id: 'mm-xbt',
          plugin: 'simple-mm',
          pairs: ['XBTZAR'],
          parameters: { halfSpread: '20bps', size: '0.01', refresh: '15s', tolerance: '2bps' },
          budget: { ZAR: '20000', XBT: '0.05' },
          allow: {
            sides: ['BID', 'ASK'],
            types: ['limit'],
            timeInForce: ['GTC'],
            postOnly: 'required',
          },
          onRestart: 'adopt',
          onStop: 'cancel',
          onMove: 'overlap',
          onUnusableBook: { withdrawAfterMs: 10_000 },
        },
      ],
      limits: completeLimits({
        account: {
          openNotionalMax: { ZAR: '50000' },
          turnoverDayMax: { ZAR: '200000' },
          lossDayMax: { ZAR: '1500' },
          ordersOpenMax: 10,
          ordersPerMinuteMax: 60,
        },
        pairs: {
          XBTZAR: {
            orderBaseMax: '0.02',
            positionBaseMax: '0.05',
            collar: '0.02',
            bookAgeMsMax: 3_000,
          },
        },
      }),
    });
  });

  test('is deeply frozen', () => {
    const settings = botSettingsIn(goodBotFile);
    expect(Object.isFrozen(settings)).toBe(true);
    expect(Object.isFrozen(settings.limits.pairs['XBTZAR'])).toBe(true);
    expect(Object.isFrozen(settings.strategies[0]?.parameters)).toBe(true);
  });

  test('sets how much of the market streams is kept', () => {
    const given = edited('limits:\n', 'capture: { days: 0, megabytes: 10 }\nlimits:\n');
    expect(botSettingsIn(given).capture).toEqual({ days: 0, bytesMax: 10 * 2 ** 20 });
  });

  test('the page is served if it is asked for, to names that a browser may use', () => {
    const page = (value: string) =>
      botSettingsIn(edited('limits:\n', `dashboard: ${value}\nlimits:\n`)).dashboard;
    expect(page('on')).toEqual({ port: undefined, listen: '127.0.0.1', hosts: [] });
    expect(page('{ port: 8080 }')).toEqual({ port: 8080, listen: '127.0.0.1', hosts: [] });
    expect(page('{ listen: "0.0.0.0", hosts: ["bots.example"] }')?.hosts).toEqual(['bots.example']);
    expect(() => page('{ listen: "0.0.0.0" }')).toThrow(/dashboard.*hosts is missing/u);
    expect(() => page('yes')).toThrow(/dashboard: was "?yes/u);
  });

  test('may have Windows line ends and a byte order mark', () => {
    expect(botSettingsIn(`\uFEFF${goodBotFile.replaceAll('\n', '\r\n')}`).bot).toBe('desk');
  });

  test('of the demo needs no accounts', () => {
    expect(botSettingsIn(demoBotFile).accounts).toEqual({});
  });

  test('has a namespace that depends only on the name of the bot, unless the file gives one', () => {
    expect(namespaceOf('desk')).toMatch(/^[a-z2-7]{8}$/u);
    expect(namespaceOf('desk')).toBe(botSettingsIn(`# moved\n${goodBotFile}`).namespace);
    expect(namespaceOf('desk2')).not.toBe(namespaceOf('desk'));
    const given = edited('bot: desk\n', 'bot: desk\nnamespace: abcdefg7\n');
    expect(botSettingsIn(given).namespace).toBe('abcdefg7');
  });

  test('locates every value, and the nearest parent of a missing one', () => {
    const { source } = botSettingsIn(goodBotFile);
    expect(source.locate(['strategies', 'mm-xbt', 'parameters', 'size'])).toEqual({
      line: 11,
      column: 46,
    });
    expect(source.locate(['strategies', 'mm-xbt', 'parameters', 'colour'])).toEqual({
      line: 11,
      column: 17,
    });
    expect(source.locateKey(['limits', 'pairs'])).toEqual({ line: 20, column: 3 });
  });
});

const mistakes = mistakesIn('bot-mistakes.txt');

describe('a mistake is reported with line, column, key, value, what is allowed and a fix', () => {
  test.each(mistakes)('%s -> %s', (from, to, line) => {
    expect(problemLines(() => botSettingsIn(edited(from, to)))).toContain(`desk.yaml:${line}`);
  });

  test('a file without limits is refused', () => {
    const text = goodBotFile.slice(0, goodBotFile.indexOf('limits:'));
    expect(problemLines(() => botSettingsIn(text))).toEqual([
      'desk.yaml:1:1: lacks limits, which is required; allowed: learner, or a map with account, eachStrategy, pairs',
    ]);
  });

  test('only live needs accounts, and only paper needs balances', () => {
    const text = edited('accounts: { XBT: "11", ZAR: "13" }\n', '');
    expect(botSettingsIn(text).accounts).toEqual({});
    const paper = edited('mode: demo ', 'mode: paper ', text);
    expect(problemLines(() => botSettingsIn(paper))).toEqual([
      'desk.yaml:1:1: lacks paper: mode paper needs the first balances of its account: { balances: { XBT: "1", ZAR: "1000000" } }',
    ]);
    const lacking = `paper:\n  balances: { ZAR: "1" }\n${text}`;
    const inPaper = edited('mode: demo ', 'mode: paper ', lacking);
    expect(problemLines(() => botSettingsIn(inPaper))).toEqual([
      'desk.yaml:2:3: paper.balances: lacks XBT, but strategies.mm-xbt trades XBTZAR',
    ]);
    const balances = { XBT: '0', ZAR: '1' };
    const whole = inPaper.replace('{ ZAR', '{ XBT: "0", ZAR');
    expect(botSettingsIn(whole).paper?.balances).toEqual(balances);
    expect(botSettingsIn(lacking).mode).toBe('demo');
    const live = edited('mode: demo ', 'mode: live ', text);
    expect(problemLines(() => botSettingsIn(live))[0]).toBe(
      'desk.yaml:1:1: lacks accounts: mode live needs the account of each currency: { XBT: "11", ZAR: "13" }',
    );
  });

  test('each latency of paper has a default', () => {
    const balances = '{ XBT: "0", ZAR: "5" }';
    const some = `paper: { balances: ${balances}, latencies: { answer: ["1ms", "3ms"] } }\n`;
    expect(botSettingsIn(edited('mode: demo ', `${some}mode: paper `)).paper).toEqual({
      balances: { XBT: '0', ZAR: '5' },
      latencies: {
        feedUs: 50_000,
        request: { kind: 'fixed', us: 50_000 },
        answer: { kind: 'measured', samplesUs: [1_000, 3_000] },
      },
    });
  });

  const liveHead = `live: { keyFingerprint: "0123456789abcdef" }
accounts: { XBT: "11", ZAR: "13" }
approved: { settings: ["0123456789abcdef"], strategies: ["fedcba9876543210"] }
mode: live `;

  test('live needs a key fingerprint, approved versions and every limit', () => {
    const settings = botSettingsIn(edited('mode: demo ', liveHead, demoBotFile));
    expect(settings.liveKeyFingerprint).toBe('0123456789abcdef');
    expect(settings.approved).toEqual({
      settings: ['0123456789abcdef'],
      strategies: ['fedcba9876543210'],
    });
  });

  test('the commands that print hashes and the fingerprint accept a live file without them', () => {
    const head = 'accounts: { XBT: "11", ZAR: "13" }\nmode: live ';
    const text = edited('mode: demo ', head, demoBotFile);
    const source = new SettingsSource('desk.yaml', new TextEncoder().encode(text));
    expect(problemLines(() => botSettingsOf(source, { workspace }))).toEqual([
      expect.stringContaining('printed by: npm run --silent millrace -- keycheck desk.yaml'),
      expect.stringContaining('printed by: npm run --silent millrace -- checks desk.yaml'),
    ]);
    const options = { workspace, isBeingWritten: true };
    expect(botSettingsOf(source, options).approved).toBeUndefined();
    const lacking = text.replace(/^egress: .*\n/mu, '');
    const incomplete = new SettingsSource('desk.yaml', new TextEncoder().encode(lacking));
    expect(problemLines(() => botSettingsOf(incomplete, options))).toEqual([
      expect.stringContaining('lacks egress'),
    ]);
  });

  test.each([
    ...['drawdownMax', 'onLoss', 'collarBudgetMax', 'approveAbove', 'feeBuffer', 'intentAgeMax'],
    ...['orderAgeMax', 'ordersPerSecondMax', 'openNotionalMax', 'cancelShareMax', 'identical'],
    ...['ordersPerFillMax', 'fills', 'rejections', 'refusals', 'losingTrades', 'slippageMax'],
    'depthShareMax',
  ])('G7: live without its limit %s is refused by name', (name) => {
    const live = edited('mode: demo ', liveHead, demoBotFile);
    // If both sections have the key, the last one belongs to eachStrategy.
    const at = live.lastIndexOf('\n', live.lastIndexOf(` ${name}:`)) + 1;
    const without = live.slice(0, at) + live.slice(live.indexOf('\n', at) + 1);
    expect(problemLines(() => botSettingsIn(without)).join()).toContain(`${name}: in mode live`);
  });

  test('all mistakes of a file are reported at once, sorted by line', () => {
    let text = goodBotFile;
    for (const [from, to] of [
      ['bookAgeMax: "3s"', 'bookAgeMax: 3'],
      ['mode: demo ', 'mode: dmeo '],
      ['onStop: cancel', 'onRestart: cancel'],
      ['ZAR: "20000"', 'ZAR: 20000'],
    ] as const) {
      text = edited(from, to, text);
    }
    const lines = problemLines(() => botSettingsIn(text));
    expect(lines.map((line) => line.split(':')[1])).toEqual(['3', '12', '15', '21']);
  });

  test('the value of a key that is unknown or looks like a secret is never shown', () => {
    const text = `${goodBotFile}apiSecret: hunter2\nzzz: hunter2\n`;
    expect(problemLines(() => botSettingsIn(text)).join()).not.toContain('hunter2');
  });

  test.each([
    [
      'a tab',
      edited('  pairs:\n', '\tpairs:\n'),
      /^desk\.yaml:20:1: is indented with a tab; allowed: spaces for indentation[^\n]*$/u,
    ],
    [
      'a tab after which the parser misreads four lines',
      edited('  pairs:\n', '\tpairs: [XBTZAR]\n\tmore: 1\n  other: 2\n'),
      /^desk\.yaml:20:1: is indented with a tab, as is 1 other line; allowed: spaces [^\n]*$/u,
    ],
    [
      'a line that is wrong in two ways',
      edited('  pairs:\n', '  pairs: a: b: c\n'),
      /^desk\.yaml:20:\d+: has a key inside a value; [^\n]*$/u,
    ],
    [
      'two documents',
      `${goodBotFile}---\n${goodBotFile}`,
      /^desk\.yaml:22:1: begins a second YAML document; allowed: one document/u,
    ],
    ['a directive', `%YAML 1.1\n---\n${goodBotFile}`, /has a % directive/u],
    ['an alias', edited('"0.01"', '*other'), /^desk\.yaml:11:46: .*(alias|Alias)/u],
    ['an alias bomb', `a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n${goodBotFile}`, /is an alias/u],
    ['21 levels', edited('"0.01"', '['.repeat(20) + ']'.repeat(20)), /is nested too deeply/u],
    ['100,000 levels', '['.repeat(100_000), /is nested too deeply/u],
    ['an open quote', edited('"0.01"', '"0.01'), /^desk\.yaml:\d+:\d+: /u],
    ['no map', '- 1\n', /^desk\.yaml:1:1: was a list/u],
    ['nothing', '', /^desk\.yaml:1:1: was nothing/u],
  ])('%s is refused', (_name, text, message) => {
    expect(problemLines(() => botSettingsIn(text)).join('\n')).toMatch(message);
  });
});

describe('the file itself', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-settings-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const load = (name: string) =>
    problemLines(() => loadBotSettings(join(folder, name), { workspace })).map((line) =>
      line.replace(/^.*millrace-settings-\w+\/?/u, ''),
    );

  test('its paths are relative to its folder, and errors name it as it was given', () => {
    writeFileSync(join(folder, 'desk.yaml'), goodBotFile);
    const settings = loadBotSettings(join(folder, 'desk.yaml'), { workspace });
    expect(settings.store).toBe(join(folder, 'data/desk.sqlite'));
    writeFileSync(join(folder, 'bad.yaml'), edited('bot: desk', 'bot: "?"'));
    expect(load('bad.yaml')[0]).toMatch(/^bad\.yaml:2:6: bot: /u);
  });

  test('without store, the database is in the home of its project', () => {
    writeFileSync(join(folder, 'short.yaml'), edited('store: data/desk.sqlite\n', ''));
    const home = join(folder, 'home');
    const ours = { ...workspace, homeOf: () => home };
    const settings = loadBotSettings(join(folder, 'short.yaml'), { workspace: ours });
    expect(settings.store).toBe(join(home, 'desk.sqlite'));
  });

  test('a database where earlier versions looked is never replaced by an empty one', () => {
    const root = join(folder, 'clone');
    mkdirSync(join(root, 'data'), { recursive: true });
    mkdirSync(join(root, 'config'));
    const file = join(root, 'config', 'desk.yaml');
    writeFileSync(file, goodBotFile);
    const former = join(root, 'data', 'desk.sqlite');
    writeFileSync(former, '');
    const ours = { workspace: { ...workspace, root } };
    const place = join(root, 'config', 'data', 'desk.sqlite');
    expect(problemLines(() => loadBotSettings(file, ours))[0]).toMatch(
      new RegExp(`desk\\.yaml:\\d+:\\d+: store: .* is ${former}: move it to ${place}$`, 'u'),
    );
    mkdirSync(join(root, 'config', 'data'));
    renameSync(former, place);
    expect(loadBotSettings(file, ours).store).toBe(place);
  });

  test('must exist', () => {
    expect(load('absent.yaml')).toEqual(['absent.yaml: there is no such file']);
  });

  test('must be a regular file: a folder and a named pipe are refused without waiting', () => {
    execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
    expect(load('pipe.yaml')).toEqual(['pipe.yaml: must be a regular file']);
    expect(load('.')).toEqual([': must be a regular file']);
  });

  test('must be small and UTF-8', () => {
    writeFileSync(join(folder, 'large.yaml'), `#${'x'.repeat(256 * 1024)}\n${goodBotFile}`);
    expect(load('large.yaml')[0]).toMatch(/must be at most 256 kB/u);
    writeFileSync(join(folder, 'latin.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe]));
    expect(load('latin.yaml')).toEqual(['latin.yaml: must be UTF-8 text']);
  });
});
