/**
 * The scenario of each shipped strategy has the same orders and fills as when its page was written,
 * and no strategy crosses itself, leaves orders behind or exceeds its budget, also on an account
 * that begins with the counter currency only.
 */
import { describe, expect, test } from 'vitest';
import { runShipped } from '../support/shipped-runs.ts';
import { shippedPlugins } from '../support/source-files.ts';

describe.each(shippedPlugins)('%s', (name) => {
  test('runs as its scenario expects, and does nothing that it must not', async () => {
    const { hash, expectedHash, orders, fills, violations } = await runShipped(name);
    if (expectedHash !== undefined) expect(hash).toBe(expectedHash);
    expect(orders).toBeGreaterThan(0);
    expect(fills).toBeGreaterThan(0);
    expect(violations).toEqual([]);
  }, 240_000);

  test('trades on an account that has only the counter currency', async () => {
    const { fills, violations } = await runShipped(name, 'counter only');
    expect(fills).toBeGreaterThan(0);
    expect(violations).toEqual([]);
  }, 240_000);
});
