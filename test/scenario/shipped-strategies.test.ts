/**
 * The scenario of each shipped strategy has the same orders and fills as when its page was written,
 * and no strategy crosses itself, leaves orders behind or exceeds its budget, also on an account
 * that begins with the counter currency only.
 */
import { describe, expect, test } from 'vitest';
import { runShipped } from '../support/shipped-runs.ts';
import { shippedPlugins } from '../support/source-files.ts';

describe.each(shippedPlugins)('%s', (name) => {
  test.each(['both', 'counter only'] as const)(
    'runs with an account of %s and does nothing that it must not',
    async (account) => {
      expect((await runShipped(name, account)).violations).toEqual([]);
    },
    240_000,
  );
});

test.each(['crosses', 'leaves', 'exceeds', 'other-run'] as const)(
  'a run that %s is found',
  async (plant) => {
    expect((await runShipped('ping-pong', 'both', plant)).violations).not.toEqual([]);
  },
  240_000,
);
