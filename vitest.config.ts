/** The default test run: everything but the live and the browser tests, on two cores. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'templates/**/*.test.ts'],
    exclude: ['test/live/**', 'test/browser/**', 'node_modules/**'],
    pool: 'forks',
    maxWorkers: 2,
    // Against a test that hangs only: on a machine that is busy, a second of work takes many.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
