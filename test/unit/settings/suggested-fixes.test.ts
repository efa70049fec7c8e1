/** Every fix that an error message of a settings file suggests is one that works. */
import { expect, test } from 'vitest';
import { suggestedFixes } from '../../support/suggested-fixes.ts';

test('each suggested fix is accepted, whatever the mistake', { timeout: 300_000 }, () => {
  const { suggestionsTried, badSuggestions, keysNotTried } = suggestedFixes();
  expect(badSuggestions).toEqual([]);
  expect(keysNotTried).toEqual([]);
  expect(suggestionsTried).toBeGreaterThan(1_000);
});

test('a suggestion that does not work is found', { timeout: 300_000 }, () => {
  const { badSuggestions } = suggestedFixes({
    only: 'egress.yaml',
    worded: (message) => message.replace(/; try: 240$/u, '; try: "240"'),
  });
  expect(badSuggestions).not.toEqual([]);
  for (const bad of badSuggestions) expect(bad).toContain('ordersPerMinuteMax: was "240"');
});
