/** Every behaviour that an adapter must have. */
import { accountBehaviours } from './account-behaviours.ts';
import { marketBehaviours } from './market-behaviours.ts';
import { marketOrderBehaviours } from './market-order-behaviours.ts';
import { orderBehaviours } from './order-behaviours.ts';
import { reportBehaviours } from './report-behaviours.ts';
import { stopBehaviours } from './stop-behaviours.ts';
import { tradingBehaviours } from './trading-behaviours.ts';
import type { Behaviour, VenueUnderTest, VenueWorld } from './venue-world.ts';

export const behaviours: readonly Behaviour[] = [
  ...orderBehaviours,
  ...tradingBehaviours,
  ...stopBehaviours,
  ...marketOrderBehaviours,
  ...reportBehaviours,
  ...accountBehaviours,
  ...marketBehaviours,
];

/** Returns the behaviours that a venue must have. */
export function behavioursOf({ lacks }: VenueUnderTest): readonly Behaviour[] {
  return behaviours.filter(({ needs }) => needs === undefined || !lacks.includes(needs));
}

/** Changes a world before a behaviour is tried on it. */
export type Deviation = (world: VenueWorld) => VenueWorld;

/** Says of each behaviour that the venue lacks why; each is tried in a new venue. */
export async function* lacking(
  venue: VenueUnderTest,
  deviate: Deviation = (world) => world,
): AsyncGenerator<string, void> {
  for (const { name, check } of behavioursOf(venue))
    try {
      await check(deviate(venue.open()));
    } catch (error) {
      const [why] = String(error).split('\n');
      yield `${venue.name}: ${name}: ${why}`;
    }
}
