/**
 * `millrace config check` of a scenario reports what would prevent its backtest, in the same words
 * as the backtest.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { runConfigCheck } from '../../src/cli/commands/config-command.ts';
import { MillraceError } from '../../src/domain/errors.ts';
import { Output } from '../../src/terminal/output.ts';
import { coarseScenario, tradeLines, writeCoarse } from '../support/coarse-recordings.ts';
import { type Changes, writeFirst } from '../support/first-scenario.ts';
import { workspace } from '../support/package-root.ts';
import { printed } from '../support/printed.ts';

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-check-'));
  await writeCoarse(folder, 'trades', tradeLines(1, 200));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bare: Changes[number] = [/^market:\n(?: {2}.*\n)+/mu, 'market: { pair: XBTZAR }\n'];

type FileReport = { readonly problems: readonly string[]; readonly warnings: readonly string[] };

async function reportOn(scenario: string): Promise<FileReport & { readonly code: number }> {
  const stdout = new PassThrough();
  const output = new Output({ workspace, isJson: true, stdout, stderr: new PassThrough() });
  const code = await runConfigCheck({ files: [scenario], workspace, output });
  const { files } = JSON.parse(printed(stdout));
  return { code, ...(files[0] as FileReport) };
}

async function checked(scenario: string) {
  const { code, problems } = await reportOn(scenario);
  return { code, problems };
}

/** Returns the error of a backtest that cannot begin. */
async function refusalOf(scenario: string): Promise<string> {
  const stream = new PassThrough();
  const output = new Output({ workspace, isJson: true, stdout: stream, stderr: stream });
  const options = { scenario, workspace, output, graceMs: 60_000 };
  const error: unknown = await runBacktestCommand(options).catch((thrown) => thrown);
  if (error instanceof MillraceError) return error.message;
  throw new Error('the backtest began', { cause: error });
}

const cases: readonly (readonly [string, Changes, RegExp])[] = [
  ['no-recording', [[/recording\.mrec/u, 'other.mrec']], /other\.mrec does not exist: /u],
  [
    'other-pair',
    [
      [/pair: XBTZAR/u, 'pair: XBTEUR'],
      [/pairs: \[XBTZAR\]/u, 'pairs: [XBTEUR]'],
      [/^ {4}XBTZAR: /mu, '    XBTEUR: '],
      [/(?<=(?:Max|budget): \{ )ZAR/gu, 'EUR'],
    ],
    /records XBTZAR, but the scenario says XBTEUR; change the pair or the recording/u,
  ],
  ['no-balance', [bare, [/XBT: "1", /u, '']], /balances lacks XBT, a currency of XBTZAR/u],
  [
    'a-foreign-balance',
    [bare, [/XBT: "1", /u, 'XBT: "1", ETH: "3", ']],
    /balances\.ETH was "3", but no market has that currency; allowed: XBT, ZAR$/u,
  ],
];

test.each(cases)('%s', async (name, changes, told) => {
  const place = join(folder, name);
  const scenario = join(writeFirst(place, changes), 'scenario.yaml');
  const refusal = await refusalOf(scenario);
  expect(refusal).toMatch(told);
  expect(await checked(scenario)).toEqual({ code: 2, problems: [`${scenario}: ${refusal}`] });
});

test('a recording can be named by an absolute path', async () => {
  const recording = join(writeFirst(join(folder, 'data'), []), 'recording.mrec');
  const changes: Changes = [
    [/recording\.mrec/u, recording],
    [/^to: \S+/mu, 'to: "2026-11-20T12:01:00Z"'],
  ];
  const scenario = join(writeFirst(join(folder, 'absolute'), changes), 'scenario.yaml');
  rmSync(join(folder, 'absolute', 'recording.mrec'));
  expect(await checked(scenario)).toEqual({ code: 0, problems: [] });
  await expect(refusalOf(scenario)).rejects.toThrow('the backtest began');
});

test('trades need a fill model, under its new key or its former one', async () => {
  const scenario = join(folder, 'coarse.yaml');
  const rules = '{ halfSpread: "0.02", volumeShare: "10%" }';
  const text = coarseScenario('trades.mrec', rules);
  writeFileSync(scenario, text);
  expect(await checked(scenario)).toEqual({ code: 0, problems: [] });
  writeFileSync(scenario, text.replace('fillModel:', 'lowerGrade:'));
  const former = await reportOn(scenario);
  expect(former).toMatchObject({ code: 0, problems: [] });
  expect(former.warnings.join()).toContain(`${scenario}: rename the key lowerGrade to fillModel`);
  writeFileSync(scenario, text.replace(/^fillModel: .*\n/mu, ''));
  const { code, problems } = await checked(scenario);
  expect(code).toBe(2);
  expect(problems).toEqual([`${scenario}: ${await refusalOf(scenario)}`]);
  expect(problems[0]).toContain('fillModel');
});
