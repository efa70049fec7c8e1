/** A bot's file that names its scenario by `backtest`: one YAML for the bot and its backtest. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { Output } from '../../src/terminal/output.ts';
import { packageRoot, workspace } from '../support/package-root.ts';
import { printed } from '../support/printed.ts';

const first = join(packageRoot, 'backtests/first/scenario.yaml');
let folder = '';
beforeAll(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'millrace-project-')), 'mein Bot für Börsen');
  mkdirSync(folder);
});
afterAll(() => rmSync(dirname(folder), { recursive: true, force: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

async function backtest(scenario: string) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = new Output({ workspace, isJson: true, stdout, stderr });
  const code = await runBacktestCommand({ scenario, graceMs: 60_000, workspace, output });
  const result = JSON.parse(printed(stdout).trimEnd().split('\n').at(-1) ?? '');
  return { code, result, problems: printed(stderr) };
}

/** The bot of the first backtest, as a file of its own. */
const firstBot = /^bot: first[\s\S]*$/mu.exec(readFileSync(first, 'utf8'))?.[0] ?? '';

const learner = `version: 1
bot: learn
mode: demo
backtest: first
strategies:
  mm:
    plugin: simple-mm
    pairs: [XBTZAR]
    parameters: { halfSpread: "20bps", size: "0.01" }
    budget: { ZAR: "250000", XBT: "0.2" }
limits: learner
`;

test('its strategies and limits play the scenario: with those of the scenario, to the same hash', async () => {
  const file = write('same.yaml', `version: 1\nmode: demo\nbacktest: first\n${firstBot}`);
  const { code, result } = await backtest(file);
  expect(code).toBe(0);
  expect(result.hash).toBe(loadScenario(first).expectedHash);
  expect(dirname(result.results)).toBe(join(folder, 'results'));
});

test('limits by name let the sample trade, and refuse nothing', async () => {
  const { code, result } = await backtest(write('millrace.yaml', learner));
  expect(code).toBe(0);
  expect(result.fills).toBeGreaterThan(10);
  expect(result.refusals.gate).toEqual({});
});

test('a scenario of its own needs no bot, and is found from the folder of the file', async () => {
  const scenario = readFileSync(first, 'utf8')
    .replace(firstBot, '')
    .replace(/^expect: .*$/mu, '');
  const recording = join(packageRoot, 'backtests/first/recording.mrec');
  write('hour.yaml', scenario.replace('recording.mrec', recording));
  const file = write('own.yaml', learner.replace('backtest: first', 'backtest: ./hour.yaml'));
  const { result } = await backtest(file);
  expect(result.hash).toBe((await backtest(join(folder, 'millrace.yaml'))).result.hash);
  expect(() => loadScenario(join(folder, 'hour.yaml'))).toThrow(
    /lacks bot; allowed: bot, strategies/u,
  );
});

test('what is wrong is said at its place', async () => {
  const other = write('other.yaml', learner.replaceAll('XBTZAR', 'ETHXBT').replace('ZAR:', 'ETH:'));
  await expect(backtest(other)).rejects.toThrow(
    /other\.yaml:8:13: strategies\.mm\.pairs\[0\]: was "ETHXBT"; allowed: .*, XBTZAR/u,
  );
  const silent = write('silent.yaml', learner.replace('backtest: first\n', ''));
  await expect(backtest(silent)).rejects.toThrow(
    'silent.yaml: lacks backtest, the scenario to run its strategies over, such as backtest: first',
  );
  const unknown = write('unknown.yaml', learner.replace('backtest: first', 'backtest: frist'));
  await expect(backtest(unknown)).rejects.toThrow(
    /no scenario frist: .*first, .*did you mean first\?$/u,
  );
  const absolute = write('absolute.yaml', learner.replace('backtest: first', 'backtest: /x.yaml'));
  await expect(backtest(absolute)).rejects.toThrow(
    /backtest: was \/x\.yaml; allowed: the name of/u,
  );
});
