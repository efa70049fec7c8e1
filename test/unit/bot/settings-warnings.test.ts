/** What `config check` and a start warn of: valid settings that are surely unintended. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { excessiveBudgets } from '../../../src/bot/start/budget-check.ts';
import { preparePlugins } from '../../../src/bot/start/prepare-plugins.ts';
import { botWarnings, settingsWarnings } from '../../../src/bot/start/settings-warnings.ts';
import { startWarnings } from '../../../src/bot/start/start-warnings.ts';
import { decimalOf } from '../../../src/domain/money.ts';
import { botSettingsOf } from '../../../src/settings/load-bot-settings.ts';
import { SettingsSource } from '../../../src/settings/settings-source.ts';
import { workspace } from '../../support/package-root.ts';
import { writeClockReader } from '../../support/planted-plugin.ts';
import { demoBotFile } from '../settings/bot-file.ts';

const root = join(import.meta.dirname, '../../..');

async function warningsIn(text: string): Promise<readonly string[]> {
  const { settings, plugins } = await loaded(text);
  return botWarnings(settings, plugins);
}

async function loaded(text: string) {
  const source = new SettingsSource('desk.yaml', new TextEncoder().encode(text));
  const settings = botSettingsOf(source, { workspace });
  return { settings, plugins: await preparePlugins(settings, join(root, 'strategies')) };
}

/** Returns the warnings of the demo's file with each `from` replaced by its `to`. */
function warningsWith(...changes: readonly (readonly [string, string])[]) {
  let text = demoBotFile;
  for (const [from, to] of changes) {
    expect(text.split(from), from).toHaveLength(2);
    text = text.replace(from, () => to);
  }
  return warningsIn(text);
}

describe('a warning', () => {
  test.each([
    [
      'halfSpread: "20bps"',
      'halfSpread: "3%"',
      /halfSpread: warning: was 3%, but limits\.pairs\.XBTZAR\.collar is 2%: .* less than 2%$/,
    ],
    [
      'size: "0.01"',
      'size: "0.05"',
      /size: warning: was "0\.05", but limits.*orderBaseMax is "0\.02"/,
    ],
    [
      'positionBaseMax: "0.2"',
      'positionBaseMax: "0.005"',
      /size: warning: was "0\.01", but limits.*positionBaseMax is "0\.005"/,
    ],
    ['collar: "2%"', 'collar: "100%"', /collar: warning: was 100%: even a price of zero/],
    [
      'refresh: "15s"',
      'refresh: "99ms"',
      /refresh: warning: was 99 ms: quotes would use up the calls that the exchange allows/,
    ],
    ['bookAgeMax: "5s"', 'bookAgeMax: "11m"', /bookAgeMax: warning: was 11 minutes: /],
    [
      'tolerance: "2bps"',
      'tolerance: "21bps"',
      /tolerance: warning: was 0\.21%, more than the half spread of 0\.2%/,
    ],
    ['budget: { ZAR: "250000"', 'budget: { ZAR: "0"', /budget\.ZAR: warning: was "0": without ZAR/],
    [
      'lossDayMax: { ZAR: "25000" }',
      'lossDayMax: { ZAR: "25000", ZAE: "1" }',
      /lossDayMax\.ZAE: warning: .*no traded market has the currency ZAE .*; did you mean ZAR\?$/,
    ],
    [
      'XBT: "0.2" }',
      'XBT: "0.2", EUR: "5" }',
      /budget\.EUR: warning: has no effect: no traded market has the currency EUR/,
    ],
    [
      'sides: [BID, ASK]',
      'sides: [BID]',
      /allow\.sides: warning: was \[BID\], but simple-mm places ASK .*\[BID, ASK\]$/,
    ],
    [
      'timeInForce: [GTC]',
      'timeInForce: [IOC]',
      /allow\.timeInForce: warning: was \[IOC\], but simple-mm places GTC orders/,
    ],
    [
      'postOnly: required',
      'postOnly: never',
      /allow\.postOnly: warning: was never, but simple-mm .*try: required$/,
    ],
  ])('of %s as %s', async (from, to, told) => {
    const warnings = await warningsWith([from, to]);
    expect(warnings).toEqual([expect.stringMatching(told)]);
    expect(warnings[0]).toMatch(/^desk\.yaml:\d+:\d+: /);
  });

  test('is given for a half spread above 10 % that no collar forbids', async () => {
    const warnings = await warningsWith(
      ['halfSpread: "20bps"', 'halfSpread: "11%"'],
      ['collar: "2%"', 'collar: "20%"'],
    );
    expect(warnings).toEqual([
      expect.stringMatching(
        /halfSpread: warning: was 11%: quotes more than 10% from the mid will not trade/,
      ),
    ]);
  });

  test('is given for a budget above the initial balance of a paper account', async () => {
    const poor = readFileSync(join(root, 'config/paper.yaml'), 'utf8').replace(
      '"1000000"',
      '"1000"',
    );
    expect(await warningsIn(poor)).toEqual([
      expect.stringMatching(
        /budget\.ZAR: warning: was "250000" ZAR, but the account has 1000: .*; try: "1000" or less$/,
      ),
    ]);
  });

  test('of a book age that is shorter than the candles of a scenario', async () => {
    const { settings, plugins } = await loaded(demoBotFile);
    const withBars = (barMs: number) =>
      settingsWarnings({ ...settings, plugins, barMs: new Map([['XBTZAR', barMs]]) });
    expect(withBars(60_000)).toEqual([
      expect.stringMatching(
        /bookAgeMax: warning: was 5 s, but a candle lasts 60 s: .*; try: "90s"$/,
      ),
    ]);
    expect(withBars(4_000)).toEqual([]);
  });

  test('is not given for the settings that we ship, even with a byte order mark and CRLF', async () => {
    for (const file of ['config/demo.yaml', 'config/paper.yaml']) {
      const text = readFileSync(join(root, file), 'utf8');
      expect(await warningsIn(text)).toEqual([]);
      expect(await warningsIn(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual([]);
    }
  });
});

/** What a person would write for a suggestion. */
function valueFor(suggestion: string): string | string[] {
  const [, least] = /^less than (.*)%$/u.exec(suggestion) ?? [];
  if (least !== undefined) return `${decimalOf(least).div(2).toFixed()}%`;
  if (suggestion.startsWith('[')) return suggestion.slice(1, -1).split(', ');
  if (suggestion.startsWith('the most')) return '1';
  return /"([^"]*)"/u.exec(suggestion)?.[1] ?? suggestion;
}

