/** How the newest run of a bot is described. */
import { expect, test } from 'vitest';
import { runStateOf } from '../../../src/cli/run-state.ts';

test.each([
  ['a bot that answers is running, whatever its database says', true, true, false, 'running'],
  [
    'a process that has the database open but does not answer',
    false,
    true,
    false,
    'running, but does not answer',
  ],
  ['a run that closed its database', false, false, true, 'ended normally'],
  ['a run that did not', false, false, false, 'ended abnormally: killed, or by an error'],
])('%s', (_name, answers, isLocked, closed, text) => {
  expect(runStateOf({ closed }, answers, isLocked)).toBe(text);
});
