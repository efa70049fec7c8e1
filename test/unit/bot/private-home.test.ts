/** A home that another user can write is refused: that user could replace the database. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { problemOf, requirePrivateHome } from '../../../src/bot/guards/private-home.ts';
import { SafetyRefusedError } from '../../../src/domain/errors.ts';

const me = { uid: 1000, gid: 1000 };

test.each([
  ['its own, closed', 0o700, 1000, 1000, true],
  ['its own, readable', 0o755, 1000, 1000, true],
  ['its own, writable by the group that is its own', 0o775, 1000, 1000, true],
  ['its own, writable by a group of several', 0o775, 1000, 50, false],
  ['its own, writable by everybody', 0o777, 1000, 1000, false],
  ["root's, given to it by a group of its own", 0o770, 0, 1000, true],
  ["another user's", 0o755, 1001, 1000, false],
])('%s', (_name, mode, uid, gid, isFine) => {
  expect(problemOf({ mode: 0o040000 | mode, uid, gid }, me) === undefined).toBe(isFine);
});

test('the refusal names mode and fix; a missing home is not refused', () => {
  const home = mkdtempSync(join(tmpdir(), 'millrace-home-'));
  try {
    requirePrivateHome(home);
    requirePrivateHome(join(home, 'nowhere'));
    chmodSync(home, 0o777);
    expect(() => requirePrivateHome(home)).toThrow(SafetyRefusedError);
    expect(() => requirePrivateHome(home)).toThrow(`(mode 777): `);
    expect(() => requirePrivateHome(home)).toThrow(`protect it with: chmod go-w ${home}`);
  } finally {
    rmSync(home, { recursive: true });
  }
});
