/** Changes of files, however an editor makes them. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SourceWatch } from '../../../../src/cli/dev/source-watch.ts';
import { createTimers } from '../../../../src/runtime/timers.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace watch ä-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Watches a new file in a new folder; returns its path and the changes seen so far. */
function watched(name: string): { file: string; seen: string[][]; watch: SourceWatch } {
  const file = join(folder, name, 'strategy.ts');
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(file, 'one');
  const seen: string[][] = [];
  const watch = new SourceWatch(createTimers(), (changed) => seen.push([...changed]));
  watch.set([file]);
  return { file, seen, watch };
}

const wait = { timeout: 10_000, interval: 20 };

test.each([
  ['writes it', (file: string) => writeFileSync(file, 'two')],
  [
    'replaces it by a new file',
    (file: string) => {
      writeFileSync(`${file}.new`, 'two');
      renameSync(`${file}.new`, file);
    },
  ],
  ['deletes it', (file: string) => rmSync(file)],
  ['renames it', (file: string) => renameSync(file, `${file}.old`)],
  [
    'writes it in two steps',
    (file: string) => {
      writeFileSync(file, '');
      writeFileSync(file, 'two');
    },
  ],
])('an editor that %s causes one change', async (name, change) => {
  const { file, seen, watch } = watched(name);
  change(file);
  await vi.waitFor(() => expect(seen).toEqual([[file]]), wait);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(seen).toEqual([[file]]);
  watch.close();
});

test('a file that comes back, in a folder that was removed with it, is seen again', async () => {
  const { file, seen, watch } = watched('gone');
  rmSync(join(folder, 'gone'), { recursive: true });
  await vi.waitFor(() => expect(seen).toEqual([[file]]), wait);
  mkdirSync(join(folder, 'gone'));
  await new Promise((resolve) => setTimeout(resolve, 200));
  writeFileSync(file, 'again');
  await vi.waitFor(() => expect(seen).toEqual([[file], [file]]), wait);
  watch.close();
});

test('other files of the folder, and files no longer watched, cause none', async () => {
  const { file, seen, watch } = watched('others');
  const other = join(folder, 'others', 'other.ts');
  writeFileSync(other, 'x');
  await new Promise((resolve) => setTimeout(resolve, 200));
  watch.set([other]);
  writeFileSync(file, 'two');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(seen).toEqual([]);
  watch.close();
});
