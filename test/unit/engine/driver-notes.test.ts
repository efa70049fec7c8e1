/** What is stored beside the engine's records, and when. */
import { expect, test } from 'vitest';
import { placing, record, setUp, tick } from './driver-fixture.ts';

test('calls back after the orders of a batch, and stores notes with what else explains', () => {
  const order = placing(2);
  const notes = [record('a note')];
  const { driver, story, commits, run } = setUp(
    () => ({ records: [record('a')], effects: [order] }),
    undefined,
    { onStepped: () => void story.push('stepped'), takeNotes: () => notes.splice(0) },
  );
  driver.accept(tick('one'));
  run();
  expect(story).toEqual([
    ...['step one', 'commit 1 of 1', 'request 2', 'stepped', 'journal 1 with 1'],
  ]);
  driver.explain();
  driver.explain();
  expect(commits.slice(1)).toEqual([[record('a note')]]);
});
