/** Recordings that cannot be written: the error has the cause, and no file is left. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { StoreError } from '../../../src/domain/errors.ts';
import { type FlowSource, writeRecording } from '../../../src/recording/file/flow-source.ts';
import { recordedHeader } from '../../support/compiled-flow.ts';
import { canMount, fillDisk, mountDisk, releaseAllDisks } from '../../support/small-disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-writer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(releaseAllDisks);

/** A source without a row. */
function emptySource(): FlowSource {
  return { header: recordedHeader, resting: [], items: (async function* () {})() };
}

test('a file that cannot get its name is an error with its cause', async () => {
  const path = join(folder, 'taken.mrec');
  mkdirSync(join(path, 'by-a-folder'), { recursive: true });
  const error: Error = await writeRecording(emptySource(), path).then(
    () => expect.unreachable(),
    (cause) => cause,
  );
  expect(error).toBeInstanceOf(StoreError);
  expect(error.message).toMatch(/^recording \S+taken\.mrec cannot be written: Error: E.*rename/u);
  expect(error.cause).toMatchObject({ syscall: 'rename' });
  expect(readdirSync(folder)).toEqual(['taken.mrec']);
});

test.runIf(canMount())('a disk that is full from the start keeps no file', async () => {
  const disk = mountDisk(1);
  fillDisk(disk);
  const before = readdirSync(disk);
  const written = writeRecording(emptySource(), join(disk, 'day.mrec'));
  await expect(written).rejects.toThrow(/cannot be written: Error: ENOSPC/u);
  expect(readdirSync(disk)).toEqual(before);
});
