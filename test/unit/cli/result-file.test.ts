/** The result file of a backtest equals the JSON of the whole result, and is never partial. */
import {
  mkdirSync,
  mkdtempSync,
  type NoParamCallback,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { writeResultFile } from '../../../src/cli/result-file.ts';
import { StoreError } from '../../../src/domain/errors.ts';

const disk = vi.hoisted(() => ({ isBroken: false }));

vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:fs')>();
  const fsync = (file: number, done: NoParamCallback): void => {
    if (disk.isBroken) done(Object.assign(new Error('EIO: fsync'), { syscall: 'fsync' }));
    else original.fsync(file, done);
  };
  return { ...original, fsync };
});

let folder: string;
beforeEach(() => {
  disk.isBroken = false;
  folder = mkdtempSync(join(tmpdir(), 'millrace-results-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const head = { name: 'a "b"\n', nested: { one: [1, 2], none: {} } };

test.each([
  ['no rows', 0],
  ['one row', 1],
  ['more rows than a piece', 5_000],
])('with %s it equals the JSON of the whole result', async (_name, count) => {
  const rows = Array.from({ length: count }, (_, number) => ({ number, deep: { text: 'x\ny' } }));
  const path = join(folder, 'run.json');
  const texts = rows.map(textOf);
  await writeResultFile(path, head, { first: texts.values(), second: texts.slice(1) });
  const expected = JSON.stringify({ ...head, first: rows, second: rows.slice(1) }, null, 1);
  expect(readFileSync(path, 'utf8')).toBe(`${expected}\n`);
  expect(readdirSync(folder)).toEqual(['run.json']);
});

test('rows longer than a piece are written whole', async () => {
  const rows = ['é', 'long'.repeat(50_000), 'b', 'c'.repeat(65_530)].map((text) => ({ text }));
  const path = join(folder, 'run.json');
  await writeResultFile(path, head, { rows: rows.map(textOf) });
  expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify({ ...head, rows }, null, 1)}\n`);
});

test('a file that the disk takes in several parts is whole', async () => {
  const rows = Array.from({ length: 12 }, (_, number) => ({ text: `${number}`.repeat(1_000_000) }));
  const path = join(folder, 'run.json');
  await writeResultFile(path, head, { rows: rows.map(textOf) });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ...head, rows });
});

test('rows that cannot be read leave no file', async () => {
  function* broken(): Generator<Uint8Array, void> {
    for (let number = 0; number < 5_000; number++) yield textOf({ number });
    throw new RangeError('the rest is gone');
  }
  const path = join(folder, 'run.json');
  await expect(writeResultFile(path, head, { rows: broken() })).rejects.toThrow('the rest is gone');
  expect(readdirSync(folder)).toEqual([]);
});

test('a disk that does not take the file is an error, unless another came first', async () => {
  disk.isBroken = true;
  const path = join(folder, 'run.json');
  const written = writeResultFile(path, head, { rows: [] });
  await expect(written).rejects.toThrow(`${path} cannot be written: EIO: fsync`);
  function* broken(): Generator<Uint8Array, void> {
    for (let number = 0; number < 50_000; number++) yield textOf({ text: 'x'.repeat(100) });
    throw new RangeError('the rest is gone');
  }
  await expect(writeResultFile(path, head, { rows: broken() })).rejects.toThrow('the rest is gone');
  expect(readdirSync(folder)).toEqual([]);
});

test('a path that cannot be written is named', async () => {
  const path = join(folder, 'run.json');
  mkdirSync(path);
  const written = writeResultFile(path, head, { rows: [] });
  await expect(written).rejects.toThrow(StoreError);
  await expect(written).rejects.toThrow(`${path} cannot be written: `);
  expect(readdirSync(folder)).toEqual(['run.json']);
});

/** Returns the text of a row of a list, as it stands in the file. */
function textOf(row: object): Uint8Array {
  return Buffer.from(`,\n  ${JSON.stringify(row, null, 1).replaceAll('\n', '\n  ')}`);
}
