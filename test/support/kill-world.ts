/**
 * Stories about the end of all orders, in virtual time: the switch pulled in the middle of a storm,
 * and a kill of a bot with many open orders.
 *
 * What is open is counted in the exchange's own books, never in the bot's.
 */
import { mergeMap, of } from 'rxjs';
import { z } from 'zod';
import { clientOrderIdPrefix } from '../../src/execution/orders/client-order-id.ts';
import { defineStrategy, type Lots, type Ticks } from '../../src/index.ts';
import type { AnyStrategy } from '../../src/strategy/contract.ts';
import type { Simulator } from '../../src/venues/luno/simulator/world/simulator.ts';
import { SeededRandom } from './seeded-random.ts';
import { botKey, Caller, startMicros } from './simulated-exchange.ts';
import { type Knob, knobs } from './virtual-faults.ts';
import type { WorldOptions } from './virtual-run.ts';
import type { VirtualTime } from './virtual-time.ts';
import { VirtualWorld } from './virtual-world.ts';

/** Every fourth call fails, in each of the ways in which a call can. */
export const everyFourthFails: Readonly<Partial<Record<Knob, number>>> = {
  'req.drop': 0.05,
  'req.refused': 0.05,
  'status.before.5xx': 0.05,
  'status.before.429': 0.05,
  'res.reset': 0.07,
};
/** The longest that a kill of 50 orders may take until none is open, by whether calls fail. */
export const secondsMax = { good: 25, failing: 60 } as const;
const failing = Object.keys(everyFourthFails);
const others = knobs.filter((knob) => !failing.includes(knob));
export const watchMicros = 100_000;

export type KillFindings = {
  readonly violations: readonly string[];
  /** From the command to the last open order's end, by the exchange's books. */
  readonly secondsToZero: number;
  /** From the command to the report that nothing is open. */
  readonly secondsToReport: number;
  readonly ordersOpen: number;
  readonly ordersAfterHalt: number;
  readonly remaining: number;
  readonly throttled: number;
  readonly calls: number;
};

/** Places `count` orders far from the market, half of them on each side, one each `paceMs`. */
export function manyOrders(count: number, paceMs = 500): AnyStrategy {
  return defineStrategy({
    name: 'own',
    parameters: z.strictObject({}),
    pairs: 1,
    run: (context) => {
      const market = context.pairs[0];
      if (market === undefined) throw new RangeError('one pair');
      let placed = 0;
      return context.every(paceMs).pipe(
        mergeMap(() => {
          const { top, pair } = market;
          if (top?.bid === undefined || top.ask === undefined || placed >= count) return [];
          const isBid = placed % 2 === 0;
          const share = 1 + (isBid ? -1 : 1) * (0.02 + placed * 0.00005);
          const price = market.round(((top.bid + top.ask) / 2) * share, 'down') as Ticks;
          const side = isBid ? ('BID' as const) : ('ASK' as const);
          // Each is another order, also where the market moves so that two have one price.
          const volume = (1_000 + placed) as Lots;
          const terms = { side, price, volume, postOnly: true };
          return of({ kind: 'place' as const, pair, key: `k${placed++}`, terms, reason: 'many' });
        }),
      );
    },
  }) as unknown as AnyStrategy;
}

/** Ids of the open orders of a user whose client_order_id begins with `prefix`. */
export function openOf(simulator: Simulator, prefix: string): readonly string[] {
  return simulator
    .truth('desk')
    .orders.filter((one) => one.status === 'PENDING' && one.client_order_id.startsWith(prefix))
    .map((one) => one.order_id);
}

