/**
 * The executors in the worlds of the proof of orders: the whole bot against the whole simulated
 * exchange, through faults and crashes, judged by the exchange's own books. In half of them fees
 * reach the market's smallest volume. Beside the executor a part places an order every two seconds,
 * and the bot knows the newest 12 orders of a strategy, so that it forgets most of them.
 */
import { concat, concatMap, merge, NEVER, of, takeWhile } from 'rxjs';
import { z } from 'zod';
import { formatAmount } from '../../../src/domain/amount.ts';
import { keptFills } from '../../../src/domain/kept-fills.ts';
import {
  chase,
  Decimal,
  dca,
  type ExecutorPart,
  grid,
  hedge,
  iceberg,
  place,
  pov,
  sequence,
  tripleBarrier,
  twap,
} from '../../../src/index.ts';
import type { AnyStrategy, Context, MarketContext } from '../../../src/strategy/contract.ts';
import { strategyOf } from '../../support/scripted-world.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { virtualSimulator } from '../../support/virtual-bot.ts';
import { unsettledOf } from '../../support/virtual-settled.ts';
import { VirtualWorld } from '../../support/virtual-world.ts';

/** One fill at the exchange, as a signed volume: below 0 for a sale. */
export type SignedFill = {
  readonly line: string;
  readonly volume: Decimal;
  /** The same less the fee in the base currency. */
  readonly net: Decimal;
};

export type ExecutorWorld = {
  /** Returns the executor, and its entry if it needs a position. */
  readonly build: (random: SeededRandom) => {
    readonly executor: ExecutorPart;
    readonly entry?: ExecutorPart;
    /** Returns what is exceeded by the fills, in the order of their trades. */
    readonly exceeded: (fills: readonly SignedFill[]) => string | undefined;
    /** Whether the whole task was done. */
    readonly isWhole: (fills: readonly SignedFill[]) => boolean;
  };
};

export type ExecutorRun = {
  readonly crashes: number;
  readonly exceeded: string | undefined;
  readonly isFinished: boolean;
  readonly isWhole: boolean;
  /** Other promises that were broken. */
  readonly violations: readonly string[];
};

/** The longest time that an executor of a run has, and how long it may take to end after that. */
const durationMs = 60_000;
const endSeconds = 500;
const stepSeconds = 5;
/** The smallest order of the simulated market: what is left below it cannot be ordered. */
const smallest = '0.0001';

/** Its fees reach the smallest volume with one order of usual size. */
const dearExchange = {
  ...virtualSimulator,
  users: virtualSimulator.users.map((user) => ({
    ...user,
    fees: { maker: '0.03', taker: '0.03' },
  })),
};

const sumOf = (fills: readonly SignedFill[]): Decimal =>
  fills.reduce((sum, { net }) => sum.plus(net), new Decimal(0));
const absoluteSumOf = (fills: readonly SignedFill[]): Decimal =>
  fills.reduce((sum, { volume }) => sum.plus(volume.abs()), new Decimal(0));

/** Of an executor with a total that it buys or sells. */
function total(text: string): Pick<ReturnType<ExecutorWorld['build']>, 'exceeded' | 'isWhole'> {
  return {
    exceeded: (fills) => {
      const sum = absoluteSumOf(fills);
      return sum.greaterThan(text) ? `${sum} of ${text}` : undefined;
    },
    isWhole: (fills) => absoluteSumOf(fills).plus(smallest).greaterThan(text),
  };
}

/** What has been bought less what was sold must stay between 0 and `most`. */
function between(most: string) {
  return (fills: readonly SignedFill[]): string | undefined => {
    let held = new Decimal(0);
    for (const { net } of fills) {
      held = held.plus(net);
      if (held.isNegative()) return `${held} are held`;
      if (held.greaterThan(most)) return `${held} of ${most} are held`;
    }
    return undefined;
  };
}

/** A volume in steps of 0.0001, from `least` to `most` of them. */
const volumeFrom = (random: SeededRandom, least: number, most: number): string =>
  new Decimal(random.integer(least, most)).div(10_000).toFixed();

