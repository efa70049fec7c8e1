/**
 * Worlds in virtual time with a strategy that a test writes in place, orders for it, and what is
 * asked of such a world.
 */
import { concat, NEVER, type Observable, take } from 'rxjs';
import { z } from 'zod';
import {
  type Context,
  defineStrategy,
  type Intent,
  type Lots,
  type MarketContext,
  type Side,
  type Ticks,
} from '../../src/index.ts';
import type { AnyStrategy } from '../../src/strategy/contract.ts';
import type { WorldOptions } from './virtual-run.ts';
import { VirtualWorld } from './virtual-world.ts';

export type Run = (
  context: Context<unknown, undefined>,
  market: MarketContext,
) => Observable<Intent>;

/** A strategy of one pair, of what `run` returns. */
export function strategyOf(run: Run): AnyStrategy {
  return defineStrategy({
    name: 'own',
    parameters: z.strictObject({}),
    pairs: 1,
    run: (context) =>
      run(context as Context<unknown, undefined>, context.pairs[0] as MarketContext),
  }) as unknown as AnyStrategy;
}

/** Begins a world without faults and lets seconds pass in it. */
export function begin(run: Run, options: Partial<WorldOptions> = {}, seconds = 5): VirtualWorld {
  const world = new VirtualWorld({ seed: 11, level: 0, strategy: strategyOf(run), ...options });
  world.begin();
  world.pass(seconds);
  return world;
}

let keys = 0;

/** How many orders {@link placeAt} has made with a key of its own. */
export const keysGiven = (): number => keys;

/** A strategy whose stream ends is stopped, so this one only falls silent. */
export const once = (context: Context<unknown, undefined>, ms: number) =>
  concat(context.every(ms).pipe(take(1)), NEVER);

/** An order by key, `share` of the mid. */
export function placeAt(
  market: MarketContext,
  share: number,
  change: Partial<{ key: string; volume: number; side: Side }> = {},
): Intent {
  const mid = ((market.top?.bid ?? 1_000_000) + (market.top?.ask ?? 1_000_000)) / 2;
  const { key = `k${keys++}`, volume = 1_000, side = 'BID' } = change;
  const price = market.round(mid * share, 'down') as Ticks;
  const terms = { side, price, volume: volume as Lots, postOnly: true };
  return { kind: 'place', pair: market.pair, key, terms, reason: 'test' };
}

export const posts = (world: VirtualWorld): number => world.witness.calls.get('postorder') ?? 0;
export const stateOf = (world: VirtualWorld, scope: string): string | undefined =>
  world.reports.tradingStates().find((one) => one.scope === scope)?.state;
export const codes = (world: VirtualWorld): readonly string[] =>
  world.reports.refusalCounts(0).map(({ code }) => code);
export const incidents = (world: VirtualWorld): readonly string[] =>
  world.reports.incidents(50).map(({ code }) => code);
