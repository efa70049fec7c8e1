/** What a bot's newest run is said to be doing. */
import { expect, test } from 'vitest';
import { runStateOf } from '../../../src/cli/run-state.ts';

test.each([
  ['one that answers runs, whatever its database says', true, true, false, 'running'],
  ['one that holds its database and is silent', false, true, false, 'running, and does not answer'],
  ['one that closed its database', false, false, true, 'ended in order'],
  ['one that did not', false, false, false, 'ended without closing: killed, or by an error'],
])('%s', (_name, answers, isLocked, closed, text) => {
  expect(runStateOf({ closed }, answers, isLocked)).toBe(text);
});
