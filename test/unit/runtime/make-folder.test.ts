/** Folders are created with their missing parents, or an error names them. */
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { StoreError } from '../../../src/domain/errors.ts';
import { makeFolder } from '../../../src/runtime/make-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'millrace-folders-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('all levels are created, with the requested mode', () => {
  makeFolder(join(root, 'a/b/c'), 0o700);
  for (const path of ['a', 'a/b', 'a/b/c'])
    expect(statSync(join(root, path)).mode & 0o777).toBe(0o700);
});

test('an existing folder does not change, also through a link', () => {
  mkdirSync(join(root, 'there'), { mode: 0o750 });
  symlinkSync(join(root, 'there'), join(root, 'link'));
  makeFolder(join(root, 'link'), 0o700);
  makeFolder(join(root, 'link', 'below'));
  expect(statSync(join(root, 'there')).mode & 0o777).toBe(0o750);
  expect(statSync(join(root, 'there', 'below')).isDirectory()).toBe(true);
});

test('a file in the way is an error that names the folder', () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  for (const path of [file, join(file, 'below')]) {
    expect(() => makeFolder(path)).toThrow(StoreError);
    expect(() => makeFolder(path)).toThrow(`folder ${path} cannot be created: E`);
  }
});

test.runIf(process.platform === 'linux')('a place that cannot have folders is an error', () => {
  expect(() => makeFolder('/proc/no-such/deep')).toThrow(
    /^folder \/proc\/no-such\/deep cannot be created: E/u,
  );
});
