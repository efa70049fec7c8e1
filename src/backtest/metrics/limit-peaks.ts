/**
 * How much of each limit a run has used at most: of every limit whose use adds up over orders and
 * fills. It is read when an order has been approved and counts, that of losses when a fill is
 * booked, from the same sums that the gate compares.
 *
 * The sums are whole units, rounded up where a fee left a part of one.
 */
import { amountOf, amountScale, formatAmount, powerOfTen } from '../../domain/amount.ts';
import type { BotSettings } from '../../domain/bot-settings.ts';
import { halfUnitsOf } from '../../risk/collar-budget.ts';
import type { Exposure } from '../../risk/exposure.ts';
import type { StrategyExposure } from '../../risk/strategy-exposure.ts';
import type { TimeWindow } from '../../risk/time-window.ts';

/** The highest use; the share is null for a limit of 0. */
export type LimitPeak = {
  /** The key in the settings, such as `limits.pairs.XBTZAR.positionBaseMax`. */
  readonly key: string;
  /** `bot`, a strategy's id, or a pair. */
  readonly scope: string;
  readonly used: string;
  readonly max: string;
  /** A currency, or `orders`. */
  readonly unit: string;
  readonly share: number | null;
  /** When it was highest first; null if the limit was never used. */
  readonly atMs: number | null;
};

/** What one order counts as an amount. */
const whole = powerOfTen(amountScale);

type Gauge = Pick<LimitPeak, 'key' | 'scope' | 'max' | 'unit'> & {
  /** The amount that a use of 1 stands for. */
  readonly one: bigint;
  /** Not a number while the use is not known, as a loss is without a mid. */
  readonly read: ReadUse;
  /** Whether only a fill can raise it. */
  readonly isLoss: boolean;
  peak: number;
  atMs: number | null;
};

/** Returns the use, or any smaller number if it is not above `peak`. */
type ReadUse = (nowMs: number, peak: number) => number;

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
    return this.#gauges.map(({ key, scope, max, unit, one, peak, atMs }) => {
      // A loss is counted in halves of a unit.
      const used = formatAmount((BigInt(2 * peak) * one) / 2n);
      const share = amountOf(max) === 0n ? null : shareOf(used, max);
      return { key, scope, used, max, unit, share, atMs };
    });
  }

  /** Notes an order that has been approved and counts; `volume` is in lots. */
  noteOrder(pair: string, volume: number, nowMs: number): void {
    if (volume > (this.#largest.get(pair) ?? 0)) this.#largest.set(pair, volume);
    raise(this.#ofOrders, nowMs);
  }

  /** Notes that fills have been booked. */
  noteFill(nowMs: number): void {
    raise(this.#ofFills, nowMs);
  }
}

function raise(gauges: readonly Gauge[], nowMs: number): void {
  for (let index = 0; index < gauges.length; index++) {
    const gauge = gauges[index] as Gauge;
    const use = gauge.read(nowMs, gauge.peak);
    if (!(use > gauge.peak)) continue;
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
    const one = exposure.units.amountPerUnit(base);
    const perLot = exposure.units.unitsPerLot(market);
    const gauge = gaugeIn('limits.pairs', pair);
    return [
      gauge(`${pair}.orderBaseMax`, limit.orderBaseMax, base, {
        one,
        read: () => (largest.get(pair) ?? 0) * perLot,
      }),
      gauge(`${pair}.positionBaseMax`, limit.positionBaseMax, base, {
        one,
        read: () => Math.max(bounds.highestUnits, -bounds.lowestUnits),
      }),
    ];
  });
}

function accountGauges({ limits, strategies }: Limited, exposure: Exposure, mid2Of: Mid2Of) {
  const { account } = limits;
  const { activity, days, trades, collars } = exposure;
  const gauge = gaugeIn('limits.account', 'bot');
  const gauges = [
    gauge('ordersOpenMax', String(account.ordersOpenMax), 'orders', {
      one: whole,
      read: () => exposure.ordersOpen(),
    }),
    ...rateGauges(gauge, account, activity.orders),
  ];
  for (const [currency, { openOfAll: open }] of tradersOf(strategies, exposure)) {
    const one = exposure.units.amountPerUnit(currency);
    const collar = collars.of(currency);
    const add = (name: string, maxima: Amounts, read: ReadUse, isLoss = false): void => {
      const max = maxima[currency];
      if (max !== undefined)
        gauges.push(gauge(`${name}.${currency}`, max, currency, { one, read, isLoss }));
    };
    const lossOf: ReadUse = (nowMs) => days.twiceLossUnits(currency, nowMs, mid2Of) / 2;
    const drawdownOf: ReadUse = () => trades.twiceDrawdownAbove(currency, mid2Of) / 2;
    const { openNotionalMax, turnoverDayMax, lossDayMax, drawdownMax, collarBudgetMax } = account;
    add('openNotionalMax', openNotionalMax, () => open.highestUnits);
    add(
      'turnoverDayMax',
      turnoverDayMax,
      (nowMs) => open.highestUnits + days.turnoverUnits(currency, nowMs),
    );
    add('lossDayMax', lossDayMax, lossOf, true);
    add('drawdownMax', drawdownMax, drawdownOf, true);
    add('collarBudgetMax', collarBudgetMax, (nowMs) => halfUnitsOf(collar, nowMs) / 2);
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
    const one = exposure.units.amountPerUnit(currency);
    const read = () => open.highestUnits;
    if (max !== undefined)
      gauges.push(each(`openNotionalMax.${currency}`, max, currency, { one, read }));
  }
  const bases = new Set(pairs.map((pair) => exposure.markets.get(pair)?.base));
  const own = gaugeIn(`strategies.${id}`, id);
  for (const [currency, max] of Object.entries(budget)) {
    const flow = exposure.flowBounds(id, currency);
    if (flow === undefined) continue;
    const one = exposure.units.amountPerUnit(currency);
    // Of a base currency both directions count, of a counter currency what was spent.
    const read = bases.has(currency)
      ? () => Math.max(flow.highestUnits, -flow.lowestUnits)
      : () => -flow.lowestUnits;
    gauges.push(own(`budget.${currency}`, max, currency, { one, read }));
  }
  return gauges;
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

type Use = Pick<Gauge, 'one' | 'read'> & Partial<Pick<Gauge, 'isLoss'>>;
type MakeGauge = ReturnType<typeof gaugeIn>;

function gaugeIn(path: string, scope: string) {
  return (name: string, max: string, unit: string, use: Use): Gauge => ({
    key: `${path}.${name}`,
    scope,
    max,
    unit,
    isLoss: false,
    ...use,
    peak: 0,
    atMs: null,
  });
}

function rateGauges(
  gauge: MakeGauge,
  maxima: Pick<Limited['limits']['account'], (typeof spans)[number][0]>,
  window: TimeWindow,
): Gauge[] {
  return spans.map(([name, spanMs]) =>
    gauge(name, String(maxima[name]), 'orders', {
      one: whole,
      // Counting takes longer than this question, whose answer is usually no.
      read: (nowMs, peak) =>
        window.hasAtLeast(peak + 1, nowMs, spanMs) ? window.count(nowMs, spanMs) : 0,
    }),
  );
}

function shareOf(used: string, max: string): number {
  const scaled = (amountOf(used) * 1_000_000n) / amountOf(max);
  return Number(scaled) / 1e6; // not money: a share
}
