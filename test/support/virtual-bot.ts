/** The bot of a simulated run: its settings, its two strategies, and what it starts from. */
import { defer, filter, merge, mergeMap, of } from 'rxjs';
import { z } from 'zod';
import type { BotSettings, EgressCaps, StrategySettings } from '../../src/domain/bot-settings.ts';
import type { Restored } from '../../src/domain/records.ts';
import type { EngineStart } from '../../src/engine/engine-start.ts';
import { defineStrategy, type Intent, type Lots, type Ticks } from '../../src/index.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { completeLimits } from '../../src/settings/complete-limits.ts';
import type { AnyStrategy } from '../../src/strategy/contract.ts';
import { type PreparedStrategy, prepareStrategy } from '../../src/strategy/loader.ts';
import { parseParameters } from '../../src/strategy/parameters/fit-strategy.ts';
import { noCode } from '../../src/strategy/plugin-code.ts';
import { lunoProperties } from '../../src/venues/luno/adapter/properties.ts';
import { EgressGuard } from '../../src/venues/luno/client/egress-guard.ts';
import {
  defaultSimulatorSettings,
  type SimulatorSettings,
} from '../../src/venues/luno/simulator/core/simulator-settings.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { WorldOptions } from './virtual-run.ts';

const [shipped] = defaultSimulatorSettings.markets;
const [user] = defaultSimulatorSettings.users;
if (shipped?.participants === undefined || user?.accountIds === undefined)
  throw new Error('the shipped simulator has a lively market and a user');

/** The shipped market, with fewer participants, so that a seed takes a fraction of a second. */
export const virtualMarket = {
  ...shipped,
  participants: {
    ...shipped.participants,
    ordersPerSide: 6,
    depth: 0.003,
    takersPerSecond: 0.5,
    sweepsPerSecond: 0.15,
  },
};

const accountIds = user.accountIds;

export const virtualNamespace = 'virtua22';

export const virtualSimulator: SimulatorSettings = {
  markets: [virtualMarket],
  users: [{ ...user, deposits: { XBT: '1', ZAR: '1000000' } }],
};

/**
 * A strategy that behaves badly on purpose: any time in force, prices that trade at once,
 * cancels of what is not there, keys used again, state remembered at any moment.
 */
export const chaotic = defineStrategy<{ paceMs: number }, { count: number }>({
  name: 'chaotic',
  parameters: z.strictObject({ paceMs: z.number() }),
  pairs: 1,
  state: { schema: z.strictObject({ count: z.number() }), initial: { count: 0 } },
  run(context) {
    const [market] = context.pairs;
    if (market === undefined) throw new RangeError('one pair');
    const { pair } = market;
    const chance = (share: number): boolean => context.random() < share;
    const between = (least: number, most: number): number =>
      least + Math.floor(context.random() * (most - least + 1));
    let count = context.state().count;
    const place = (): Intent => {
      const top = market.top;
      const mid = ((top?.bid ?? 1_000_000) + (top?.ask ?? 1_000_000)) / 2;
      const timeInForce = chance(0.4) ? 'GTC' : chance(0.5) ? 'IOC' : 'FOK';
      const isReused = chance(0.1);
      if (!isReused) count++;
      return {
        kind: 'place',
        pair,
        key: `c${isReused ? between(1, count) : count}`,
        terms: {
          side: chance(0.5) ? 'BID' : 'ASK',
          price: market.round(mid * (1 + between(-15, 15) / 10_000), 'down') as Ticks,
          volume: between(100, 8_000) as Lots,
          timeInForce,
          ...(timeInForce === 'GTC' && chance(0.5) ? { postOnly: true } : {}),
        },
        reason: 'chaos',
      };
    };
    const act = (): readonly Intent[] => {
      const orders = market.orders;
      if (chance(0.03)) return [{ kind: 'cancelAll', pair, reason: 'chaos' }];
      if (orders.length > 0 && chance(0.4)) {
        const key = orders[between(0, orders.length - 1)]?.key ?? '';
        return [{ kind: 'cancel', pair, key, reason: 'chaos' }];
      }
      if (chance(0.05)) return [{ kind: 'cancel', pair, key: 'nothing', reason: 'chaos' }];
      const intents = chance(0.2) ? [place(), place()] : [place()];
      return [...intents, { kind: 'remember', state: { count } }];
    };
    return defer(() =>
      merge(
        of('start'),
        context.every(context.parameters.paceMs),
        market.fill$.pipe(filter(() => chance(0.2))),
        market.order$.pipe(filter(() => chance(0.05))),
      ).pipe(mergeMap(act)),
    );
  },
});

