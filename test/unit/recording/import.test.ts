/** Import of foreign data: the rows that it gives, and the errors for data that does not fit. */
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { MillraceError } from '../../../src/domain/errors.ts';
import { rowKind } from '../../../src/market/flow/flow-block.ts';
import { FlowCursor } from '../../../src/market/flow/flow-cursor.ts';
import { exportCsv } from '../../../src/recording/export/export-csv.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import { verifyFile } from '../../../src/recording/verify-file.ts';
import { marketFramesOf } from '../../../src/venues.ts';
import { writeItems } from '../../support/compiled-flow.ts';
import { dbnHead, dbnRecord } from '../../support/dbn-bytes.ts';
import { importedFiles } from '../../support/imported-files.ts';
import { randomFlow } from '../../support/recorded-set.ts';
import { createQueueModel, request } from '../../support/replay-market.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const { folder, fileOf, imported, failure, remove } = importedFiles('csv');
afterAll(remove);

describe('order flow as CSV', () => {
  test.each([1, 2, 3])(
    'an exported recording is imported again to the same text, seed %i',
    async (seed) => {
      const path = join(folder, `source-${seed}.mrec`);
      writeItems(path, randomFlow(new SeededRandom(seed), 300));
      const source = new Recording(path);
      const text = [...exportCsv(source)].join('');
      expect(text.split('\n').length).toBeGreaterThan(300);
      for (const bytes of [text, gzipSync(text), text.replaceAll('\n', '\r\n')]) {
        const ending = typeof bytes === 'string' ? 'csv' : 'csv.gz';
        const again = await imported('csv', fileOf(bytes, ending));
        expect([...exportCsv(again)].join('')).toBe(text);
        expect(again.index.counts).toEqual(source.index.counts);
        again.close();
      }
      source.close();
    },
  );

  const title = 'time_us,action,order_id,side,price,volume,taker_id,end';
  const exportedAgain = async (rows: readonly string[]): Promise<readonly string[]> => {
    const recording = await imported('csv', fileOf(`${[title, ...rows].join('\n')}\n`));
    const lines = [...exportCsv(recording)].join('').split('\n').slice(1, -1);
    recording.close();
    return lines;
  };
  const before = ['1000,create,a,bid,1,5,,1', '1500,status,,POST_ONLY,,,,1', '2000,gap,,,,,,1'];
  const later = '9000,delete,a,bid,,,,1';

  test.each([
    ['the message after it', ['5000,create,b,bid,1,2,,0', '5000,resize,a,bid,,4,,1'], [later]],
    ['a message of two times', ['5000,create,b,bid,1,2,,0', '6000,resize,a,bid,,4,,1'], [later]],
    ['all of its time', ['5000,create,b,bid,1,2,,1', '5000,resize,a,bid,,4,,1'], [later]],
    ['the rows before another gap', ['5000,create,b,bid,1,2,,1'], ['5000,gap,,,,,,1']],
    ['the rows before a later status', ['5000,create,b,bid,1,2,,1'], ['5001,status,,ACTIVE,,,,1']],
    ['the last message', ['5000,create,b,bid,1,2,,1'], []],
  ])('a gap ends with %s, and the last known status', async (_, rows, after) => {
    const last = rows.at(-1) ?? '';
    const ended = [`${last.slice(0, -1)}0`, `${last.slice(0, 4)},status,,POST_ONLY,,,,1`];
    expect(await exportedAgain([...before, ...rows, ...after])).toEqual([
      ...before,
      ...rows.slice(0, -1),
      ...ended,
      ...after,
    ]);
  });

  test.each([
    ['in the message', ['5000,create,b,bid,1,2,,0', '5000,status,,ACTIVE,,,,1', later]],
    ['after it', ['5000,create,b,bid,1,2,,1', '5000,status,,ACTIVE,,,,1', later]],
    ['alone', ['5000,status,,ACTIVE,,,,1', later]],
    ['after a second gap', ['4000,gap,,,,,,1', '5000,status,,ACTIVE,,,,1', later]],
  ])('a status of the file, %s, ends its gap instead', async (_, rows) => {
    expect(await exportedAgain([...before, ...rows])).toEqual([...before, ...rows]);
  });

  test('ids with commas and quotes are exported in quotes and read back', async () => {
    const rows = [
      '1000,resting,"a,1",bid,99,10,,1',
      '2000,create,"""b""",ask,101,10,,1',
      '3000,trade,"a,1",bid,99,1,"c"",",1',
      '4000,delete,"""b""",ask,,,,1',
    ];
    expect(await exportedAgain(rows)).toEqual(rows.map((row) => row.replace('1000', '2000')));
    const quoted = rows.map((row) => row.replace('bid', '"bid"').replace(',101,', ',"101",'));
    expect(await exportedAgain(quoted)).toEqual(rows.map((row) => row.replace('1000', '2000')));
  });

  test('an order placed in a gap goes behind the orders that the next message shows', async () => {
    const rows = [
      '1000,resting,a,bid,99,10,,1',
      '1000,create,x,ask,101,10,,1',
      '1001,gap,,,,,,1',
      '9000,create,b,bid,99,50,,1',
      '9500,delete,a,bid,,,,1',
      '9600,trade,b,bid,99,5,,1',
    ];
    const recording = await imported('csv', fileOf(`${[title, ...rows].join('\n')}\n`));
    const { model, orders, events } = createQueueModel();
    const part = await recording.part();
    orders.start(part.resting);
    for await (const block of part.blocks) {
      const cursor = new FlowCursor();
      cursor.load(block);
      while (cursor.next()) {
        model.apply(cursor);
        if (cursor.kind === rowKind.gap) model.place(request('BID', 99, 5), 5_000);
      }
    }
    recording.close();
    expect(orders.gaps).toMatchObject({ count: 1, wentBehind: 1, isOpen: false });
    expect(events.map(({ kind }) => kind)).not.toContain('filled');
    expect(model.openOrders.map((order) => model.aheadOf(order))).toEqual([45]);
  });

  test.each([
    ['', 'FILE: is empty'],
    [`${title}\n`, 'FILE: has no order flow after its first line'],
    [`${title},${title}\n`, 'FILE:1: a column is named twice'],
    [`${title}\n1,create,a,bid,1\n`, 'FILE:2: must have 8 columns, has 5'],
    [`${title}\n1,create,a,bid,1,0,,1\n`, 'FILE:2: volume must be above 0; was "0"'],
    [`${title}\n1,create,a,up,1,1,,1\n`, 'FILE:2: side must be bid, ask; was "up"'],
    [`${title}\n1,make,a,bid,1,1,,1\n`, 'FILE:2: action must be'],
    [`${title}\n-1,create,a,bid,1,1,,1\n`, 'FILE:2: time_us must be an integer'],
    [`${title}\n1,create,,bid,1,1,,1\n`, 'FILE:2: order_id must be text'],
    [`${title}\n1,create,a,bid,1e5,1,,1\n`, 'FILE:2: price must be a decimal'],
    [`${title}\n1,create,a\tb,bid,1,1,,1\n`, 'FILE:2: order_id must be text without control'],
    [`${title}\n1,trade,a\tb,bid,1,1,,1\n`, 'FILE:2: order_id must be text without control'],
    [`${title}\n1,trade,a,bid,1,1,b\tc,1\n`, 'FILE:2: taker_id must be text without control'],
    [`${title}\n1,create,"a,bid,1,1,,1\n`, 'FILE:2: a quoted value must end before a comma'],
    [`${title}\n1,create,"a"b,bid,1,1,,1\n`, 'FILE:2: a quoted value must end before a comma'],
    [
      `${title}\n2,create,a,bid,1,1,,1\n1,delete,a,,,,,1\n`,
      'FILE:3: time must not go back from 2 us, was 1',
    ],
    [
      `${title}\n2,create,a,bid,1,1,,1\n2,resting,b,bid,1,1,,1\n`,
      'FILE:3: resting orders must be before all other lines',
    ],
  ])('%j is refused: %s', async (content, expected) => {
    expect(await failure('csv', content)).toContain(expected);
  });
});

