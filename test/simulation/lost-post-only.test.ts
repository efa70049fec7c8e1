/**
 * Lost orders that would trade by the time at which they could be sent again. A post-only one would
 * be refused, and the refusal could not tell whether the first request had arrived.
 */
import { describe, expect, test } from 'vitest';
import { steadyStrategy } from '../support/steady-strategy.ts';
import type { WorldResult } from '../support/virtual-run.ts';
import { runWorld } from '../support/virtual-world.ts';

type Told = WorldResult & {
  /** How often a fresh request was made for the lost order, and how often it was refused. */
  readonly again: number;
  readonly refusedAgain: number;
};

/** A world whose first order request is lost. */
function tell(seed: number, strategy: ReturnType<typeof steadyStrategy>): Told {
  let lostAt: unknown;
  let again = 0;
  let refusedAgain = 0;
  const result = runWorld({
    seed,
    level: 0,
    stormSeconds: 40,
    strategy,
    fate: ({ operation, parameters }) => {
      if (operation !== 'postorder' || lostAt !== undefined) return undefined;
      lostAt = parameters['timestamp'];
      return 'lost';
    },
    tamper: ({ operation, parameters }, response) => {
      if (operation !== 'postorder' || parameters['timestamp'] === lostAt) return response;
      again++;
      if (response.status !== 200) refusedAgain++;
      return response;
    },
  });
  return { ...result, again, refusedAgain };
}

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

describe('a lost order', () => {
  test('A33: that is post-only and whose price the market has reached is not sent again', () => {
    const resting = { everyMs: 1_000, restMs: 120_000, ordersMax: 1, apart: 0.0004 };
    const told = seeds.map((seed) => tell(seed, steadyStrategy(resting)));
    expect(told.flatMap(({ violations }) => violations)).toEqual([]);
    const proven = told.filter(({ states, again }) => states['absent'] === 1 && again === 0);
    expect(proven.length).toBeGreaterThan(5);
    // The market may reach the price while the request is on its way.
    expect(told.filter(({ refusedAgain }) => refusedAgain > 0).length).toBeLessThan(4);
  });

  test('A33: that may trade is sent again wherever the market is', () => {
    const taking = { everyMs: 1_000, restMs: 0, ordersMax: 1 };
    const told = seeds.slice(0, 5).map((seed) => tell(seed, steadyStrategy(taking)));
    expect(told.map(({ violations, again, accepted }) => [violations, again, accepted])).toEqual(
      told.map(() => [[], 1, 1]),
    );
  });
});
