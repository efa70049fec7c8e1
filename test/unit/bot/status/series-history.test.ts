/** The metrics and plots in the status: figures of all values, the newest of them, and bounds. */
import { expect, test } from 'vitest';
import { SeriesHistory } from '../../../../src/bot/status/series-history.ts';
import { runningLines } from '../../../../src/cli/running-lines.ts';
import { sampleStatus } from '../../../support/sample-status.ts';

const metric = { strategyId: 'mm', kind: 'metric', pair: null, pane: null, leftOut: 0 } as const;

test('figures are of all values; one in ten seconds is kept, and always the last', () => {
  const history = new SeriesHistory();
  for (let at = 0; at <= 100; at++)
    history.note({ ...metric, name: 'a', atMs: at * 1_000, value: at === 55 ? -7 : at });
  const [state] = history.states;
  expect(state).toMatchObject({ name: 'a', last: 100, lastMs: 100_000, min: -7, max: 100 });
  expect(state?.count).toBe(101);
  expect(state?.timesMs.at(-1)).toBe(100_000);
  expect(state?.values.at(-1)).toBe(100);
  expect(state?.timesMs.length).toBeGreaterThan(9);
  expect(state?.timesMs.length).toBeLessThan(13);
  const lines = runningLines({ ...sampleStatus, series: history.states });
  expect(lines).toContain('metric     mm a: 100 (lowest -7, highest 100, 101 values)');
});

test('values of a long run and of many series are bounded', () => {
  const history = new SeriesHistory();
  for (let at = 0; at < 1_000; at++)
    history.note({ ...metric, name: 'long', atMs: at * 60_000, value: at });
  expect(history.states[0]?.values).toHaveLength(120);
  expect(history.states[0]?.values[0]).toBe(880);
  for (let name = 0; name < 199; name++)
    for (let at = 0; at < 20; at++)
      history.note({ ...metric, name: `m${name}`, atMs: at * 60_000, value: at });
  const shown = history.states.reduce((sum, { values }) => sum + values.length, 0);
  expect(history.states).toHaveLength(200);
  expect(shown).toBeLessThanOrEqual(1_200);
});
