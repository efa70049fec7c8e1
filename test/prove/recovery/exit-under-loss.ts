/**
 * Two strategies hold a position when a limit of losses is reached, in each of its modes that lets
 * orders leave, and in a cool-down. Each gets out, also past an order whose outcome is unknown;
 * nothing else leaves, and nobody sells more than it holds.
 */
import { concatMap, EMPTY, of } from 'rxjs';
import { OrderStates } from '../../../src/execution/orders/order-states.ts';
import type { Intent, Lots, MarketContext } from '../../../src/index.ts';
import type { CheckEntry } from '../../../src/risk/check-table.ts';
import { checkTable } from '../../../src/risk/check-table.ts';
import { codes, posts, type Run, stateOf, strategyOf } from '../../support/scripted-world.ts';
import type { Tamper } from '../../support/virtual-run.ts';
import { VirtualWorld } from '../../support/virtual-world.ts';
import { refusingExits } from '../gate-mutants.ts';
import { withPlant } from './plant.ts';
import type { RecoveryScenario } from './scenario.ts';

const size = 2_000;
/** When it sells, in beats of half a second, and when it should be out. */
const sellsAtBeat = 16;
const seconds = 75;
const modes = ['refuse', 'cancel', 'reduce'] as const;

function order(
  market: MarketContext,
  key: string,
  [side, volume, share]: readonly ['BID' | 'ASK', number, number],
): Intent {
  const { bid = 1_000_000, ask = 1_000_000 } = market.top ?? {};
  const price = market.round((side === 'BID' ? ask : bid) * share, 'down');
  const timeInForce = share > 1 === (side === 'BID') ? 'IOC' : 'GTC';
  const terms = { side, price, volume: volume as Lots, timeInForce } as const;
  return { kind: 'place', pair: market.pair, key, terms, reason: 'test' };
}

/** Buys, leaves half of it on the offer far away, then sells all, and wants more all the time. */
function tradesOf(found: (violation: string) => void, held: Map<string, number>): Run {
  return (context, market) => {
    let sales = 0;
    const who = context.id;
    return context.every(500).pipe(
      concatMap((beat) => {
        const { position, orders } = market;
        held.set(who, position.base);
        if (position.lowest < 0) found(`${who} may come to hold ${position.lowest}`);
        if (beat === 0) return of(order(market, 'buy', ['BID', size, 1.002]));
        if (beat === 6) return of(order(market, 'far', ['ASK', size / 2, 1.03]));
        if (beat === sellsAtBeat - 1) {
          if (position.base > 0 && !orders.some(({ key }) => key === 'far'))
            found(`the offer of ${who} that only reduces does not rest any more`);
          const { pair } = market;
          return of<Intent>({ kind: 'cancelAll', pair, reason: 'sells all' });
        }
        if (beat < sellsAtBeat) return EMPTY;
        const more = order(market, `more-${beat}`, ['BID', 100 + (beat % 9), 1.002]);
        if (orders.length > 0 || position.base <= 0) return of(more);
        // In two parts: the first one is a losing trade, after which the second has to cool down.
        const part = sales === 0 ? Math.ceil(position.base / 2) : position.base;
        const exit = order(market, `exit-${sales++}`, ['ASK', part, 0.995]);
        return of({ ...exit, reduceOnly: true } as Intent, more);
      }),
    );
  };
}

/** Loses the answer to each strategy's first exit: its outcome is unknown for a while. */
function losesFirstExits(): Tamper {
  let left = 2;
  return ({ operation, parameters }, response) => {
    const isExit = operation === 'postorder' && parameters['type'] === 'ASK';
    if (!isExit || parameters['time_in_force'] !== 'IOC' || left === 0) return response;
    left--;
    return undefined;
  };
}

function play(seed: number): readonly string[] {
  const violations: string[] = [];
  const onLoss = modes[seed % modes.length] ?? 'refuse';
  const held = new Map<string, number>();
  const strategy = strategyOf(tradesOf((violation) => violations.push(violation), held));
  const world = new VirtualWorld({
    ...{ seed, level: 0, strategy, hasTwin: true },
    ...(seed % 2 === 0 && { tamper: losesFirstExits() }),
    limits: (usual) => ({
      ...usual,
      account: { ...usual.account, onLoss, lossDayMax: { ZAR: '1' }, drawdownMax: { ZAR: '1' } },
      eachStrategy: {
        ...usual.eachStrategy,
        losingTrades: { max: 0, coolDownMs: 3_600_000 },
        identical: { max: 3, withinMs: 1_000 },
      },
    }),
  });
  world.begin();
  world.pass(seconds);
  if (held.size !== 2) violations.push(`${held.size} strategies ran, not 2`);
  for (const [id, lots] of held) if (lots !== 0) violations.push(`${id} still holds ${lots} lots`);
  for (const { strategyId, side, key } of world.witness.orders.values())
    if (side === 'BID' && key !== 'buy') violations.push(`${strategyId} bought more: ${key}`);
  // A market that rises may leave a drawdown alone, and no losing trade.
  if (!codes(world).some((code) => code === 'LOSS_DAY' || code === 'DRAWDOWN'))
    violations.push('no limit of losses refused anything: not shown');
  if (posts(world) < 6) violations.push(`${posts(world)} orders left: not shown`);
  if (onLoss === 'reduce' && stateOf(world, 'bot') !== 'REDUCING')
    violations.push('the breaker did not reduce: not shown');
  return [...new Set([...violations, ...world.witness.violations])];
}

/** Replaces one of the gate's checks while `run` runs. */
function withCheck(
  position: number,
  check: CheckEntry['check'],
  run: () => readonly string[],
): Promise<readonly string[]> {
  const entry = checkTable.find((one) => one.position === position) as CheckEntry;
  return withPlant(true, entry, { check }, run);
}

export const exitUnderLoss: RecoveryScenario = {
  name: 'exit-under-loss',
  runs: 12,
  plants: {
    'exit-refused': 'a limit of losses refuses what would end them, too',
    'exit-cancelled': 'a breaker of losses cancels offers that only reduce',
    'loss-forgiven': 'a limit of losses refuses nothing',
  },
  play: async (seed, plant) => {
    const run = () => play(seed);
    if (plant === 'exit-refused') return withCheck(22, refusingExits, run);
    if (plant === 'loss-forgiven') return withCheck(22, () => {}, run);
    const { cancelAll } = OrderStates.prototype;
    const planted: Partial<OrderStates> = {
      cancelAll(this: OrderStates, reason, matches) {
        return cancelAll.call(this, reason, reason.startsWith('breaker') ? undefined : matches);
      },
    };
    // Only in the modes that cancel: seeds 1 and 2 do.
    return withPlant(plant === 'exit-cancelled', OrderStates.prototype, planted, run);
  },
};
