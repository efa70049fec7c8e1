/** What feeds said, in recordings and in tables of one's own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { FeedReading } from '../../../src/domain/feed.ts';
import { lotsOf, ticksOf } from '../../../src/domain/ticks-and-lots.ts';
import { decodeFeedBlock, FeedBlocks } from '../../../src/recording/file/feed-blocks.ts';
import type { FlowItem } from '../../../src/recording/file/flow-item.ts';
import { importedMarket } from '../../../src/recording/file/flow-source.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import type { RecordingHeader } from '../../../src/recording/file/recording-header.ts';
import { RecordingWriter } from '../../../src/recording/file/recording-writer.ts';
import { readFeedTable } from '../../../src/recording/import/feed-table.ts';
import { verifyFile } from '../../../src/recording/verify-file.ts';
import { marketFramesOf } from '../../../src/venues.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-feeds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const market = importedMarket({ base: 'ABC', counter: 'EUR', priceScale: 2, volumeScale: 0 });
const header: RecordingHeader = {
  ...{ grade: 'order', market, venue: 'test', format: 'capture', sources: [] },
  ...{ tick: 1, lot: 1 },
};

const firstOrder: FlowItem = {
  ...{ kind: 'create', id: '1', side: 'BID', price: ticksOf(100), volume: lotsOf(1) },
  ...{ atMicros: 1_000_000, sequence: 0, endsMessage: true },
};

function reading(index: number, name = 'reference'): FeedReading {
  return { name, values: { value: `${index}.50` }, receivedMicros: 1_000_000 + index };
}

function written(name: string, readings: readonly FeedReading[]): string {
  const path = join(folder, name);
  const writer = new RecordingWriter(path, header);
  writer.start([]);
  for (const [index, one] of readings.entries()) {
    if (index === 70_000) writer.add(firstOrder);
    writer.addFeed(one);
  }
  writer.finish();
  return path;
}

describe('a recording', () => {
  it('has what feeds said, in order and in blocks, and its hash covers it', () => {
    const readings = Array.from({ length: 140_000 }, (_, index) =>
      reading(index, index % 2 === 0 ? 'reference' : 'other'),
    );
    const path = written('both.mrec', readings);
    const recording = new Recording(path);
    const blocks = [...recording.feeds()];
    expect(blocks.map(({ length }) => length)).toEqual([70_001, 65_536, 4_463]);
    expect(blocks.flat()).toEqual(readings);
    expect(recording.index.feeds?.readings).toEqual({ reference: 70_000, other: 70_000 });
    recording.close();
    expect(verifyFile(path, marketFramesOf)).toMatchObject({ isGood: true, problems: [] });
    const other = new Recording(written('other.mrec', readings.slice(1)));
    expect(other.index.hash).not.toBe(recording.index.hash);
    other.close();
  });

  it('without feeds is as before', () => {
    const path = written('none.mrec', []);
    const recording = new Recording(path);
    expect(recording.index).not.toHaveProperty('feeds');
    expect([...recording.feeds()]).toEqual([]);
    recording.close();
    expect(readFileSync(path).includes('feeds')).toBe(false);
  });

  it.each([
    'x',
    '1 reference {"value":1}',
    '1 reference {}',
    '1 reference {"value":"1e5"}',
    '1 {}',
  ])('with the damaged line %s is refused', (line) => {
    const good = '1 reference {"value":"1"}';
    expect(() => decodeFeedBlock(Buffer.from(`${good}\n${line}`), 'day.mrec: offset 8')).toThrow(
      'day.mrec: offset 8, line 2: is not what a feed said',
    );
  });

  it('has no block without a value', () => {
    const blocks = new FeedBlocks(() => {
      throw new Error('nothing is to be written');
    });
    expect(blocks.finish()).toBeUndefined();
  });
});

describe('a table', () => {
  const limits = { toMicros: 10_000_000, readingsMax: 3 };
  const read = (text: string | Buffer, name = 'table.csv') => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return readFeedTable(path, 'reference', limits);
  };

  it('has a time and a number, or several by name, up to the end of the run', async () => {
    expect(await read('time_ms,value\n1000,1.50\n2000,1e3\n99999,7\n')).toEqual([
      { name: 'reference', values: { value: '1.50' }, receivedMicros: 1_000_000 },
      { name: 'reference', values: { value: '1000' }, receivedMicros: 2_000_000 },
    ]);
    const price = { price: '7', value: '7' };
    expect(await read('time_ms,price\n1000,7\n')).toEqual([
      { name: 'reference', values: price, receivedMicros: 1_000_000 },
    ]);
    const several = gzipSync('bid,time_us,ask\n1,5,2\n');
    expect(await read(several)).toEqual([
      { name: 'reference', values: { bid: '1', ask: '2' }, receivedMicros: 5 },
    ]);
  });

  it.each([
    ['goes back', 'time_ms,value\n2,1\n1,1\n', /table\.csv:3: time goes back: a feed's lines are/u],
    ['has a word', 'time_ms,value\n1,high\n', /:2: value must be a number such as .*; was "high"/u],
    ['has a hole', 'time_ms,value\n1,\n', /value must be a number/u],
    ['has no time', 'time_ms,value\nnow,1\n', /time_ms must be an integer since the epoch/u],
    ['lacks the time', 'value\n1\n', /lacks the column time_us/u],
    ['lacks a number', 'time_ms\n1\n', /lacks a column with the numbers, such as value/u],
    ['is empty', '', /is empty/u],
    ['is too long', `time_ms,value\n${'1,1\n'.repeat(4)}`, /has more than 3 values, which a/u],
    ['has a line without end', `time_ms,value\n1,${'1'.repeat(1e5)}\n`, /must have at most/u],
  ])('that %s is refused', async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it('has the numbers that are asked for, or says which it lacks', async () => {
    const path = join(folder, 'several.csv');
    writeFileSync(path, 'time_ms,bdi,ask\n1,5,6\n');
    const reading = (...fields: string[]) =>
      readFeedTable(path, 'reference', { ...limits, fields });
    expect(await reading('ask')).toHaveLength(1);
    await expect(reading('bid', 'ask')).rejects.toThrow(
      /several\.csv:1: lacks the column bid, a number of .*; its numbers are bdi, ask$/u,
    );
    writeFileSync(path, 'time_ms,price\n1,5\n');
    expect(await reading('value')).toHaveLength(1);
  });

  it('that does not exist is named', async () => {
    await expect(readFeedTable(join(folder, 'no.csv'), 'reference', limits)).rejects.toThrow(
      /no\.csv does not exist/u,
    );
  });
});
