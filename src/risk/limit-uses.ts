/**
 * How much of each limit of the settings is in use, by the figures that the gate compares.
 *
 * A limit of single orders has no use: nothing adds up to it. Only reads; the facts must be those
 * of the engine's present step.
 */
import { formatAmount, parseAmount } from '../domain/amount.ts';
import type { BotSettings } from '../domain/bot-settings.ts';
import type { LimitUse } from '../domain/bot-status.ts';
import {
  type Breaker,
  declaredLimits,
  type LimitSections,
  type LimitValues,
} from '../domain/declared-limits.ts';
import { Decimal, formatDecimal } from '../domain/money.ts';
import { ordersForRatios } from './checks/message-rate-check.ts';
import type { GateFacts } from './gate-facts.ts';
import type { StrategyActivity } from './strategy-activity.ts';
import type { WorstPosition } from './strategy-exposure.ts';

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const shareDecimals = 4;

type Settings = Pick<BotSettings, 'limits' | 'strategies'>;
type Named = Pick<LimitUse, 'key' | 'scope' | 'unit'>;

/** What a limit of a section applies to. */
type Scoped = {
  /** `bot`, a strategy's id, or a pair. */
  readonly scope: string;
  readonly base?: string;
  readonly pairs?: readonly string[];
};

/**
 * Returns an amount, a count or a ratio; undefined while it is not known. `unit` is the currency of
 * an amount; `withinMs` the span of a breaker.
 */
type Use = (
  facts: GateFacts,
  of: Scoped & { readonly unit: string; readonly withinMs: number },
) => bigint | number | string | undefined;

/** A limit without a use here is one of single orders: nothing adds up to it. */
const uses: Readonly<Record<keyof LimitSections, Readonly<Record<string, Use>>>> = {
  account: {
    openNotionalMax: ({ exposure }, { unit }) => exposure.openNotional(unit),
    turnoverDayMax: ({ exposure, nowMs }, { unit }) =>
      exposure.openNotional(unit) + exposure.turnoverDay(unit, nowMs),
    lossDayMax: (facts, { unit }) => {
      const lost = facts.exposure.lossDay(unit, facts.nowMs, mid2From(facts));
      return lost !== undefined && lost < 0n ? 0n : lost;
    },
    drawdownMax: (facts, { unit }) => facts.exposure.trades.drawdown(unit, mid2From(facts)),
    collarBudgetMax: ({ exposure, nowMs }, { unit }) => exposure.strayed(unit, nowMs),
    ordersOpenMax: ({ exposure }) => exposure.ordersOpen(),
    ordersPerSecondMax: ({ exposure, nowMs }) => exposure.activity.orders.count(nowMs, secondMs),
    ordersPerMinuteMax: ({ exposure, nowMs }) => exposure.activity.orders.count(nowMs, minuteMs),
    orderAgeMsMax: oldestMs,
  },
  eachStrategy: {
    openNotionalMax: ({ exposure }, { scope, unit }) => exposure.openNotionalOf(scope, unit),
    ordersPerSecondMax: counted('orders', secondMs),
    ordersPerMinuteMax: counted('orders', minuteMs),
    cancelShareMax: ratio('cancels', 'orders'),
    ordersPerFillMax: ratio('orders', 'fills'),
    fills: counted('fills'),
    rejections: counted('rejections'),
    refusals: counted('refusals'),
    losingTrades: ({ exposure }, { scope, pairs = [] }) =>
      Math.max(0, ...pairs.map((pair) => exposure.trades.lossesInARow(scope, pair))),
  },
  pairs: {
    positionBaseMax: ({ exposure }, { scope }) => farthest(exposure.pairPosition(scope)),
    bookAgeMsMax: ({ pairs }, { scope }) => {
      const ageMs = pairs.get(scope)?.bookAgeMs;
      return ageMs === undefined ? undefined : Math.round(ageMs);
    },
  },
};

/** Returns the use of every limit and budget, in the order of the settings. */
export function limitUsesOf(settings: Settings, facts: GateFacts): readonly LimitUse[] {
  const { limits, strategies } = settings;
  return [
    ...strategies.flatMap((strategy) => budgetUses(strategy, facts)),
    ...usesIn('account', limits.account, { scope: 'bot' }, facts),
    ...strategies.flatMap(({ id, pairs }) =>
      usesIn('eachStrategy', limits.eachStrategy, { scope: id, pairs }, facts),
    ),
    ...Object.entries(limits.pairs).flatMap(([pair, values]) => {
      const base = facts.exposure.markets.get(pair)?.base;
      return base === undefined ? [] : usesIn('pairs', values, { scope: pair, base }, facts);
    }),
  ];
}

