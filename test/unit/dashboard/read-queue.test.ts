/** How many reads of databases run, wait and are refused. */
import { expect, test } from 'vitest';
import { ReadQueue } from '../../../src/dashboard/server/read-queue.ts';

const stays = () => false;

test('few reads run at a time, others wait, and too many are refused', async () => {
  const queue = new ReadQueue();
  let running = 0;
  let most = 0;
  const open = Promise.withResolvers<void>();
  const read = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await open.promise;
    running--;
  };
  const asked = Array.from({ length: 70 }, () => queue.run(stays, read));
  const settled = Promise.allSettled(asked);
  open.resolve();
  const failed = (await settled).filter(({ status }) => status === 'rejected');
  expect([most, failed.length]).toEqual([3, 7]);
  expect(failed[0]).toMatchObject({ reason: { problem: { status: 503, code: 'TOO_MANY' } } });
  expect(await queue.run(stays, () => 'again')).toBe('again');
});

test('nothing is read for a client that has left, and a read that fails lets the next one in', async () => {
  const queue = new ReadQueue();
  let reads = 0;
  const left = Array.from({ length: 20 }, () =>
    queue.run(
      () => true,
      () => reads++,
    ),
  );
  const failing = Array.from({ length: 20 }, () =>
    queue.run(stays, () => {
      throw new Error('damaged');
    }),
  );
  const results = await Promise.allSettled([...left, ...failing]);
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  expect(reads).toBe(0);
  expect(await queue.run(stays, () => 'read')).toBe('read');
});
