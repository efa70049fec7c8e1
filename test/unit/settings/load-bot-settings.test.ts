/** A bot's YAML: what is right is read exactly, and every mistake is told with its place and its cure. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadBotSettings } from '../../../src/settings/load-bot-settings.ts';
import { namespaceOf } from '../../../src/settings/names.ts';
import { botSettingsIn, demoBotFile, edited, goodBotFile, problemLines } from './bot-file.ts';

describe('a file that is right', () => {
  test('is read with spans in milliseconds, shares as fractions and amounts as written', () => {
    const { source, hash, ...settings } = botSettingsIn(goodBotFile);
    expect(hash).toMatch(/^[0-9a-f]{64}$/u);
    expect(source.hash).toBe(hash);
    expect(settings).toEqual({
      bot: 'desk',
      mode: 'demo',
      venue: 'simulator',
      store: '/project/data/desk.sqlite',
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
          onUnusableBook: { withdrawAfterMs: 10_000 },
        },
      ],
      limits: {
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
      },
    });
  });

  test('is frozen all the way down', () => {
    const settings = botSettingsIn(goodBotFile);
    expect(Object.isFrozen(settings)).toBe(true);
    expect(Object.isFrozen(settings.limits.pairs['XBTZAR'])).toBe(true);
    expect(Object.isFrozen(settings.strategies[0]?.parameters)).toBe(true);
  });

  test('may have Windows line ends and a byte order mark', () => {
    expect(botSettingsIn(`\uFEFF${goodBotFile.replaceAll('\n', '\r\n')}`).bot).toBe('desk');
  });

  test('of the demo is accepted, and finds its accounts by itself', () => {
    expect(botSettingsIn(demoBotFile).accounts).toEqual({});
  });

  test('has a namespace that depends on the name of the bot alone, unless it gives one', () => {
    expect(namespaceOf('desk')).toMatch(/^[a-z2-7]{8}$/u);
    expect(namespaceOf('desk')).toBe(botSettingsIn(`# moved\n${goodBotFile}`).namespace);
    expect(namespaceOf('desk2')).not.toBe(namespaceOf('desk'));
    const given = edited('bot: desk\n', 'bot: desk\nnamespace: abcdefg7\n');
    expect(botSettingsIn(given).namespace).toBe('abcdefg7');
  });

  test('knows the place of every value, and the nearest above one that is not there', () => {
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

/** What is replaced in the good file, by what, and the whole line that tells it. */
// biome-ignore format: a table reads best with a row per line.
const mistakes: readonly (readonly [from: string, to: string, told: string])[] = [
  // Amounts
  ['XBT: "0.05" }', 'XBT: 0.05 }', '12:34: strategies.mm-xbt.budget.XBT: was 0.05; allowed: a decimal in quotes, 0 or more, such as "0.02"; try: "0.05"'],
  ['orderBaseMax: "0.02"', 'orderBaseMax: 1e400', '21:29: limits.pairs.XBTZAR.orderBaseMax: was 1e400; allowed: a decimal in quotes, 0 or more, such as "0.02"'],
  ['orderBaseMax: "0.02"', 'orderBaseMax: "1e-2"', '21:29: limits.pairs.XBTZAR.orderBaseMax: was "1e-2"; allowed: a decimal in quotes, 0 or more, such as "0.02"'],
  ['orderBaseMax: "0.02"', 'orderBaseMax: "0,02"', '21:29: limits.pairs.XBTZAR.orderBaseMax: was "0,02"; allowed: a decimal in quotes, 0 or more, such as "0.02"'],
  ['orderBaseMax: "0.02"', 'orderBaseMax: "-1"', '21:29: limits.pairs.XBTZAR.orderBaseMax: was "-1"; allowed: a decimal in quotes, 0 or more, such as "0.02"'],
  ['orderBaseMax: "0.02"', 'orderBaseMax: ""', '21:29: limits.pairs.XBTZAR.orderBaseMax: was ""; allowed: a decimal in quotes, 0 or more, such as "0.02"'],
  ['orderBaseMax: "0.02"', 'orderBaseMax: null', '21:29: limits.pairs.XBTZAR.orderBaseMax: was nothing; allowed: a decimal in quotes, 0 or more, such as "0.02"'],
  ['orderBaseMax: "0.02"', 'orderBaseMax: ["0.02"]', '21:29: limits.pairs.XBTZAR.orderBaseMax: was a list; allowed: a decimal in quotes, 0 or more, such as "0.02"'],
  ['orderBaseMax: "0.02"', 'orderBaseMax: "0.0200000000000000001"', '21:29: limits.pairs.XBTZAR.orderBaseMax: was "0.0200000000000000001"; allowed: a decimal in quotes, 0 or more, such as "0.02"'],
  // Units
  ['bookAgeMax: "3s"', 'bookAgeMax: 3', '21:88: limits.pairs.XBTZAR.bookAgeMax: was 3; allowed: a whole number with ms, s, m, h or d, 1ms to 24h, such as "15s"; try: "3s"'],
  ['bookAgeMax: "3s"', 'bookAgeMax: "3 sec"', '21:88: limits.pairs.XBTZAR.bookAgeMax: was "3 sec"; allowed: a whole number with ms, s, m, h or d, 1ms to 24h, such as "15s"; try: "3s"'],
  ['bookAgeMax: "3s"', 'bookAgeMax: "3%"', '21:88: limits.pairs.XBTZAR.bookAgeMax: was "3%"; allowed: a whole number with ms, s, m, h or d, 1ms to 24h, such as "15s"; try: "3s"'],
  ['bookAgeMax: "3s"', 'bookAgeMax: "3d"', '21:88: limits.pairs.XBTZAR.bookAgeMax: was "3d"; allowed: a whole number with ms, s, m, h or d, 1ms to 24h, such as "15s"'],
  ['collar: "2%"', 'collar: 0.02', '21:70: limits.pairs.XBTZAR.collar: was 0.02; allowed: a share with % or bps, above 0 and at most 100%, such as "2%" or "20bps"; try: "2%"'],
  ['collar: "2%"', 'collar: "2"', '21:70: limits.pairs.XBTZAR.collar: was "2"; allowed: a share with % or bps, above 0 and at most 100%, such as "2%" or "20bps"; try: "2%"'],
  ['collar: "2%"', 'collar: "200%"', '21:70: limits.pairs.XBTZAR.collar: was "200%"; allowed: a share with % or bps, above 0 and at most 100%, such as "2%" or "20bps"'],
  ['collar: "2%"', 'collar: "2s"', '21:70: limits.pairs.XBTZAR.collar: was "2s"; allowed: a share with % or bps, above 0 and at most 100%, such as "2%" or "20bps"'],
  // Whole numbers
  ['ordersOpenMax: 10', 'ordersOpenMax: "10"', '19:29: limits.account.ordersOpenMax: was "10"; allowed: a whole number without quotes, 0 to 1000; try: 10'],
  ['ordersOpenMax: 10', 'ordersOpenMax: 0o14', '19:29: limits.account.ordersOpenMax: was 0o14; allowed: a whole number without quotes, 0 to 1000'],
  ['ordersOpenMax: 10', 'ordersOpenMax: 1.5', '19:29: limits.account.ordersOpenMax: was 1.5; allowed: a whole number without quotes, 0 to 1000'],
  ['version: 1', 'version: 2', '1:10: version: was 2; allowed: a whole number without quotes, 1 to 1'],
  // Keys
  ['plugin: simple-mm', 'plugni: simple-mm', '9:5: strategies.mm-xbt.plugni: is unknown; allowed: plugin, pairs, parameters, budget, allow, onRestart, onStop, onUnusableBook; try: plugin'],
  ['onStop: cancel', 'on_stop: cancel', '15:5: strategies.mm-xbt.on_stop: is unknown; allowed: plugin, pairs, parameters, budget, allow, onRestart, onStop, onUnusableBook; try: onStop'],
  ['lossDayMax', 'zzz', '18:84: limits.account.zzz: is unknown; allowed: openNotionalMax, turnoverDayMax, lossDayMax, ordersOpenMax, ordersPerMinuteMax'],
  ['onStop: cancel', 'onRestart: cancel', '15:5: strategies.mm-xbt.onRestart: is given twice, first on line 14; allowed: each key once'],
  ['  mm-xbt:', '  MM:', '8:3: strategies.MM: is no valid name; allowed: an id of lower-case letters, digits and dashes, at most 32 characters'],
  ['accounts: { XBT: "11"', 'accounts: { __proto__: "11", XBT: "11"', '6:13: accounts.__proto__: is no valid name; allowed: a currency code such as XBT'],
  ['accounts: { XBT: "11"', 'accounts: { XBT: 11', '6:18: accounts.XBT: was 11; allowed: an account id, such as "11", in quotes; try: "11"'],
  ['version: 1', 'version: 1\napiKey: hunter2', '2:1: apiKey: looks like a secret, and none may stand here: put it in a file of mode 0600, named by an environment variable ending in _FILE'],
  ['size: "0.01"', 'secret: hunter2', '11:40: strategies.mm-xbt.parameters.secret: looks like a secret, and none may stand here: put it in a file of mode 0600, named by an environment variable ending in _FILE'],
  // Choices and names
  ['mode: demo ', 'mode: dmeo ', '3:7: mode: was dmeo; allowed: demo, paper, live; try: demo'],
  ['postOnly: required', 'postOnly: no', '13:79: strategies.mm-xbt.allow.postOnly: was no; allowed: required, allowed, never'],
  ['postOnly: required', 'postOnly: true', '13:79: strategies.mm-xbt.allow.postOnly: was true; allowed: required, allowed, never'],
  ['types: [limit]', 'types: [market]', '13:41: strategies.mm-xbt.allow.types[0]: was market; allowed: limit'],
  ['sides: [BID, ASK]', 'sides: [BID, BID]', '13:27: strategies.mm-xbt.allow.sides[1]: was BID; allowed: each value once'],
  ['sides: [BID, ASK]', 'sides: []', '13:21: strategies.mm-xbt.allow.sides: was a list; allowed: a list in [ ], not empty'],
  ['pairs: [XBTZAR]', 'pairs: [xbtzar]', '10:13: strategies.mm-xbt.pairs[0]: was xbtzar; allowed: a pair such as XBTZAR'],
  ['bot: desk', 'bot: 12', '2:6: bot: was 12; allowed: a name of lower-case letters, digits and dashes, at most 32'],
  ['store: data/desk.sqlite', 'store: ../desk.sqlite', '5:8: store: was ../desk.sqlite; allowed: a relative path that stays inside the folder, without ..'],
  ['store: data/desk.sqlite', 'store: /etc/desk.sqlite', '5:8: store: was /etc/desk.sqlite; allowed: a relative path that stays inside the folder, without ..'],
  ['store: data/desk.sqlite', 'store: data/../../x', '5:8: store: was data/../../x; allowed: a relative path that stays inside the folder, without ..'],
  ['plugin: simple-mm', 'plugin: ../../evil', '9:13: strategies.mm-xbt.plugin: was ../../evil; allowed: a name of lower-case letters, digits and dashes, at most 32'],
  // What is missing
  ['collar: "2%", ', '', '21:5: limits.pairs.XBTZAR: lacks collar, which is required'],
  ['    XBTZAR: {', '    XBTEUR: {', '20:3: limits.pairs: lacks XBTZAR, and strategies.mm-xbt trades XBTZAR'],
  ['openNotionalMax: { ZAR:', 'openNotionalMax: { EUR:', '18:14: limits.account.openNotionalMax: lacks ZAR, and strategies.mm-xbt trades XBTZAR'],
  ['budget: { ZAR: "20000", XBT: "0.05" }', 'budget: { XBT: "0.05" }', '12:5: strategies.mm-xbt.budget: lacks a currency of XBTZAR, and strategies.mm-xbt trades XBTZAR'],
  ['accounts: { XBT: "11", ', 'accounts: { ', '6:1: accounts: lacks XBT, and strategies.mm-xbt trades XBTZAR'],
  ['mode: demo ', 'mode: live ', '1:1: lacks live: live: { keyFingerprint: ... } names the only key that may trade'],
  // Form
  ['size: "0.01"', 'size: &size "0.01"', '11:52: strategies.mm-xbt.parameters.size: has an anchor (&); allowed: values without anchors'],
  ['size: "0.01"', 'size: !!str 0.01', '11:52: strategies.mm-xbt.parameters.size: has a tag (!); allowed: values without tags'],
  ['accounts: { XBT: "11"', 'accounts: { <<: { EUR: "1" }, XBT: "11"', '6:13: accounts.<<: is a merge key; allowed: every value written where it is used'],
];

