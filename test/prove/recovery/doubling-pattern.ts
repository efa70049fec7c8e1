/**
 * The pattern that anybody writes first: merge the streams, and if there is no order, place one.
 * However many streams emit in one event, one order is asked for.
 */
import { map, merge } from 'rxjs';
import type { Intent, Lots, Ticks } from '../../../src/index.ts';
import { IntentQueue } from '../../../src/strategy/intent-queue.ts';
import { begin, posts, type Run } from '../../support/scripted-world.ts';
import { withPlant } from './plant.ts';
import type { RecoveryScenario } from './scenario.ts';

const seconds = 60;
const size = 1_000;

function play(seed: number): readonly string[] {
  const violations: string[] = [];
  let keys = 0;
  const pattern: Run = (_context, market) =>
    merge(market.fill$, market.order$, market.top$).pipe(
      map((): Intent => {
        const { pair, orders, position, top } = market;
        const idle: Intent = { kind: 'idle', pair, reason: 'an order is there' };
        if (orders.length > 1) violations.push(`${orders.length} orders at once`);
        if (position.highest > size || position.lowest < 0)
          violations.push(`the position may become ${position.lowest} to ${position.highest}`);
        if (orders.length > 0 || top?.bid === undefined || top.ask === undefined) return idle;
        const isLong = position.base > 0;
        // No two are alike: the check for duplicates is not what is proven here.
        const price = ((isLong ? top.bid : top.ask) + (keys % 2)) as Ticks;
        const terms = {
          side: isLong ? 'ASK' : 'BID',
          price,
          volume: (isLong ? position.base : size) as Lots,
          // They rest in half of the seeds.
          timeInForce: seed % 2 === 0 ? 'GTC' : 'IOC',
        } as const;
        return { kind: 'place', pair, key: `k${keys++}`, terms, reason: 'no order is there' };
      }),
    );
  const world = begin(pattern, { seed }, seconds);
  if (posts(world) < 5) violations.push(`only ${posts(world)} orders left: nothing was shown`);
  world.stop();
  return [...new Set([...violations, ...world.witness.violations])];
}

export const doublingPattern: RecoveryScenario = {
  name: 'doubling-pattern',
  runs: 6,
  plants: { 'pending-unseen': 'orders that were asked for in the same event are not shown' },
  play: (seed, plant) => {
    const planted = { *waiting() {} } as Partial<IntentQueue>;
    return withPlant(plant === 'pending-unseen', IntentQueue.prototype, planted, () => play(seed));
  },
};
