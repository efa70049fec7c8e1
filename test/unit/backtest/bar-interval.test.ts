/**
 * The length of bars is judged by their usual distance. A row at an odd distance is named, and no
 * bar is played before its end.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { coarseModelOf } from '../../../src/backtest/coarse/coarse-data.ts';
import { inOrder, openChain } from '../../../src/backtest/run/recording-chain.ts';
import { FlowCursor } from '../../../src/market/flow/flow-cursor.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import { barTable, writeCoarse } from '../../support/coarse-recordings.ts';
import { recordedMarket } from '../../support/compiled-flow.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-bar-interval-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [minute, hour, day] = [60, 3_600, 86_400];
let files = 0;

/** Plays bars that begin at these times, in seconds, as bars of `length` seconds. */
async function play(length: number, ...tables: readonly (readonly number[])[]) {
  const recordings: Recording[] = [];
  for (const begins of tables) {
    const name = `bars-${files++}`;
    await writeCoarse(folder, 'candles', barTable(begins), { name });
    recordings.push(new Recording(join(folder, `${name}.mrec`)));
  }
  try {
    const settings = { halfSpread: '0.01', volumeShareMillionths: 1, intervalMs: length * 1_000 };
    const ordered = inOrder(recordings);
    const model = coarseModelOf(ordered, recordedMarket, settings);
    if (model === undefined) throw new Error('bars are coarse data');
    const span = { fromMicros: -Infinity, toMicros: Infinity };
    const chain = await openChain(ordered, span, model.blocks.lateMicros);
    const ends: number[] = [];
    const cursor = new FlowCursor();
    const blocks = chain.blocks(() => chain.resting);
    for await (const block of model.blocks.playedAll(blocks, chain)) {
      cursor.load(block);
      while (cursor.next()) ends.push((cursor.atMicros + 1) / 1e6);
    }
    const { oddBars, unwatched } = model.blocks;
    return { ends, oddBars, unwatched: unwatched.all };
  } finally {
    for (const recording of recordings) recording.close();
  }
}

/** `count` times, `length` apart. */
function grid(from: number, length: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index * length);
}

const monday = Date.UTC(2024, 0, 1) / 1_000;

describe('a last row that was still forming', () => {
  const whole = grid(monday, hour, 30);
  const begins = [...whole, monday + 29 * hour + 600];

  test('does not hide the length of the others, is named, and is played late', async () => {
    const { ends, oddBars } = await play(hour, begins);
    expect(ends).toEqual(begins.map((begin) => begin + hour));
    expect(oddBars).toMatchObject({ count: 1, distanceMicros: 600e6 });
    expect(oddBars?.place).toMatch(/^row 31 of .*\.mrec, at 2024-01-02T05:10:00\.000Z,$/u);
  });

  test('does not make its distance an interval', async () => {
    await expect(play(600, begins)).rejects.toThrow(
      /begin 3600 s apart \(29 of 30\), but fillModel.interval is 600 s; set it to "3600s"/u,
    );
  });
});

describe('days that begin at midnight in New York', () => {
  const midnights = (from: string, to: string): readonly number[] => {
    const clock = new Intl.DateTimeFormat('en-US', {
      timeZone: 'America/New_York',
      hour: 'numeric',
      hour12: false,
    });
    return grid(
      Date.parse(from) / 1_000,
      hour,
      (Date.parse(to) - Date.parse(from)) / 3_600_000,
    ).filter((at) => Number.parseInt(clock.format(at * 1_000), 10) % 24 === 0);
  };

  test.each([
    [
      'of 23 hours',
      midnights('2024-03-01T00:00Z', '2024-04-01T00:00Z'),
      23,
      '2024-03-11T04:00:00.000Z',
    ],
    [
      'of 25 hours',
      midnights('2024-10-20T00:00Z', '2024-11-20T00:00Z'),
      25,
      '2024-11-04T05:00:00.000Z',
    ],
  ])('one %s is played at its end or later', async (_, begins, hours, odd) => {
    const { ends, oddBars, unwatched } = await play(day, begins);
    begins.forEach((begin, index) => {
      const next = begins[index + 1] ?? begin + day;
      expect(ends[index]).toBe(Math.max(begin + day, next));
    });
    expect(oddBars).toMatchObject({ count: 1, distanceMicros: hours * hour * 1e6 });
    expect(oddBars?.place).toContain(odd);
    expect(unwatched).toEqual([]);
    await expect(play(hours * hour, begins)).rejects.toThrow('usually begin 86400 s apart');
  });
});

test('a minute that is shifted by 14 s is named, and it and the one before are not early', async () => {
  const begins = grid(monday, minute, 50).map((at, index) => (index === 20 ? at + 14 : at));
  const { ends, oddBars } = await play(minute, begins);
  expect(ends[19]).toBe(monday + 20 * minute + 14);
  expect(ends[20]).toBe(monday + 21 * minute + 14);
  expect(ends[21]).toBe(monday + 22 * minute);
  expect(oddBars).toMatchObject({ count: 2, distanceMicros: 74e6 });
  expect(oddBars?.place).toContain('row 21 of');
  await expect(play(46, begins)).rejects.toThrow('bars usually begin 60 s apart');
});

test('a bar that two recordings have is refused, with its time', async () => {
  const january = grid(monday, minute, 40);
  const february = grid(monday + 39 * minute, minute, 40);
  await expect(play(minute, january, february)).rejects.toThrow(
    /bars-\d+\.mrec ends with the candle of 2024-01-01T00:39:00.000Z, and .* begins with it/u,
  );
  const { ends, oddBars } = await play(minute, january, february.slice(1));
  expect(ends).toEqual(grid(monday + minute, minute, 79));
  expect(oddBars).toBeUndefined();
});

test('missing bars, nights and weekends are no odd rows but times that nobody recorded', async () => {
  const session = (days: number): number[] => grid(monday + days * day + 9.5 * hour, hour, 7);
  const { ends, oddBars, unwatched } = await play(hour, [...session(0), ...session(1)]);
  expect(ends[6]).toBe(monday + 16.5 * hour);
  expect(oddBars).toBeUndefined();
  expect(unwatched).toEqual([
    { fromMicros: (monday + 16.5 * hour) * 1e6, toMicros: (monday + day + 9.5 * hour) * 1e6 },
  ]);
});

test('of two distances that are equally frequent, the longer one counts', async () => {
  const begins = [monday, monday + hour, monday + hour + 600];
  await expect(play(600, begins)).rejects.toThrow('usually begin 3600 s apart (1 of 2)');
  expect((await play(hour, begins)).ends[0]).toBe(monday + hour);
});

test('many bars of another length are not accepted because others are more', async () => {
  const days = grid(monday, day, 120);
  const hours = grid(monday + 120 * day, hour, 500);
  await expect(play(hour, days, hours)).rejects.toThrow('bars usually begin 86400 s apart');
});