export const executorWorlds: Readonly<Record<string, ExecutorWorld>> = {
  twap: {
    build: (random) => {
      const [text, side] = [volumeFrom(random, 20, 120), random.pick(['BID', 'ASK'] as const)];
      const participation = random.pick([0, 0.5]);
      const slices = random.integer(1, 12);
      const capped = participation === 0 ? {} : { participation };
      const options = { side, total: text, duration: durationMs, slices, slip: 0.002, ...capped };
      return { executor: twap(options), ...total(text) };
    },
  },
  tripleBarrier: {
    build: (random) => {
      const text = volumeFrom(random, 5, 80);
      const executor = tripleBarrier({
        stopLoss: random.pick([0.0005, 0.002]),
        takeProfit: random.pick([0.0005, 0.002]),
        ...(random.pick([true, false]) ? { trailing: { activation: 0.0003, delta: 0.0003 } } : {}),
        timeLimit: random.integer(5_000, durationMs),
      });
      const entry = twap({ side: 'BID', total: text, duration: 300_000, slices: 1 });
      return {
        ...{ executor, entry, exceeded: between(text) },
        isWhole: (fills) => fills.length > 0 && sumOf(fills).lessThan(smallest),
      };
    },
  },
  chase: {
    build: (random) => {
      const [text, side] = [volumeFrom(random, 5, 60), random.pick(['BID', 'ASK'] as const)];
      const tolerance = random.pick([0, 20]);
      const executor = chase({ side, total: text, tolerance, duration: durationMs });
      return { executor, ...total(text) };
    },
  },
  iceberg: {
    build: (random) => {
      const [text, side] = [volumeFrom(random, 20, 120), random.pick(['BID', 'ASK'] as const)];
      const limit = side === 'BID' ? '1002000' : '998000';
      const display = volumeFrom(random, 3, 30);
      const executor = iceberg({ side, total: text, limit, display, duration: durationMs });
      return { executor, ...total(text) };
    },
  },
  grid: {
    build: (random) => {
      const [cells, size] = [random.integer(2, 8), volumeFrom(random, 3, 20)];
      const [lower, upper, duration] = ['996000', '1004000', durationMs];
      const spacing = random.pick(['arithmetic', 'geometric'] as const);
      const executor = grid({ lower, upper, cells, size, spacing, duration });
      const exceeded = (fills: readonly SignedFill[]): string | undefined => {
        for (let cell = 1; cell <= cells; cell++) {
          const own = fills.filter(({ line }) => line === `buy${cell}` || line === `sell${cell}`);
          const said = between(size)(own);
          if (said !== undefined) return `cell ${cell}: ${said}`;
        }
        return undefined;
      };
      const isWhole = (fills: readonly SignedFill[]) => fills.some(({ volume }) => volume.lt(0));
      return { executor, exceeded, isWhole };
    },
  },
  dca: {
    build: (random) => {
      const [size, safetySize] = [volumeFrom(random, 5, 20), volumeFrom(random, 5, 20)];
      const [safetyOrders, step, takeProfit] = [random.integer(0, 4), 0.0005, 0.0005];
      // With a stop it ends by itself.
      const stop = random.pick([{ duration: durationMs }, { stopLoss: 0.001 }]);
      const options = { size, safetyOrders, safetySize, step, takeProfit, growth: 1.5, ...stop };
      const most = Array.from({ length: safetyOrders }).reduce<Decimal>(
        (sum, _, at) => sum.plus(new Decimal(safetySize).times(1.5 ** at)),
        new Decimal(size),
      );
      const exceeded = (fills: readonly SignedFill[]): string | undefined => {
        const entered = absoluteSumOf(fills.filter(({ volume }) => volume.greaterThan(0)));
        if (entered.greaterThan(most)) return `entered with ${entered} of ${most}`;
        return between(most.toFixed())(fills);
      };
      return {
        ...{ executor: dca(options), exceeded },
        isWhole: (fills) => fills.length > 0 && sumOf(fills).lessThan(smallest),
      };
    },
  },
  pov: {
    build: (random) => {
      const [text, side] = [volumeFrom(random, 20, 120), random.pick(['BID', 'ASK'] as const)];
      const rate = random.pick([0.1, 0.3, 0.8]);
      const executor = pov({ side, total: text, rate, slip: 0.002, duration: durationMs });
      return { executor, ...total(text) };
    },
  },
  hedge: {
    build: (random) => {
      const exposures = Array.from({ length: 4 }, () => random.integer(-80, 80));
      const most = Math.max(0, ...exposures);
      const least = Math.min(0, ...exposures);
      const exposureAt = (nowMs: number): Decimal =>
        new Decimal(exposures[Math.floor(nowMs / 15_000) % exposures.length] ?? 0).div(10_000);
      const executor = hedge({
        ...{ pair: 'XBTZAR', band: '0.0005', slip: 0.002, duration: durationMs },
        exposure: ({ nowMs }) => exposureAt(nowMs()),
      });
      const exceeded = (fills: readonly SignedFill[]): string | undefined => {
        let hedged = new Decimal(0);
        for (const { net } of fills) {
          hedged = hedged.plus(net);
          const isBeyond = hedged.times(10_000).gt(-least) || hedged.times(10_000).lt(-most);
          if (isBeyond) return `hedged ${hedged} of ${-most} to ${-least} times 0.0001`;
        }
        return undefined;
      };
      return { executor, exceeded, isWhole: (fills) => fills.length > 0 };
    },
  },
};

