/** Free space on the database's disk: reported in time, and again when there is enough. */
import { expect, test } from 'vitest';
import { guardDisk } from '../../../src/bot/guards/disk-guard.ts';
import { isSameDisk, type Space, watchFreeSpace } from '../../../src/bot/guards/free-space.ts';
import type { RunJournal } from '../../../src/bot/journal/run-journal.ts';
import { FakeTimers } from '../venues/luno/client/fake-timers.ts';

const mebibyte = 2 ** 20;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const space = (freeMebibytes: number, sizeMebibytes: number): Space => ({
  freeBytes: freeMebibytes * mebibyte,
  sizeBytes: sizeMebibytes * mebibyte,
});

test.each([
  [2_000, 500_000, 'enough'],
  [1_000, 500_000, 'low'],
  [255, 500_000, 'scarce'],
  [3, 16, 'enough'],
  [1.5, 16, 'low'],
  [0.4, 16, 'scarce'],
  [0, 0, 'enough'],
] as const)('%d of %d MiB are %s', async (free, size, level) => {
  const told: string[] = [];
  const cancel = watchFreeSpace({
    folder: '/home',
    timers: new FakeTimers(),
    onLevel: (found) => told.push(found),
    spaceOf: async () => space(free, size),
  });
  await turn();
  cancel();
  expect(told).toEqual(level === 'enough' ? [] : [level]);
});

test('each change of the level is reported, and a file system error changes nothing', async () => {
  const timers = new FakeTimers();
  const found: (Space | Error)[] = [
    space(9_000, 10_000),
    space(900, 10_000),
    space(800, 10_000),
    new Error('EIO'),
    space(100, 10_000),
    space(9_000, 10_000),
  ];
  const told: string[] = [];
  const cancel = watchFreeSpace({
    folder: '/home',
    timers,
    onLevel: (level) => told.push(level),
    spaceOf: async () => {
      const next = found.shift();
      if (next === undefined || next instanceof Error) throw next;
      return next;
    },
  });
  for (let look = 0; look < 6; look++) {
    await turn();
    timers.advance(5_000);
  }
  cancel();
  expect(told).toEqual(['low', 'scarce', 'enough']);
});

test('folders of one file system share their free space', () => {
  expect(isSameDisk('/tmp', '/tmp')).toBe(true);
  expect(isSameDisk('/proc', '/tmp')).toBe(false);
});

test('a journal that has ended is an incident', () => {
  const told: string[] = [];
  const journal: Partial<RunJournal> = {
    path: '/tmp/x',
    onEnded: (listener) => listener('ENOSPC'),
  };
  guardDisk({
    store: '/tmp/desk.sqlite',
    journal: journal as RunJournal,
    capture: undefined,
    captures: '/tmp',
    timers: new FakeTimers(),
    onNotice: () => {},
    onTrouble: (code, text) => told.push(`${code} ${text}`),
  })();
  expect(told).toEqual([expect.stringMatching(/^JOURNAL_ENDED .*ENOSPC$/u)]);
});