const paperFile = readFileSync(join(root, 'config/paper.yaml'), 'utf8');
const paperOf = (balances: string, ...changes: readonly (readonly [string, string])[]) =>
  [['{ XBT: "1", ZAR: "1000000" }', balances] as const, ...changes].reduce(
    (text, [from, to]) => text.replace(from, () => to),
    paperFile,
  );
const secondStrategy = paperFile.slice(
  paperFile.indexOf('  mm-xbt:'),
  paperFile.indexOf('\nlimits:'),
);
const crossing: readonly (readonly [string, string])[] = [
  ['plugin: simple-mm', 'plugin: ma-cross'],
  [/parameters: .*/u.exec(paperFile)?.[0] ?? '', 'parameters: { fast: 1, slow: 2, size: "0.01" }'],
  ['[GTC], postOnly: required', '[IOC], postOnly: never'],
];

describe('a suggestion, applied, leaves nothing to warn of', () => {
  test.each([
    ['too wide', paperOf('{ XBT: "1", ZAR: "1000000" }', ['"20bps"', '"3%"']), 1],
    ['too large', paperOf('{ XBT: "1", ZAR: "1000000" }', ['size: "0.01"', 'size: "0.3"']), 1],
    ['no order', paperOf('{ XBT: "1", ZAR: "1000000" }', ['Max: "0.02"', 'Max: "0"']), 1],
    ['no position', paperOf('{ XBT: "1", ZAR: "1000000" }', ['Max: "0.2"', 'Max: "0"']), 1],
    ['too often', paperOf('{ XBT: "1", ZAR: "1000000" }', ['"15s"', '"50ms"']), 1],
    ['tolerant', paperOf('{ XBT: "1", ZAR: "1000000" }', ['"2bps"', '"30bps"']), 1],
    ['no sides', paperOf('{ XBT: "1", ZAR: "1000000" }', ['[BID, ASK]', '[ASK]']), 1],
    ['no collar', paperOf('{ XBT: "1", ZAR: "1000000" }', ['"2%"', '"100%"']), 1],
    ['old book', paperOf('{ XBT: "1", ZAR: "1000000" }', ['"5s" }', '"11m" }']), 1],
    ['no base budget', paperOf('{ XBT: "0", ZAR: "1000000" }', ['XBT: "0.2" }', 'XBT: "0" }']), 1],
    ['taker without base', paperOf('{ XBT: "0", ZAR: "1000000" }', ...crossing), 0],
    [
      'taker without a base budget',
      paperOf('{ XBT: "0", ZAR: "1000000" }', ...crossing, ['XBT: "0.2" }', 'XBT: "0" }']),
      1,
    ],
    ['only the counter currency', paperOf('{ XBT: "0", ZAR: "1000000" }'), 0],
    ['a little of both', paperOf('{ XBT: "0.05", ZAR: "1000" }'), 1],
    [
      'two strategies',
      paperOf('{ XBT: "0", ZAR: "100000" }', [
        '\nlimits:',
        `  mm-b:${secondStrategy.slice(9)}\nlimits:`,
      ]),
      2,
    ],
  ])('%s', async (_, text, count) => {
    const before = await warningsIn(text);
    expect(before).toHaveLength(count);
    const document = parseDocument(text);
    for (const warning of before) {
      const [, path = '', suggestion = ''] =
        /^\S+ ([\w.-]+): warning: .*; try: (.*)$/u.exec(warning) ?? [];
      expect(suggestion, warning).not.toBe('');
      const value = valueFor(suggestion);
      expect(value, warning).not.toBe('0');
      document.setIn(path.split('.'), value);
    }
    expect(await warningsIn(document.toString())).toEqual([]);
  });

  test('no funds at all: nothing is suggested, since no budget would help', async () => {
    const [warning, ...more] = await warningsIn(paperOf('{ XBT: "1", ZAR: "0" }'));
    expect(warning).toMatch(/budget\.ZAR: warning: .*has 0: orders beyond that are refused$/u);
    expect(more).toEqual([]);
  });

  test.each([1_000, 60_000, 3_600_000, 86_400_000])('candles of %d ms', async (barMs) => {
    const barsOf = new Map([['XBTZAR', barMs]]);
    const barWarningsIn = async (text: string) => {
      const { settings, plugins } = await loaded(text);
      return settingsWarnings({ ...settings, plugins, barMs: barsOf });
    };
    for (const age of ['1s', '1m', '48h']) {
      const document = parseDocument(demoBotFile);
      document.setIn(['limits', 'pairs', 'XBTZAR', 'bookAgeMax'], age);
      const [warning] = await barWarningsIn(document.toString());
      if (warning === undefined) continue;
      const [, suggestion = ''] = /; try: (.*)$/u.exec(warning) ?? [];
      document.setIn(['limits', 'pairs', 'XBTZAR', 'bookAgeMax'], valueFor(suggestion));
      expect(await barWarningsIn(document.toString()), `${barMs} ${age}`).toEqual([]);
    }
  });
});