describe('a mistake is told with its line, column, key, value, what is allowed and a cure', () => {
  test.each(mistakes)('%s -> %s', (from, to, told) => {
    expect(problemLines(() => botSettingsIn(edited(from, to)))).toContain(`desk.yaml:${told}`);
  });

  test('a file without limits is refused', () => {
    const text = goodBotFile.slice(0, goodBotFile.indexOf('limits:'));
    expect(problemLines(() => botSettingsIn(text))).toEqual([
      'desk.yaml:1:1: lacks limits, which is required',
    ]);
  });

  test('only the demo may leave its accounts out', () => {
    const text = edited('accounts: { XBT: "11", ZAR: "13" }\n', '');
    expect(botSettingsIn(text).accounts).toEqual({});
    const paper = edited('mode: demo ', 'mode: paper ', text);
    expect(problemLines(() => botSettingsIn(paper))).toEqual([
      'desk.yaml:1:1: lacks accounts: an account id per currency is needed in mode paper',
    ]);
  });

  test('live needs a key that is named', () => {
    const text = edited('mode: demo ', 'live: { keyFingerprint: "0123456789abcdef" }\nmode: live ');
    expect(botSettingsIn(text).liveKeyFingerprint).toBe('0123456789abcdef');
  });

  test('all mistakes of a file are told at once, by line', () => {
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
    ['a tab', edited('  pairs:\n', '\tpairs:\n'), /^desk\.yaml:20:1: Tabs are not allowed/u],
    ['two documents', `${goodBotFile}---\n${goodBotFile}`, /multiple documents/u],
    ['a directive', `%YAML 1.1\n---\n${goodBotFile}`, /has a % directive/u],
    ['an alias', edited('"0.01"', '*other'), /^desk\.yaml:11:46: .*(alias|Alias)/u],
    ['an alias bomb', `a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n${goodBotFile}`, /is an alias/u],
    ['21 levels', edited('"0.01"', '['.repeat(20) + ']'.repeat(20)), /is nested too deeply/u],
    ['100,000 levels', '['.repeat(100_000), /is nested too deeply/u],
    ['an open quote', edited('"0.01"', '"0.01'), /^desk\.yaml:\d+:\d+: /u],
    ['no map', '- 1\n', /^desk\.yaml:1:1: was a list/u],
    ['nothing', '', /^desk\.yaml:1:1: was nothing/u],
  ])('%s is refused', (_name, text, told) => {
    expect(problemLines(() => botSettingsIn(text)).join('\n')).toMatch(told);
  });
});

