/**
 * One order request is lost, or arrives late, and while it is looked up a person kills or halts
 * the bot and stops it. The run ends in order, saying that the outcome is still unknown. A start
 * that is stopped soon ends in order, too; one that lives on settles the order, although it is
 * halted. Nothing is open in the end, and nothing was placed after the halt.
 */
import { clientOrderIdPrefix } from '../../../src/execution/orders/client-order-id.ts';
import { OrderStates } from '../../../src/execution/orders/order-states.ts';
import { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { openOf } from '../../support/kill-world.ts';
import { replaceMethod } from '../../support/replace-method.ts';
import { VirtualWorld } from '../../support/virtual-world.ts';
import type { RecoveryScenario } from './scenario.ts';

const warmUpSeconds = 20;
const settledWithinSeconds = 140;
/** It arrives after its time to live, and the exchange takes it all the same. */
const takenLate = { fate: 30_000, broken: ['ttl'] } as const;
/** Lost, late within its time to live, and late after it. */
const courses = [
  ...(['lost', 1_500, 8_000] as const).map((fate) => ({ fate, broken: [] })),
  takenLate,
] as const;
const commands = ['kill', 'halt'] as const;

export const lostKill: RecoveryScenario = {
  name: 'lost-kill',
  runs: 2 * courses.length,
  plants: {
    'lost-kill-remains': 'only the end of the quarantine lets a halted bot end in order',
    'lost-kill-given-up': 'a halt takes an order of unknown outcome for absent at once',
  },
  play: async (seed, plant) => {
    const remove = plant === undefined ? () => {} : install(plant);
    try {
      // One that is given up must still arrive, to be an order that nobody knows.
      if (plant === 'lost-kill-given-up') return playOnce(seed, takenLate);
      return playOnce(seed, courses[(seed - 1) % courses.length] ?? takenLate);
    } finally {
      remove();
    }
  },
};

function playOnce(seed: number, { fate, broken }: (typeof courses)[number]): readonly string[] {
  const command = commands[Math.floor((seed - 1) / courses.length) % commands.length] ?? 'kill';
  let lost: string | undefined;
  let answer: string | undefined;
  const world: VirtualWorld = new VirtualWorld({
    ...{ seed, level: 0, withChaos: false, refresh: '3s', halfSpread: '40bps' },
    broken,
    fate: ({ operation, parameters }) => {
      const isWarm = world.time.nowMicros > beganMicros + warmUpSeconds * 1e6;
      if (operation !== 'postorder' || lost !== undefined || !isWarm) return undefined;
      lost = String(parameters['client_order_id']);
      return fate;
    },
    onOperated: ({ isDone, text }) => {
      if (isDone) answer = text;
    },
  });
  const beganMicros = world.time.nowMicros;
  world.begin();
  const stateOf = () => world.witness.orders.get(lost ?? '')?.state;
  for (let tenth = 0; tenth < 1_200 && stateOf() !== 'unknown'; tenth++) world.pass(0.1);
  if (stateOf() !== 'unknown') return [`the lost order is ${stateOf()}, not unknown`];
  world.tell({ kind: 'operator', command, reason: 'test', ticket: 1 });
  const posts = () => world.witness.calls.get('postorder') ?? 0;
  world.pass(0.1);
  const postsAtHalt = posts();
  for (let second = 0; second < 60 && answer === undefined; second++) world.pass(1);
  const found: string[] = [];
  if (answer === undefined) found.push(`the ${command} gave no answer`);
  const isUnknown = stateOf() === 'unknown';
  if (isUnknown && answer?.includes('still unknown') !== true)
    found.push(`the outcome is unknown, and the ${command} says: ${answer}`);
  const ends = (what: string): void => {
    const open = restart(world);
    if (open !== 0) found.push(`${what} ended with ${open} orders that may be open`);
  };
  ends('the run');
  ends('a start that was stopped at once');
  for (let second = 0; second < settledWithinSeconds && stateOf() === 'unknown'; second++)
    world.pass(1);
  if (stateOf() === 'unknown') found.push('a start while halted does not settle the order');
  ends('the start that settled it');
  const prefix = clientOrderIdPrefix(world.settings.namespace);
  const open = openOf(world.simulator, prefix).length;
  if (open > 0) found.push(`${open} orders are open in the end`);
  if (posts() > postsAtHalt)
    found.push(`${posts() - postsAtHalt} orders left after the ${command}`);
  world.stop();
  return [...found, ...world.witness.violations];
}

/** Stops the bot and begins its next life; returns how many orders it says may be open. */
function restart(world: VirtualWorld): number | undefined {
  const { lives } = world;
  world.tell({ kind: 'operator', command: 'stop', reason: 'the life is over' });
  for (let tenth = 0; tenth < 600 && world.stoppedWith === undefined; tenth++) world.pass(0.1);
  const open = world.stoppedWith;
  world.kill();
  while (world.lives === lives) world.pass(0.1);
  return open;
}

function install(plant: string): () => void {
  switch (plant) {
    case 'lost-kill-remains': {
      const real = Object.getOwnPropertyDescriptor(TrackedOrder.prototype, 'isShownAbsent');
      Object.defineProperty(TrackedOrder.prototype, 'isShownAbsent', {
        configurable: true,
        get: () => false,
      });
      return () => {
        if (real !== undefined)
          Object.defineProperty(TrackedOrder.prototype, 'isShownAbsent', real);
      };
    }
    default:
      return replaceMethod(OrderStates.prototype, 'cancelAll', (real) => {
        return function (this: OrderStates, ...given) {
          const count = real.apply(this, given);
          for (const order of [...this.tracker.live])
            if (order.state === 'unknown') this.setState(order, 'absent', 'given up');
          return count;
        };
      });
  }
}
