/** Which time a backtest plays: what was recorded of the time that its scenario gives, and told. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { Output } from '../../src/terminal/output.ts';
import { barLines, coarseScenario, writeCoarse } from '../support/coarse-recordings.ts';
import { type Changes, writeFirst } from '../support/first-scenario.ts';
import { workspace } from '../support/package-root.ts';
import { printed } from '../support/printed.ts';

const root = join(import.meta.dirname, '../..');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-time-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function backtest(scenario: string, isJson = true): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = new Output({ workspace, isJson, stdout, stderr });
  const code = await runBacktestCommand({ scenario, workspace, output, graceMs: 60_000 });
  expect(code).toBe(0);
  return printed(stdout);
}

async function cautionsOf(scenario: string): Promise<readonly string[]> {
  const { metrics } = JSON.parse(await backtest(scenario));
  return metrics.cautions.filter((text: string) => /^the run (began|ended) at/u.test(text));
}

const boundsOf = (from: string, to: string): Changes => [
  [/^from: \S+/mu, `from: "2026-11-20T${from}Z"`],
  [/^to: \S+/mu, `to: "2026-11-20T${to}Z"`],
];
const start = '2026-11-20T12:00:00.098Z';
const end = '2026-11-20T12:53:40.864Z';

test.each([
  ['within', '12:52:00', '12:53:00', []],
  ['a little outside', '12:52:00', '12:54:30', []],
  [
    'before',
    '11:50:00',
    '12:01:00',
    [
      `the run began at ${start}, where the recordings begin; the scenario's from is 2026-11-20T11:50:00.000Z`,
    ],
  ],
  [
    'after',
    '12:52:00',
    '13:53:00',
    [
      `the run ended at ${end}, where the recordings end; the scenario's to is 2026-11-20T13:53:00.000Z`,
    ],
  ],
])(
  'bounds %s the recording: the recorded part is played and reported',
  async (_, from, to, cautions) => {
    const scenario = writeFirst(folder, boundsOf(from, to));
    expect(await cautionsOf(scenario)).toEqual(cautions);
    const lines = (await backtest(scenario, false)).split('\n');
    const [played = ''] = lines.filter((line) => line.startsWith('time played '));
    expect(played).toMatch(/^time played {7}2026-11-20T\S+Z to 2026-11-20T\S+Z$/u);
    expect(lines.indexOf(played)).toBe(lines.findIndex((line) => /^recording /u.test(line)) + 1);
  },
  60_000,
);

test.each([
  ['11:00:00', '11:30:00'],
  ['13:00:00', '13:30:00'],
])('an unrecorded time, %s to %s, is an error', async (from, to) => {
  const scenario = writeFirst(folder, boundsOf(from, to));
  await expect(backtest(scenario)).rejects.toThrow(/no rows/u);
});

test.each(['first', 'ma-cross'])(
  'the scenario %s stays within its recording',
  async (name) => {
    const place = join(folder, 'shipped');
    for (const one of ['first', 'ma-cross'])
      for (const file of ['scenario.yaml', ...(one === 'first' ? ['recording.mrec'] : [])])
        cpSync(join(root, 'backtests', one, file), join(place, one, file));
    expect(await cautionsOf(join(place, name))).toEqual([]);
  },
  60_000,
);

test('a recording of bars lasts until the end of its last bar', async () => {
  const [head = '', ...bars] = barLines(1, 1_500, 600);
  await writeCoarse(folder, 'candles', [head, ...bars]);
  const rules = '{ halfSpread: "0.02", volumeShare: "10%", interval: "600s" }';
  const lastMicros = Number.parseInt(bars.at(-1) ?? '', 10);
  const text = (afterMs: number): string => {
    const to = new Date(lastMicros / 1_000 + afterMs).toISOString();
    return coarseScenario('candles.mrec', rules, 0).replace('seed:', `to: "${to}"\nseed:`);
  };
  const scenario = join(folder, 'bars.yaml');
  writeFileSync(scenario, text(650_000));
  expect(await cautionsOf(scenario)).toEqual([]);
  writeFileSync(scenario, text(670_000));
  expect(await cautionsOf(scenario)).toHaveLength(1);
}, 60_000);
