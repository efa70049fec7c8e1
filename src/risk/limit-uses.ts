/**
 * How much of each limit of the settings is in use, by the figures that the gate compares.
 *
 * A limit of single orders has no use: nothing adds up to it. Only reads; the facts must be those
 * of the engine's present step.
 */
import { formatAmount, parseAmount } from '../domain/amount.ts';
import type { BotSettings, Breaker } from '../domain/bot-settings.ts';
import type { LimitUse } from '../domain/bot-status.ts';
import { Decimal, formatDecimal } from '../domain/money.ts';
import { ordersForRatios } from './checks/message-rate-check.ts';
import type { GateFacts } from './gate-facts.ts';
import type { StrategyActivity } from './strategy-activity.ts';
import type { WorstPosition } from './strategy-exposure.ts';
import type { TimeWindow } from './time-window.ts';

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const shareDecimals = 4;

type Settings = Pick<BotSettings, 'limits' | 'strategies'>;
type Amounts = Readonly<Record<string, string>>;
type Named = Pick<LimitUse, 'key' | 'scope' | 'unit'>;

/** Returns the use of every limit and budget, in the order of the settings. */
export function limitUsesOf(settings: Settings, facts: GateFacts): readonly LimitUse[] {
  return [
    ...settings.strategies.flatMap((strategy) => budgetUses(strategy, facts)),
    ...accountUses(settings, facts),
    ...settings.strategies.flatMap((strategy) => strategyUses(settings, strategy, facts)),
    ...Object.keys(settings.limits.pairs).flatMap((pair) => pairUses(settings, pair, facts)),
  ];
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

function accountUses({ limits }: Settings, facts: GateFacts): readonly LimitUse[] {
  const { exposure, nowMs } = facts;
  const { account } = limits;
  const mid2Of = mid2From(facts);
  const { orders } = exposure.activity;
  const inCurrency = (
    name: string,
    amounts: Amounts,
    usedOf: (currency: string) => bigint | undefined,
  ): readonly LimitUse[] =>
    Object.entries(amounts).map(([currency, max]) =>
      amountUse(accountName(`${name}.${currency}`, currency), usedOf(currency), max),
    );
  const open = (currency: string): bigint => exposure.openNotional(currency);
  const loss = (currency: string): bigint | undefined => {
    const lost = exposure.lossDay(currency, nowMs, mid2Of);
    return lost !== undefined && lost < 0n ? 0n : lost;
  };
  return [
    ...inCurrency('openNotionalMax', account.openNotionalMax, open),
    ...inCurrency(
      'turnoverDayMax',
      account.turnoverDayMax,
      (currency) => open(currency) + exposure.turnoverDay(currency, nowMs),
    ),
    ...inCurrency('lossDayMax', account.lossDayMax, loss),
    ...inCurrency('drawdownMax', account.drawdownMax, (currency) =>
      exposure.trades.drawdown(currency, mid2Of),
    ),
    ...inCurrency(
      'collarBudgetMax',
      account.collarBudgetMax,
      (currency) => exposure.collars.halfAmount(currency, nowMs) / 2n,
    ),
    ...Object.entries(account.approveAbove).map(([currency, max]) =>
      perOrder(accountName(`approveAbove.${currency}`, currency), max),
    ),
    perOrder(accountName('feeBuffer', 'share'), account.feeBuffer),
    countUse(accountName('ordersOpenMax', 'orders'), exposure.ordersOpen(), account.ordersOpenMax),
    countUse(
      accountName('ordersPerSecondMax', 'orders'),
      orders.count(nowMs, secondMs),
      account.ordersPerSecondMax,
    ),
    countUse(
      accountName('ordersPerMinuteMax', 'orders'),
      orders.count(nowMs, minuteMs),
      account.ordersPerMinuteMax,
    ),
    perOrder(accountName('intentAgeMax', 'ms'), String(account.intentAgeMsMax)),
    countUse(accountName('orderAgeMax', 'ms'), oldestMs(facts), account.orderAgeMsMax),
  ];
}

function accountName(name: string, unit: string): Named {
  return { key: `limits.account.${name}`, scope: 'bot', unit };
}

/** The age of the oldest order that is not being cancelled. */
function oldestMs({ exposure, nowMs }: GateFacts): number {
  let oldest = nowMs;
  for (const pair of exposure.markets.keys())
    for (const { placedMs, isWithdrawn } of exposure.orders.at(pair).all)
      if (!isWithdrawn && placedMs < oldest) oldest = placedMs;
  return nowMs - oldest;
}

function strategyUses(
  { limits }: Settings,
  { id, pairs }: Settings['strategies'][number],
  facts: GateFacts,
): readonly LimitUse[] {
  const { exposure, nowMs } = facts;
  const each = limits.eachStrategy;
  const activity = exposure.activity.of(id);
  const named = (name: string, unit: string): Named => {
    return { key: `limits.eachStrategy.${name}`, scope: id, unit };
  };
  const breaker = (name: string, window: TimeWindow, { max, withinMs }: Breaker): LimitUse =>
    countUse(named(`${name}.max`, name), window.count(nowMs, withinMs), max);
  const losses = pairs.map((pair) => exposure.trades.lossesInARow(id, pair));
  return [
    ...Object.entries(each.openNotionalMax).map(([currency, max]) =>
      amountUse(
        named(`openNotionalMax.${currency}`, currency),
        exposure.openNotionalOf(id, currency),
        max,
      ),
    ),
    countUse(
      named('ordersPerSecondMax', 'orders'),
      activity.orders.count(nowMs, secondMs),
      each.ordersPerSecondMax,
    ),
    countUse(
      named('ordersPerMinuteMax', 'orders'),
      activity.orders.count(nowMs, minuteMs),
      each.ordersPerMinuteMax,
    ),
    ...ratioUses(activity, nowMs, [
      [named('cancelShareMax', 'cancels for each order'), each.cancelShareMax],
      [named('ordersPerFillMax', 'orders for each fill'), String(each.ordersPerFillMax)],
    ]),
    // One order alone would use all of the usual maximum, and that is no reason for an alarm.
    perOrder(named('identical.max', 'orders'), String(each.identical.max)),
    breaker('fills', activity.fills, each.fills),
    breaker('rejections', activity.rejections, each.rejections),
    breaker('refusals', activity.refusals, each.refusals),
    countUse(named('losingTrades.max', 'trades'), Math.max(0, ...losses), each.losingTrades.max),
  ];
}

/** The limits of cancels per order and of orders per fill, which apply to many orders only. */
function ratioUses(
  { orders, cancels, fills }: StrategyActivity,
  nowMs: number,
  [[ofCancels, cancelShareMax], [ofFills, ordersPerFillMax]]: readonly [
    readonly [Named, string],
    readonly [Named, string],
  ],
): readonly LimitUse[] {
  const count = orders.count(nowMs, hourMs);
  const applies = count >= ordersForRatios;
  const ratio = (part: number, whole: number): string | undefined =>
    applies
      ? formatDecimal(new Decimal(part).div(whole).toDecimalPlaces(shareDecimals))
      : undefined;
  return [
    use(ofCancels, ratio(cancels.count(nowMs, hourMs), count), cancelShareMax),
    use(ofFills, ratio(count, Math.max(1, fills.count(nowMs, hourMs))), ordersPerFillMax),
  ];
}

function pairUses({ limits }: Settings, pair: string, facts: GateFacts): readonly LimitUse[] {
  const limit = limits.pairs[pair];
  const market = facts.exposure.markets.get(pair);
  if (limit === undefined || market === undefined) return [];
  const named = (name: string, unit: string): Named => {
    return { key: `limits.pairs.${pair}.${name}`, scope: pair, unit };
  };
  const { base } = market;
  const ageMs = facts.pairs.get(pair)?.bookAgeMs;
  return [
    perOrder(named('orderBaseMax', base), limit.orderBaseMax),
    amountUse(
      named('positionBaseMax', base),
      farthest(facts.exposure.pairPosition(pair)),
      limit.positionBaseMax,
    ),
    perOrder(named('collar', 'share'), limit.collar),
    perOrder(named('slippageMax', 'share'), limit.slippageMax),
    perOrder(named('depthShareMax', 'share'), limit.depthShareMax),
    countUse(
      named('bookAgeMax', 'ms'),
      ageMs === undefined ? undefined : Math.round(ageMs),
      limit.bookAgeMsMax,
    ),
  ];
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

function countUse(named: Named, used: number | undefined, max: number): LimitUse {
  return use(named, used === undefined ? undefined : String(used), String(max));
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
