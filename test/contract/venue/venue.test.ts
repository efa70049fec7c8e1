/** Every adapter behaves as the port demands. */
import { describe, test } from 'vitest';
import { behavioursOf } from './behaviours.ts';
import { lunoUnderTest } from './luno-world.ts';
import { replayUnderTest } from './replay-world.ts';

describe.each([lunoUnderTest, replayUnderTest])('the adapter $name:', (venue) => {
  test.each(behavioursOf(venue))('$name', ({ check }) => check(venue.open()));
});
