/** Two results are compared figure by figure, and their charts are laid over each other. */
import { describe, expect, test } from 'vitest';
import { compareResults } from '../../../src/backtest/compare/compare-results.ts';
import type {
  BacktestPageData,
  PageChart,
  PageTable,
} from '../../../src/backtest/report/page-data.ts';
import { amount, count, list, row, text } from '../../../src/backtest/report/page-values.ts';

const noMarks = {
  texts: [],
  fills: {
    ...{ all: 0, atMs: [], isBid: [], isMaker: [], price: [], volume: [], feeBase: [] },
    ...{ feeCounter: [], order: [], strategy: [], reason: [] },
  },
  orders: {
    ...{ all: 0, fromMs: [], toMs: [], isBid: [], price: [], volume: [], state: [], order: [] },
    ...{ strategy: [], reason: [] },
  },
  refusals: { all: 0, atMs: [], strategy: [], reason: [] },
};

const recordingOf = (name: string) => ({ path: `/${name}.mrec`, hash: name });

function chartOf(times: readonly number[], values: readonly (string | null)[]): PageChart {
  const prices = { title: 'Price', unit: 'ZAR', height: 1, series: [] };
  const series = [{ name: 'profit', look: 'profit' as const, values }];
  return { times, panes: [prices, { title: 'Profit', unit: 'ZAR', height: 1, series }] };
}

/** The charts of two results, laid over each other. */
function overlayOf(a: PageChart, b: PageChart): PageChart {
  const pair = { a: resultOf({ chart: a }), b: resultOf({ chart: b }) };
  const [overlay] = compareResults(pair, '1.0.0', []).overlays;
  if (overlay === undefined) throw new Error('no chart');
  return overlay.chart;
}

function resultOf(
  part: Partial<BacktestPageData> & { readonly profit?: string; readonly pair?: string },
): BacktestPageData {
  const { profit = '1', pair = 'XBTZAR', ...rest } = part;
  return {
    ...{ page: 'backtest', format: 1, program: '1.0.0', scenario: 'one', pairs: [pair] },
    ...{
      hash: profit,
      rows: 1,
      seconds: 1,
      from: 'then',
      to: 'later',
      recordings: [recordingOf('a')],
    },
    ...{ cautions: [], cards: [], chart: undefined, notes: [], settings: '{"seed":1}' },
    printed: { lines: [], leftOut: 0 },
    markets: [
      {
        ...{ pair, base: 'XBT', counter: 'ZAR', coarse: undefined, cautions: [], cards: [] },
        ...{ chart: chartOf([0, 10], ['0', profit]), marks: noMarks },
        tables: [
          list('Trader', [row('Profit', amount(profit, 'ZAR')), row('Round trips', count(3))]),
        ],
      },
    ],
    tables: [{ title: 'Limits', columns: ['used', 'at'], rows: [row('x', count(2), text('now'))] }],
    ...rest,
  };
}

const tableIn = (tables: readonly PageTable[], title: string): PageTable | undefined =>
  tables.find((one) => one.title === title);

describe('figures', () => {
  test('have an exact difference, B less A', () => {
    const a = resultOf({ profit: '0.1' });
    const b = resultOf({ profit: '-0.200000000000000001' });
    const { tables } = compareResults({ a, b }, '1.0.0', []);
    const trader = tableIn(tables, 'Trader');
    expect(trader?.columns).toEqual(['A', 'B', 'B − A']);
    expect(trader?.rows[0]?.values.map(({ exact }) => exact)).toEqual([
      ...['0.1', '-0.200000000000000001', '-0.300000000000000001'],
    ]);
    expect(trader?.rows[1]?.values[2]?.exact).toBe('0');
  });

  test('of a table with several columns have a row for each, and texts are same or different', () => {
    const a = resultOf({});
    const rows = [row('x', count(5), text('later')), row('y', count(1), text('now'))];
    const b = resultOf({ tables: [{ title: 'Limits', columns: ['used', 'at'], rows }] });
    const table = tableIn(compareResults({ a, b }, '1.0.0', []).tables, 'Limits');
    expect(
      table?.rows.map(({ name, values }) => [name, ...values.map(({ exact }) => exact)]),
    ).toEqual([
      ['x: used', '2', '5', '3'],
      ['x: at', 'now', 'later', 'different'],
      ['y: used', null, '1', 'different'],
      ['y: at', null, 'now', 'different'],
    ]);
  });

  test('of settings are shown only where they differ', () => {
    const a = resultOf({ settings: '{"seed":1,"limits":{"x":["1","2"]}}' });
    const b = resultOf({ settings: '{"seed":1,"limits":{"x":["1","3"]},"more":true,"hash":"x"}' });
    const table = tableIn(compareResults({ a, b }, '1.0.0', []).tables, 'Settings that differ');
    expect(
      table?.rows.map(({ name, values }) => [name, ...values.map(({ exact }) => exact)]),
    ).toEqual([
      ['limits.x.1', '"2"', '"3"'],
      ['more', 'not set', 'true'],
    ]);
  });
});

describe('notes', () => {
  test('say what makes two results hard to compare', () => {
    const a = resultOf({});
    const other = { hash: 'other', program: '2.0.0', to: 'never', recordings: [recordingOf('b')] };
    const b = resultOf({ ...other, pair: 'ETHZAR' });
    const { notes, overlays } = compareResults({ a, b }, '2.0.0', ['gone']);
    expect(notes).toEqual([
      'gone',
      'A was written by Millrace 1.0.0, B by Millrace 2.0.0',
      'the times differ: A played then to later, B played then to never',
      'the recordings differ: A played /a.mrec, B played /b.mrec',
      'only A has XBTZAR, which is not compared',
      'only B has ETHZAR, which is not compared',
    ]);
    expect(overlays).toEqual([]);
  });

  test('say that both are the same', () => {
    const { notes } = compareResults({ a: resultOf({}), b: resultOf({}) }, '1.0.0', []);
    expect(notes).toEqual(['both are the same result: they have the same hash']);
  });
});

describe('charts of two results', () => {
  test('are over the times of both; a value stays until the next one, and ends with its result', () => {
    const { times, isSinceStart, panes } = overlayOf(
      chartOf([0, 10, 20], ['1', '2', '3']),
      chartOf([10, 15, 30], ['4', null, '6']),
    );
    expect(times).toEqual([0, 10, 15, 20, 30]);
    expect(isSinceStart).toBeUndefined();
    const [a, b] = panes.find(({ title }) => title === 'Profit')?.series ?? [];
    expect([a?.name, ...(a?.values ?? [])]).toEqual(['A: profit', '1', '2', '2', '3', null]);
    expect([b?.name, ...(b?.values ?? [])]).toEqual(['B: profit', null, '4', null, null, '6']);
  });

  test('of other times begin together', () => {
    const { times, isSinceStart } = overlayOf(
      chartOf([0, 10], ['1', '2']),
      chartOf([100, 105], ['3', '4']),
    );
    expect([times, isSinceStart]).toEqual([[0, 5, 10], true]);
  });
});