const allow = {
  sides: ['BID', 'ASK'],
  types: ['limit'],
  timeInForce: ['GTC', 'IOC', 'FOK'],
  postOnly: 'allowed',
} as const;

/** Caps just above what the gate's limits of a run allow: they hold no honest order up. */
const egressCaps: EgressCaps = {
  file: 'virtual',
  ordersPerMinuteMax: 240,
  pairs: { XBTZAR: { volumeMax: '0.01', valueMax: '20000' } },
  hash: 'virtual',
};

/** Returns the egress guard of one life. */
export function virtualGuard(clock: Clock, restored: Restored): EgressGuard {
  const guard = new EgressGuard({ caps: egressCaps, clock });
  guard.noteRestored(restored.orders);
  return guard;
}

/** Draws what is not given: paces, the policy at a restart, how narrow the limits are. */
export function drawChoice(
  options: Pick<
    WorldOptions,
    'onRestart' | 'onStop' | 'onMove' | 'refresh' | 'halfSpread' | 'withChaos' | 'level' | 'isRoomy'
  >,
  random: SeededRandom,
): Parameters<typeof virtualSettings>[0] {
  return {
    onRestart: options.onRestart ?? random.pick(['adopt', 'cancel'] as const),
    onStop: options.onStop,
    refresh: options.refresh ?? random.pick(['1s', '3s', '5s']),
    chaosMs: random.pick([700, 1_500, 4_000]),
    halfSpread: options.halfSpread ?? random.pick(['4bps', '12bps']),
    withChaos: options.withChaos ?? true,
    isTight: options.level === undefined && random.pick([false, false, true]),
    isRoomy: options.isRoomy,
    onMove: options.onMove ?? random.pick(['overlap', 'overlap', 'cancel'] as const),
  };
}

/** For tests in which nothing is drawn: one strategy, at usual paces and limits. */
export const plainChoice: Parameters<typeof virtualSettings>[0] = {
  onRestart: 'adopt',
  refresh: '5s',
  chaosMs: 1_000,
  halfSpread: '4bps',
  withChaos: false,
  isTight: false,
};

