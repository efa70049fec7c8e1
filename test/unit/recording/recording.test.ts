/**
 * A recording holds the rows, books and ids of its source, and reports where it is damaged. SEED
 * reruns one seed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MillraceError } from '../../../src/domain/errors.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { IdentifiedBook } from '../../../src/market/book/identified-book.ts';
import { rowKind } from '../../../src/market/flow/flow-block.ts';
import type { FlowItem } from '../../../src/recording/file/flow-item.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import { verifyFile } from '../../../src/recording/verify-file.ts';
import { marketFramesOf } from '../../../src/venues.ts';
import {
  playedBook,
  queuesOf,
  recordedHeader,
  rowsOf,
  type SeenRow,
  writeItems,
} from '../../support/compiled-flow.ts';
import { randomFlow } from '../../support/recorded-set.ts';
import { applyFlowRow } from '../../support/row-book.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-recordings-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const given = process.env['SEED'];
const seeds = given ? [Number.parseInt(given, 10)] : [1, 2, 3, 4, 5, 6];

async function allRows(recording: Recording): Promise<SeenRow[]> {
  const rows: SeenRow[] = [];
  for await (const block of recording.blocks()) rows.push(...rowsOf(block));
  return rows;
}

describe('a recording holds its source', () => {
  test.each(seeds)('rows, times and books are those of the source, seed %i', async (seed) => {
    const flow = randomFlow(new SeededRandom(seed), 600);
    const path = join(folder, `${seed}.mrec`);
    const index = writeItems(path, flow);
    const recording = new Recording(path);
    expect(recording.header).toEqual(recordedHeader);
    expect(index.blocks.length).toBeGreaterThan(5);
    const book = new IdentifiedBook();
    for (const [row, seen] of (await allRows(recording)).entries()) {
      const source = flow[row];
      if (source === undefined) throw new Error(`no row ${row}`);
      if (source.kind === 'create') expect(seen.price).toBe(source.price);
      if (source.kind !== 'delete') expect(seen.volume).toBe(source.volume);
      expect({ kind: seen.kind, at: seen.atMicros, end: seen.endsMessage }).toEqual({
        kind: rowKind[source.kind],
        at: source.atMicros,
        end: source.endsMessage,
      });
      applyFlowRow(book, source);
    }
    expect(recording.index.counts.rows).toBe(flow.length);
    const part = await recording.part();
    expect(queuesOf(await playedBook(part.resting, part.blocks))).toEqual(queuesOf(book.book));
    recording.close();
  });

  test.each(seeds)('a part has the rows of the source between two times, seed %i', async (seed) => {
    const random = new SeededRandom(seed + 100);
    const flow = randomFlow(random, 400);
    const path = join(folder, `part-${seed}.mrec`);
    writeItems(path, flow);
    const recording = new Recording(path);
    const times = [...new Set(flow.map(({ atMicros }) => atMicros))];
    for (let trial = 0; trial < 12; trial++) {
      const from = random.pick(times) - random.integer(0, 1) * 500;
      const to = from + random.integer(0, 20_000_000);
      const within = flow.filter(({ atMicros }) => atMicros >= from && atMicros <= to);
      if (within.length === 0) continue;
      const part = await recording.part(from, to);
      const seen: SeenRow[] = [];
      const book = await playedBook(
        part.resting,
        (async function* () {
          for await (const block of part.blocks) {
            seen.push(...rowsOf(block));
            yield block;
          }
        })(),
      );
      expect(seen.map(({ atMicros }) => atMicros)).toEqual(within.map(({ atMicros }) => atMicros));
      expect(seen[0]?.sequence).toBe(flow.indexOf(within[0] as never) + 1);
      const until = new IdentifiedBook();
      for (const row of flow) if (row.atMicros <= to) applyFlowRow(until, row);
      expect(queuesOf(book), `${from} to ${to}`).toEqual(queuesOf(until.book));
    }
    recording.close();
  });

  test('a part starts no earlier than the recording; a time range without rows is an error', async () => {
    const flow = randomFlow(new SeededRandom(3), 300);
    const path = join(folder, 'range.mrec');
    writeItems(path, flow);
    const recording = new Recording(path);
    const [first, last] = [flow.at(0)?.atMicros ?? 0, flow.at(-1)?.atMicros ?? 0];
    const dayMicros = 86_400_000_000;
    expect((await recording.part(first - dayMicros)).startMicros).toBe(first);
    expect((await recording.part(first + 1)).startMicros).toBe(first + 1);
    for (const [from, to] of [
      [first - 2 * dayMicros, first - dayMicros],
      [-Infinity, first - 1],
      [last + 1, Infinity],
    ])
      await expect(recording.part(from, to)).rejects.toMatchObject({
        code: 'MR_CONFIG',
        message: expect.stringMatching(
          /range\.mrec: has no rows in the time .*; it covers .* to /u,
        ),
      });
    recording.close();
  });

  test('a part of a recording without rows is an error that says so', async () => {
    const path = join(folder, 'empty.mrec');
    writeItems(path, []);
    const recording = new Recording(path);
    await expect(recording.part(-Infinity)).rejects.toThrow(/; it has no rows at all$/u);
    recording.close();
  });

  test('the same source gives the same bytes, and another row another hash', () => {
    const flow = randomFlow(new SeededRandom(9), 300);
    const paths = ['a', 'b', 'c'].map((name) => join(folder, `${name}.mrec`));
    const [first, second] = [writeItems(paths[0] ?? '', flow), writeItems(paths[1] ?? '', flow)];
    expect(second.hash).toBe(first.hash);
    expect(readFileSync(paths[0] ?? '').equals(readFileSync(paths[1] ?? ''))).toBe(true);
    expect(writeItems(paths[2] ?? '', flow.slice(0, -1)).hash).not.toBe(first.hash);
  });

  test('prices with large jumps or beyond 32 bits, and many orders, are kept exactly', async () => {
    const prices = [100, 10_000, 1_000_000, 3e9, 4e15, 101];
    const items: FlowItem[] = prices.map((price, at) => ({
      ...{ kind: 'create', id: `p${at}`, side: 'ASK', endsMessage: true, sequence: 0 },
      price: price as Ticks,
      volume: (at === 3 ? 2 ** 40 : 7) as Lots,
      atMicros: 1_000_000_000_000_000 + at * 7_000_000_001,
    }));
    for (let at = 0; at < 70_000; at++)
      items.push({
        ...{ kind: 'create', id: `n${at}`, side: 'BID', endsMessage: true, sequence: 0 },
        price: (1 + (at % 90)) as Ticks,
        volume: 1 as Lots,
        atMicros: 2_000_000_000_000_000,
      });
    const path = join(folder, 'wide.mrec');
    writeItems(path, items, {});
    const recording = new Recording(path);
    const rows = await allRows(recording);
    expect(rows.slice(0, 6).map(({ price }) => price)).toEqual(prices);
    expect(rows.slice(0, 6).map(({ atMicros }) => atMicros)).toEqual(
      items.slice(0, 6).map(({ atMicros }) => atMicros),
    );
    expect(rows[3]?.volume).toBe(2 ** 40);
    expect(new Set(rows.map(({ slot }) => slot)).size).toBe(items.length);
    expect(verifyFile(path, marketFramesOf).isGood).toBe(true);
    recording.close();
  });

  test('a crossed book is recorded as it was, and counted', () => {
    const base = { endsMessage: true, sequence: 0, volume: 5 as Lots };
    const path = join(folder, 'crossed.mrec');
    const { counts } = writeItems(path, [
      { ...base, kind: 'create', id: 'a', side: 'ASK', price: 100 as Ticks, atMicros: 1 },
      { ...base, kind: 'create', id: 'b', side: 'BID', price: 101 as Ticks, atMicros: 2 },
      { ...base, kind: 'delete', id: 'a', atMicros: 3 },
    ]);
    expect(counts).toMatchObject({ rows: 3, crossed: 1 });
    expect(verifyFile(path, marketFramesOf).isGood).toBe(true);
  });

  test('rows that do not fit are counted and get slot 0', async () => {
    const base = { endsMessage: true, sequence: 0 };
    const [price, volume] = [100 as Ticks, 5 as Lots];
    const path = join(folder, 'misfits.mrec');
    const { counts } = writeItems(path, [
      { ...base, kind: 'create', id: 'a', side: 'ASK', price, volume, atMicros: 5 },
      { ...base, kind: 'create', id: 'a', side: 'ASK', price, volume, atMicros: 6 },
      { ...base, kind: 'delete', id: 'unknown', atMicros: 4 },
      {
        ...base,
        ...{ kind: 'trade', makerId: 'missing', takerId: 't', makerSide: 'ASK' },
        ...{ price: 99 as Ticks, volume, atMicros: 7 },
      },
      {
        ...base,
        ...{ kind: 'trade', makerId: 'a', takerId: undefined, makerSide: 'ASK' },
        ...{ price: 98 as Ticks, volume: 9 as Lots, atMicros: 8 },
      },
    ]);
    expect(counts).toMatchObject({
      repeatedIds: 1,
      unknownOrders: 2,
      timesWentBack: 1,
      excessVolumes: 1,
      otherPrices: 1,
    });
    const recording = new Recording(path);
    const rows = await allRows(recording);
    expect(rows.map((row) => [row.slot, row.price])).toEqual([
      [1, 100],
      [0, 100],
      [0, 0],
      [0, 99],
      [1, 98],
    ]);
    const [entry] = recording.index.blocks;
    if (entry === undefined) throw new Error('no block');
    expect(recording.ids(entry)).toEqual(['a', 'a', 'unknown', 't\tmissing', '']);
    recording.close();
  });
});

describe('bad files', () => {
  const message = (path: string): string => {
    try {
      new Recording(path).close();
    } catch (error) {
      if (error instanceof MillraceError) return error.message;
      throw error;
    }
    return 'opened';
  };

  test('the error for a file that is not a recording names the file', () => {
    const at = (name: string, bytes: string | Buffer): string => {
      const path = join(folder, name);
      writeFileSync(path, bytes);
      return path;
    };
    expect(message(at('empty', ''))).toBe(`${join(folder, 'empty')}: is empty`);
    expect(message(at('foreign', 'PAR1 and more'))).toContain('is not a recording');
    expect(message(at('cap', 'MILLCAP1'))).toContain('is a capture, not a recording');
    expect(message(at('bare', 'MILLREC1'))).toContain('cut off');
    expect(message(join(folder, 'nowhere'))).toContain('does not exist');
    expect(message(folder)).toMatch(/is not a regular file|cannot be read/u);
    expect(verifyFile(join(folder, 'foreign'), marketFramesOf).isGood).toBe(false);
  });

  test.each(seeds)(
    'verify finds a cut or a changed byte, and rows before it are right, seed %i',
    async (seed) => {
      const random = new SeededRandom(seed + 50);
      const path = join(folder, `fuzz-${seed}.mrec`);
      writeItems(path, randomFlow(random, 150));
      const whole = new Recording(path);
      const rows = await allRows(whole);
      whole.close();
      const bytes = readFileSync(path);
      const broken = join(folder, `broken-${seed}.mrec`);
      for (let trial = 0; trial < 60; trial++) {
        const damaged = Buffer.from(
          bytes.subarray(0, bytes.length - (trial % 3 === 0 ? random.integer(1, bytes.length) : 0)),
        );
        if (trial % 3 !== 0) {
          const at = random.integer(0, bytes.length - 1);
          damaged[at] = (damaged[at] ?? 0) ^ random.integer(1, 255);
        }
        writeFileSync(broken, damaged);
        const verified = verifyFile(broken, marketFramesOf);
        expect(verified.isGood, `trial ${trial}`).toBe(false);
        expect(verified.problems.join()).toContain(broken);
        let seen: SeenRow[] = [];
        try {
          const recording = new Recording(broken);
          for await (const block of recording.blocks()) {
            seen = [...seen, ...rowsOf(block)];
            // Rows before the damage are right.
            expect(seen).toEqual(rows.slice(0, seen.length));
          }
          recording.close();
        } catch (error) {
          expect(error, `trial ${trial}`).toBeInstanceOf(MillraceError);
        }
      }
    },
  );
});
