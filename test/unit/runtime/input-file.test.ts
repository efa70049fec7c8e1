/** Only regular files are read: opening a pipe would wait, and a device may have no end. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DecodeError, NotFoundError } from '../../../src/domain/errors.ts';
import { openImport } from '../../../src/recording/import/import-format.ts';
import { checkInputFile } from '../../../src/runtime/input-file.ts';

const source = join(import.meta.dirname, '../../../src');
const folder = mkdtempSync(join(tmpdir(), 'millrace-input-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (name: string): string => join(folder, name);

test('a regular file is accepted, also through a link', () => {
  writeFileSync(pathOf('file'), '');
  symlinkSync(pathOf('file'), pathOf('link'));
  for (const name of ['file', 'link']) expect(() => checkInputFile(pathOf(name))).not.toThrow();
});

test('the error for a missing file or a circular link names its path', () => {
  symlinkSync(pathOf('two'), pathOf('one'));
  symlinkSync(pathOf('one'), pathOf('two'));
  expect(() => checkInputFile(pathOf('nowhere'))).toThrow(NotFoundError);
  expect(() => checkInputFile(pathOf('one'))).toThrow(DecodeError);
  expect(() => checkInputFile(pathOf('one'))).toThrow(`${pathOf('one')}: cannot be read: ELOOP`);
});

test.skipIf(process.platform === 'win32')(
  'a pipe without a writer is refused without waiting',
  () => {
    const pipe = pathOf('pipe');
    execFileSync('mkfifo', [pipe]);
    // In a process that can be killed, since one that waits for a pipe never continues.
    const script = `
    import { BlockFile } from '${source}/recording/file/block-file.ts';
    import { csvRows } from '${source}/recording/import/csv-file.ts';
    import { openImport } from '${source}/recording/import/import-format.ts';
    import { profileOrderFlow } from '${source}/recording/import/order-flow-profile.ts';
    import { verifyFile } from '${source}/recording/verify-file.ts';
    import { marketFramesOf } from '${source}/venues.ts';
    const path = ${JSON.stringify(pipe)};
    const messageOf = (read) => Promise.try(read).catch((error) => error.message);
    console.log(JSON.stringify([
      await messageOf(() => BlockFile.open(path, 'MILLREC1')),
      await messageOf(() => csvRows({ path, bytes: 1 }, []).next()),
      await messageOf(() => openImport({ format: 'csv', path, base: 'ABC', counter: 'EUR' })),
      await messageOf(() => openImport({ format: 'dbn', path, base: 'ABC', counter: 'EUR' })),
      await messageOf(() => profileOrderFlow({ snapshot: path, events: path })),
      ...verifyFile(path, marketFramesOf).problems,
    ]));`;
    const options = { encoding: 'utf8', timeout: 30_000 } as const;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], options);
    expect(JSON.parse(stdout)).toEqual(
      Array(6).fill(`${pipe}: is not a regular file; give the path of a file`),
    );
  },
);

test.runIf(process.platform === 'linux')('a device without an end is refused', async () => {
  const scales = { priceScale: undefined, volumeScale: undefined };
  for (const format of ['csv', 'dbn']) {
    const request = { format, path: '/dev/zero', base: 'ABC', counter: 'EUR', ...scales };
    await expect(openImport(request)).rejects.toThrow('/dev/zero: is not a regular file');
  }
});
