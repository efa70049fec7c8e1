/**
 * Files of version 0.1.0 stay readable: its settings, databases, archive, journals, captures,
 * recordings and results. `test/fixtures/0.1.0/README.md` says how that version wrote them.
 *
 * An answer may have more keys than 0.1.0 gave, but those of 0.1.0 keep their values.
 */

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { runCompileCommand } from '../../src/cli/commands/compile-command.ts';
import { runReplay } from '../../src/cli/commands/replay-command.ts';
import { runReport } from '../../src/cli/commands/report-command.ts';
import { runStatus } from '../../src/cli/commands/status-command.ts';
import { runVerifyCommand } from '../../src/cli/commands/verify-command.ts';
import { runWhy } from '../../src/cli/commands/why-command.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { exitCodes } from '../../src/terminal/exit-code.ts';
import { Output } from '../../src/terminal/output.ts';
import { workspace } from '../support/package-root.ts';
import { printed } from '../support/printed.ts';

const fixtures = join(import.meta.dirname, '../fixtures/0.1.0');
const config = join(fixtures, 'demo.yaml');
const folder = mkdtempSync(join(tmpdir(), 'millrace-version-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Copies a folder of the fixtures and decompresses its files; returns the copy. */
function unpack(name: string): string {
  const copy = mkdtempSync(join(folder, `${name}-`));
  cpSync(join(fixtures, name), copy, { recursive: true });
  for (const entry of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.gz')) continue;
    const path = join(copy, entry);
    writeFileSync(path.slice(0, -'.gz'.length), gunzipSync(readFileSync(path)));
    rmSync(path);
  }
  return copy;
}

/** Runs a command with `--json`, expects its exit code, and returns its result. */
async function ask(
  command: (output: Output) => number | Promise<number>,
  exitCode: number = exitCodes.ok,
) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await command(new Output({ workspace, isJson: true, stdout, stderr }));
  const text = printed(stdout);
  expect(code, `${text}${printed(stderr)}`).toBe(exitCode);
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
}

const answers = unpack('answers');

/**
 * Returns what 0.1.0 answered, with the later names of its keys; `store` is a path that differs
 * with each copy.
 */
function answerOf(name: string) {
  const { store: _store, ...answer } = JSON.parse(readFileSync(join(answers, name), 'utf8'));
  if (answer.feeSense === undefined) return answer;
  const { feeSense: breakEven, ...rest } = answer;
  return { ...rest, breakEven };
}

function openStore(home: string, nowMs: number) {
  const run = { configHash: 'later', codeHash: 'later', nodeVersion: process.version };
  return openSqliteStore(join(home, 'demo.sqlite'), { nowMs, namespace: 'tzlfq4tl', run });
}

describe('the database that kill -9 left, with its write-ahead log', () => {
  test('status and report answer as 0.1.0 did', async () => {
    const home = unpack('killed');
    const status = await ask((output) => runStatus({ workspace, config, home, output }));
    expect(status).toMatchObject(answerOf('killed-status.json'));
    expect(status).toMatchObject({ lastRun: { closed: false }, openOrders: [{}, {}], fills: 4 });
    const day = '2026-11-23';
    const report = await ask((output) => runReport({ workspace, config, home, day, output }));
    expect(report).toMatchObject(answerOf('killed-report.json'));
  });

  test('a run starts from what 0.1.0 restored from it', () => {
    const journal = join(unpack('home'), 'journal/demo-20261123T003841-run2.jsonl');
    const [header = ''] = readFileSync(journal, 'utf8').split('\n');
    // A line is its checksum and its JSON; decoding it asks for this version's journals.
    const { restored, startedMicros } = JSON.parse(header.slice(9)).start;
    expect(restored.orders).toHaveLength(12);
    const startedMs = Math.floor(startedMicros / 1000);
    const store = openStore(unpack('killed'), startedMs);
    // What older orders by key have traded is read, too; here all orders are of the last day.
    const expected = { ...restored, earlierTraded: [] };
    expect(JSON.parse(JSON.stringify(store.restore(startedMs)))).toEqual(expected);
    store.close();
  });
});

describe('the home after a restart, with an archive', () => {
  const stories = readFileSync(join(answers, 'home-why.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => withoutWords(JSON.parse(line)));

  /** The timeline repeats the story's rows in words, which may be reworded. */
  function withoutWords(story: { order: { clientOrderId: string }; timeline: object[] }) {
    const timeline = story.timeline.map((moment) => ({ ...moment, text: undefined }));
    return { ...story, timeline };
  }

  async function expectStories(home: string): Promise<void> {
    expect(stories).toHaveLength(20);
    for (const story of stories) {
      const order = story.order.clientOrderId;
      const options = { config, home, order, sinceMs: undefined };
      const told = await ask((output) => runWhy({ workspace, ...options, output }));
      expect(withoutWords(told)).toMatchObject(story);
    }
  }

  test('status and the story of every order are as 0.1.0 gave them', async () => {
    const home = unpack('home');
    const status = await ask((output) => runStatus({ workspace, config, home, output }));
    expect(status).toMatchObject(answerOf('home-status.json'));
    await expectStories(home);
  });

  test('its archive takes more rows, and every story stays', async () => {
    const home = unpack('home');
    const nowMs = Date.parse('2028-01-01T00:00:00Z');
    const store = openStore(home, nowMs);
    let moved = 0;
    for (let more = store.archive(nowMs); more > 0; more = store.archive(nowMs)) moved += more;
    store.close();
    expect(moved).toBeGreaterThan(50);
    await expectStories(home);
  });

  test('each of its journals says which Millrace replays it', async () => {
    const home = unpack('home');
    const replay = await ask(
      (output) => runReplay({ workspace, journal: undefined, all: true, home, output }),
      exitCodes.error,
    );
    expect(replay).toMatchObject({ journals: 2, failed: 2 });
    for (const { message } of replay.failures)
      expect(message).toContain('replay it with Millrace 0.1.0');
  });

  test('its captures are whole and compile to the recording of 0.1.0, byte for byte', async () => {
    const home = unpack('home');
    const inside = join(home, 'captures');
    const captures = readdirSync(inside)
      .sort()
      .map((name) => join(inside, name));
    const recording = join(fixtures, 'backtest/recording.mrec');
    const verified = await ask((output) => runVerifyCommand([...captures, recording], output));
    expect(verified.files).toMatchObject([
      { isGood: true, figures: { frames: 237 } },
      { isGood: true, figures: { frames: 238 } },
      { isGood: true, figures: { rows: 567 } },
    ]);
    const out = join(home, 'again.mrec');
    const compiled = await ask((output) =>
      runCompileCommand({ captures, pair: undefined, out, output }),
    );
    expect(compiled.hash).toBe(verified.files[2].figures.hash);
    expect(readFileSync(out).equals(readFileSync(recording))).toBe(true);
  });
});

describe('a backtest of 0.1.0 plays the same history, and its result has the same keys, but for renamed ones', () => {
  const renamedKeys = new Map([['tape', 'history']]);
  const resultAt = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

  /** Decisions follow from this version's engine; what was played and what must add up do not. */
  async function expectResult(scenario: string, path: string): Promise<void> {
    const options = { scenario, environment: {}, graceMs: 60_000 };
    const { results } = await ask((output) =>
      runBacktestCommand({ workspace, ...options, output }),
    );
    const [before, now] = [resultAt(path), resultAt(results)];
    const { scenario: name, pair, rows, virtualSeconds } = before;
    expect(now).toMatchObject({ scenario: name, pair, rows, virtualSeconds });
    expect(now).toMatchObject({ positionDifference: '0', balanceDifference: '0' });
    const keys = Object.keys(before).map((key) => renamedKeys.get(key) ?? key);
    expect(Object.keys(now)).toEqual(expect.arrayContaining(keys));
    for (const table of ['orderRows', 'fillRows']) {
      expect(now[table]).not.toHaveLength(0);
      expect(Object.keys(now[table][0])).toEqual(Object.keys(before[table][0]));
    }
  }

  test('over its recording', async () => {
    const scenario = unpack('backtest');
    await expectResult(scenario, join(scenario, 'result.json'));
  });

  test('of backtests/first', async () => {
    const scenario = unpack('first');
    for (const name of ['scenario.yaml', 'recording.mrec'])
      cpSync(join(import.meta.dirname, '../../backtests/first', name), join(scenario, name));
    await expectResult(scenario, join(scenario, 'result.json'));
  });
});
