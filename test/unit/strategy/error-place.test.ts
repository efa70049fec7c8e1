/** Where an error of a plugin came from, by the stacks that Node gives. */
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
    'text that is no TypeScript, whose line stands first and without a column',
    'file:///home/me/strategies/mine/strategy.ts:7\nenum A {}\n^\n\nSyntaxError: no\n    at parse (node:internal/modules/typescript:72:36)',
    'mine/strategy.ts:7',
  ],
  [
    'a folder with a blank, a letter that no URL has, parentheses and a colon',
    'Error: x\n    at Object.run (file:///home/me/my%20bots/str%C3%A4t(1):2/strategy.ts:4:135)',
    'strät(1):2/strategy.ts:4',
  ],
  [
    'a file that was required, in such a folder',
    'Error: x\n    at Object.<anonymous> (/home/me/my bots/strät (1)/strategy.js:4:135)',
    'strät (1)/strategy.js:4',
  ],
  [
    'an error whose text looks like a place and is none',
    'Error: file:///home/%zz/strategy.ts:4\n    at run (file:///home/me/mine/strategy.ts:5:1)',
    'mine/strategy.ts:5',
  ],
  [
    'nothing but Node',
    'Error: x\n    at parse (node:internal/modules/typescript:72:36)',
    undefined,
  ],
])('%s', (_name, stack, place) => {
  expect(errorPlaceOf(withStack(stack))).toBe(place);
});
