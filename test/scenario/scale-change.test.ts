/**
 * A market whose scales change while it is recorded: the recording says so, and no backtest places
 * orders by scales that the exchange did not have.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { runCompileCommand } from '../../src/cli/commands/compile-command.ts';
import type { Market } from '../../src/domain/market.ts';
import { CaptureRecorder } from '../../src/recording/capture/capture-recorder.ts';
import { openCaptures } from '../../src/recording/capture/capture-source.ts';
import { captureFiles } from '../../src/recording/capture/capture-writer.ts';
import { writeRecording } from '../../src/recording/file/flow-source.ts';
import { Recording } from '../../src/recording/file/recording.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { Output } from '../../src/terminal/output.ts';
import { marketFramesOf } from '../../src/venues.ts';
import { scenarioText } from '../support/backtest-scenario.ts';
import { ManualTime } from '../support/manual-time.ts';
import { workspace } from '../support/package-root.ts';
import { printed } from '../support/printed.ts';
import { marketOf } from '../support/several-markets.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-scales-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const startMs = 1_675_733_400_000;

/** Records a second of one order a frame with each of the markets' rules in turn. */
async function recordAs(name: string, rules: readonly Market[]): Promise<string> {
  const time = new ManualTime();
  const recorder = new CaptureRecorder({
    ...{ folder, name, begin: { venue: 'test' }, hide: (text: string) => text },
    onFailure: (error) => {
      throw error;
    },
    clock: time.clock,
    timers: time.timers,
    frames: marketFramesOf(),
  });
  let sequence = 0;
  for (const [turn, market] of rules.entries()) {
    time.nowMicros = (startMs + turn * 1_000) * 1_000;
    recorder.market(market);
    if (turn === 0) recorder.opened(market.pair);
    const timestamp = startMs + turn * 1_000;
    const book = [{ id: `a${turn}`, price: '100.25', volume: '5' }];
    const frames = [
      { sequence: String(++sequence), asks: book, bids: [], status: 'ACTIVE', timestamp },
      {
        ...{ sequence: String(++sequence), trade_updates: [], delete_update: null },
        create_update: { order_id: `b${turn}`, type: 'BID', price: '100', volume: '5' },
        timestamp: timestamp + 100,
      },
    ];
    for (const frame of frames) {
      const text = JSON.stringify(frame);
      recorder.frame(market.pair, text, marketFramesOf().decode(text));
    }
  }
  await recorder.close();
  const path = join(folder, `${name}.mrec`);
  const source = await openCaptures(captureFiles(folder, name), {
    pair: undefined,
    onWarning: () => {},
    framesOf: marketFramesOf,
  });
  await writeRecording(source, path);
  return path;
}

function runOver(name: string) {
  const path = join(folder, 'scenario.yaml');
  const text = scenarioText()
    .replace(/data: \{[^}]*\}/u, `data: { kind: recording, recording: ${name}.mrec }`)
    .replace(/market: \{[^}]*\}/u, 'market: { pair: ABCEUR }');
  writeFileSync(path, text);
  const { source: _source, ...scenario } = loadScenario(path);
  const strategiesFolder = join(import.meta.dirname, '../../strategies');
  return runBacktest({ scenario, dataFolder: folder, strategiesFolder });
}

const [coarse, fine] = [marketOf('ABC'), marketOf('ABC', { priceScale: 3 })];

test('a change of scales is recorded with its time, and a backtest refuses the recording', async () => {
  const recording = new Recording(await recordAs('changed', [coarse, coarse, fine]));
  const { market, scalesChangedMicros } = recording.header;
  recording.close();
  expect(market.priceScale).toBe(3);
  expect(scalesChangedMicros).toBe((startMs + 2_000) * 1_000);
  const stderr = new PassThrough();
  await runCompileCommand({
    captures: captureFiles(folder, 'changed'),
    pair: undefined,
    out: join(folder, 'again.mrec'),
    output: new Output({ workspace, isJson: true, stdout: new PassThrough(), stderr }),
  });
  expect(printed(stderr)).toMatch(/scales changed at 2023-02-07T01:30:02\.000Z: a backtest/u);
  await expect(runOver('changed')).rejects.toThrow(
    /changed\.mrec: the market's scales change within it, at 2023-02-07T01:30:02\.000Z; compile/u,
  );
});

test('a recording without a change is played with its own rules, which the scenario may omit', async () => {
  const recording = new Recording(await recordAs('steady', [coarse, coarse]));
  expect(recording.header.scalesChangedMicros).toBeUndefined();
  recording.close();
  const { run } = await runOver('steady');
  const [marketRun] = run.marketRuns;
  expect(marketRun?.feed.accountMarket.market).toEqual(coarse);
});
