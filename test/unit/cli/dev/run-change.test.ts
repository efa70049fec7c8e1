/** The figures of a run of `dev`, and what changed. */
import { expect, test } from 'vitest';
import { changeLines, figuresOf, noticesIn } from '../../../../src/cli/dev/run-change.ts';

const result = {
  orders: 10,
  fills: 4,
  profit: '-1.5',
  metrics: { trader: { profit: '-1.5', drawdownMax: '2.25' } },
  refusals: { gate: { FUNDS: 2 }, exchange: { 'would-take': 1 } },
};

test('shows orders, fills, profit, drawdown and refusals of a first run', () => {
  expect(changeLines(figuresOf(result), undefined)).toEqual([
    '  orders      10',
    '  fills        4',
    '  profit    -1.5',
    '  drawdown  2.25',
    '  refusals     3',
  ]);
});

test('says what each figure was before, and by how much it changed, exactly', () => {
  const now = { ...result, orders: 12, profit: '0.1', refusals: { gate: {}, exchange: {} } };
  expect(changeLines(figuresOf(now), figuresOf(result))).toEqual([
    '  orders      12  was 10, +2',
    '  fills        4  as before',
    '  profit     0.1  was -1.5, +1.6',
    '  drawdown  2.25  as before',
    '  refusals     0  was 3, -3',
  ]);
});

test('shows several markets one by one, and the drawdown of the account', () => {
  const several = {
    ...result,
    metrics: {
      XBTZAR: { trader: { profit: '1', drawdownMax: '2' } },
      ETHZAR: { trader: { profit: '-2.5', drawdownMax: '3' } },
    },
    account: { drawdownMax: '4' },
  };
  expect([...figuresOf(several)]).toEqual([
    ['orders', '10'],
    ['fills', '4'],
    ['profit', '-1.5'],
    ['profit XBTZAR', '1'],
    ['drawdown XBTZAR', '2'],
    ['profit ETHZAR', '-2.5'],
    ['drawdown ETHZAR', '3'],
    ['drawdown', '4'],
    ['refusals', '3'],
  ]);
});

test('a figure that only one of the runs has is shown alone', () => {
  const { profit: _profit, ...without } = result;
  expect(changeLines(figuresOf(result), figuresOf(without))[2]).toBe('  profit    -1.5');
});

test('warnings are shown, and what plugins print while they are loaded and in their events', () => {
  const said = [
    '[####................]  20 %  100 rows',
    'printed by a plugin: loaded',
    '2026-11-20T12:00:30   print     quoter: in an event',
    '! a warning',
  ];
  expect(noticesIn(said)).toEqual(said.slice(1));
});
