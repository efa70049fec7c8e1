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
    'nothing but Node',
    'Error: x\n    at parse (node:internal/modules/typescript:72:36)',
    undefined,
  ],
])('%s', (_name, stack, place) => {
  expect(errorPlaceOf(withStack(stack))).toBe(place);
});
