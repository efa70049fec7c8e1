/**
 * Short stories of a bot, each of which is told again with the process dying before and after every
 * commit of it. Faults are few and certain, so that every step of an order's life is met.
 */
import type { SimulatorResponse } from '../../src/venues/luno/simulator/core/simulator-request.ts';
import { steadyStrategy } from '../support/steady-strategy.ts';
import { knobs } from '../support/virtual-faults.ts';
import type { WorldOptions } from '../support/virtual-run.ts';
import type { VirtualWorld } from '../support/virtual-world.ts';

/** A story as its runs are given it; made anew for each, since some of it remembers. */
export type CrashScenario = { readonly name: string; readonly world: () => WorldOptions };

type Story = Omit<WorldOptions, 'seed'>;

const rests = { strategy: steadyStrategy({ everyMs: 1_500, restMs: 60_000, ordersMax: 2 }) };
const cancels = { strategy: steadyStrategy({ everyMs: 1_500, restMs: 1_000, ordersMax: 2 }) };
const takes = { strategy: steadyStrategy({ everyMs: 1_500, restMs: 0, ordersMax: 2 }) };
const quotes = { withChaos: false, refresh: '3s', halfSpread: '12bps', stormSeconds: 4 };
/** Some that rest and are cancelled while others rest. */
const busy = { strategy: steadyStrategy({ everyMs: 900, restMs: 2_000, ordersMax: 5 }) };

const error = (status: number, code: string) => (): SimulatorResponse => ({
  status,
  headers: {},
  body: JSON.stringify({ error_code: code, error: code }),
});

/** Answers the first request of an operation with something else; nothing loses the answer. */
function firstAnswer(
  operation: string,
  instead: () => SimulatorResponse | undefined = () => undefined,
): Pick<Story, 'tamper'> {
  let isFirst = true;
  return {
    tamper: (request, response, isStorm) => {
      if (request.operation !== operation || !isFirst || !isStorm) return response;
      isFirst = false;
      return instead();
    },
  };
}

/** Loses the first request of an operation on its way. */
function firstRequest(operation: string): Pick<Story, 'fate'> {
  let isFirst = true;
  return {
    fate: (request, isStorm) => {
      if (request.operation !== operation || !isFirst || !isStorm) return undefined;
      isFirst = false;
      return 'lost';
    },
  };
}

/** Does something `seconds` after the beginning. */
const at =
  (seconds: number, act: (world: VirtualWorld) => void) =>
  (world: VirtualWorld): void => {
    world.time.after(seconds * 1000, () => act(world));
  };

/** Halts the bot and resumes it, however often it has died meanwhile. */
function haltAndResume(world: VirtualWorld): void {
  at(3, () => world.tell({ kind: 'operator', command: 'halt', reason: 'the story' }))(world);
  for (const seconds of [6, 45, 80])
    at(seconds, () => world.tell({ kind: 'operator', command: 'resume', reason: 'the story' }))(
      world,
    );
}

/** Only these faults, always. */
const only = (...named: (typeof knobs)[number][]): Story => ({
  level: 1,
  rates: Object.fromEntries(named.map((knob) => [knob, 1])),
  without: knobs.filter((knob) => !named.includes(knob)),
});

const stories: Readonly<Record<string, () => Story>> = {
  'orders rest': () => rests,
  'orders are cancelled': () => cancels,
  'orders take': () => takes,
  'quotes are replaced': () => quotes,
  'quotes are replaced and fill': () => ({ ...quotes, halfSpread: '4bps', stormSeconds: 2 }),
  'a request is lost': () => ({ ...rests, ...firstRequest('postorder'), stormSeconds: 16 }),
  'a request that takes is lost': () => ({ ...takes, ...firstRequest('postorder') }),
  'an answer is lost': () => ({ ...rests, ...firstAnswer('postorder') }),
  'an answer is lost and it fills': () => ({ ...takes, ...firstAnswer('postorder') }),
  'an answer is lost and it is to be cancelled': () => ({
    ...cancels,
    ...firstAnswer('postorder'),
  }),
  'a server fails after it took the order': () => ({
    ...rests,
    ...firstAnswer('postorder', error(500, 'ErrInternal')),
  }),
  'a deadline is exceeded after it took the order': () => ({
    ...takes,
    ...firstAnswer('postorder', error(400, 'ErrDeadlineExceeded')),
  }),
  'a call too many after it took the order': () => ({
    ...rests,
    ...firstAnswer('postorder', error(429, 'ErrTooManyRequests')),
  }),
  'a stop is lost': () => ({ ...cancels, ...firstRequest('stoporder') }),
  "a stop's answer is lost": () => ({ ...cancels, ...firstAnswer('stoporder') }),
  'a stop is refused': () => ({
    ...cancels,
    ...firstAnswer('stoporder', error(400, 'ErrCannotStopUnknownOrNonPendingOrder')),
  }),
  'a trade list is lost': () => ({ ...takes, ...firstAnswer('listtrades') }),
  'a ledger page is lost': () => ({ ...takes, ...firstAnswer('transactions') }),
  'the bot is halted and resumed': () => ({ ...busy, script: haltAndResume }),
  'the bot restarts and adopts': () => ({
    ...busy,
    onRestart: 'adopt',
    script: at(3, (world) => world.kill()),
  }),
  'the bot restarts and cancels': () => ({
    ...busy,
    onRestart: 'cancel',
    script: at(3, (world) => world.kill()),
  }),
  'the market closes': () => ({
    ...busy,
    script: at(2, (world) => world.outside.closeMarket('SUSPENDED', 2)),
  }),
  'the calls are throttled': () => ({
    ...busy,
    script: at(2, (world) => world.outside.throttle(3)),
  }),
  'the clock jumps': () => ({ ...busy, script: at(2, (world) => world.outside.stepClock(700)) }),
  'the user stream is silent': () => ({ ...takes, ...only('user.drop') }),
  'reads lag': () => ({ ...takes, ...only('lag.get', 'lag.trades', 'lag.ledger') }),
  'everything at once': () => ({ ...busy, level: 0.3 }),
};

export const crashScenarios: readonly CrashScenario[] = Object.entries(stories).map(
  ([name, story], index) => ({
    name,
    world: () => ({ level: 0, stormSeconds: 5, ...story(), seed: 1_000_000 + index }),
  }),
);