/** The strategy of a run: the entry, if there is one, then the executor, each once for ever. */
function strategyWith(executor: ExecutorPart, entry: ExecutorPart | undefined): AnyStrategy {
  const steps = entry === undefined ? { work: executor } : { entry, work: executor };
  return strategyOf((context) => {
    const isOver = context.slot('isOver', z.boolean(), false);
    const all = isOver.value
      ? []
      : [context.part('all', sequence(steps)), of(isOver.remember(true))];
    // The orders beside end with the work, so that nothing new is under way when the bot stops.
    const beside = context.part('beside', placeBeside).pipe(takeWhile(() => !isOver.value));
    return merge(concat(...all, NEVER), beside);
  });
}

/** Orders of another part, which find nothing and are forgotten like all others. */
function placeBeside(part: Context<unknown, unknown>) {
  const [market] = part.pairs as readonly [MarketContext];
  return part.every(2_000).pipe(
    concatMap(() => {
      const { mid, rules } = market;
      if (mid === undefined) return [];
      const price = market.round(mid * 0.98, 'down');
      const terms = { side: 'BID', price, volume: rules.volumeMin, timeInForce: 'IOC' } as const;
      return [place(market, `far-${part.nowMs()}`, terms, 'another part')];
    }),
  );
}

/** Runs one seed. */
export function runExecutor(name: string, seed: number, log?: (line: string) => void): ExecutorRun {
  Object.assign(keptFills, { ordersMax: 12 });
  const world = executorWorlds[name];
  if (world === undefined) throw new RangeError(`no executor ${name}`);
  const random = new SeededRandom(seed);
  const { executor, entry, exceeded, isWhole } = world.build(random);
  const virtual = new VirtualWorld({
    seed,
    strategy: strategyWith(executor, entry),
    ...(random.pick([true, false]) ? { exchange: dearExchange } : {}),
    ...(log === undefined ? {} : { log }),
  });
  virtual.begin();
  virtual.pass(random.integer(15, 60));
  virtual.faults.isStorm = false;
  let waited = 0;
  const isFinished = (): boolean => isOver(virtual);
  const isAtRest = (): boolean => {
    const { engine, reports, outside } = virtual;
    if (engine === undefined) return false;
    return unsettledOf(engine, reports, Math.floor(outside.clockMicros / 1000)) === undefined;
  };
  while (!(isFinished() && isAtRest()) && waited < endSeconds) {
    virtual.pass(stepSeconds);
    waited += stepSeconds;
  }
  const isDone = isFinished();
  virtual.stop();
  const fills = fillsOf(virtual);
  return {
    crashes: virtual.lives - 1,
    exceeded: exceeded(fills),
    isFinished: isDone,
    isWhole: isWhole(fills),
    violations: [...new Set(virtual.witness.violations)],
  };
}

function isOver(world: VirtualWorld): boolean {
  const [stored] = world.memory.restore(0).strategyStates;
  return stored !== undefined && JSON.parse(stored.state).slots?.isOver === true;
}

/** The trades at the exchange in their order, with the line of our order of each. */
function fillsOf(world: VirtualWorld): readonly SignedFill[] {
  const keys = new Map(
    world.reports.orders().map(({ clientOrderId, key }) => [clientOrderId, key ?? '']),
  );
  const { orders, trades } = world.simulator.truth('desk');
  const lines = new Map(
    orders.map(({ order_id, client_order_id }) => [
      order_id,
      (keys.get(client_order_id) ?? '').split('.')[1] ?? '',
    ]),
  );
  return [...trades]
    .sort((a, b) => Number(a.sequence) - Number(b.sequence))
    .map(({ orderId, side, volume, feeBase }) => {
      const signed = new Decimal(volume).div(1e6).times(side === 'BID' ? 1 : -1);
      const fee = new Decimal(formatAmount(feeBase));
      return { line: lines.get(orderId) ?? '', volume: signed, net: signed.minus(fee) };
    });
}
