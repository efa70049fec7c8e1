/** What a strategy prints is taken by its host, and the console of everybody else is untouched. */
import { map } from 'rxjs';
import { expect, test } from 'vitest';
import type { Effect } from '../../../src/engine/event.ts';
import { encodeBatch, journaledEffects } from '../../../src/engine/journal.ts';
import { hostOf, note, pass, pluginOf, startMs } from './host-fixture.ts';

test('lines are taken by level, and only inside of the strategy', () => {
  const host = hostOf(
    pluginOf(({ every }) =>
      every(1_000).pipe(
        map((count) => {
          console.info('a', count);
          console.error(new Error('b').message);
          return note(count);
        }),
      ),
    ),
  );
  host.start(startMs);
  expect(host.hasOutputs).toBe(false);
  host.advance(startMs + 1_000);
  expect(host.hasOutputs).toBe(true);
  expect(host.takePrinted()).toEqual([
    { level: 'info', text: 'a 0' },
    { level: 'warn', text: 'b' },
  ]);
  console.info('printed by the test, not by a strategy');
  expect(host.takePrinted()).toEqual([]);
});

test('a hundred lines a minute are kept; the number of the others follows, at the latest at the end', () => {
  const host = hostOf(
    pluginOf(({ every }) =>
      every(30_000).pipe(
        map((count) => {
          for (let at = 0; at < 70; at++) console.log(at);
          return note(count);
        }),
      ),
    ),
  );
  host.start(startMs);
  pass(host, startMs + 90_000);
  host.stop(startMs + 90_000, 'done');
  const lines = host.takePrinted().map(({ text }) => text);
  const told = lines.filter((text) => text.includes('left out'));
  expect(told).toEqual(['40 more lines in that minute were left out: at most 100 are shown']);
  expect(lines).toHaveLength(70 + 100 + 1);
});

test('a journal does not keep them, so that a replay need not repeat them', () => {
  const notice = (topic: 'print' | 'fill'): Effect => ({
    kind: 'notice',
    notice: { level: 'info', topic, text: 'x' },
  });
  expect(journaledEffects([notice('print'), notice('fill')])).toEqual([notice('fill')]);
  const effects = [notice('print')];
  const batch = { commit: 1, events: [], records: [] };
  expect(encodeBatch({ ...batch, effects })).toBe(encodeBatch({ ...batch, effects: [] }));
});
