/** The backtest of a fresh clone, as a process: its hash is the expected one wherever it runs. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Recording } from '../../src/recording/file/recording.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { figuresIn, pageContentIn } from '../support/page-content.ts';

const project = join(import.meta.dirname, '../..');
const main = join(project, 'src/main.ts');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-first-run-'));
  for (const name of ['recording.mrec', 'scenario.yaml'])
    cpSync(join(project, 'backtests/first', name), join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function backtest(environment: Readonly<Record<string, string>> = {}, scenario = folder) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [main, 'backtest', scenario, '--json'],
    {
      env: { ...process.env, MILLRACE_DATA: join(folder, 'no-data'), ...environment },
      encoding: 'utf8',
    },
  );
  const hash = status === null ? '' : (JSON.parse(stdout) as { hash: string }).hash;
  return { status, stderr, hash };
}

test('it has its expected hash here, and elsewhere: place, time zone and locale', () => {
  const { expectedHash } = loadScenario(join(folder, 'scenario.yaml'));
  expect(expectedHash).toMatch(/^[0-9a-f]{64}$/u);
  expect(backtest()).toMatchObject({ status: 0, hash: expectedHash });
  const elsewhere = { TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };
  // A recording that several scenarios play is named by its path from each.
  const beside = join(folder, 'beside');
  mkdirSync(beside);
  const text = readFileSync(join(folder, 'scenario.yaml'), 'utf8');
  const shared = text.replace('recording: recording.mrec', 'recording: ../recording.mrec');
  writeFileSync(join(beside, 'scenario.yaml'), shared);
  expect(shared).not.toBe(text);
  expect(backtest(elsewhere, beside)).toMatchObject({ status: 0, hash: expectedHash });
}, 120_000);

test('the example that takes, on candles, has its expected hash over the same recording', () => {
  const scenario = join(project, 'backtests/ma-cross');
  const copy = join(folder, 'ma-cross');
  mkdirSync(copy);
  const text = readFileSync(join(scenario, 'scenario.yaml'), 'utf8');
  const played = text.replace('../first/recording.mrec', '../recording.mrec');
  expect(played).not.toBe(text);
  writeFileSync(join(copy, 'scenario.yaml'), played);
  const { expectedHash } = loadScenario(join(scenario, 'scenario.yaml'));
  expect(backtest({}, copy)).toMatchObject({ status: 0, hash: expectedHash });
}, 120_000);

test('its results and its page say which data were played, and under which terms', () => {
  const { stdout } = spawnSync(process.execPath, [main, 'backtest', folder, '--json'], {
    encoding: 'utf8',
  });
  const { results, report, played, refusals } = JSON.parse(stdout);
  // Its strategy starts when its orders can be judged.
  expect(refusals.gate).toEqual({});
  expect(JSON.parse(readFileSync(results, 'utf8')).played).toEqual(played);
  const path = join(folder, 'recording.mrec');
  const recording = new Recording(path);
  recording.close();
  const { hash } = recording.index;
  const { sources } = recording.header;
  expect(played).toMatchObject({
    from: '2026-11-20T12:00:30.000Z',
    to: expect.stringMatching(/^2026-11-20T12:5\d:\d\d\.\d{3}Z$/u),
    markets: [
      {
        pair: 'XBTZAR',
        recordings: [{ path, grade: 'order', hash, sources }],
        fees: { maker: '0.0005', taker: '0.001' },
      },
    ],
    latencies: { request: { kind: 'fixed', us: 3_000 } },
  });
  const page = JSON.stringify(pageContentIn(report).tables);
  for (const text of [path, hash, sources[0]?.sha256, played.from, played.to, '3 ms'])
    expect(page).toContain(text);
}, 60_000);

test('it says how many replacements waited for the call budget, as its orders show', () => {
  // Close to the mid and often refreshed, its quotes move more often than calls allow.
  const path = join(folder, 'scenario.yaml');
  const text = readFileSync(path, 'utf8')
    .replace('halfSpread: "20bps"', 'halfSpread: "10bps"')
    .replace('refresh: "15s"', 'refresh: "5s"');
  writeFileSync(path, text);
  const { stdout } = spawnSync(process.execPath, [main, 'backtest', folder, '--json'], {
    encoding: 'utf8',
  });
  const { results, report, sending, orders } = JSON.parse(stdout);
  type Row = { readonly state: string };
  const { orderRows }: { orderRows: readonly Row[] } = JSON.parse(readFileSync(results, 'utf8'));
  const cancelled = orderRows.filter(({ state }) => state === 'cancelled');
  // Nearly each was replaced by a quote that moved; one that fills just then is not cancelled.
  expect(sending.moves.begun).toBeGreaterThan(cancelled.length - orders * 0.05);
  expect(sending.moves.begun).toBeLessThan(cancelled.length + orders * 0.12);
  // An order may lose its turn to a read, and not be wanted any more when its next one comes.
  expect(sending.neverSent).toBeLessThan(orders * 0.001);
  expect(sending.sent + sending.neverSent).toBe(orders);
  expect(sending.moves.waitedLong).toBeGreaterThan(orders * 0.05);
  expect(sending.moves.waitMsMax).toBeGreaterThan(5_000);
  const { begun, waitedLong, waitMsMax } = sending.moves;
  expect(figuresIn(pageContentIn(report).tables, 'Approved orders')).toMatchObject({
    Replaced: String(begun),
    'Replaced after more than a second': String(waitedLong),
    'Replaced, longest wait': String(waitMsMax / 1_000),
  });
}, 60_000);

test('another hash than the expected one is exit code 1', () => {
  const path = join(folder, 'scenario.yaml');
  const text = readFileSync(path, 'utf8')
    .replace('seed: 1', 'seed: 2')
    .replace('size: "0.01"', 'size: "0.012"');
  writeFileSync(path, text);
  const { status, stderr, hash } = backtest();
  expect(status).toBe(1);
  expect(stderr).toContain('expect.hash is');
  expect(stderr).toContain(hash);
}, 120_000);
