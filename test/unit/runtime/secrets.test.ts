/** Reading secrets from real files in a temporary folder. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '../../../src/domain/errors.ts';
import { readSecret } from '../../../src/runtime/secrets.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-secrets-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function secretFile(content: string, mode = 0o600): string {
  const file = join(folder, `secret-${mode}-${content.length}`);
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

function messageFor(environment: Record<string, string>): string {
  try {
    readSecret('KEY', environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no error';
}

test('a private file is read without its line feed, and takes precedence over the environment', () => {
  const KEY_FILE = secretFile('from-the-file\n');
  expect(readSecret('KEY', { KEY_FILE, KEY: 'from-the-environment' })).toBe('from-the-file');
  expect(readSecret('KEY', { KEY: 'from-the-environment' })).toBe('from-the-environment');
  expect(readSecret('KEY', { KEY: '', KEY_FILE: '' })).toBeUndefined();
  expect(readSecret('KEY', {})).toBeUndefined();
});

test.each([0o640, 0o604, 0o644, 0o620])('a file with mode %o is refused with the fix', (mode) => {
  const file = secretFile('canary-in-file', mode);
  const message = messageFor({ KEY_FILE: file });
  expect(message).toContain(`fix: chmod 600 ${file}`);
  expect(message).not.toContain('canary');
});

test('anything but one short line in a regular file is refused and never printed', () => {
  expect(messageFor({ KEY_FILE: join(folder, 'absent') })).toMatch(/KEY_FILE: .*ENOENT/u);
  expect(messageFor({ KEY_FILE: folder })).toMatch(/regular file/u);
  expect(messageFor({ KEY_FILE: secretFile(' \n') })).toMatch(/empty/u);
  expect(messageFor({ KEY_FILE: secretFile('x'.repeat(5_000)) })).toMatch(/4096 bytes/u);
  const twoLines = messageFor({ KEY_FILE: secretFile('canary-one\ncanary-two\n') });
  expect(twoLines).toMatch(/one line/u);
  expect(twoLines).not.toContain('canary');
});

test('a named pipe is refused and does not hang', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
  expect(messageFor({ KEY_FILE: pipe })).toMatch(/regular file/u);
});