test('budgets of several strategies are compared with the account together', () => {
  const strategies = ['a', 'b'].map((id) => ({
    ...{ id, pairs: ['XBTZAR'], budget: { ZAR: '60', XBT: '7' } },
  }));
  const beyond = excessiveBudgets(strategies, (currency) =>
    decimalOf(currency === 'ZAR' ? '100' : '0'),
  );
  // Not in XBT: there the budget is also the largest position that may be bought.
  expect(beyond.map(({ strategy, total, fitting }) => [strategy, total, fitting])).toEqual([
    ['a', '120', '50'],
    ['b', '120', '50'],
  ]);
  const empty = excessiveBudgets(strategies, () => decimalOf('0'));
  expect(empty.map(({ fitting }) => fitting)).toEqual([undefined, undefined]);
  expect(excessiveBudgets(strategies, () => decimalOf('120'))).toEqual([]);
});

test('a start warns of clocks and random numbers in the source of a plugin', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-start-warnings-'));
  try {
    const strategies = writeClockReader(folder);
    const source = new SettingsSource('desk.yaml', new TextEncoder().encode(demoBotFile));
    const settings = botSettingsOf(source, { workspace });
    const lines = startWarnings(settings, await preparePlugins(settings, strategies));
    expect(lines).toContainEqual(
      expect.stringMatching(/simple-mm\/strategy\.ts:\d+ calls Date\.now: .*context\.nowMs\(\)$/),
    );
    const ours = await preparePlugins(settings, workspace.strategies);
    expect(startWarnings(settings, ours)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('the number of orders that a strategy wants at once', () => {
  /** Returns the warnings of the demo's settings for a grid with so many orders. */
  async function warningsFor(ordersAtOnce: number, text = demoBotFile) {
    const { settings, plugins } = await loaded(text);
    const grids = [...plugins].map(([id, { quoting, needs }]) => {
      if (needs === undefined) throw new Error(`${id} has no needs`);
      return [id, { quoting, needs: { ...needs, ordersAtOnce } }] as const;
    });
    return botWarnings(settings, new Map(grids));
  }

  test('fits the limits of the demo for ten levels', async () => {
    expect(await warningsFor(10)).toEqual([]);
  });

  test('must not exceed a limit; the suggested value cures the warning', async () => {
    const few = demoBotFile.replace(/ordersPerSecondMax: 20\b/gu, 'ordersPerSecondMax: 6');
    const warnings = await warningsFor(10, few);
    expect(warnings).toEqual([
      expect.stringMatching(
        /account\.ordersPerSecondMax is 6, but mm-xbt wants 10 orders at once/u,
      ),
      expect.stringMatching(/eachStrategy\.ordersPerSecondMax is 6, but .*: 10 or more$/u),
    ]);
    const cured = few.replaceAll('ordersPerSecondMax: 6', 'ordersPerSecondMax: 10');
    expect(await warningsFor(10, cured)).toEqual([]);
  });

  test('is checked against a default too, at the nearest key of the file', async () => {
    const without = demoBotFile.replaceAll(/^ +ordersPerSecondMax: .*\n/gmu, '');
    expect(await warningsFor(15, without)).toEqual([
      expect.stringMatching(/limits\.eachStrategy: warning: .* is 10, but mm-xbt wants 15/u),
    ]);
  });
});