describe('coarse data', () => {
  test('trades have no orders, and the header says that they are trades', async () => {
    const text = 'time_us,price,volume,side\n1000,10.5,2,buy\n2000,10.25,1.5,sell\n';
    const recording = await imported('csv-trades', fileOf(text));
    expect(recording.header).toMatchObject({
      grade: 'trades',
      market: { priceScale: 2, volumeScale: 1 },
    });
    expect([...exportCsv(recording)].join('')).toBe(
      'time_us,price,volume,side\n1000,10.50,2.0,buy\n2000,10.25,1.5,sell\n',
    );
    recording.close();
  });

  test('candles keep their four prices, and an impossible candle is refused', async () => {
    const title = 'time_ms,open,high,low,close,volume\n';
    const recording = await imported(
      'csv-candles',
      fileOf(`${title}1000,10,12,9.5,11,100\n61000,11,11,11,11,0\n`),
    );
    expect(recording.header.grade).toBe('candles');
    expect([...exportCsv(recording)].join('')).toBe(
      'time_us,open,high,low,close,volume\n1000000,10.0,12.0,9.5,11.0,100\n61000000,11.0,11.0,11.0,11.0,0\n',
    );
    recording.close();
    expect(await failure('csv-candles', `${title}1000,10,9,8,9,1\n`)).toContain(
      'FILE:2: high must be',
    );
  });

  test.each([
    ['csv-trades', '1000,0,2,buy', 'FILE:2: price must be above 0; was "0"'],
    ['csv-trades', '1000,-1,2,buy', 'FILE:2: price must be above 0; was "-1"'],
    ['csv-trades', '1000,10,0,buy', 'FILE:2: volume must be above 0; was "0"'],
    ['csv-trades', '1000,10,2,BUY', 'FILE:2: side must be buy, sell; was "BUY"'],
    ['csv-trades', '1000,10,2,', 'FILE:2: side must be buy, sell; was ""'],
    ['csv-trades', '2000,10,2,buy\n1000,10,2,buy', 'FILE:3: time must not go back'],
    ['csv-trades', '1000,ten,2,buy', 'FILE:2: price must be a decimal'],
    ['csv-candles', '1000,1,2,0,1,5', 'FILE:2: low must be above 0; was "0"'],
    ['csv-candles', '1000,1,2,1,3,5', 'FILE:2: high must be'],
    ['csv-candles', '1000,2,3,2.5,2.6,5', 'FILE:2: low must be at or below all other prices'],
    ['csv-trades', '1000,1e5,2,buy', 'without an exponent; was "1e5"'],
    [
      'csv-trades',
      '1000,99999999999999999999,2,buy',
      'FILE:2: price must be at most 9007199254740991: with 0 decimals',
    ],
    [
      'csv-trades',
      `1000,1.5,1,buy\n2000,1,${2 ** 53},buy`,
      'FILE:3: volume must be at most 9007199254740991: with 0 decimals',
    ],
    ['csv-candles', '1000,1,2,1,1,-5', 'FILE:2: volume must be a decimal of 0 or more; was "-5"'],
    ['csv-candles', '1000,1,2,1,1', 'FILE:2: must have 6 columns, has 5'],
    [
      'csv-candles',
      '1000,1,2,1,1,5\n1000,1,2,1,1,5',
      'FILE:3: this is the second candle of 1000 us',
    ],
    ['csv-candles', '', 'FILE: has no candles after its first line'],
    ['csv-trades', '', 'FILE: has no trades after its first line'],
    ['csv-trades', '1000,0.0000000001,0.0000000001,buy', 'together at most 18'],
  ] as const)('%s with %j is refused with its line', async (format, lines, expected) => {
    const columns = {
      'csv-trades': 'price,volume,side',
      'csv-candles': 'open,high,low,close,volume',
    };
    const content = `time_us,${columns[format]}\n${lines}\n`;
    expect(await failure(format, content)).toContain(expected);
  });
});