/** The settings of a run; the paces and the policy at restart differ between seeds. */
export function virtualSettings(
  choice: {
    readonly onRestart: 'adopt' | 'cancel';
    readonly onStop?: 'cancel' | 'leave' | undefined;
    readonly onMove?: 'overlap' | 'cancel' | undefined;
    readonly refresh: string;
    readonly chaosMs: number;
    readonly halfSpread: string;
    readonly withChaos: boolean;
    /** Limits so narrow that they refuse much of what the strategies want. */
    readonly isTight: boolean;
    /** Limits and budgets that hundreds of orders fit into. */
    readonly isRoomy?: boolean | undefined;
  },
  /** A test's own strategy, alone, instead of the two. */
  ownStrategy?: AnyStrategy,
  /** It runs twice. */
  hasTwin = false,
): BotSettings {
  const { onRestart, refresh, chaosMs, halfSpread, withChaos, isTight, isRoomy = false } = choice;
  const common = {
    pairs: [virtualMarket.pair],
    budget: choice.isRoomy ? { ZAR: '900000', XBT: '0.9' } : { ZAR: '40000', XBT: '0.04' },
    allow,
    onRestart,
    onStop: choice.onStop ?? 'cancel',
    onMove: choice.onMove ?? 'overlap',
    onUnusableBook: { withdrawAfterMs: 10_000 },
  } as const;
  const maker = {
    ...common,
    id: 'mm',
    plugin: 'simple-mm',
    parameters: { halfSpread, size: '0.004', refresh, tolerance: '1bps' },
  };
  const chaos = { ...common, id: 'chaos', plugin: 'chaotic', parameters: { paceMs: chaosMs } };
  const own = { ...common, id: 'own', plugin: 'own', parameters: {} };
  const owns = hasTwin ? [own, { ...own, id: 'twin' }] : [own];
  return {
    bot: 'virtual',
    mode: 'demo',
    venue: 'simulator',
    store: ':memory:',
    namespace: virtualNamespace,
    accounts: { XBT: accountIds['XBT'] ?? '', ZAR: accountIds['ZAR'] ?? '' },
    strategies: ownStrategy === undefined ? (withChaos ? [maker, chaos] : [maker]) : owns,
    limits: completeLimits({
      account: {
        openNotionalMax: { ZAR: isRoomy ? '2000000' : isTight ? '13000' : '60000' },
        turnoverDayMax: { ZAR: '100000000' },
        lossDayMax: { ZAR: '1000000' },
        ordersOpenMax: isRoomy ? 1_000 : isTight ? 4 : 10,
        ordersPerMinuteMax: isRoomy ? 10_000 : 60,
      },
      // Chaos is rejected, refused and filled on purpose; its breakers are tested elsewhere.
      eachStrategy: {
        fills: { max: 100_000, withinMs: 60_000, action: 'halt' },
        rejections: { max: 100_000, withinMs: 60_000, action: 'halt' },
        refusals: { max: 100_000, withinMs: 60_000, action: 'halt' },
      },
      pairs: {
        XBTZAR: {
          orderBaseMax: '0.01',
          positionBaseMax: isRoomy ? '5' : isTight ? '0.009' : '0.05',
          collar: '0.05',
          depthShareMax: '1',
          bookAgeMsMax: 10_000,
        },
      },
    }),
    hash: 'virtual',
  };
}

const folder = new URL('../../strategies', import.meta.url).pathname;
const anyChoice = { onRestart: 'adopt', refresh: '5s', halfSpread: '4bps' } as const;
const shippedMaker = await prepareStrategy({
  folder,
  settings: must(virtualSettings({ ...anyChoice, chaosMs: 1, withChaos: false, isTight: false })),
});

function must({ strategies: [first] }: BotSettings): StrategySettings {
  if (first === undefined) throw new Error('a bot has a strategy');
  return first;
}

/** Returns the prepared plugins of `settings`, by strategy id; `own` is a test's. */
export function virtualStrategies(
  settings: BotSettings,
  own: AnyStrategy | undefined,
): ReadonlyMap<string, PreparedStrategy> {
  const known: Readonly<Record<string, AnyStrategy | undefined>> = {
    'simple-mm': shippedMaker.strategy,
    chaotic: chaotic as unknown as AnyStrategy,
    own,
  };
  return new Map(
    settings.strategies.map(({ id, plugin, parameters: written }) => {
      const strategy = known[plugin];
      if (strategy === undefined) throw new Error(`no plugin for ${id}`);
      const parameters = parseParameters(strategy, written, id);
      return [
        id,
        {
          ...{ strategy, parameters, warmUp: undefined, quoting: undefined, needs: undefined },
          code: noCode,
        },
      ];
    }),
  );
}

/** Returns what a life of the bot starts from. */
export function virtualStart(options: {
  readonly settings: BotSettings;
  readonly restored: Restored;
  readonly startedMicros: number;
  readonly seed: number;
  readonly earlierCallsMs?: readonly number[];
}): EngineStart {
  const { participants: _, ...market } = virtualMarket;
  return {
    ...options,
    environment: {
      mode: 'demo',
      ordersGoTo: 'simulator',
      liveFlag: false,
      keyFingerprint: undefined,
      keyFingerprintAllowed: undefined,
    },
    markets: [
      {
        market,
        makerFee: '0.0005',
        takerFee: '0.0010',
        lastTrade: { price: '1000000', atMs: Math.floor(options.startedMicros / 1000) },
      },
    ],
    storeDurable: true,
    lockHeld: true,
    venue: lunoProperties,
  };
}
