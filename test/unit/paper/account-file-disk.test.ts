/**
 * The file of a paper account on a nearly full disk: a change that could not be written completely
 * was never reported, and is written when there is room again.
 *
 * Method: `writeSync` writes as many bytes as there is room for, as on Linux, and then fails.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Amount } from '../../../src/domain/amount.ts';
import { StoreError } from '../../../src/domain/errors.ts';
import { AccountFile } from '../../../src/paper/account-file.ts';
import type { AccountChange } from '../../../src/replay-exchange/account/account-snapshot.ts';
import { replayMarket } from '../../support/replay-market.ts';

const disk = vi.hoisted(() => ({ room: Infinity, most: Infinity }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  const writeSync = (handle: number, given: Uint8Array | string, offset = 0, many?: number) => {
    const bytes = Buffer.from(given);
    const length = many ?? bytes.length;
    if (disk.room === 0) throw Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' });
    const written = fs.writeSync(handle, bytes, offset, Math.min(length, disk.room, disk.most));
    disk.room -= written;
    return written;
  };
  return { ...fs, writeSync };
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-account-'));
  path = join(folder, 'bot.sqlite-paper');
});
afterEach(() => {
  Object.assign(disk, { room: Infinity, most: Infinity });
  rmSync(folder, { recursive: true, force: true });
});

function openAccount(): AccountFile {
  const file = new AccountFile(path);
  file.trade([replayMarket]);
  return file;
}

const entryOf = (timeMs: number): AccountChange => ({
  kind: 'entry',
  currency: 'EUR',
  entry: {
    ...{ timeMs, balanceDelta: 1n as Amount, reservedDelta: 0n as Amount },
    ...{ kind: 'TRANSFER', description: 'Start balance', reference: '' },
  },
});

/** Returns the times of the entries that a later run finds. */
function timesKept(): readonly number[] | undefined {
  const again = new AccountFile(path);
  again.close();
  return again.before?.entries.map(({ entry }) => entry.timeMs);
}

test('a line that is written in parts is complete', () => {
  disk.most = 10;
  const file = openAccount();
  file.note(entryOf(7));
  file.close();
  expect(timesKept()).toEqual([7]);
});

test.each([0, 1, 40])('a line with room for %i bytes is removed, and kept for later', (room) => {
  const file = openAccount();
  const written = readFileSync(path, 'utf8');
  file.note(entryOf(7));
  for (let time = 0; time < 2; time++) {
    disk.room = room;
    expect(() => file.flush()).toThrow(StoreError);
    expect(() => file.flush()).toThrow(`${path} cannot be written: ENOSPC`);
    expect(readFileSync(path, 'utf8')).toBe(written);
  }
  disk.room = Infinity;
  file.note(entryOf(8));
  file.close();
  expect(timesKept()).toEqual([7, 8]);
});
