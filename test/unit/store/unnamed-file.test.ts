/** A temporary file is in the folder that the environment names, and leaves no name. */
import { closeSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
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