describe('the file itself', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-settings-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const load = (name: string) => problemLines(() => loadBotSettings(name, { cwd: folder }));

  test('is found from the working folder, and named in errors as it was given', () => {
    writeFileSync(join(folder, 'desk.yaml'), goodBotFile);
    const settings = loadBotSettings('desk.yaml', { cwd: folder });
    expect(settings.store).toBe(join(folder, 'data/desk.sqlite'));
    writeFileSync(join(folder, 'bad.yaml'), edited('bot: desk', 'bot: "?"'));
    expect(load('bad.yaml')[0]).toMatch(/^bad\.yaml:2:6: bot: /u);
  });

  test('must be there', () => {
    expect(load('absent.yaml')).toEqual(['absent.yaml: there is no such file']);
  });

  test('must be a regular file: a folder and a named pipe are refused without waiting', () => {
    execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
    expect(load('pipe.yaml')).toEqual(['pipe.yaml: must be a regular file']);
    expect(load('.')).toEqual(['.: must be a regular file']);
  });

  test('must be small and UTF-8', () => {
    writeFileSync(join(folder, 'large.yaml'), `#${'x'.repeat(256 * 1024)}\n${goodBotFile}`);
    expect(load('large.yaml')[0]).toMatch(/must be at most 256 kB/u);
    writeFileSync(join(folder, 'latin.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe]));
    expect(load('latin.yaml')).toEqual(['latin.yaml: must be UTF-8 text']);
  });
});
