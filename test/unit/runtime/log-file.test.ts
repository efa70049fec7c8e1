/** The log on disk: bounded, rotated, and never a reason to stop. */
import fs, {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLogFile } from '../../../src/runtime/log-file.ts';
import { canMount, fillDisk, mountDisk, releaseAllDisks } from '../../support/small-disk.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-file-'));
});
afterEach(() => {
  releaseAllDisks();
  rmSync(folder, { recursive: true, force: true });
});

test('lines are appended, also to the file of an earlier run', () => {
  const path = join(folder, 'deep', 'bot.log');
  for (const line of ['one\n', 'two\n']) {
    const log = openLogFile(path);
    log.append(line);
    log.close();
  }
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
});

test('the log stays within its bound and keeps the newest lines', () => {
  const path = join(folder, 'bot.log');
  const log = openLogFile(path, { bytesMax: 100, filesMax: 2 });
  for (let i = 0; i < 200; i++) log.append(`line ${String(i).padStart(3, '0')}\n`);
  log.close();
  expect(readdirSync(folder).sort()).toEqual(['bot.log', 'bot.log.1', 'bot.log.2']);
  for (const name of readdirSync(folder))
    expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(100);
  expect(readFileSync(path, 'utf8')).toContain('line 199');
  expect(readFileSync(`${path}.1`, 'utf8') + readFileSync(path, 'utf8')).toContain('line 189');
});

test('lines that cannot be written are counted and do not throw', () => {
  writeFileSync(join(folder, 'file'), '');
  const log = openLogFile(join(folder, 'file', 'bot.log'));
  log.append('gone\n');
  log.append('gone too\n');
  expect(log.lost).toBe(2);
});

test.runIf(canMount())('a line that fits only in part counts as lost', () => {
  const disk = mountDisk(1);
  const log = openLogFile(join(disk, 'bot.log'));
  log.append('the first\n');
  fillDisk(disk);
  // A part of the line fits into the rest of the file's page.
  log.append('x'.repeat(10_000));
  log.close();
  expect(log.lost).toBe(1);
});

test('a file that fails to close counts as a lost line, and the log goes on', () => {
  const path = join(folder, 'bot.log');
  const log = openLogFile(path, { bytesMax: 10 });
  const { closeSync } = fs;
  const failingClose = (handle: number): void => {
    closeSync(handle);
    throw new Error('EIO');
  };
  log.append('the first\n');
  withClose(failingClose, () => {
    // The file is full, so it is closed and the next one opened.
    log.append('the second\n');
    log.close();
  });
  expect(log.lost).toBe(2);
  log.append('the last\n');
  log.close();
  const files = ['.2', '.1', ''].map((age) => readFileSync(`${path}${age}`, 'utf8'));
  expect(files).toEqual(['the first\n', 'the second\n', 'the last\n']);
});

function withClose(closeSync: typeof fs.closeSync, work: () => void): void {
  const original = fs.closeSync;
  Object.assign(fs, { closeSync });
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    Object.assign(fs, { closeSync: original });
    syncBuiltinESMExports();
  }
}