/** The uses of a section with these values. */
function usesIn(
  section: keyof LimitSections,
  values: Readonly<Record<string, LimitValues[keyof LimitValues]>>,
  of: Scoped,
  facts: GateFacts,
): readonly LimitUse[] {
  return declaredLimits[section].flatMap(({ name, kind, path, unit = unitOf(kind) }) => {
    const key = path.replace('<pair>', () => of.scope);
    const read = uses[section][name];
    const useOf = (below: string, unit: string, max: string | number, withinMs = 0): LimitUse => {
      const named = { key: `${key}${below}`, scope: of.scope, unit };
      if (read === undefined) return perOrder(named, String(max));
      const used = read(facts, { ...of, unit, withinMs });
      return typeof used === 'bigint'
        ? amountUse(named, used, String(max))
        : use(named, used === undefined ? undefined : String(used), String(max));
    };
    const value = values[name];
    if (value === undefined || kind === 'action') return [];
    if (typeof value !== 'object')
      return [useOf('', kind === 'amount' ? (of.base ?? '') : unit, value)];
    if (kind === 'amounts')
      return Object.entries(value).map(([currency, max]) => useOf(`.${currency}`, currency, max));
    const { max, withinMs } = value as Pick<Breaker, 'max'> & Partial<Breaker>;
    return [useOf('.max', unit, max, withinMs)];
  });
}

function unitOf(kind: keyof LimitValues): string {
  return kind === 'share' ? 'share' : kind === 'span' ? 'ms' : 'orders';
}

type Counted = Exclude<keyof StrategyActivity, 'resetBreakers'>;

/** How many the strategy has within a span, or within that of its breaker. */
function counted(what: Counted, spanMs?: number): Use {
  return ({ exposure, nowMs }, { scope, withinMs }) =>
    exposure.activity.of(scope)[what].count(nowMs, spanMs ?? withinMs);
}

/** A ratio of two counts of the last hour, which applies to many orders only. */
function ratio(part: Counted, whole: Counted): Use {
  return ({ exposure, nowMs }, { scope }) => {
    const activity = exposure.activity.of(scope);
    if (activity.orders.count(nowMs, hourMs) < ordersForRatios) return undefined;
    const count = new Decimal(activity[part].count(nowMs, hourMs));
    const share = count.div(Math.max(1, activity[whole].count(nowMs, hourMs)));
    return formatDecimal(share.toDecimalPlaces(shareDecimals));
  };
}

/** The age of the oldest order that is not being cancelled. */
function oldestMs({ exposure, nowMs }: GateFacts): number {
  let oldest = nowMs;
  for (const pair of exposure.markets.keys())
    for (const { placedMs, isWithdrawn } of exposure.orders.at(pair).all)
      if (!isWithdrawn && placedMs < oldest) oldest = placedMs;
  return nowMs - oldest;
}

/** As the position check: what was spent, and for a base currency also what was bought. */
function budgetUses(
  { id, budget }: Settings['strategies'][number],
  { exposure }: GateFacts,
): readonly LimitUse[] {
  const bases = new Set([...exposure.markets.values()].map(({ base }) => base));
  return Object.entries(budget).map(([currency, max]) => {
    const flow = exposure.strategyFlow(id, currency);
    const used = bases.has(currency) ? farthest(flow) : -flow.lowest;
    const named = { key: `strategies.${id}.budget.${currency}`, scope: id, unit: currency };
    return amountUse(named, used < 0n ? 0n : used, max);
  });
}
/** The greater distance from zero of both worst cases. */
function farthest({ highest, lowest }: WorstPosition): bigint {
  return highest > -lowest ? highest : -lowest;
}

function mid2From({ pairs }: GateFacts): (pair: string) => number | undefined {
  return (pair) => {
    const found = pairs.get(pair);
    return found?.bookUsable === true ? found.mid2 : undefined;
  };
}

function amountUse(named: Named, used: bigint | undefined, max: string): LimitUse {
  const limit = parseAmount(max);
  const isKnown = used !== undefined && limit !== undefined && limit > 0n;
  // Not money: a share to draw, from millionths.
  const share = isKnown ? Number((used * 1_000_000n) / limit) / 1_000_000 : 0;
  return {
    ...named,
    used: used === undefined ? null : formatAmount(used),
    max,
    share,
    isPerOrder: false,
  };
}

function use(named: Named, used: string | undefined, max: string): LimitUse {
  const limit = new Decimal(max);
  const share =
    used === undefined || limit.isZero()
      ? 0
      : new Decimal(used).div(limit).toDecimalPlaces(6).toNumber(); // not money: a share to draw
  return { ...named, used: used ?? null, max, share, isPerOrder: false };
}

function perOrder(named: Named, max: string): LimitUse {
  return { ...named, used: null, max, share: 0, isPerOrder: true };
}
