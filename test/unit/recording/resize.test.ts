/**
 * A resize sets an order's volume. It keeps its place, unless the volume grows or the price
 * changes: then it goes to the back of the queue.
 *
 * Method: each table has trades after the resize. What they must leave is written by hand, and is
 * compared in the imported recording, in the export of it and in the import of that export.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import type { Ticks } from '../../../src/domain/money.ts';
import { Book } from '../../../src/market/book/book.ts';
import { applyFlow, loadResting } from '../../../src/market/book/flow-columns-book.ts';
import { FlowCursor } from '../../../src/market/flow/flow-cursor.ts';
import type { OrderFlowRow } from '../../../src/market/flow/order-flow-row.ts';
import { exportCsv } from '../../../src/recording/export/export-csv.ts';
import type { Recording } from '../../../src/recording/file/recording.ts';
import { importedFiles } from '../../support/imported-files.ts';
import { createQueueModel, request, row } from '../../support/replay-market.ts';

const { folder, fileOf, imported, remove } = importedFiles('csv');
afterAll(remove);

const title = 'time_us,action,order_id,side,price,volume,taker_id,end';
const resting = ['1000,resting,a,bid,10,5,,1', '1000,resting,b,bid,10,4,,1'];

/** Returns what is left on the bid side: price, then the volumes in queue order. */
async function bidsOf(recording: Recording): Promise<string> {
  const book = new Book();
  loadResting(book, recording.start().resting);
  for await (const block of recording.blocks()) {
    const cursor = new FlowCursor();
    cursor.load(block);
    while (cursor.next()) applyFlow(book, cursor);
  }
  return book
    .levels('BID')
    .map(({ price }) => {
      const queue = [...book.ordersAt('BID', price)].map((slot) => book.volumeOf(slot));
      return `${price}: ${queue.join(' ')}`;
    })
    .join(', ');
}

test.each([
  ['a larger volume', ['2000,resize,a,bid,,9,,1', '3000,trade,a,bid,10,7,t,1'], '10: 4 2'],
  ['a larger volume, its price repeated', ['2000,resize,a,bid,10,9,,1'], '10: 4 9'],
  ['a smaller volume keeps its place', ['2000,resize,a,bid,,3,,1'], '10: 3 4'],
  ['the same volume keeps its place', ['2000,resize,a,bid,10,5,,1'], '10: 5 4'],
  ['another price', ['2000,resize,a,bid,9,5,,1', '3000,trade,a,bid,9,1,t,1'], '10: 4, 9: 4'],
  ['another price and a smaller volume', ['2000,resize,a,bid,11,2,,1'], '11: 2, 10: 4'],
  ['two resizes', ['2000,resize,a,bid,,9,,1', '2500,resize,a,bid,,6,,1'], '10: 4 6'],
])('%s', async (_, rows, expected) => {
  const first = await imported('csv', fileOf(`${[title, ...resting, ...rows].join('\n')}\n`));
  expect(await bidsOf(first)).toBe(expected);
  const text = [...exportCsv(first)].join('');
  const second = await imported('csv', fileOf(text));
  expect(await bidsOf(second)).toBe(expected);
  expect([...exportCsv(second)].join('')).toBe(text);
  expect(second.index.counts).toEqual(first.index.counts);
  expect(first.index.counts).toMatchObject({ excessVolumes: 0, otherPrices: 0, unknownOrders: 0 });
  first.close();
  second.close();
});

test('the book between the old and the new place is not a message of its own', async () => {
  const rows = ['2000,resize,a,bid,,9,,1'];
  const recording = await imported('csv', fileOf(`${[title, ...resting, ...rows].join('\n')}\n`));
  expect(recording.index.counts).toMatchObject({ rows: 2, messages: 1 });
  recording.close();
});

test('a change in NDJSON that grows or moves goes to the back, whatever it says of its place', async () => {
  const set = mkdtempSync(join(folder, 'set-'));
  const order = (id: string, volume: string) => ({ id, price: '10', volume });
  const snapshot = { bids: [order('a', '5'), order('b', '4')], asks: [] };
  const change = (sequence: number, price: string, volume: string) => [
    { type: 'delete', id: 'a', modify: true, sequence, timestamp: sequence },
    {
      ...{ type: 'create', id: 'a', side: 'bid', modify: true, keepsPriority: true },
      ...{ price, volume, sequence: sequence + 1, timestamp: sequence },
    },
  ];
  const events = [...change(1, '10', '9'), ...change(3, '9', '8')];
  writeFileSync(join(set, 'snapshot.json.gz'), gzipSync(JSON.stringify(snapshot)));
  for (const [changes, expected] of [
    [2, '10: 4 9'],
    [4, '10: 4, 9: 8'],
  ] as const) {
    const lines = events.slice(0, changes).map((event) => `${JSON.stringify(event)}\n`);
    writeFileSync(join(set, 'events.ndjson.gz'), gzipSync(lines.join('')));
    const recording = await imported('ndjson', set);
    expect(await bidsOf(recording)).toBe(expected);
    recording.close();
  }
});

test('our order moves ahead of an order whose volume grows, and meets one that moves onto it', () => {
  const { model, events, history } = createQueueModel();
  history.apply(row.create('a', 'BID', 99, 5), row.create('x', 'ASK', 101, 3));
  model.place(request('BID', 99, 2), 500);
  model.place(request('BID', 98, 2), 500);
  const filled = () => events.filter(({ kind }) => kind === 'filled').length;
  history.apply(row.trade('a', 'BID', 99, 1));
  expect(filled()).toBe(0);
  history.apply(row.resize('a', 9));
  history.apply(row.trade('a', 'BID', 99, 1));
  expect(filled()).toBe(1);
  const moved = { ...row.resize('x', 3), price: 98 as Ticks } as OrderFlowRow;
  history.apply(moved);
  expect(filled()).toBe(3);
  expect(model.counts.impossibleRows).toBe(0);
});
