/** Output waits for the disk: its order, batches, failures and the shutdown. */
import { expect, test } from 'vitest';
import { StoreError } from '../../../../../src/domain/errors.ts';
import { Outbox } from '../../../../../src/venues/luno/simulator/server/outbox.ts';

/** A log whose disk and event-loop turns the test controls. */
function fixture() {
  const sent: string[] = [];
  const failures: StoreError[] = [];
  const turns: (() => void)[] = [];
  const commits: ((failure?: StoreError) => void)[] = [];
  let pending = 0;
  const outbox = new Outbox({
    timers: {
      soon: (callback) => {
        turns.push(callback);
        return () => {};
      },
    },
    hasPending: () => pending > 0,
    commitLater: (done) => {
      pending = 0;
      commits.push((failure) => done(failure));
    },
    fail: (failure) => failures.push(failure),
  });
  const put = (text: string) => outbox.put(() => sent.push(text));
  const command = (text: string) => {
    pending += 1;
    put(text);
  };
  const turn = () => {
    for (const callback of turns.splice(0)) callback();
  };
  const disk = (failure?: StoreError) => {
    for (const done of commits.splice(0)) done(failure);
  };
  return { outbox, sent, failures, commits, put, command, turn, disk };
}

test('output without a waiting command is sent at once', () => {
  const { put, sent } = fixture();
  put('book');
  expect(sent).toEqual(['book']);
});

test('all output of one turn shares one disk sync, and keeps its order', () => {
  const { command, put, turn, disk, sent, commits } = fixture();
  command('placed 1');
  put('book with 1');
  command('placed 2');
  expect(sent).toEqual([]);
  turn();
  expect(commits).toHaveLength(1);
  expect(sent).toEqual([]);
  disk();
  expect(sent).toEqual(['placed 1', 'book with 1', 'placed 2']);
});

test('output that comes during a sync waits for the next one', () => {
  const { command, put, turn, disk, sent, commits } = fixture();
  command('placed 1');
  turn();
  command('placed 2');
  put('book with 2');
  turn();
  expect(commits).toHaveLength(1);
  disk();
  expect(sent).toEqual(['placed 1']);
  turn();
  expect(commits).toHaveLength(1);
  disk();
  expect(sent).toEqual(['placed 1', 'placed 2', 'book with 2']);
  put('book');
  expect(sent.at(-1)).toBe('book');
});

test('a command without an answer becomes durable too', () => {
  const { outbox, command, turn, disk, commits, sent } = fixture();
  outbox.settle();
  turn();
  expect(commits).toHaveLength(0);
  command('placed');
  sent.length = 0;
  outbox.settle();
  turn();
  expect(commits).toHaveLength(1);
  disk();
});

test('after a disk failure nothing is sent, and the failure is reported once', () => {
  const { command, put, turn, disk, sent, failures } = fixture();
  command('placed');
  turn();
  disk(new StoreError('no space left on device'));
  put('book');
  command('placed again');
  turn();
  disk();
  expect(sent).toEqual([]);
  expect(failures).toHaveLength(1);
});

test('a close drops waiting output and lasts until the sync ends', async () => {
  const { outbox, command, turn, disk, sent } = fixture();
  command('placed');
  turn();
  let isClosed = false;
  const closed = outbox.close().then(() => {
    isClosed = true;
  });
  await Promise.resolve();
  expect(isClosed).toBe(false);
  disk();
  await closed;
  expect(sent).toEqual([]);
});
