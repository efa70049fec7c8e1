/** Files that are whole or not there, also where several processes write the same one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RecordingWriter } from '../../../src/recording/file/recording-writer.ts';
import { verifyFile } from '../../../src/recording/verify-file.ts';
import { writeTextWhole, writeWhole } from '../../../src/terminal/atomic-file.ts';
import { recordedHeader } from '../../support/compiled-flow.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-whole-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Has another process do `work`, with `name` of `src/FILE` imported. */
function elsewhere(file: string, name: string, work: string): void {
  const from = JSON.stringify(join(import.meta.dirname, '../../../src', file));
  const script = `import { ${name} } from ${from}; ${work}`;
  const argv = ['--input-type=module', '-e', script];
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

test('another process may write the same file meanwhile', async () => {
  const path = join(folder, 'run.json');
  const again = `writeTextWhole(${JSON.stringify(path)}, 'theirs');`;
  await writeWhole(path, (partial) => {
    writeTextWhole(partial, 'ours');
    elsewhere('terminal/atomic-file.ts', 'writeTextWhole', again);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });
  expect(readFileSync(path, 'utf8')).toBe('ours');
  expect(readdirSync(folder)).toEqual(['run.json']);
});

test('a recording, too, is that of one of them, whole', () => {
  const path = join(folder, 'day.mrec');
  const header = JSON.stringify(recordedHeader);
  const writer = new RecordingWriter(path, recordedHeader);
  const again = `new RecordingWriter(${JSON.stringify(path)}, ${header}).finish();`;
  elsewhere('recording/file/recording-writer.ts', 'RecordingWriter', again);
  expect(verifyFile(path).problems).toEqual([]);
  writer.finish();
  expect(verifyFile(path).problems).toEqual([]);
  expect(readdirSync(folder)).toEqual(['day.mrec']);
});
