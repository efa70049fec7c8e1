/** Reading recorded order flow: exact rows, and errors with file and line. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DecodeError } from '../../../src/domain/errors.ts';
import type { OrderFlowRow } from '../../../src/market/flow/order-flow-row.ts';
import {
  OrderFlowReader,
  readFlowSnapshot,
} from '../../../src/recording/import/order-flow-reader.ts';

const scales = { priceScale: 2, volumeScale: 0 };
let folder = '';
let fileNumber = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-flow-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function written(content: string | Buffer): Promise<string> {
  const path = join(folder, `${++fileNumber}.gz`);
  await writeFile(path, typeof content === 'string' ? gzipSync(content) : content);
  return path;
}

const lines = (events: readonly object[]) =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

async function read(events: readonly object[]) {
  const reader = new OrderFlowReader(await written(lines(events)), scales);
  const rows: OrderFlowRow[] = [];
  for await (const row of reader) rows.push(row);
  return { rows, counts: reader.counts };
}

const create = {
  sequence: 1,
  timestamp: 1_675_733_400_030,
  type: 'create',
  id: '212506',
  side: 'ask',
  price: '1808.340',
  volume: '100',
};
const trade = {
  sequence: 2,
  timestamp: 1_675_733_400_030,
  type: 'trade',
  makerId: '212506',
  takerId: '212618',
  takerSide: 'buy',
  price: '1808.340',
  volume: '82',
};
const remove = { sequence: 3, timestamp: 1_675_733_400_060, type: 'delete', id: '212506' };

test('creates, trades and deletes become rows in ticks, lots and microseconds', async () => {
  const { rows, counts } = await read([create, trade, remove]);
  expect(rows).toEqual([
    {
      kind: 'create',
      sequence: 1,
      atMicros: 1_675_733_400_030_000,
      endsMessage: true,
      id: '212506',
      side: 'ASK',
      price: 180_834,
      volume: 100,
    },
    {
      kind: 'trade',
      sequence: 2,
      atMicros: 1_675_733_400_030_000,
      endsMessage: true,
      makerId: '212506',
      takerId: '212618',
      makerSide: 'ASK',
      price: 180_834,
      volume: 82,
    },
    {
      kind: 'delete',
      sequence: 3,
      atMicros: 1_675_733_400_060_000,
      endsMessage: true,
      id: '212506',
    },
  ]);
  expect(counts.rows).toBe(3);
});

test('the trades of one taker and its remainder are one message', async () => {
  const remainder = { ...create, sequence: 4, id: '212618' };
  const { rows } = await read([trade, { ...trade, sequence: 3 }, remainder, create]);
  expect(rows.map(({ endsMessage }) => endsMessage)).toEqual([false, false, true, true]);
});

test('a change that keeps its place is one row, any other change a delete and a create', async () => {
  const changed = { ...remove, modify: true };
  const again = { ...create, sequence: 4, timestamp: remove.timestamp, modify: true };
  const kept = await read([create, changed, { ...again, keepsPriority: true, volume: '60' }]);
  expect(kept.rows.slice(1)).toMatchObject([{ kind: 'resize', id: '212506', volume: 60 }]);
  expect(kept.counts).toMatchObject({ resized: 1, requeued: 0, refills: 0 });
  const moved = await read([create, changed, again]);
  expect(moved.rows.slice(1)).toMatchObject([
    { kind: 'delete', endsMessage: false },
    { kind: 'create', endsMessage: true },
  ]);
  expect(moved.counts).toMatchObject({ resized: 0, requeued: 1, refills: 0 });
});

test('refills and hidden volume, which rows cannot show, are counted', async () => {
  const { counts } = await read([
    create,
    { ...trade, volume: '100', hiddenVolume: '20' },
    { ...create, sequence: 3, modify: true },
  ]);
  expect(counts).toMatchObject({ rows: 3, refills: 1, hiddenTrades: 1 });
});

test('nanoseconds are cut to microseconds', async () => {
  const { rows } = await read([{ ...create, tsNs: '1703545200107250999' }]);
  expect(rows[0]?.atMicros).toBe(1_703_545_200_107_250);
});

test('a last line without a line feed is read, and lines may span chunks', async () => {
  const count = 20_000;
  const many = Array.from({ length: count }, (_, index) => ({ ...create, sequence: index + 1 }));
  const reader = new OrderFlowReader(await written(lines(many).trimEnd()), scales);
  let sum = 0;
  for await (const row of reader) sum += row.sequence;
  expect(sum).toBe((count * (count + 1)) / 2);
});

describe('a malformed event is an error that names file and line', () => {
  const cases: readonly (readonly [string, object, string])[] = [
    [
      'an unknown type',
      { ...create, type: 'replace' },
      'type must be create, delete or trade, was "replace"',
    ],
    ['an unknown side', { ...create, side: 'toString' }, 'side must be bid or ask, was "toString"'],
    [
      'a price off scale',
      { ...create, price: '1.001' },
      'price must be a decimal with at most 2 decimals, was "1.001"',
    ],
    ['a price as a number', { ...create, price: 1808 }, 'price must be text, was 1808'],
    [
      'a volume of 0',
      { ...create, volume: '0' },
      'volume must be a positive decimal with at most 0 decimals, was "0"',
    ],
    [
      'a negative volume',
      { ...create, volume: '-5' },
      'volume must be a positive decimal with at most 0 decimals, was "-5"',
    ],
    ['no id', { ...create, id: undefined }, 'id must be text, was missing'],
    [
      'an id of two lines',
      { ...create, id: 'a\nb' },
      'id must be text without control characters, was "a\\nb"',
    ],
    ['no maker', { ...trade, makerId: '' }, 'makerId must be text, was ""'],
    [
      'a sequence as text',
      { ...create, sequence: '1' },
      'sequence must be an integer of 0 or more, was "1"',
    ],
    ['time that goes back', { ...create, timestamp: 5 }, 'time must not go back, was 5'],
    ['a list', [], 'must be a JSON object'],
  ];
  for (const [name, event, message] of cases)
    test(name, async () => {
      const path = await written(lines([create, event]));
      const all = async () => {
        for await (const row of new OrderFlowReader(path, scales)) void row;
      };
      await expect(all()).rejects.toThrow(new DecodeError(`${path}:2: ${message}`));
    });

  test('a line that is not JSON', async () => {
    const path = await written(`${lines([create])}{"sequence":\n`);
    const all = async () => {
      for await (const row of new OrderFlowReader(path, scales)) void row;
    };
    await expect(all()).rejects.toThrow(`${path}:2: is not JSON`);
  });
});

test('a line that does not end is refused before it fills the memory', async () => {
  const path = await written(`${lines([create])}${'x'.repeat(70_000)}`);
  const all = async () => {
    for await (const row of new OrderFlowReader(path, scales)) void row;
  };
  await expect(all()).rejects.toThrow(`${path}:2: a line must have at most 65536 characters`);
});

test('a file that is missing, cut off or not compressed is an error that names it', async () => {
  const whole = gzipSync(lines([create, trade, remove]));
  const paths = [
    join(folder, 'missing.gz'),
    await written(whole.subarray(0, whole.length - 12)),
    await written(Buffer.from('plain')),
  ];
  for (const path of paths) {
    const all = async () => {
      for await (const row of new OrderFlowReader(path, scales)) void row;
    };
    await expect(all(), path).rejects.toThrow(DecodeError);
    await expect(all(), path).rejects.toThrow(path);
  }
});

test('a snapshot is read in queue order, and errors name the order', async () => {
  const bids = [
    { id: '1', price: '1800.000', volume: '5' },
    { id: '2', price: '1800.00', volume: '7' },
  ];
  const path = await written(JSON.stringify({ venue: 'SSE', bids, asks: [] }));
  expect(await readFlowSnapshot(path, scales)).toEqual([
    { id: '1', side: 'BID', price: 180_000, volume: 5 },
    { id: '2', side: 'BID', price: 180_000, volume: 7 },
  ]);
  const broken = await written(
    JSON.stringify({ bids: [{ id: '1', price: 'x', volume: '5' }], asks: [] }),
  );
  await expect(readFlowSnapshot(broken, scales)).rejects.toThrow(
    `${broken}: bids[0]: price must be a decimal with at most 2 decimals, was "x"`,
  );
  await expect(readFlowSnapshot(await written('{"bids":[]}'), scales)).rejects.toThrow(
    'asks must be a list',
  );
  await expect(readFlowSnapshot(await written('[1'), scales)).rejects.toThrow(DecodeError);
});
