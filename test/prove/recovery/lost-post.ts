/**
 * One order request is lost, or arrives late: the other side of the quote goes on, the level in
 * question is free within 30 s, and there is never a second order at it.
 */
import { OrderStates } from '../../../src/execution/orders/order-states.ts';
import { OrderTracker } from '../../../src/execution/orders/order-tracker.ts';
import { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { replaceMethod } from '../../support/replace-method.ts';
import type { Fate } from '../../support/virtual-run.ts';
import { VirtualWorld } from '../../support/virtual-world.ts';
import type { RecoveryScenario } from './scenario.ts';

const warmUpSeconds = 20;
const freeWithinSeconds = 30;
/** The maker thinks again every 3 s, and a quote may stand well for a while. */
const othersWithinSeconds = 15;

type Lost = { readonly id: string; readonly side: string };

/** Lost, late within its time to live, and late after it. */
const fates: readonly ReturnType<Fate>[] = ['lost', 1_500, 'lost', 8_000];

export const lostPost: RecoveryScenario = {
  name: 'lost-post',
  runs: 12,
  plants: {
    'lost-post-waits': 'an expired request is never repeated, so that only the quarantine ends it',
    'lost-post-stops-all': 'one unknown order refuses every other order of the pair',
    'lost-post-given-up': 'an order whose answer is lost is taken for absent at once',
  },
  play: async (seed, plant) => {
    const remove = plant === undefined ? () => {} : install(plant);
    try {
      // One that is given up must still arrive, to be a second order.
      return playOnce(
        seed,
        plant === 'lost-post-given-up' ? 1_500 : fates[(seed - 1) % fates.length],
      );
    } finally {
      remove();
    }
  },
};

function playOnce(seed: number, fate: ReturnType<Fate>): readonly string[] {
  let lost: Lost | undefined;
  const world: VirtualWorld = new VirtualWorld({
    seed,
    level: 0,
    withChaos: false,
    refresh: '3s',
    halfSpread: '40bps',
    fate: ({ operation, parameters }) => {
      const isWarm = world.time.nowMicros > beganMicros + warmUpSeconds * 1e6;
      if (operation !== 'postorder' || lost !== undefined || !isWarm) return undefined;
      lost = { id: String(parameters['client_order_id']), side: String(parameters['type']) };
      return fate;
    },
  });
  const beganMicros = world.time.nowMicros;
  world.begin();
  for (let second = 0; second < 120 && lost === undefined; second++) world.pass(1);
  if (lost === undefined) return ['no order was sent'];
  const { unknownSeconds, others } = watchUnknown(world, lost);
  const found = world.witness.violations.slice();
  if (unknownSeconds > freeWithinSeconds)
    found.push(`its side was not free within ${freeWithinSeconds} s, but after ${unknownSeconds}`);
  if (unknownSeconds > othersWithinSeconds && others === 0)
    found.push(`the other side placed nothing for ${unknownSeconds} s`);
  return found;
}

/** Lets time pass until the order is known, or for far too long; counts what the others placed. */
function watchUnknown(world: VirtualWorld, lost: Lost) {
  // Until the answer is late, nothing is unknown.
  world.pass(5);
  const knownIds = new Set(world.witness.orders.keys());
  const countOthers = (): number =>
    [...world.witness.orders.values()].filter(
      ({ clientOrderId, side, orderId }) =>
        side !== lost.side && orderId !== undefined && !knownIds.has(clientOrderId),
    ).length;
  let others = 0;
  let unknownSeconds = 5;
  for (; unknownSeconds < 150; unknownSeconds++) {
    if (world.witness.orders.get(lost.id)?.state !== 'unknown') break;
    others = countOthers();
    world.pass(1);
  }
  return { unknownSeconds, others };
}

function install(plant: string): () => void {
  switch (plant) {
    case 'lost-post-waits': {
      const real = Object.getOwnPropertyDescriptor(TrackedOrder.prototype, 'isOnlyLookedUp');
      Object.defineProperty(TrackedOrder.prototype, 'isOnlyLookedUp', {
        configurable: true,
        get: () => true,
      });
      return () => {
        if (real !== undefined)
          Object.defineProperty(TrackedOrder.prototype, 'isOnlyLookedUp', real);
      };
    }
    case 'lost-post-stops-all':
      return replaceMethod(OrderTracker.prototype, 'count', (real) => {
        return function (this: OrderTracker, ...given) {
          const count = real.apply(this, given);
          return given[0] === 'unknown' && count > 0 ? 100 : count;
        };
      });
    default:
      return replaceMethod(OrderStates.prototype, 'setState', (real) => {
        return function (this: OrderStates, order, state, proof) {
          real.call(this, order, state, proof);
          if (state === 'unknown') real.call(this, order, 'absent', 'given up');
        };
      });
  }
}