/** A kill of a bot with `orders` open orders, on a good line or on one where much fails. */
export function killMany(
  seed: number,
  options: {
    readonly orders: number;
    readonly isFailing: boolean;
    /** The kill comes while the calls of the orders' own minute count still. */
    readonly isAtOnce?: boolean;
  } & Partial<WorldOptions>,
): KillFindings {
  const { orders, isFailing, isAtOnce = false, ...more } = options;
  const violations: string[] = [];
  let reportedMicros: number | undefined;
  const world = new VirtualWorld({
    seed,
    level: 1,
    rates: everyFourthFails,
    without: others,
    isRoomy: true,
    strategy: manyOrders(orders),
    ...more,
    onOperated: ({ isDone, remaining }) => {
      if (!isDone) return;
      reportedMicros = world.time.nowMicros;
      const open = openOf(world.simulator, prefix).length;
      if (remaining !== 0 || open !== 0)
        violations.push(`reported ${remaining} open orders, there were ${open}`);
    },
  });
  const prefix = clientOrderIdPrefix(world.settings.namespace);
  world.faults.isStorm = false;
  const foreign = placeForeign(world.simulator);
  world.begin();
  for (let i = 0; i < 600 && openOf(world.simulator, prefix).length < orders; i++) world.pass(0.5);
  const ordersOpen = openOf(world.simulator, prefix).length;
  if (ordersOpen < orders) violations.push(`only ${ordersOpen} of ${orders} orders were open`);
  if (!isAtOnce) world.pass(60);
  const switchedOn = watchSwitch(world);
  world.faults.isStorm = isFailing;
  const beganMicros = world.time.nowMicros;
  const throttledBefore = world.witness.throttled;
  const callsBefore = callsOf(world);
  const promptStops = watchStops(world);
  world.tell({ kind: 'operator', command: 'kill', reason: 'test', ticket: 1 });
  const zeroMicros = untilZero(world, prefix, () => reportedMicros !== undefined);
  const calls = callsOf(world) - callsBefore;
  const late = ordersOpen - promptStops();
  if (!isFailing && late > 0) violations.push(`I11 ${late} stops left more than 1 s late`);
  world.faults.isStorm = false;
  // Whatever was still on its way arrives now, if anything was.
  world.pass(20);
  const remaining = openOf(world.simulator, prefix).length;
  const ordersAfterHalt = switchedOn();
  const seconds = (zeroMicros - beganMicros) / 1e6;
  const limit = isFailing ? secondsMax.failing : secondsMax.good;
  if (seconds > limit) violations.push(`${seconds} s until no order is open`);
  if (remaining > 0) violations.push(`${remaining} orders are open after the kill`);
  if (ordersAfterHalt > 0) violations.push(`${ordersAfterHalt} orders left after the halt`);
  if (reportedMicros === undefined) violations.push('the kill never came to an end');
  if (openOf(world.simulator, '').length !== foreign)
    violations.push('orders that are not ours were stopped');
  const state = world.reports.tradingStates().find((one) => one.scope === 'bot')?.state;
  if (state !== 'HALTED') violations.push(`the bot is ${state} after the kill`);
  return {
    violations,
    secondsToZero: seconds,
    secondsToReport: ((reportedMicros ?? Number.POSITIVE_INFINITY) - beganMicros) / 1e6,
    ordersOpen,
    ordersAfterHalt,
    remaining,
    throttled: world.witness.throttled - throttledBefore,
    calls,
  };
}

function callsOf(world: VirtualWorld): number {
  let sum = 0;
  for (const count of world.witness.calls.values()) sum += count;
  return sum;
}

/** Orders of another bot and of a person on the same account; returns how many. */
export function placeForeign(simulator: Simulator): number {
  const caller = new Caller(simulator, botKey);
  caller.place('BID', '900000', '0.001', { client_order_id: 'b1-otherbot-1-abcdefghijkl' });
  caller.place('ASK', '1100000', '0.001');
  return openOf(simulator, '').length;
}

/** Counts orders of which a stop leaves within a second from now. */
function watchStops(world: VirtualWorld): () => number {
  const { witness, time } = world;
  const untilMicros = time.nowMicros + 1_000_000;
  const stopped = new Set<unknown>();
  const onLeave = witness.onLeave.bind(witness);
  witness.onLeave = (request) => {
    onLeave(request);
    if (request.operation === 'stoporder' && time.nowMicros <= untilMicros)
      stopped.add(request.parameters['order_id']);
  };
  return () => stopped.size;
}

/** Counts order requests that leave after the operator was told that the bot is halted. */
function watchSwitch(world: VirtualWorld): () => number {
  let isOn = false;
  let count = 0;
  const { witness } = world;
  const onCommit = witness.onCommit.bind(witness);
  witness.onCommit = (records) => {
    onCommit(records);
    for (const record of records)
      if (record.kind === 'trading-state' && record.scope === 'bot' && record.state === 'HALTED')
        isOn = true;
  };
  const onLeave = witness.onLeave.bind(witness);
  witness.onLeave = (request) => {
    onLeave(request);
    if (isOn && request.operation === 'postorder') count++;
  };
  return () => count;
}

