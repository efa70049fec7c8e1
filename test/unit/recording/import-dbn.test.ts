/** Import of Databento's order records: each action and flag, and files that do not fit. */
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { exportCsv } from '../../../src/recording/export/export-csv.ts';
import { writeRecording } from '../../../src/recording/file/flow-source.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import { openImport } from '../../../src/recording/import/import-format.ts';
import { outsideData } from '../../prove/outside-data.ts';
import { playedBook, queuesOf } from '../../support/compiled-flow.ts';
import { dbnHead, dbnRecord } from '../../support/dbn-bytes.ts';
import { importedFiles, importOptions } from '../../support/imported-files.ts';

const { fileOf, imported, failure, remove } = importedFiles('dbn');
afterAll(remove);

describe('Databento order records', () => {
  const [bid, ask] = [
    { side: 'B', price: 10 },
    { side: 'A', price: 10.25 },
  ];
  const records = [
    { at: 1_000, id: 1, action: 'A', ...bid, size: 5, flags: 32 },
    { at: 1_000, id: 2, action: 'A', ...ask, size: 3, flags: 32 },
    { at: 1_000, id: 3, action: 'A', ...ask, size: 4, flags: 32 | 128 },
    // A buyer takes order 2, which has more hidden volume, and 1 of order 3.
    { at: 2_000, id: 9, action: 'T', side: 'B', price: 10.25, size: 6, flags: 0 },
    { at: 2_000, id: 2, action: 'F', ...ask, size: 5, flags: 0 },
    { at: 2_000, id: 3, action: 'F', ...ask, size: 1, flags: 0 },
    { at: 2_000, id: 2, action: 'M', ...ask, size: 3, flags: 0 },
    { at: 2_000, id: 3, action: 'M', ...ask, size: 3 },
    { at: 3_000, id: 1, action: 'M', ...bid, size: 4 },
    { at: 4_000, id: 1, action: 'M', ...bid, size: 6 },
    { at: 5_000, id: 3, action: 'C', ...ask, size: 3 },
  ];

  test('fills, changes in place, refills and cancels become rows', async () => {
    const body = Buffer.concat(records.map(dbnRecord));
    for (const bytes of [
      Buffer.concat([dbnHead(), body]),
      Buffer.concat([zstdCompressSync(dbnHead()), zstdCompressSync(body)]),
    ]) {
      const recording = await imported('dbn', fileOf(bytes, 'dbn'));
      expect(recording.header).toMatchObject({
        venue: 'TEST.DATA',
        tick: 25,
        market: { priceScale: 2 },
      });
      expect([...exportCsv(recording)].join('').split('\n').slice(1, -1)).toEqual([
        '2000,resting,1,bid,10.00,5,,1',
        '2000,resting,2,ask,10.25,3,,1',
        '2000,resting,3,ask,10.25,4,,1',
        '2000,trade,2,ask,10.25,5,9,0',
        '2000,trade,3,ask,10.25,1,9,0',
        '2000,create,2,ask,10.25,3,,1',
        '3000,resize,1,bid,,4,,1',
        '4000,delete,1,bid,,,,0',
        '4000,create,1,bid,10.00,6,,1',
        '5000,delete,3,ask,,,,1',
      ]);
      const [entry] = recording.index.blocks;
      if (entry === undefined) throw new Error('no block');
      expect([...recording.delays(entry)]).toEqual(Array.from({ length: 7 }, () => 250));
      recording.close();
    }
  });

  const linesOf = async (parts: readonly Buffer[]) => {
    const path = fileOf(Buffer.concat([dbnHead(), ...parts]));
    const source = await openImport({ ...importOptions, format: 'dbn', path });
    const { index, notes } = await writeRecording(source, `${path}.mrec`);
    const recording = new Recording(`${path}.mrec`);
    const lines = [...exportCsv(recording)].join('').split('\n').slice(1, -1);
    recording.close();
    return { lines, counts: index.counts, notes };
  };
  const two = [
    { at: 1_000, id: 1, action: 'A', ...bid, size: 5 },
    { at: 1_000, id: 2, action: 'A', ...ask, size: 10 },
  ];
  const twoLines = ['1000,create,1,bid,10.00,5,,1', '1000,create,2,ask,10.25,10,,1'];
  const none = { id: 0, side: 'N', size: 0 };

  test.each([128, 0])(
    'a cancel after a partial fill repeats it, and the rest keeps its place, flags %i',
    async (flags) => {
      const { lines } = await linesOf(
        [
          ...two,
          { at: 2_000, id: 9, action: 'T', side: 'B', price: 10.25, size: 4, flags: 0 },
          { at: 2_000, id: 2, action: 'F', ...ask, size: 4, flags },
          { at: 2_000, id: 2, action: 'C', ...ask, size: 4 },
          { at: 3_000, id: 8, action: 'T', side: 'B', price: 10.25, size: 6, flags: 0 },
          { at: 3_000, id: 2, action: 'F', ...ask, size: 6, flags },
          { at: 3_000, id: 2, action: 'C', ...ask, size: 6 },
        ].map(dbnRecord),
      );
      expect(lines).toEqual([
        ...twoLines,
        '2000,trade,2,ask,10.25,4,9,1',
        '3000,trade,2,ask,10.25,6,8,1',
      ]);
    },
  );

  test.each([
    ['more than was filled', [{ size: 7 }], ['2000,resize,2,ask,,3,,1']],
    ['all of it, filled or not', [{ size: 10 }], ['2000,delete,2,ask,,,,1']],
    ['the fill, then the rest', [{ size: 4 }, { size: 6 }], ['2000,delete,2,ask,,,,1']],
    ['the fill, then a part', [{ size: 4 }, { size: 1 }], ['2000,resize,2,ask,,5,,1']],
  ])('a cancel of %s removes the volume that the fill left', async (_, cancels, expected) => {
    const { lines } = await linesOf(
      [
        ...two,
        { at: 2_000, id: 9, action: 'T', side: 'B', price: 10.25, size: 4, flags: 0 },
        { at: 2_000, id: 2, action: 'F', ...ask, size: 4, flags: 0 },
        ...cancels.map(({ size }, index) => ({
          ...{ at: 2_000, id: 2, action: 'C', ...ask, size },
          flags: index === cancels.length - 1 ? 128 : 0,
        })),
      ].map(dbnRecord),
    );
    expect(lines).toEqual([...twoLines, '2000,trade,2,ask,10.25,4,9,0', ...expected]);
  });

  test("a cancel of a part of an order without a fill keeps the order's place", async () => {
    const { lines } = await linesOf(
      [...two, { at: 2_000, id: 2, action: 'C', ...ask, size: 4 }].map(dbnRecord),
    );
    expect(lines).toEqual([...twoLines, '2000,resize,2,ask,,6,,1']);
  });

  test('only a record of the same time repeats a fill, and not after a change', async () => {
    const { lines } = await linesOf(
      [
        ...two,
        { at: 2_000, id: 2, action: 'F', ...ask, size: 4 },
        { at: 3_000, id: 2, action: 'C', ...ask, size: 1 },
        { at: 4_000, id: 2, action: 'F', ...ask, size: 2, flags: 0 },
        { at: 4_000, id: 2, action: 'M', ...ask, size: 3, flags: 0 },
        { at: 4_000, id: 2, action: 'C', ...ask, size: 1 },
      ].map(dbnRecord),
    );
    expect(lines).toEqual([
      ...twoLines,
      '2000,trade,2,ask,10.25,4,,1',
      '3000,resize,2,ask,,5,,1',
      '4000,trade,2,ask,10.25,2,,0',
      '4000,resize,2,ask,,2,,1',
    ]);
  });

  test('a record without an action changes nothing and may end its event', async () => {
    const { lines } = await linesOf(
      [
        ...two,
        { at: 2_000, id: 1, action: 'M', ...bid, size: 4, flags: 0 },
        { at: 2_000, ...none, action: 'N' },
        { at: 2_500, ...none, action: 'N', flags: 160 },
        { at: 3_000, id: 1, action: 'M', ...bid, size: 3 },
      ].map(dbnRecord),
    );
    expect(lines).toEqual([...twoLines, '2000,resize,1,bid,,4,,1', '3000,resize,1,bid,,3,,1']);
  });

  test('records with a time of sending, or without an event time, are read', async () => {
    const untimed = dbnRecord({ at: 0, id: 1, action: 'C', ...bid, size: 5, receivedAt: 2_250 });
    untimed.writeBigUInt64LE(2n ** 64n - 1n, 8);
    const { lines } = await linesOf(
      [...two.map(dbnRecord), untimed].map((record) => {
        const sent = Buffer.concat([record, Buffer.alloc(8)]);
        sent[0] = 16;
        return sent;
      }),
    );
    expect(lines).toEqual([...twoLines, '2250,delete,1,bid,,,,1']);
  });

  test.each([
    ['that ends its event', 128],
    ['without a flag', 0],
  ])('a clear %s empties the book at its own time', async (_, flags) => {
    const { lines } = await linesOf(
      [
        ...two,
        { at: 1_500, ...none, action: 'R', flags },
        { at: 9_000, id: 5, action: 'A', ...bid, size: 5 },
      ].map(dbnRecord),
    );
    expect(lines).toEqual([
      ...twoLines,
      '1500,delete,1,bid,,,,0',
      '1500,delete,2,ask,,,,1',
      '9000,create,5,bid,10.00,5,,1',
    ]);
  });

  test('a clear within an event deletes the orders before it and not those after it', async () => {
    const { lines } = await linesOf(
      [
        { at: 1_000, id: 1, action: 'A', ...bid, size: 5, flags: 0 },
        { at: 1_000, ...none, action: 'R', flags: 0 },
        { at: 1_000, id: 3, action: 'A', ...bid, size: 2 },
        { at: 9_000, id: 5, action: 'A', ...bid, size: 5 },
      ].map(dbnRecord),
    );
    expect(lines).toEqual([
      '1000,create,1,bid,10,5,,0',
      '1000,delete,1,bid,,,,0',
      '1000,create,3,bid,10,2,,1',
      '9000,create,5,bid,10,5,,1',
    ]);
  });

  test.each([
    ['with a clear', [{ at: 500, ...none, action: 'R', flags: 40, receivedAt: 5_000 }]],
    ['without one', []],
  ])('a snapshot in the middle, %s, gives the book of its time', async (_, clear) => {
    const { lines } = await linesOf(
      [
        ...two,
        { at: 2_000, id: 3, action: 'A', ...ask, size: 1, flags: 0 },
        ...clear,
        { at: 500, id: 2, action: 'A', ...ask, size: 8, flags: 40, receivedAt: 5_000 },
        { at: 700, id: 4, action: 'A', ...bid, size: 2, flags: 168, receivedAt: 5_000 },
        // Order 1 is no longer known, so this is a refill.
        { at: 9_000, id: 1, action: 'M', ...bid, size: 5 },
      ].map(dbnRecord),
    );
    expect(lines).toEqual([
      ...twoLines,
      '2000,create,3,ask,10.25,1,,1',
      '5000,delete,1,bid,,,,0',
      '5000,delete,3,ask,,,,0',
      '5000,create,4,bid,10.00,2,,0',
      '5000,resize,2,ask,,8,,0',
      '5000,status,,ACTIVE,,,,1',
      '9000,create,1,bid,10.00,5,,1',
    ]);
  });

  test('the first of two snapshots in a row is the book until the second', async () => {
    const snapshot = { action: 'A', flags: 168 };
    const { lines, counts } = await linesOf(
      [
        { at: 500, id: 1, ...snapshot, ...bid, size: 5, receivedAt: 1_000 },
        { at: 500, id: 1, ...snapshot, ...bid, size: 4, receivedAt: 2_000 },
        { at: 1_900, id: 2, action: 'A', ...ask, size: 1, flags: 128 },
      ].map(dbnRecord),
    );
    expect(lines).toEqual([
      '1900,resting,1,bid,10.00,5,,1',
      '1900,resize,1,bid,,4,,0',
      '1900,status,,ACTIVE,,,,1',
      '1900,create,2,ask,10.25,1,,1',
    ]);
    expect(counts).toMatchObject({ repeatedIds: 0, timesWentBack: 0 });
  });

  test('records of a book that may be wrong are counted and come after a gap', async () => {
    const bytes = [
      ...two,
      { at: 2_000, id: 1, action: 'M', ...bid, size: 4, flags: 132 },
      { at: 3_000, id: 1, action: 'M', ...bid, size: 3, flags: 132 },
      { at: 4_000, id: 1, action: 'M', ...bid, size: 2 },
      { at: 5_000, id: 1, action: 'M', ...bid, size: 1, flags: 132 },
      { at: 500, ...none, action: 'R', flags: 40, receivedAt: 6_000 },
      { at: 500, id: 2, action: 'A', ...ask, size: 10, flags: 168, receivedAt: 6_000 },
      { at: 9_000, id: 7, action: 'A', ...bid, size: 1 },
      { at: 9_500, id: 7, action: 'C', ...bid, size: 1, flags: 132 },
    ].map(dbnRecord);
    const { lines, counts, notes } = await linesOf(bytes);
    expect(lines).toEqual([
      ...twoLines,
      '1000,gap,,,,,,1',
      '2000,resize,1,bid,,4,,1',
      '3000,resize,1,bid,,3,,1',
      '4000,resize,1,bid,,2,,0',
      '4000,status,,ACTIVE,,,,1',
      '4000,gap,,,,,,1',
      '5000,resize,1,bid,,1,,1',
      '6000,delete,1,bid,,,,0',
      '6000,status,,ACTIVE,,,,1',
      '9000,create,7,bid,10.00,1,,1',
      '9000,gap,,,,,,1',
      '9500,delete,7,bid,,,,1',
    ]);
    expect(counts.gaps).toBe(3);
    expect(notes).toMatchObject({ maybeBadBook: 4, clears: 1 });
  });

  test('trades that filled nothing and records that are not orders are skipped and counted', async () => {
    const taken = { at: 2_000, id: 9, action: 'T', side: 'B', price: 10.25 };
    const bytes = [
      ...two,
      { ...taken, size: 3, flags: 0 },
      { ...taken, size: 4, flags: 0 },
      { at: 2_000, id: 2, action: 'F', ...ask, size: 4, flags: 0 },
      { at: 2_000, id: 2, action: 'C', ...ask, size: 4, flags: 0 },
      { ...taken, size: 5 },
      { at: 3_000, id: 4, action: 'A', ...bid, size: 1, flags: 0 },
      { at: 3_000, id: 5, action: 'A', ...bid, size: 7, flags: 128 | 64 },
      { at: 4_000, id: 0, action: 'M', ...bid, size: 8, flags: 128 | 16 },
    ].map(dbnRecord);
    const { lines, notes } = await linesOf(bytes);
    expect(lines).toEqual([
      ...twoLines,
      '2000,trade,2,ask,10.25,4,9,1',
      '3000,create,4,bid,10.00,1,,1',
    ]);
    expect(notes).toMatchObject({ tradesWithoutFill: 2, notOrders: 2, hiddenTrades: 0 });
  });

  test('a file that is not DBN, is cut, or holds two instruments is refused', async () => {
    const whole = Buffer.concat([dbnHead(), ...records.map(dbnRecord)]);
    expect(await failure('dbn', 'time,price')).toContain('does not begin with DBN');
    expect(await failure('dbn', '')).toContain('is not a DBN file');
    expect(await failure('dbn', whole.subarray(0, whole.length - 9))).toContain(
      'cut off within a record',
    );
    expect(await failure('dbn', zstdCompressSync(whole).subarray(0, 90))).toMatch(
      /FILE: (?:offset|is not)/u,
    );
    const long = Buffer.from(whole);
    long.writeUInt32LE(2 ** 32 - 1, 4);
    expect(await failure('dbn', long)).toContain('metadata must have at most');
    const other = Buffer.from(whole);
    other.writeUInt32LE(8, whole.length - 52);
    expect(await failure('dbn', other)).toContain(
      'must hold exactly one instrument, holds 2: 7, 8',
    );
    expect(await failure('nonsense', whole)).toContain('format must be one of dbn');
  });

  const real = outsideData('cme_es_mbo_20231225');
  test.skipIf(real === undefined)(
    'two hours of ESH4 end with the book of an independent reader',
    async () => {
      const path = join(real ?? '', 'esh4-glbx-mdp3-20231225.mbo.dbn.zst');
      const recording = await imported('dbn', path);
      expect(recording.index.counts).toMatchObject({ trades: 6_371, gaps: 0 });
      const part = await recording.part();
      const book = await playedBook(part.resting, part.blocks);
      expect([book.levels('BID').length, book.levels('ASK').length]).toEqual([922, 565]);
      expect([book.bestPrice('BID'), book.bestPrice('ASK')]).toEqual([481_000, 481_025]);
      expect(recording.index.bytes / recording.index.counts.messages).toBeLessThan(8);
      recording.close();
    },
    60_000,
  );

  test.skipIf(real === undefined)(
    'the same hours as JSON end with the same queues',
    async () => {
      const dbn = await imported('dbn', join(real ?? '', 'esh4-glbx-mdp3-20231225.mbo.dbn.zst'));
      const json = await imported('ndjson', join(real ?? '', 'derived'));
      const books = [];
      for (const recording of [dbn, json]) {
        const part = await recording.part();
        books.push(queuesOf(await playedBook(part.resting, part.blocks)));
        recording.close();
      }
      expect(books[0]).toEqual(books[1]);
    },
    60_000,
  );
});
