/** Backtests over trades and over candles, from the CSV to the report, and their refusals. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { runCheckStrategy } from '../../src/cli/commands/check-strategy-command.ts';
import { exitCodeOf } from '../../src/terminal/exit-code.ts';
import { Output } from '../../src/terminal/output.ts';
import { barLines, coarseScenario, tradeLines, writeCoarse } from '../support/coarse-recordings.ts';
import { packageRoot, workspace } from '../support/package-root.ts';
import { pageContentIn } from '../support/page-content.ts';
import { printed } from '../support/printed.ts';

const seed = 3;
const actions = 1_500;
const barSeconds = 10;
const graceMs = 60_000;
const trades = '{ halfSpread: "0.02", volumeShare: "10%" }';
const candles = `{ halfSpread: "0.02", volumeShare: "10%", interval: "${barSeconds}s" }`;

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-coarse-'));
  await writeCoarse(folder, 'trades', tradeLines(seed, actions));
  await writeCoarse(folder, 'candles', barLines(seed, actions, barSeconds));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function told(run: (output: Output) => Promise<number>, isJson: boolean) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = new Output({ workspace, isJson, stdout, stderr });
  let code: number;
  try {
    code = await run(output);
  } catch (error) {
    output.problem(error);
    code = exitCodeOf(error);
  }
  return { code, out: printed(stdout), problems: printed(stderr) };
}

function backtest(text: string, isJson = true, strategies = workspace.strategies) {
  const scenario = join(folder, 'scenario.yaml');
  writeFileSync(scenario, text);
  const place = { ...workspace, strategies };
  return told(
    (output) => runBacktestCommand({ scenario, workspace: place, output, graceMs }),
    isJson,
  );
}

describe.each([
  ['trades', coarseScenario('trades.mrec', trades)],
  ['candles', coarseScenario('candles.mrec', candles, 0)],
  ['candles', coarseScenario('candles.mrec', candles, 20_000)],
])('%s', (grade, text) => {
  test('are traded by the same strategy, with consistent accounts, and repeatably', async () => {
    const first = await backtest(text);
    expect(first.problems).not.toMatch(/incident/u);
    expect(first.code).toBe(0);
    const result = JSON.parse(first.out);
    expect(result.fills).toBeGreaterThan(5);
    expect(result.fillsAtExchange).toBe(result.fills);
    expect(result.incidents).toEqual({});
    expect(result).toMatchObject({
      openOrdersAtExit: 0,
      positionDifference: '0',
      balanceDifference: '0',
    });
    const { rows } = result;
    const lines = grade === 'trades' ? tradeLines(seed, actions) : barLines(seed, actions, 10);
    expect(rows).toBe(lines.length - 1);
    expect(JSON.parse((await backtest(text)).out).hash).toBe(result.hash);
  });

  test('are named at the beginning of the report, without figures that they cannot show', async () => {
    const { out } = await backtest(text);
    const result = JSON.parse(out);
    expect(Object.keys(result)[0]).toBe('coarseData');
    expect(result.coarseData.grade).toBe(grade);
    expect(result).not.toHaveProperty('history');
    for (const name of ['aheadAtRest', 'aheadAtFillMax', 'touchShare'])
      expect(result.metrics.maker).not.toHaveProperty(name);
    const [market] = pageContentIn(result.report).markets;
    expect(market?.coarse).toMatchObject({ grade, rules: result.coarseData.rules });
    const shown = JSON.stringify(market?.tables);
    expect(shown).not.toMatch(/NaN|undefined|[Qq]ueue|at the touch|History and our orders/u);
    // The notices of the run come first, then an empty line and the table.
    const { out: lines } = await backtest(text, false);
    const table = lines.slice(lines.search(/^$/mu)).trimStart().split('\n');
    expect(table[0]).toMatch(new RegExp(`^coarse data +${grade}: `, 'u'));
    const rules: readonly string[] = result.coarseData.rules;
    expect(table.slice(1, rules.length + 1)).toEqual(
      rules.map((rule) => `${'rule'.padEnd(17)} ${rule}`),
    );
    expect(table.join('\n')).not.toMatch(/queue ahead|at the touch|history conflicts|doubtful/u);
  });

  test('give no finding of check-strategy for a strategy that does not look ahead', async () => {
    const scenario = join(folder, 'scenario.yaml');
    writeFileSync(scenario, text);
    const file = join(packageRoot, 'strategies', 'simple-mm');
    const { code, out } = await told(
      (output) => runCheckStrategy({ file, scenario, workspace, output, graceMs }),
      true,
    );
    expect(JSON.parse(out)).toMatchObject({ problems: 0 });
    expect(code).toBe(0);
  }, 120_000);
});

test('a strategy receives each bar at its end, and a taker pays the worst of the next', async () => {
  const text = coarseScenario('candles.mrec', candles, 0)
    .replace('plugin: simple-mm', 'plugin: takes-on-candles')
    .replace(/parameters: \{.*\}/u, 'parameters: {}')
    .replace('timeInForce: [GTC], postOnly: required', 'timeInForce: [IOC], postOnly: allowed');
  const fixtures = join(packageRoot, 'test/fixtures/strategies');
  const { out, problems } = await backtest(text, true, fixtures);
  expect(problems).toBe('');
  const { results, takerFills } = JSON.parse(out);
  expect(takerFills).toBeGreaterThan(5);
  const { orderRows, fillRows } = JSON.parse(readFileSync(results, 'utf8'));
  const bars = barLines(seed, actions, barSeconds)
    .slice(1)
    .map((line) => line.split(',').map(Number.parseFloat));
  for (const { reason, createdMs, clientOrderId, side } of orderRows) {
    const [startMicros = 0, ...candle] = (reason as string).split(',').map(Number.parseFloat);
    expect(createdMs).toBe(startMicros / 1_000 + barSeconds * 1_000);
    const bar = bars.find(([start]) => start === startMicros);
    // An interval without a bar is a candle without volume at the last price.
    if (bar !== undefined) {
      const [, open = 0, high = 0, low = 0, close = 0, volume] = bar;
      const ticks = [open, high, low, close].map((price) => Math.round(price * 100));
      expect(candle).toEqual([...ticks, volume]);
    }
    const next = bars.find(([start]) => start === startMicros + barSeconds * 1e6);
    const fills = fillRows.filter(
      (fill: { clientOrderId: string }) => fill.clientOrderId === clientOrderId,
    );
    for (const { price } of fills) {
      const [, , high = 0, low = 0] = next ?? [];
      const worst = side === 'BID' ? high + 0.02 : low - 0.02;
      expect(Number.parseFloat(price)).toBeCloseTo(worst, 8);
    }
  }
});

test('a bar that would end after `to` is not played', async () => {
  const text = coarseScenario('candles.mrec', candles, 0);
  const times = barLines(seed, actions, barSeconds)
    .slice(1)
    .map((line) => Number.parseInt(line, 10) / 1_000);
  const [, , , fourth = 0] = times;
  const rowsUntil = async (toMs: number): Promise<number> => {
    const to = `to: "${new Date(toMs).toISOString()}"`;
    return JSON.parse((await backtest(text.replace('latencies:', `${to}\nlatencies:`))).out).rows;
  };
  expect(await rowsUntil(fourth + barSeconds * 1_000)).toBe(4);
  expect(await rowsUntil(fourth + barSeconds * 1_000 - 1)).toBe(3);
});

test.each([
  ['trades.mrec', '', /cannot prove a fill.*fillModel: \{ halfSpread: "…", volumeShare: "10%" \}/u],
  ['candles.mrec', '', /cannot prove a fill.*interval: "1m"/u],
  ['trades.mrec', candles, /holds trades; fillModel must be .* without interval/u],
  ['candles.mrec', trades, /holds candles; fillModel must be .* with interval/u],
  ['candles.mrec', candles.replace('"10s"', '"5s"'), /begin 10 s apart.*interval is 5 s/u],
  ['candles.mrec', candles.replace('"10s"', '"1m"'), /begin 10 s apart.*interval is 60 s/u],
  ['trades.mrec', trades.replace('0.02', '0.005'), /halfSpread: was "0.005".*at most 2 decimals/u],
  [
    'trades.mrec',
    trades.replace('0.02', '0'),
    /fillModel\.halfSpread: was "0"; allowed: .*above 0/u,
  ],
  ['trades.mrec', trades.replace('10%', '101%'), /volumeShare: was "101%".*at most 100%/u],
  ['trades.mrec', trades.replace('10%', '0.00001%'), /volumeShare: has too many decimals/u],
  ['trades.mrec', '{ halfSpread: "0.02" }', /fillModel.*volumeShare/u],
])(
  '%s with fillModel %j ends with 2 and reports the problem',
  async (recording, fillModel, message) => {
    const { code, problems } = await backtest(coarseScenario(recording, fillModel));
    expect(problems).toMatch(message);
    expect(code).toBe(2);
  },
);

test('the former key lowerGrade gives one notice, and the same run', async () => {
  const text = coarseScenario('trades.mrec', trades);
  const former = text.replace('fillModel:', 'lowerGrade:');
  const [first, again] = [await backtest(text), await backtest(former)];
  expect(first.problems).not.toContain('fillModel');
  const notices = again.problems.split('\n').filter((line) => line.includes('fillModel'));
  expect(notices).toEqual([
    expect.stringMatching(/^! \S+scenario\.yaml: rename the key lowerGrade to fillModel; /u),
  ]);
  expect(JSON.parse(again.out).hash).toBe(JSON.parse(first.out).hash);
  const file = join(packageRoot, 'strategies', 'simple-mm');
  const scenario = join(folder, 'scenario.yaml');
  const checked = await told(
    (output) => runCheckStrategy({ file, scenario, workspace, output, graceMs }),
    true,
  );
  expect(checked.problems.split('\n').filter((line) => line.includes('fillModel'))).toEqual(
    notices,
  );
}, 120_000);

test('fillModel is refused for order-by-order history', async () => {
  const first = join(packageRoot, 'backtests/first');
  copyFileSync(join(first, 'recording.mrec'), join(folder, 'recording.mrec'));
  const { code, problems } = await backtest(
    readFileSync(join(first, 'scenario.yaml'), 'utf8').replace(
      'latencies:',
      'fillModel: { halfSpread: "100", volumeShare: "10%" }\nlatencies:',
    ),
  );
  expect(problems).toContain('fills need no assumptions; remove fillModel');
  expect(code).toBe(2);
});
