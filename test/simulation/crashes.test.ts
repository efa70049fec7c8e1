/**
 * Crashes at some of the commits of every crash scenario, once and twice; `npm run prove -- orders`
 * crashes at all of them.
 */
import { expect, test } from 'vitest';
import { runCrashes } from '../prove/crash-runs.ts';
import { crashScenarios } from '../prove/crash-scenarios.ts';

const stride = 17;

test.each(crashScenarios)('$name: a crash at any commit breaks no promise', (scenario) => {
  const { points, doublePoints, violations } = runCrashes(scenario, stride);
  expect(violations).toEqual([]);
  expect(points).toBeGreaterThan(0);
  expect(doublePoints).toBe(points / 2);
});

test('there are at least twenty scenarios, each under a name of its own', () => {
  expect(new Set(crashScenarios.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20);
});
