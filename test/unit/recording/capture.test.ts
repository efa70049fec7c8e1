/**
 * Captures keep every frame as received, survive a killed writer and a full disk, and compile to
 * the book of the exchange, with all gaps.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DecodeError } from '../../../src/domain/errors.ts';
import { MarketFeed } from '../../../src/market/feed/market-feed.ts';
import {
  type CaptureEntry,
  decodeCaptureEntry,
  encodeCaptureEntry,
} from '../../../src/recording/capture/capture-entry.ts';
import { captureEntries, captureLines } from '../../../src/recording/capture/capture-reader.ts';
import { CaptureRecorder } from '../../../src/recording/capture/capture-recorder.ts';
import { openCaptures } from '../../../src/recording/capture/capture-source.ts';
import {
  CaptureWriter,
  type CaptureWriterOptions,
  captureFiles,
} from '../../../src/recording/capture/capture-writer.ts';
import { writeRecording } from '../../../src/recording/file/flow-source.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import { verifyFile } from '../../../src/recording/verify-file.ts';
import { createSecretFilter } from '../../../src/runtime/secret-filter.ts';
import { decodeMarketFrame } from '../../../src/venues/luno/api/market-messages.ts';
import { defaultSimulatorSettings } from '../../../src/venues/luno/simulator/core/simulator-settings.ts';
import { marketFramesOf } from '../../../src/venues.ts';
import { writeCapture } from '../../support/capture-file.ts';
import { playedBook, queuesOf } from '../../support/compiled-flow.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { second, simulatorFor, startMicros } from '../../support/simulated-exchange.ts';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'millrace-captures-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const folderOf = (name: string): string => join(root, name);

function writerIn(folder: string, options: Partial<CaptureWriterOptions> = {}): CaptureWriter {
  return new CaptureWriter({
    folder,
    name: 'bot',
    begin: { venue: 'test' },
    firstEntries: () => [],
    hide: (text) => text,
    onFailure: (error) => {
      throw error;
    },
    ...options,
  });
}

function entriesOf(path: string, onTorn: (message: string) => void = () => {}): CaptureEntry[] {
  return [...captureLines(path, onTorn)].flatMap((block) => [...captureEntries(block)]);
}

const frame = (atMicros: number, text: string): CaptureEntry => ({
  atMicros,
  pair: 'XBTZAR',
  kind: 'frame',
  text,
});

describe('lines', () => {
  test.each([
    frame(1, '{"sequence":"1"}'),
    frame(1_795_176_000_000_000, '{\n  "sequence": "1"\r\n}'),
    frame(1, ''),
    frame(1, '\u2028 \u0000 ü 𝄞'),
    { atMicros: 2, pair: '-', kind: 'end', text: '' } as const,
    { atMicros: 2, pair: 'XBTZAR', kind: 'closed', text: 'closed with code 1006' } as const,
  ])('%j is read as it was written', (entry) => {
    const line = encodeCaptureEntry(entry);
    expect(line).not.toContain('\n');
    expect(decodeCaptureEntry(line, 'here')).toEqual(entry);
  });

  test('the error of a malformed line names its place', () => {
    for (const line of ['', 'x', '1 XBTZAR z ', '1 XBTZAR j {}', '1 XBTZAR j "open'])
      expect(() => decodeCaptureEntry(line, 'a.cap: offset 8, line 2')).toThrow(
        /^a\.cap: offset 8/u,
      );
  });
});

describe('files', () => {
  test('frames are read as they were received, in order and without secrets', async () => {
    const folder = folderOf('plain');
    const secret = 'a-secret-of-16-letters';
    const writer = writerIn(folder, { hide: createSecretFilter([{ id: 'key', secret }]) });
    for (let i = 0; i < 3_000; i++) writer.append(frame(startMicros + i, `{"n":${i}}`));
    writer.append(frame(startMicros + 3_000, `{"echo":"${secret}"}`));
    await writer.close();
    const [path = ''] = captureFiles(folder, 'bot');
    const entries = entriesOf(path);
    expect(entries.map(({ kind }) => kind).slice(0, 2)).toEqual(['begin', 'frame']);
    expect(entries.at(-1)?.kind).toBe('end');
    const texts = entries.filter(({ kind }) => kind === 'frame').map(({ text }) => text);
    expect(texts.slice(0, 3_000)).toEqual(Array.from({ length: 3_000 }, (_, i) => `{"n":${i}}`));
    expect(texts.at(-1)).toBe('{"echo":"[secret]"}');
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  test('a file ends at a size and with the day, and the next begins with markets and books', async () => {
    const folder = folderOf('rotated');
    const known = { pair: 'XBTZAR', kind: 'market', text: '{"pair":"XBTZAR"}' } as const;
    const writer = writerIn(folder, { fileBytesMax: 4_000, firstEntries: () => [known] });
    const random = new SeededRandom(1);
    const noise = () => Array.from({ length: 100 }, () => random.integer(0, 1e9)).join();
    let count = 0;
    for (const day of [0, 86_400])
      for (let i = 0; i < 40; i++) {
        writer.append(frame(startMicros + (day + i) * second, `{"n":${count++},"x":"${noise()}"}`));
        await writer.flush();
      }
    await writer.close();
    const files = captureFiles(folder, 'bot');
    expect(files.length).toBeGreaterThan(4);
    const days = files.map((path) =>
      entriesOf(path).map(({ atMicros }) => Math.floor(atMicros / 86_400e6)),
    );
    for (const found of days) expect(new Set(found).size).toBe(1);
    for (const path of files) {
      expect(entriesOf(path)[1]).toMatchObject(known);
      expect(verifyFile(path, marketFramesOf)).toMatchObject({ isGood: false });
    }
    const all = files.flatMap((path) => entriesOf(path)).filter(({ kind }) => kind === 'frame');
    expect(all.map(({ text }) => JSON.parse(text).n)).toEqual(
      Array.from({ length: 80 }, (_, i) => i),
    );
  });

  test('files beyond the limits are deleted, oldest first, and files of other names are kept', async () => {
    const folder = folderOf('kept');
    const write = async (name: string, atMicros: number): Promise<void> => {
      const writer = writerIn(folder, { name, keep: { bytesMax: 200, days: 7 } });
      writer.append(frame(atMicros, '{}'));
      await writer.close();
    };
    await write('other-bot', startMicros - 30 * 86_400 * second);
    for (let day = 5; day >= 0; day--) await write('bot', startMicros - day * 3_600 * second);
    const left = captureFiles(folder, 'bot');
    expect(left.length).toBeLessThan(5);
    expect(left.at(-1)).toContain('20261120T120000000Z');
    expect(captureFiles(folder, 'other-bot')).toHaveLength(1);
    const [oldest = ''] = left;
    const old = new Date(startMicros / 1_000 - 8 * 86_400_000);
    utimesSync(oldest, old, old);
    await write('bot', startMicros + second);
    expect(captureFiles(folder, 'bot')).not.toContain(oldest);
  });

  test('a disk failure ends the recording, is reported once, and affects nothing else', async () => {
    const file = join(root, 'no-folder');
    writeFileSync(file, '');
    const failures: string[] = [];
    const writer = writerIn(join(file, 'below'), {
      onFailure: (error) => failures.push(error.message),
    });
    for (let i = 0; i < 5; i++) {
      writer.append(frame(startMicros + i, '{}'));
      await writer.flush();
    }
    await writer.close();
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain('cannot be written');
  });

  test('a file cut anywhere gives its first entries and reports the torn block', async () => {
    const folder = folderOf('cut');
    const writer = writerIn(folder);
    for (let i = 0; i < 200; i++) {
      writer.append(frame(startMicros + i, `{"n":${i}}`));
      if (i % 20 === 0) void writer.flush();
    }
    await writer.close();
    const [path = ''] = captureFiles(folder, 'bot');
    const whole = entriesOf(path);
    const bytes = readFileSync(path);
    const cut = join(folder, 'cut.cap');
    const random = new SeededRandom(3);
    for (let trial = 0; trial < 80; trial++) {
      writeFileSync(cut, bytes.subarray(0, random.integer(8, bytes.length - 1)));
      const torn: string[] = [];
      const entries = entriesOf(cut, (message) => torn.push(message));
      expect(entries).toEqual(whole.slice(0, entries.length));
      const isClean = torn.length === 0;
      expect(verifyFile(cut, marketFramesOf).isGood).toBe(isClean);
      if (!isClean) expect(torn[0]).toMatch(/cut\.cap: is cut off within the block at offset \d+/u);
    }
    for (let trial = 0; trial < 80; trial++) {
      const damaged = Buffer.from(bytes);
      const at = random.integer(8, bytes.length - 1);
      damaged[at] = (damaged[at] ?? 0) ^ random.integer(1, 255);
      writeFileSync(cut, damaged);
      expect(() => entriesOf(cut)).toThrow(DecodeError);
    }
  });

  test('a killed recorder leaves a file that is readable up to its last whole block', async () => {
    const folder = folderOf('killed');
    const script = join(import.meta.dirname, '../../support/capture-until-killed.ts');
    const child = spawn(process.execPath, [script, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += String(data);
    });
    // After each block it prints how many frames are certainly in the file.
    while (output.split('\n').length < 8) await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    const certain = Number.parseInt(output.trim().split('\n').at(-2) ?? '0', 10);
    const [path = ''] = captureFiles(folder, 'killed');
    const texts = entriesOf(path)
      .filter(({ kind }) => kind === 'frame')
      .map(({ text }) => text);
    expect(texts.length).toBeGreaterThanOrEqual(certain);
    expect(texts).toEqual(texts.map((_, i) => `{"n":${i}}`));
  });
});

const compiled = (pair?: string, warnings: string[] = []) => ({
  ...{ pair, framesOf: marketFramesOf },
  onWarning: (text: string) => void warnings.push(text),
});

describe('compiling', () => {
  /** Records the simulated market with lost connections; returns its files and the last book. */
  async function recordSimulator(folder: string, seed: number) {
    const random = new SeededRandom(seed);
    const time = new ManualTime();
    const [market] = defaultSimulatorSettings.markets;
    if (market === undefined) throw new Error('no market');
    const simulator = simulatorFor(defaultSimulatorSettings, { seed });
    const recorder = new CaptureRecorder({
      ...{ folder, name: 'bot', begin: { venue: 'simulator' }, hide: (text: string) => text },
      fileBytesMax: 3_000,
      onFailure: (error) => {
        throw error;
      },
      clock: time.clock,
      timers: time.timers,
      frames: marketFramesOf(),
    });
    recorder.market(market);
    const truth = new MarketFeed(market);
    let gaps = 0;
    let at = startMicros;
    const { pair } = market;
    for (let connection = 0; connection < 4; connection++) {
      recorder.opened(pair);
      const session = simulator.openSession(
        `/api/1/stream/${pair}`,
        (output) => {
          if (output.kind === 'close') return;
          const message = decodeMarketFrame(output.text);
          if (message.kind === 'snapshot') truth.applySnapshot(message.snapshot, at);
          else if (message.kind === 'update') truth.applyUpdate(message.update, at);
          else return;
          recorder.frame(pair, output.text, message);
        },
        at,
      );
      session?.receive('{}', at);
      const end = at + random.integer(5, 20) * second;
      while (at < end) {
        at += 250_000;
        time.nowMicros = at;
        simulator.advance(at);
        if (random.fraction() < 0.2) await recorder.flush();
      }
      if (connection === 3) break;
      session?.close(at);
      recorder.closed(pair, 'lost on purpose');
      gaps++;
      at += random.integer(0, 3) * second;
      time.nowMicros = at;
      simulator.advance(at);
    }
    await recorder.close();
    return { files: captureFiles(folder, 'bot'), truth, gaps };
  }

  test.each([1, 2, 3])(
    'several files with lost connections give the book of the exchange, seed %i',
    async (seed) => {
      const folder = folderOf(`market-${seed}`);
      const { files, truth, gaps } = await recordSimulator(folder, seed);
      expect(files.length).toBeGreaterThan(1);
      for (const path of files) expect(verifyFile(path, marketFramesOf).problems).toEqual([]);
      const path = join(folder, 'all.mrec');
      const warnings: string[] = [];
      const source = await openCaptures(files, compiled(undefined, warnings));
      const { index } = await writeRecording(source, path, { blockRows: 100, checkpointEvery: 2 });
      const counts = { gaps, unknownOrders: 0, repeatedIds: 0, otherPrices: 0 };
      expect(index.counts).toMatchObject(counts);
      expect(warnings).toEqual([]);
      expect(verifyFile(path, marketFramesOf).problems).toEqual([]);
      const recording = new Recording(path);
      const part = await recording.part();
      const book = await playedBook(part.resting, part.blocks);
      if (truth.book === undefined) throw new Error('the book is lost');
      expect(queuesOf(book)).toEqual(queuesOf(truth.book));
      const [entry] = recording.index.blocks;
      if (entry === undefined) throw new Error('no block');
      for (const delay of recording.delays(entry)) expect(delay).toBeGreaterThanOrEqual(0);
      recording.close();
    },
  );

  test('a file in the middle compiles alone, since it begins with the book', async () => {
    const folder = folderOf('middle');
    const { files, truth } = await recordSimulator(folder, 4);
    const last = files.slice(-1);
    const source = await openCaptures(last, compiled('XBTZAR'));
    const path = join(folder, 'last.mrec');
    await writeRecording(source, path);
    const recording = new Recording(path);
    const part = await recording.part();
    if (truth.book === undefined) throw new Error('the book is lost');
    expect(queuesOf(await playedBook(part.resting, part.blocks))).toEqual(queuesOf(truth.book));
    recording.close();
  });

  test('a missing file in between is a gap, and the book is right after it', async () => {
    const folder = folderOf('missing');
    const { files, truth, gaps } = await recordSimulator(folder, 5);
    expect(files.length).toBeGreaterThan(3);
    const some = files.filter((_, index) => index !== 1);
    const source = await openCaptures(some, compiled('XBTZAR'));
    const path = join(folder, 'some.mrec');
    const { index } = await writeRecording(source, path);
    expect(index.counts.gaps).toBeGreaterThanOrEqual(gaps);
    expect(index.counts.unknownOrders).toBe(0);
    const recording = new Recording(path);
    const part = await recording.part();
    if (truth.book === undefined) throw new Error('the book is lost');
    expect(queuesOf(await playedBook(part.resting, part.blocks))).toEqual(queuesOf(truth.book));
    recording.close();
  });

  test.each([
    ['in the wrong order', 5_000, 0, 'give the oldest first: SECOND before FIRST'],
    ['of the same minutes', 0, 1_000, 'if two recorders ran at the same time'],
  ])('captures %s are refused with both files and times', async (_, first, second, fix) => {
    const folder = folderOf('order');
    mkdirSync(folder, { recursive: true });
    const paths = [join(folder, 'a.cap'), join(folder, 'b.cap')] as const;
    const startMs = Date.UTC(2026, 10, 20, 8);
    writeCapture(paths[0], startMs + first, 2);
    writeCapture(paths[1], startMs + second, 2);
    const opened = openCaptures(paths, compiled());
    const error: Error = await opened.then(
      () => expect.unreachable(),
      (cause) => cause,
    );
    expect(error).toBeInstanceOf(DecodeError);
    const message = error.message.replaceAll(paths[0], 'FIRST').replaceAll(paths[1], 'SECOND');
    const timeOf = (ms: number): string => new Date(startMs + ms).toISOString();
    expect(message).toMatch(/^SECOND: offset 8, line 1: this capture begins before/u);
    expect(message).toContain(`FIRST covers ${timeOf(first)} to ${timeOf(first + 2_000)}; `);
    expect(message).toContain(`SECOND covers ${timeOf(second)} to ${timeOf(second + 2_000)}; `);
    expect(message).toContain(fix);
  });

  test('captures of another market and empty captures are refused', async () => {
    const folder = folderOf('refused');
    const { files } = await recordSimulator(folder, 6);
    const write = async (paths: readonly string[], pair?: string) => {
      const source = await openCaptures(paths, compiled(pair));
      await writeRecording(source, join(folder, 'out.mrec'));
    };
    await expect(write(files, 'ETHXBT')).rejects.toThrow(/no market ETHXBT .* XBTZAR/u);
    const nothing = join(folder, 'nothing.cap');
    writeFileSync(nothing, 'MILLCAP1');
    await expect(write([nothing])).rejects.toThrow(/nothing was recorded/u);
    expect(readdirSync(folder).filter((name) => name.endsWith('.mrec'))).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});
