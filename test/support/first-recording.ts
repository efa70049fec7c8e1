/**
 * Makes the recording of `backtests/first`: an hour of the simulated market XBTZAR, streamed,
 * captured and compiled as a real one would be, in virtual time.
 *
 * A program, too: `node test/support/first-recording.ts` writes it anew; the scenario's
 * `expect.hash` must then be what `millrace backtest backtests/first` prints.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptureRecorder } from '../../src/recording/capture/capture-recorder.ts';
import { openCaptures } from '../../src/recording/capture/capture-source.ts';
import { captureFiles } from '../../src/recording/capture/capture-writer.ts';
import { type WrittenRecording, writeRecording } from '../../src/recording/file/flow-source.ts';
import { decodeMarketFrame, isKeepAlive } from '../../src/venues/luno/api/market-messages.ts';
import { defaultSimulatorSettings } from '../../src/venues/luno/simulator/core/simulator-settings.ts';
import { marketFramesOf } from '../../src/venues.ts';
import { ManualTime } from './manual-time.ts';
import { second, simulatorFor, startMicros } from './simulated-exchange.ts';

export const firstRecordingFile = join(import.meta.dirname, '../../backtests/first/recording.mrec');

const pair = 'XBTZAR';
const seed = 1;

/** Gives each frame a millisecond of its own: what happens at one moment has no order in time. */
export function createSpread(): (text: string) => string {
  let lastMs = 0;
  return (text) =>
    text.replace(/(?<="timestamp":)\d+/u, (stamp) => {
      lastMs = Math.max(Number.parseInt(stamp, 10), lastMs + 1);
      return String(lastMs);
    });
}

/** Writes the recording, of `seconds` of the market; `alter` may make another of each frame. */
export async function writeFirstRecording(
  path: string,
  seconds = 3_600,
  alter: (text: string) => string = (text) => text,
): Promise<WrittenRecording> {
  const [written] = await writeRecordings({ [pair]: path }, seconds, alter);
  return written as WrittenRecording;
}

/** As {@link writeFirstRecording}, of several markets of the simulator: a path for each pair. */
export async function writeRecordings(
  paths: Readonly<Record<string, string>>,
  seconds: number,
  alter: (text: string) => string,
): Promise<readonly WrittenRecording[]> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-first-'));
  const onWarning = (message: string): void => {
    throw new Error(message);
  };
  try {
    await capture(folder, Object.keys(paths), seconds, alter);
    const files = captureFiles(folder, 'simulator');
    const written: WrittenRecording[] = [];
    for (const [one, path] of Object.entries(paths))
      written.push(
        await writeRecording(
          await openCaptures(files, { pair: one, onWarning, framesOf: marketFramesOf }),
          path,
        ),
      );
    return written;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The simulated market's rules, as the recording has them. */
export function firstMarket() {
  return simulatedMarket(pair);
}

/** The rules of a market of the simulator. */
export function simulatedMarket(name: string) {
  const market = defaultSimulatorSettings.markets.find((one) => one.pair === name);
  if (market === undefined) throw new Error(`the simulator has no ${name}`);
  const { participants: _, ...rules } = market;
  return rules;
}

/** Calls back with each frame of the market stream when it comes, in virtual time. */
export function streamFirstMarket(
  seconds: number,
  onFrame: (atMicros: number, text: string) => void,
): void {
  streamMarkets([pair], seconds, (_, atMicros, text) => onFrame(atMicros, text));
}

/** As {@link streamFirstMarket}, of several markets of the simulator, in the order of time. */
export function streamMarkets(
  pairs: readonly string[],
  seconds: number,
  onFrame: (pair: string, atMicros: number, text: string) => void,
): void {
  const simulator = simulatorFor(defaultSimulatorSettings, { seed });
  let nowMicros = startMicros;
  for (const one of pairs) {
    const session = simulator.openSession(
      `/api/1/stream/${one}`,
      (output) => {
        if (output.kind === 'close') throw new Error('the stream must stay open');
        if (!isKeepAlive(output.text)) onFrame(one, nowMicros, output.text);
      },
      startMicros,
    );
    session?.receive('{}', startMicros);
  }
  // As a recorder near the exchange that looks every ten milliseconds.
  while (nowMicros < startMicros + seconds * second) {
    nowMicros += 10_000;
    simulator.advance(nowMicros);
  }
}

async function capture(
  folder: string,
  pairs: readonly string[],
  seconds: number,
  alter: (text: string) => string,
): Promise<void> {
  const time = new ManualTime();
  const recorder = new CaptureRecorder({
    folder,
    name: 'simulator',
    begin: { venue: 'simulator', recorder: 'first-recording' },
    hide: (text) => text,
    onFailure: (error) => {
      throw error;
    },
    clock: time.clock,
    timers: time.timers,
    frames: marketFramesOf(),
  });
  for (const one of pairs) {
    recorder.market(simulatedMarket(one));
    recorder.opened(one);
  }
  streamMarkets(pairs, seconds, (one, atMicros, streamed) => {
    time.nowMicros = atMicros;
    const text = alter(streamed);
    const message = decodeMarketFrame(text);
    if (message.kind === 'snapshot' || message.kind === 'update')
      recorder.frame(one, text, message);
  });
  await recorder.close();
}

if (process.argv[1] === import.meta.filename) {
  const { index } = await writeFirstRecording(firstRecordingFile);
  process.stdout.write(`${firstRecordingFile}: ${JSON.stringify(index.counts)} ${index.hash}\n`);
}
