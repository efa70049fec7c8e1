/** When a run ends with exit code 0, and which commands its summary suggests. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  followUpLines,
  isInOrder,
  type RunReport,
  reportLines,
} from '../../../src/bot/run-report.ts';
import {
  AlreadyRunningError,
  ConfigError,
  NotFoundError,
  SafetyRefusedError,
  StoreError,
} from '../../../src/domain/errors.ts';
import { exitCodeOf } from '../../../src/terminal/exit-code.ts';
import { packageRoot, workspace } from '../../support/package-root.ts';

const inOrder: RunReport = {
  mode: 'demo',
  seconds: 1,
  firstQuoteMs: 1,
  ordersAccepted: 1,
  ordersRejected: 0,
  rejections: [],
  secondsWithoutOrdersMax: 0.2,
  withoutOrders: 'own XBTZAR BID from 2026-11-20T12:00:00.000Z',
  fills: 2,
  fillsAtExchange: 2,
  positionDifference: '0',
  balanceDifference: '0',
  differences: 0,
  openOrdersAtExit: 0,
  auditFailed: null,
  unprovenAtExit: 0,
  incidents: 3,
  failedStrategies: [],
  states: [],
  positions: [],
  breakEven: [],
  paper: null,
  journal: '',
};

test('a run is in order only if nothing differs and no order or strategy is open, unknown or failed', () => {
  expect(isInOrder(inOrder)).toBe(true);
  const wrongs: readonly Partial<RunReport>[] = [
    { fillsAtExchange: 3 },
    { positionDifference: '0.1' },
    { balanceDifference: '0.1' },
    { differences: 1 },
    { openOrdersAtExit: 1 },
    { unprovenAtExit: 1 },
    { failedStrategies: ['strategy a stopped'] },
    { fillsAtExchange: null, positionDifference: null, balanceDifference: null },
    { openOrdersAtExit: null },
  ];
  for (const wrong of wrongs) expect(isInOrder({ ...inOrder, ...wrong })).toBe(false);
});

test('the summary names each strategy that failed', () => {
  const report = { ...inOrder, failedStrategies: ['strategy a stopped at T: threw: x'] };
  expect(reportLines(report, undefined)).toContain('! strategy a stopped at T: threw: x');
});

test('the summary ends with commands that name the settings and the home', () => {
  const demo = join(packageRoot, 'config/demo.yaml');
  const verb = 'npm run --silent millrace --';
  expect(followUpLines({ workspace, config: demo, home: '/tmp/h' })).toEqual([
    `look closer          ${verb} status config/demo.yaml --home /tmp/h`,
    `replay it            ${verb} replay config/demo.yaml --home /tmp/h`,
  ]);
  // As a shell takes it: within double quotes it would read $HOME.
  expect(
    followUpLines({ workspace, config: "/etc/$HOME's bot.yaml", home: '/tmp/h' })[0],
  ).toContain("status '/etc/$HOME'\\''s bot.yaml' --home /tmp/h");
});

test('each kind of failure has its exit code', () => {
  expect(
    [ConfigError, SafetyRefusedError, NotFoundError, AlreadyRunningError, StoreError].map((Kind) =>
      exitCodeOf(new Kind('x')),
    ),
  ).toEqual([2, 3, 4, 75, 1]);
  expect(exitCodeOf(new Error('x'))).toBe(1);
});
