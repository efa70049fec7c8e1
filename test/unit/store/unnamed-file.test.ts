/** A temporary file is on a disk unless the environment names a folder, and leaves no name. */
import { closeSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { openUnnamedFile } from '../../../src/store/unnamed-file.ts';

afterEach(() => vi.unstubAllEnvs());

test('TMPDIR names the folder, and nothing is left in it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-unnamed-'));
  vi.stubEnv('TMPDIR', folder);
  const handle = openUnnamedFile();
  expect(readdirSync(folder)).toEqual([]);
  closeSync(handle);
  rmSync(folder, { recursive: true });
});

test.runIf(process.platform === 'linux')('TMPDIR may be /tmp', () => {
  vi.stubEnv('TMPDIR', '/tmp');
  const handle = openUnnamedFile();
  expect(readlinkSync(`/proc/self/fd/${handle}`)).toMatch(/^\/tmp\/millrace-/u);
  closeSync(handle);
});
