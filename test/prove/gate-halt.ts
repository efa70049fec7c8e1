/**
 * The kill switch in the virtual world: a person halts at a random moment of a storm, and from the
 * commit that keeps the halt no order leaves, in this life of the bot or in a later one.
 */
import { SeededRandom } from '../support/seeded-random.ts';
import { VirtualWorld } from '../support/virtual-world.ts';

export type HaltStory = {
  readonly seed: number;
  /** Orders that left after the halt was committed; must be none. */
  readonly ordersAfter: number;
  /** Orders that left before. */
  readonly ordersBefore: number;
  /** Ours that were still open at the exchange at the end. */
  readonly left: number;
  readonly lives: number;
};

/** A bot takes a few seconds to know where it is before it trades. */
const calmAtFirstMs = 4_000;
const stormSeconds = 12;
const calmSeconds = 40;
/** 250 s: a process may stand still for a minute, die, and die again while it starts. */
const triesMax = 1_000;

/** Runs one seed. */
export function runHalt(seed: number): HaltStory {
  const random = new SeededRandom(seed * 7 + 1);
  const world = new VirtualWorld({ seed, stormSeconds, refresh: '1s' });
  const { witness } = world;
  let isHalted = false;
  let ordersAfter = 0;
  let ordersBefore = 0;
  const keep = witness.onCommit.bind(witness);
  const leave = witness.onLeave.bind(witness);
  witness.onCommit = (records) => {
    keep(records);
    for (const record of records)
      if (record.kind === 'trading-state' && record.scope === 'bot')
        isHalted ||= record.state === 'HALTED';
  };
  witness.onLeave = (request) => {
    if (request.operation === 'postorder') {
      if (isHalted) ordersAfter++;
      else ordersBefore++;
    }
    leave(request);
  };
  world.begin();
  world.faults.isStorm = false;
  world.pass(calmAtFirstMs / 1_000);
  world.faults.isStorm = true;
  world.pass(random.integer(1, stormSeconds * 1_000) / 1_000);
  // A process that has just died is told when it lives again.
  for (let tries = 0; !isHalted && tries < triesMax; tries++) {
    world.tell({ kind: 'operator', command: 'halt', reason: 'the switch' });
    world.pass(0.25);
  }
  if (!isHalted) throw new Error(`seed ${seed}: no life of the bot has stored the halt`);
  world.pass(random.integer(1, 8));
  world.faults.isStorm = false;
  if (random.integer(1, 2) === 1) world.kill();
  world.pass(calmSeconds);
  const open = world.simulator.truth('desk').orders.filter(({ status }) => status === 'PENDING');
  return { seed, ordersAfter, ordersBefore, left: open.length, lives: world.lives };
}
