/** The place of an error in a plugin, from Node's stacks. */
import { expect, it } from 'vitest';
import { errorPlaceOf } from '../../../src/strategy/error-place.ts';

function withStack(stack: string): Error {
  const error = new Error('x');
  error.stack = stack;
  return error;
}

it.each([
  [
    'a throw',
    'Error: x\n    at Object.run (file:///home/me/strategies/mine/strategy.ts:4:135)',
    'mine/strategy.ts:4',
  ],
  [
    'a syntax error, whose line comes first and without a column',
    'file:///home/me/strategies/mine/strategy.ts:7\nenum A {}\n^\n\nSyntaxError: no\n    at parse (node:internal/modules/typescript:72:36)',
    'mine/strategy.ts:7',
  ],
  [
    'a folder with a space, a letter that URLs escape, parentheses and a colon',
    'Error: x\n    at Object.run (file:///home/me/my%20bots/str%C3%A4t(1):2/strategy.ts:4:135)',
    'strät(1):2/strategy.ts:4',
  ],
  [
    'a file loaded by require, in such a folder',
    'Error: x\n    at Object.<anonymous> (/home/me/my bots/strät (1)/strategy.js:4:135)',
    'strät (1)/strategy.js:4',
  ],
  [
    'an error whose text looks like a place but is not',
    'Error: file:///home/%zz/strategy.ts:4\n    at run (file:///home/me/mine/strategy.ts:5:1)',
    'mine/strategy.ts:5',
  ],
  [
    'only frames of Node',
    'Error: x\n    at parse (node:internal/modules/typescript:72:36)',
    undefined,
  ],
])('%s', (_name, stack, place) => {
  expect(errorPlaceOf(withStack(stack))).toBe(place);
});