/** Lets time pass until `isDone`; returns when the last open order was gone. */
function untilZero(
  world: { readonly time: VirtualTime; readonly simulator: Simulator },
  prefix: string,
  isDone: () => boolean,
): number {
  const { time, simulator } = world;
  const endMicros = time.nowMicros + 600_000_000;
  let zeroMicros = endMicros;
  while (time.nowMicros < endMicros && !isDone()) {
    time.runUntil(time.nowMicros + watchMicros, isDone);
    if (openOf(simulator, prefix).length > 0) zeroMicros = endMicros;
    else zeroMicros = Math.min(zeroMicros, time.nowMicros);
  }
  return zeroMicros;
}

/** The switch is pulled at a random moment of a storm with crashes, often while orders leave. */
export function pullSwitch(seed: number, more: Partial<WorldOptions> = {}): KillFindings {
  const random = new SeededRandom(seed);
  const violations: string[] = [];
  let answers = 0;
  const world = new VirtualWorld({
    seed,
    ...more,
    onOperated: () => answers++,
  });
  const prefix = clientOrderIdPrefix(world.settings.namespace);
  const command = random.pick(['halt', 'kill'] as const);
  const pull = (): void =>
    world.tell({ kind: 'operator', command, reason: 'test', ticket: 1 + answers });
  const moment = random.pick(['an order leaves', 'an order waits', 'any'] as const);
  let count = moment === 'any' ? Number.POSITIVE_INFINITY : random.integer(1, 10);
  const pulledMicros = startMicros + random.integer(5_000, 40_000) * 1_000;
  let isPulled = false;
  const pullAt = (): void => {
    if (--count !== 0) return;
    isPulled = true;
    world.time.after(random.integer(0, 30) / 10, pull);
  };
  const { witness } = world;
  const onLeave = witness.onLeave.bind(witness);
  let left = 0;
  let ordersAfterHalt = 0;
  witness.onLeave = (request) => {
    onLeave(request);
    if (request.operation !== 'postorder') return;
    left++;
    if (answers > 0) ordersAfterHalt++;
    if (moment === 'an order leaves') pullAt();
  };
  const onCommit = witness.onCommit.bind(witness);
  witness.onCommit = (records) => {
    onCommit(records);
    const rows = records.flatMap((record) => (record.kind === 'order' ? [record.row] : []));
    const last = new Map(rows.map((row) => [row.intentId, row.state]));
    const isWaiting = [...last.values()].includes('waiting');
    if (isWaiting && moment === 'an order waits') pullAt();
  };
  world.begin();
  world.time.runUntil(pulledMicros, () => isPulled);
  isPulled = true;
  // A command that dies with the process is given again, as an operator without an answer would.
  for (let i = 0; i < 300 && answers === 0; i++) {
    pull();
    world.time.runUntil(world.time.nowMicros + 1_000_000, () => answers > 0);
  }
  const told = world.time.nowMicros;
  world.pass(random.integer(1, 20));
  world.faults.isStorm = false;
  // A request whose fate is unknown is looked for during two minutes.
  for (let i = 0; i < 300 && openOf(world.simulator, prefix).length > 0; i++) world.pass(1);
  const zero = world.time.nowMicros;
  world.pass(20);
  const ordersOpen = openOf(world.simulator, prefix).length;
  if (ordersOpen > 0) violations.push(`${ordersOpen} orders are open long after the ${command}`);
  if (ordersAfterHalt > 0) violations.push(`${ordersAfterHalt} orders left after the halt`);
  if (answers === 0) violations.push('the operator never got an answer');
  const waiting = world.reports.openOrders().filter(({ state }) => state === 'waiting').length;
  if (waiting > 0) violations.push(`${waiting} orders wait to be sent after the ${command}`);
  const state = world.reports.tradingStates().find((one) => one.scope === 'bot')?.state;
  if (state !== 'HALTED') violations.push(`the bot is ${state} at the end`);
  return {
    violations,
    secondsToZero: (zero - told) / 1e6,
    secondsToReport: 0,
    ordersOpen: left,
    ordersAfterHalt,
    remaining: ordersOpen,
    throttled: 0,
    calls: 0,
  };
}
