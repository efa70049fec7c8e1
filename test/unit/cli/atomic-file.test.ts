/** Files are complete or do not exist, even if several processes write the same one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RecordingWriter } from '../../../src/recording/file/recording-writer.ts';
import { verifyFile } from '../../../src/recording/verify-file.ts';
import { writeFileAtomically, writeTextAtomically } from '../../../src/terminal/atomic-file.ts';
import { marketFramesOf } from '../../../src/venues.ts';
import { recordedHeader } from '../../support/compiled-flow.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-whole-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `work` in another process, which imports `name` from `src/FILE`. */
function inAnotherProcess(file: string, name: string, work: string): void {
  const from = JSON.stringify(join(import.meta.dirname, '../../../src', file));
  const script = `import { ${name} } from ${from}; ${work}`;
  const argv = ['--input-type=module', '-e', script];
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

test('another process may write the same file at the same time', async () => {
  const path = join(folder, 'run.json');
  const again = `writeTextAtomically(${JSON.stringify(path)}, 'theirs');`;
  await writeFileAtomically(path, (partial) => {
    writeTextAtomically(partial, 'ours');
    inAnotherProcess('terminal/atomic-file.ts', 'writeTextAtomically', again);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });
  expect(readFileSync(path, 'utf8')).toBe('ours');
  expect(readdirSync(folder)).toEqual(['run.json']);
});

test('so may two writers of a recording: the file is always a complete one', () => {
  const path = join(folder, 'day.mrec');
  const header = JSON.stringify(recordedHeader);
  const writer = new RecordingWriter(path, recordedHeader);
  const again = `new RecordingWriter(${JSON.stringify(path)}, ${header}).finish();`;
  inAnotherProcess('recording/file/recording-writer.ts', 'RecordingWriter', again);
  expect(verifyFile(path, marketFramesOf).problems).toEqual([]);
  writer.finish();
  expect(verifyFile(path, marketFramesOf).problems).toEqual([]);
  expect(readdirSync(folder)).toEqual(['day.mrec']);
});
