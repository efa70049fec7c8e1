/**
 * How much of each limit a run has used at most: of every limit whose use adds up over orders and
 * fills. It is read when an order has been approved and counts, that of losses when a fill is
 * booked, from the same sums that the gate compares.
 */
import { amountOf, formatAmount } from '../../domain/amount.ts';
import type { BotSettings } from '../../domain/bot-settings.ts';
import type { LimitUse } from '../../domain/bot-status.ts';
import { CurrencyUnit, type Exact } from '../../risk/currency-unit.ts';
import type { Exposure } from '../../risk/exposure.ts';
import type { ExposureBounds } from '../../risk/exposure-bounds.ts';
import type { StrategyExposure } from '../../risk/strategy-exposure.ts';
import type { TimeWindow } from '../../risk/time-window.ts';

/** The highest use; the share is null for a limit of 0. */
export type LimitPeak = Pick<LimitUse, 'key' | 'scope' | 'max' | 'unit'> & {
  readonly used: string;
  readonly share: number | null;
  /** When it was highest first; null if the limit was never used. */
  readonly atMs: number | null;
};

const orders = new CurrencyUnit('orders', 0);

type Gauge = Pick<LimitPeak, 'key' | 'scope' | 'max'> & {
  readonly unit: CurrencyUnit;
  readonly read: ReadUse;
  /** Whether only a fill can raise it. */
  readonly isLoss: boolean;
  readonly isTwice: boolean;
  peak: Exact;
  atMs: number | null;
};

/** Returns the use; undefined while it is not known, as a loss is without a mid. */
type ReadUse = (nowMs: number) => Exact | undefined;

type Limited = Pick<BotSettings, 'limits' | 'strategies'>;
type Mid2Of = (pair: string) => number | undefined;
type Amounts = Readonly<Record<string, string>>;

const spans = [
  ['ordersPerSecondMax', 1_000],
  ['ordersPerMinuteMax', 60_000],
] as const;

export class LimitPeaks {
  readonly #gauges: readonly Gauge[];
  readonly #ofOrders: readonly Gauge[];
  readonly #ofFills: readonly Gauge[];
  /** Of each pair: the largest approved order, in lots. */
  readonly #largest = new Map<string, number>();

  /** `mid2Of` returns twice the mid of a pair in ticks, undefined without one. */
  constructor(settings: Limited, exposure: Exposure, mid2Of: Mid2Of) {
    this.#gauges = [
      ...pairGauges(settings, exposure, this.#largest),
      ...accountGauges(settings, exposure, mid2Of),
      ...settings.strategies.flatMap((strategy) => strategyGauges(settings, strategy, exposure)),
    ];
    this.#ofOrders = this.#gauges.filter(({ isLoss }) => !isLoss);
    this.#ofFills = this.#gauges.filter(({ isLoss }) => isLoss);
  }

