/** A stream that waits for a promise stops its strategy when it begins to wait. */
import { from, mergeMap, Observable, of, switchMap } from 'rxjs';
import { expect, test } from 'vitest';
import { hostOf, note, pluginOf, startMs } from './host-fixture.ts';

test.each([
  ['an async function', switchMap(async (count: number) => note(count))],
  [
    'an async generator',
    mergeMap(async function* (count: number) {
      yield note(count);
    }),
  ],
  ['a promise that never settles', mergeMap(() => from(new Promise(() => {})))],
])('%s is reported in the event', (_name, wait) => {
  const host = hostOf(pluginOf(({ every }) => every(1_000).pipe(wait)));
  host.start(startMs);
  host.advance(startMs + 1_000);
  expect(host.takeFaults()).toEqual([
    {
      strategyId: 'mm-xbt',
      kind: 'outside-event',
      message: expect.stringMatching(/^a stream waits for a promise \(an async function/u),
      timeMs: startMs + 1_000,
    },
  ]);
});

test('streams, lists and promises of others are no concern of a strategy', async () => {
  const host = hostOf(
    pluginOf(({ every }) =>
      every(1_000).pipe(
        mergeMap((count) => [note(count)]),
        switchMap((one) => of(one)),
      ),
    ),
  );
  host.start(startMs);
  host.advance(startMs + 1_000);
  expect([host.takeIntents().length, host.takeFaults()]).toEqual([1, []]);
  const values: number[] = [];
  from(Promise.resolve(7)).subscribe((value) => values.push(value));
  await Promise.resolve();
  expect(values).toEqual([7]);
});

test('an intent that comes from a promise without RxJS stops its strategy when it comes', async () => {
  const late = new Observable((subscriber) => {
    void Promise.resolve().then(() => subscriber.next(note('late')));
  });
  const host = hostOf(pluginOf(() => late));
  host.start(startMs);
  expect(host.status).toBe('running');
  await Promise.resolve();
  await Promise.resolve();
  expect(host.takeFaults()).toMatchObject([{ kind: 'outside-event' }]);
  expect(host.takeIntents()).toEqual([]);
});
