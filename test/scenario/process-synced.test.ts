/**
 * What the operating system sees: the record of an order is on the disk before the order leaves.
 * Needs strace (Debian: apt-get install strace).
 */
import { afterAll, describe, expect, test } from 'vitest';
import { traceSends, whyNoTrace } from '../prove/crash-sync.ts';
import { readTrace } from '../prove/crash-trace.ts';
import { endAll } from '../support/process-bot.ts';

afterAll(endAll);

const wal = '21</home/crash.sqlite-wal>';
const write = (id: string): string => `pwrite64(${wal}, "\\0\\1${id}busy", 4096, 0) = 4096`;
const sync = `fdatasync(${wal}) = 0`;
const send = (id: string): string =>
  `write(30<socket:[7]>, "pair=XBTZAR&timestamp=1&ttl=2000&client_order_id=${id}", 60) = 60`;
const lookUp = (id: string): string =>
  `write(30<socket:[7]>, "GET /api/exchange/3/order?client_order_id=${id} HTTP/1.1", 60) = 60`;

describe('the reader of a trace', () => {
  test('counts the syncs between the record of an order and its leaving', () => {
    const lines = [write('b1-a-1'), sync, write('b1-a-2'), sync, send('b1-a-1'), send('b1-a-2')];
    expect(readTrace([...lines, lookUp('b1-a-3')])).toEqual({
      sends: 2,
      syncs: 2,
      syncsPerSendMin: 1,
      unsynced: [],
    });
  });

  test.each([
    ['before its sync', [write('b1-a-1'), send('b1-a-1'), sync]],
    ['before its record', [sync, send('b1-a-1'), write('b1-a-1'), sync]],
    ['after the sync of another record', [sync, write('b1-a-1'), send('b1-a-1')]],
  ])('finds an order that left %s', (_, lines) => {
    expect(readTrace(lines)).toMatchObject({ syncsPerSendMin: 0, unsynced: ['b1-a-1'] });
  });
});

test.skipIf(whyNoTrace() !== undefined)(
  'S6: every order of a real bot leaves after the sync of its commit',
  async () => {
    const { trace, home } = await traceSends(2_000);
    expect(home.faults).toEqual([]);
    expect(trace?.sends).toBeGreaterThan(5);
    expect(trace?.unsynced).toEqual([]);
    expect(trace?.syncsPerSendMin).toBeGreaterThanOrEqual(1);
  },
  60_000,
);