  get peaks(): readonly LimitPeak[] {
    return this.#gauges.map(({ key, scope, max, unit, isTwice, peak, atMs }) => {
      const used = formatAmount(unit.amount(peak) / (isTwice ? 2n : 1n));
      const share = amountOf(max) === 0n ? null : shareOf(used, max);
      return { key, scope, used, max, unit: unit.currency, share, atMs };
    });
  }

  /** Notes an order that has been approved and counts; `volume` is in lots. */
  noteOrder(pair: string, volume: number, nowMs: number): void {
    if (volume > (this.#largest.get(pair) ?? 0)) this.#largest.set(pair, volume);
    raise(this.#ofOrders, nowMs);
  }

  noteFill(nowMs: number): void {
    raise(this.#ofFills, nowMs);
  }
}

function raise(gauges: readonly Gauge[], nowMs: number): void {
  for (let index = 0; index < gauges.length; index++) {
    const gauge = gauges[index] as Gauge;
    const use = gauge.read(nowMs);
    if (use === undefined || gauge.unit.isAtMost(use, gauge.peak)) continue;
    gauge.peak = use;
    gauge.atMs = nowMs;
  }
}

function pairGauges(
  { limits, strategies }: Limited,
  exposure: Exposure,
  largest: ReadonlyMap<string, number>,
): Gauge[] {
  return [...exposure.markets.values()].flatMap((market) => {
    const { pair, base } = market;
    const trader = strategies.find(({ pairs }) => pairs.includes(pair));
    const limit = limits.pairs[pair];
    if (trader === undefined || limit === undefined) return [];
    const bounds = exposure.strategyExposure(trader.id, pair).pair;
    const unit = exposure.units.of(base);
    const gauge = gaugeIn('limits.pairs', pair);
    return [
      gauge(`${pair}.orderBaseMax`, limit.orderBaseMax, unit, () =>
        unit.scaled(largest.get(pair) ?? 0, market.volumeScale),
      ),
      gauge(`${pair}.positionBaseMax`, limit.positionBaseMax, unit, () => farthest(bounds)),
    ];
  });
}

function accountGauges({ limits, strategies }: Limited, exposure: Exposure, mid2Of: Mid2Of) {
  const { account } = limits;
  const { activity, days, trades, collars } = exposure;
  const gauge = gaugeIn('limits.account', 'bot');
  const gauges = [
    gauge('ordersOpenMax', String(account.ordersOpenMax), orders, () => exposure.ordersOpen()),
    ...rateGauges(gauge, account, activity.orders),
  ];
  for (const [currency, { openOfAll: open }] of tradersOf(strategies, exposure)) {
    const { unit } = open;
    const collar = collars.of(currency);
    const exactOf = (lost: bigint | undefined) => (lost === undefined ? lost : unit.of(lost));
    const add = (name: string, maxima: Amounts, read: ReadUse, kind?: GaugeKind): void => {
      const max = maxima[currency];
      if (max !== undefined) gauges.push(gauge(`${name}.${currency}`, max, unit, read, kind));
    };
    const tradedAt: ReadUse = (nowMs) => unit.plus(open.highest, days.turnoverOf(unit, nowMs));
    const lossAt: ReadUse = (nowMs) => exactOf(days.lossOf(currency, nowMs, mid2Of));
    const drawdown: ReadUse = () => exactOf(trades.drawdown(currency, mid2Of));
    const { openNotionalMax, turnoverDayMax, lossDayMax, drawdownMax, collarBudgetMax } = account;
    add('openNotionalMax', openNotionalMax, () => open.highest);
    add('turnoverDayMax', turnoverDayMax, tradedAt);
    add('lossDayMax', lossDayMax, lossAt, { isLoss: true });
    add('drawdownMax', drawdownMax, drawdown, { isLoss: true });
    add('collarBudgetMax', collarBudgetMax, (nowMs) => collar.twiceAt(nowMs), { isTwice: true });
  }
  return gauges;
}

function strategyGauges(
  { limits }: Limited,
  strategy: Limited['strategies'][number],
  exposure: Exposure,
): Gauge[] {
  const { id, budget, pairs } = strategy;
  const each = gaugeIn('limits.eachStrategy', id);
  const gauges = rateGauges(each, limits.eachStrategy, exposure.activity.of(id).orders);
  for (const [currency, { open }] of tradersOf([strategy], exposure)) {
    const max = limits.eachStrategy.openNotionalMax[currency];
    if (max !== undefined)
      gauges.push(each(`openNotionalMax.${currency}`, max, open.unit, () => open.highest));
  }
  const bases = new Set(pairs.map((pair) => exposure.markets.get(pair)?.base));
  const own = gaugeIn(`strategies.${id}`, id);
  for (const [currency, max] of Object.entries(budget)) {
    const flow = exposure.flowBounds(id, currency);
    if (flow === undefined) continue;
    // Of a base currency both directions count, of a counter currency what was spent.
    const read = bases.has(currency) ? () => farthest(flow) : () => -flow.lowest;
    gauges.push(own(`budget.${currency}`, max, flow.unit, read));
  }
  return gauges;
}

/** The greater distance from zero of both worst cases. */
function farthest({ unit, highest, lowest }: ExposureBounds): Exact {
  return unit.isAtMost(highest, -lowest) ? -lowest : highest;
}

/** Returns, by counter currency, the exposure of one of its traders. */
function tradersOf(strategies: Limited['strategies'], exposure: Exposure) {
  const traders = new Map<string, StrategyExposure>();
  for (const { id, pairs } of strategies)
    for (const pair of pairs) {
      const counter = exposure.markets.get(pair)?.counter;
      if (counter !== undefined) traders.set(counter, exposure.strategyExposure(id, pair));
    }
  return traders;
}

type GaugeKind = Partial<Pick<Gauge, 'isLoss' | 'isTwice'>>;
type MakeGauge = ReturnType<typeof gaugeIn>;

function gaugeIn(path: string, scope: string) {
  return (
    name: string,
    max: string,
    unit: CurrencyUnit,
    read: ReadUse,
    kind?: GaugeKind,
  ): Gauge => ({
    ...{ key: `${path}.${name}`, scope, max, unit, read },
    ...{ isLoss: false, isTwice: false, peak: 0, atMs: null },
    ...kind,
  });
}

function rateGauges(
  gauge: MakeGauge,
  maxima: Pick<Limited['limits']['account'], (typeof spans)[number][0]>,
  window: TimeWindow,
): Gauge[] {
  return spans.map(([name, spanMs]) =>
    gauge(name, String(maxima[name]), orders, (nowMs) => window.count(nowMs, spanMs)),
  );
}

function shareOf(used: string, max: string): number {
  const scaled = (amountOf(used) * 1_000_000n) / amountOf(max);
  return Number(scaled) / 1e6; // not money: a share
}
