/** Every adapter behaves as the port demands. */
import { describe, test } from 'vitest';
import { behaviours } from './behaviours.ts';
import { lunoUnderTest } from './luno-world.ts';

describe.each([lunoUnderTest])('the adapter $name:', ({ open }) => {
  test.each(behaviours)('$name', ({ check }) => check(open()));
});
