/**
 * A stop-loss whose key is a counter that begins anew with each start: its first key was used in
 * the earlier run. The strategy is told, a person can see it, and the next key works.
 */
import { concat, concatMap, map, merge, NEVER, of, take } from 'rxjs';
import { OrderRouter } from '../../../src/engine/order-router.ts';
import { begin, placeAt, posts, type Run } from '../../support/scripted-world.ts';
import { withPlant } from './plant.ts';
import type { RecoveryScenario } from './scenario.ts';

function play(seed: number): readonly string[] {
  const violations: string[] = [];
  const lines: string[] = [];
  const told: string[] = [];
  const stopLoss: Run = (context, market) => {
    let count = 0;
    const order = () => {
      const volume = 1_000 + count;
      return placeAt(market, 0.97, { key: `stop-${count++}`, volume });
    };
    // It asks twice with the used key before it looks at the answer.
    const first$ = concat(context.every(500).pipe(take(1)), NEVER).pipe(
      concatMap(() => {
        const intent = order();
        return of(intent, intent);
      }),
    );
    const again$ = market.refusal$.pipe(
      map(({ key, codes }) => {
        told.push(`${key} ${codes.join()}`);
        return order();
      }),
    );
    return merge(first$, again$);
  };
  const world = begin(stopLoss, { seed, onNotice: (line) => lines.push(line) }, 8);
  const first = posts(world);
  if (first !== 2) violations.push(`${first} orders left in the first run, not 2`);
  world.kill();
  world.pass(45);
  // The first run refuses the second of its two equal keys, and the second run both, and the next.
  const used = world.reports.refusalCounts(0).find(({ code }) => code === 'KEY_USED');
  if (!told.includes('stop-0 KEY_USED')) violations.push(`refusal$ told ${told.join('; ')}`);
  const ofKey = lines.filter((line) => line.includes('stop-0') && line.includes('KEY_USED'));
  if (ofKey.length !== 2) violations.push(`${ofKey.length} lines on stop-0 in two runs, not 2`);
  if (used === undefined) violations.push('no count of KEY_USED for `why --refused`');
  if (posts(world) <= first) violations.push('the stop-loss never left after the restart');
  return violations;
}

export const reusedKey: RecoveryScenario = {
  name: 'reused-key',
  runs: 4,
  plants: { 'key-silent': 'an order with a used key is ignored, and nobody is told' },
  play: (seed, plant) => {
    const planted: Partial<OrderRouter> = { refuseUnjudged: () => {} };
    return withPlant(plant === 'key-silent', OrderRouter.prototype, planted, () => play(seed));
  },
};
