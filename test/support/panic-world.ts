/** A panic in virtual time: open orders of ours, of others, and no bot. */
import { runCancelAll } from '../../src/bot/panic/cancel-all-run.ts';
import { clientOrderIdPrefix } from '../../src/execution/orders/client-order-id.ts';
import type { CancelAllResult } from '../../src/execution/reconcile/cancel-all.ts';
import type { VenueReply } from '../../src/venue/venue-reply.ts';
import { lunoProperties } from '../../src/venues/luno/adapter/properties.ts';
import { createSimulator } from '../../src/venues/luno/simulator/world/simulator.ts';
import {
  everyFourthFails,
  type KillFindings,
  openOf,
  placeForeign,
  watchMicros,
} from './kill-world.ts';
import { SeededRandom } from './seeded-random.ts';
import { botKey, Caller, startMicros, testKeys } from './simulated-exchange.ts';
import { virtualMarket, virtualSimulator } from './virtual-bot.ts';
import { VirtualExchange } from './virtual-exchange.ts';
import { Faults, knobs } from './virtual-faults.ts';
import { ExchangeRules } from './virtual-rules.ts';
import { processTime, VirtualTime } from './virtual-time.ts';

/** A panic, with `orders` open orders of ours and no bot. */
export async function panicMany(
  seed: number,
  options: { readonly orders: number; readonly isFailing: boolean },
): Promise<KillFindings> {
  const { orders, isFailing } = options;
  const random = new SeededRandom(seed);
  const time = new VirtualTime(startMicros);
  // Lists lag in any case; that is no failure.
  const rates = { ...(isFailing ? everyFourthFails : {}), 'lag.list': 0.3 };
  const without = knobs.filter((knob) => !(knob in rates));
  const faults = new Faults(random, 1, { rates, without });
  const { participants: _, ...quietMarket } = virtualMarket;
  const simulator = createSimulator({
    settings: { ...virtualSimulator, markets: [quietMarket] },
    seed,
    timeMicros: startMicros,
    keys: testKeys(virtualSimulator),
  });
  const prefix = clientOrderIdPrefix('virtua22');
  const foreign = placeForeign(simulator);
  for (let i = 0; i < orders; i++) {
    // The simulator's own limit is 300 calls a minute; the orders are of another minute.
    const caller = new Caller(simulator, botKey, startMicros + i * 300_000);
    const id = `${prefix}${i.toString(36)}-abcdefghijkl`;
    if (i % 2 === 0) caller.place('BID', '900000', '0.001', { client_order_id: id });
    else caller.place('ASK', '1100000', '0.001', { client_order_id: id });
  }
  time.runUntil(startMicros + orders * 300_000 + 60_000_000);
  const ordersOpen = openOf(simulator, prefix).length;
  // What the bot sent just before it died arrives within its time to live.
  for (let i = 0; i < 3; i++) {
    const arrivesMicros = time.nowMicros + random.integer(0, 2_000) * 1_000;
    const id = `${prefix}late${i}-abcdefghijkl`;
    time.at(arrivesMicros, () =>
      new Caller(simulator, botKey, time.nowMicros).place('BID', '900000', '0.001', {
        client_order_id: id,
      }),
    );
  }
  let calls = 0;
  let throttled = 0;
  const answers = new Map<number, (reply: VenueReply) => void>();
  const exchange = new VirtualExchange(
    {
      time,
      random,
      faults,
      simulator,
      rules: new ExchangeRules([]),
      isAway: (pair) => pair !== undefined,
      rewrite: (_source, text) => text,
      throttledUntilMicros: () => 0,
      hooks: {},
      receive: (run) => run(),
      onLeave: () => calls++,
      onTravel: () => {},
      onAnswer: (_request, response) => {
        if (response.status === 429) throttled++;
      },
    },
    virtualMarket,
    // No order leaves here that a guard could look at.
    { guard: { inspect: () => undefined } },
    () => true,
  );
  exchange.open((event) => {
    if (event.kind === 'reply') answers.get(event.request)?.(event.reply);
  });
  const { clock, timers } = processTime({
    time,
    skewMicros: 0,
    steppedMicros: () => 0,
    stillUntilMicros: () => 0,
    isAlive: () => true,
    soonMicros: () => 0,
  });
  let request = 0;
  let cleared: CancelAllResult | undefined;
  const beganMicros = time.nowMicros;
  const running = runCancelAll(
    {
      clock,
      timers,
      properties: lunoProperties,
      send: (call, deadlineMs, answer) => {
        answers.set(++request, answer);
        exchange.request({ kind: 'request', request, call, deadlineMs });
      },
    },
    {
      prefix,
      mayGoOn: () => true,
      tell: () => {},
    },
  ).then((value) => {
    cleared = value;
  });
  const violations: string[] = [];
  const endMicros = time.nowMicros + 600_000_000;
  let zeroMicros = endMicros;
  while (cleared === undefined && time.nowMicros < endMicros) {
    time.runUntil(time.nowMicros + watchMicros);
    if (openOf(simulator, prefix).length > 0) zeroMicros = endMicros;
    else zeroMicros = Math.min(zeroMicros, time.nowMicros);
    // The run resolves between two turns of the process.
    await Promise.resolve();
  }
  if (cleared !== undefined) await running;
  const remaining = openOf(simulator, prefix).length;
  if (cleared?.isClean !== true) violations.push('the panic never came to an end');
  if (remaining > 0) violations.push(`${remaining} orders are open after the panic`);
  if (openOf(simulator, '').length !== foreign)
    violations.push('orders that are not ours were stopped');
  return {
    violations,
    secondsToZero: (zeroMicros - beganMicros) / 1e6,
    secondsToReport: (time.nowMicros - beganMicros) / 1e6,
    ordersOpen,
    ordersAfterHalt: 0,
    remaining,
    throttled,
    calls,
  };
}
