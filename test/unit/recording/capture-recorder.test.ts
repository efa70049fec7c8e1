/** When frames reach the capture: they wait a moment, and keep their times and their order. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { captureEntries, captureLines } from '../../../src/recording/capture/capture-reader.ts';
import { CaptureRecorder } from '../../../src/recording/capture/capture-recorder.ts';
import { defaultSimulatorSettings } from '../../../src/venues/luno/simulator/core/simulator-settings.ts';
import { marketFramesOf } from '../../../src/venues.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { startMicros } from '../../support/simulated-exchange.ts';

test('frames that wait keep their times and their order, however many there are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-waiting-'));
  const time = new ManualTime();
  const [market] = defaultSimulatorSettings.markets;
  if (market === undefined) throw new Error('no market');
  const { pair } = market;
  const recorder = new CaptureRecorder({
    ...{ folder, name: 'bot', begin: { venue: 'simulator' }, hide: (text: string) => text },
    onFailure: (error) => {
      throw error;
    },
    clock: time.clock,
    timers: time.timers,
    frames: marketFramesOf(),
  });
  const frame = (number: number): void => {
    time.nowMicros = startMicros + number;
    const update = { sequence: String(number), trades: [], timestamp: number };
    recorder.frame(pair, String(number), { kind: 'update', update });
  };
  frame(1);
  expect(recorder.frames).toBe(1);
  time.fire();
  frame(2);
  time.nowMicros = startMicros + 3;
  recorder.closed(pair, 'lost');
  frame(4);
  await recorder.flush();
  const { path } = recorder;
  const read = () =>
    [...captureLines(path, () => {})]
      .flatMap((block) => [...captureEntries(block)])
      .flatMap(({ kind, text, atMicros }) =>
        kind === 'frame' || kind === 'closed' ? [[text, atMicros - startMicros]] : [],
      );
  const first = [
    ['1', 1],
    ['2', 2],
    ['lost', 3],
    ['4', 4],
  ];
  expect(read()).toEqual(first);
  for (let number = 5; number < 5 + 300; number++) frame(number);
  await recorder.close();
  expect(read()).toEqual([
    ...first,
    ...Array.from({ length: 300 }, (_, index) => [String(index + 5), index + 5]),
  ]);
  rmSync(folder, { recursive: true });
});
