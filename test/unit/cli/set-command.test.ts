/** The words of `millrace set`: what is left out is said before a bot is looked for. */
import { expect, test } from 'vitest';
import { checkSetWords } from '../../../src/cli/commands/set-command.ts';

test.each([[['mm', 'halfSpread=30bps']], [['demo', 'mm']], [['demo']]])(
  '%j lack the strategy or the values',
  (words) => {
    expect(() => checkSetWords(words)).toThrow(
      'name the strategy and its parameters with their values after the bot, such as my-bot mm halfSpread=30bps',
    );
  },
);

test('a strategy with values is complete, and a bot that is missing is for others to say', () => {
  expect(() => checkSetWords(['demo', 'mm', 'halfSpread=30bps'])).not.toThrow();
  expect(() => checkSetWords([])).not.toThrow();
});