test.each([1, 2, 3, 4])(
  'a damaged file is imported or refused with its name, seed %i',
  async (seed) => {
    const random = new SeededRandom(seed);
    const source = join(folder, `fuzzed-${seed}.mrec`);
    writeItems(source, randomFlow(random, 40));
    const recording = new Recording(source);
    const text = Buffer.from([...exportCsv(recording)].join(''));
    recording.close();
    const dbn = Buffer.concat([
      dbnHead(),
      ...Array.from({ length: 40 }, (_, at) =>
        dbnRecord({
          at: 1_000 + at,
          id: 1 + (at % 7),
          action: random.pick(['A', 'C', 'M', 'F', 'T', 'R', 'N']),
          flags: random.pick([0, 128, 132, 40, 168]),
          side: random.pick(['A', 'B']),
          price: random.integer(1, 40) / 4,
          size: random.integer(1, 9),
        }),
      ),
    ]);
    let refused = 0;
    for (let trial = 0; trial < 60; trial++) {
      const [format, whole] = trial % 2 === 0 ? (['csv', text] as const) : (['dbn', dbn] as const);
      const bytes = Buffer.from(
        whole.subarray(0, whole.length - random.integer(0, 1) * random.integer(0, 60)),
      );
      for (let flips = random.integer(1, 3); flips > 0; flips--)
        bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
      const path = fileOf(bytes);
      try {
        const out = await imported(format, path);
        expect(verifyFile(out.path, marketFramesOf).problems).toEqual([]);
        out.close();
      } catch (error) {
        expect(error, `trial ${trial}`).toBeInstanceOf(MillraceError);
        expect((error as Error).message).toContain(basename(path));
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(5);
  },
);

test('the error for a missing NDJSON file names it', async () => {
  const path = join(folder, 'nowhere');
  await expect(imported('ndjson', path)).rejects.toThrow(/snapshot\.json\.gz does not exist/u);
});
