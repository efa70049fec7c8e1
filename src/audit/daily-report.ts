/**
 * The report of one UTC day: trades, the gate's refusals, incidents, trading states, and the
 * highest use of each limit. It is made from the store, so it can be made again at any time.
 *
 * The use of a limit is the value that the gate saw when it judged an order, without that order.
 */
import type { Limits } from '../domain/declared-limits.ts';
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import type { FillTotals, Incident } from '../domain/records.ts';
import type { Decision, StoreReports } from '../store/store-reports.ts';

export const dayMs = 86_400_000;

export type LimitUse = {
  /** The settings key, with the strategy or pair. */
  readonly limit: string;
  readonly unit: string;
  readonly allowed: string;
  readonly most: string;
  /** `most` as a fraction of `allowed`; may exceed 1. */
  readonly share: number;
};

export type DailyReport = {
  /** Such as 2026-11-20. */
  readonly day: string;
  readonly orders: { readonly approved: number; readonly refused: number };
  /** The most frequent first. */
  readonly refusals: readonly {
    readonly strategyId: string;
    readonly code: string;
    readonly count: number;
  }[];
  readonly fills: readonly (Omit<FillTotals, 'side' | 'counter'> & { readonly turnover: string })[];
  readonly incidents: readonly Incident[];
  /** The trading states that were set on the day. */
  readonly states: readonly { readonly atMs: number; readonly text: string }[];
  /** The most used first. */
  readonly limits: readonly LimitUse[];
};

type Reader = Pick<
  StoreReports,
  'decisionsBetween' | 'limitsVersion' | 'fills' | 'incidentsBetween' | 'tradingStatesBetween'
>;

/** Returns the report of the day that begins at `startMs`. */
export function dailyReportOf(reports: Reader, startMs: number): DailyReport {
  const endMs = startMs + dayMs;
  const uses = new LimitUses(reports);
  const refusals = new Map<string, { strategyId: string; code: string; count: number }>();
  const orders = { approved: 0, refused: 0 };
  for (const decision of reports.decisionsBetween(startMs, endMs)) {
    orders[decision.verdict]++;
    uses.see(decision);
    const { strategyId } = decision;
    for (const { code } of JSON.parse(decision.refusals) as readonly { readonly code: string }[]) {
      const key = `${strategyId} ${code}`;
      const seen = refusals.get(key) ?? { strategyId, code, count: 0 };
      seen.count++;
      refusals.set(key, seen);
    }
  }
  return {
    day: dayOf(startMs),
    orders,
    refusals: [...refusals.values()].sort((a, b) => b.count - a.count),
    fills: fillsOf(reports, startMs, endMs),
    incidents: reports.incidentsBetween(startMs, endMs),
    states: reports
      .tradingStatesBetween(startMs, endMs)
      .map(({ atMs, scope, state, reason }) => ({ atMs, text: `${scope} is ${state}: ${reason}` })),
    limits: uses.list(),
  };
}

/** Returns the UTC day of `atMs`, such as 2026-11-20. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

export function dailyReportLines(report: DailyReport): readonly string[] {
  const { day, orders, refusals, fills, incidents, states, limits } = report;
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`.padStart(8);
  return [
    `${day} (UTC): ${orders.approved} orders approved, ${orders.refused} refused`,
    ...fills.map(
      ({ strategyId, pair, count, base, turnover }) =>
        `fills      ${strategyId} ${pair}: ${count}, ${base} for ${turnover}`,
    ),
    ...refusals.map(({ strategyId, code, count }) => `refused    ${strategyId} ${code}: ${count}`),
    ...incidents.map(({ atMs, code, text }) => `incident   ${timeOf(atMs)} ${code}: ${text}`),
    ...states.map(({ atMs, text }) => `state      ${timeOf(atMs)} ${text}`),
    ...limits.map(
      ({ limit, unit, allowed, most, share }) =>
        `limit   ${percent(share)}  ${limit}: ${most} of ${allowed} ${unit}`,
    ),
  ];
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 19);
}

function fillsOf(reports: Reader, startMs: number, endMs: number): DailyReport['fills'] {
  const sums = new Map<string, { count: number; amounts: Decimal[] }>();
  for (const fill of reports.fills(startMs)) {
    if (fill.tradedMs >= endMs) continue;
    const key = `${fill.strategyId}|${fill.pair}`;
    const before = sums.get(key)?.amounts ?? [0, 0, 0, 0].map((zero) => new Decimal(zero));
    const added = [fill.base, fill.counter, fill.feeBase, fill.feeCounter].map(decimalOf);
    const amounts = before.map((sum, index) => sum.plus(added[index] ?? 0));
    sums.set(key, { count: (sums.get(key)?.count ?? 0) + 1, amounts });
  }
  return [...sums].map(([key, { count, amounts }]) => {
    const [strategyId = '', pair = ''] = key.split('|');
    const [base = '0', turnover = '0', feeBase = '0', feeCounter = '0'] =
      amounts.map(formatDecimal);
    return { strategyId, pair, count, base, turnover, feeBase, feeCounter };
  });
}

/** The gate's inputs that are uses of limits. Amounts are decimal strings. */
type Inputs = {
  readonly open?: readonly [strategy: string, account: string];
  readonly turnoverDay?: string;
  readonly lossDay?: string;
  readonly drawdown?: string;
  readonly strayed?: string;
  readonly orders?: number;
  readonly rate?: readonly [second: number, minute: number, ownSecond: number, ownMinute: number];
  readonly pairPosition?: readonly [lowest: string, held: string, highest: string];
};

/** The highest use of each limit. */
class LimitUses {
  readonly #reports: Pick<StoreReports, 'limitsVersion'>;
  readonly #limits = new Map<string, Limits | undefined>();
  readonly #uses = new Map<string, { unit: string; allowed: Decimal; most: Decimal }>();

  constructor(reports: Pick<StoreReports, 'limitsVersion'>) {
    this.#reports = reports;
  }

  see({ strategyId, pair, inputs: text, limitsHash }: Decision): void {
    const limits = this.#limitsOf(limitsHash);
    if (limits === undefined) return;
    const inputs = JSON.parse(text) as Inputs;
    const { account, eachStrategy } = limits;
    const pairLimits = limits.pairs[pair];
    const [base, counter] = currenciesOf(limits, pair);
    const { open, rate } = inputs;
    const ofAccount = {
      openNotionalMax: open?.[1],
      turnoverDayMax: inputs.turnoverDay,
      lossDayMax: inputs.lossDay,
      drawdownMax: inputs.drawdown,
      collarBudgetMax: inputs.strayed,
      ordersOpenMax: inputs.orders,
      ordersPerSecondMax: rate?.[0],
      ordersPerMinuteMax: rate?.[1],
    };
    const ofStrategy = {
      openNotionalMax: open?.[0],
      ordersPerSecondMax: rate?.[2],
      ordersPerMinuteMax: rate?.[3],
    };
    this.#noteAll('account', account, ofAccount, counter);
    this.#noteAll(`eachStrategy (${strategyId})`, eachStrategy, ofStrategy, counter);
    for (const side of [inputs.pairPosition?.[0], inputs.pairPosition?.[2]])
      this.#note(`pairs.${pair}.positionBaseMax`, base, pairLimits?.positionBaseMax, side, true);
  }

  list(): readonly LimitUse[] {
    return [...this.#uses]
      .map(([limit, { unit, allowed, most }]) => ({
        limit: `limits.${limit}`,
        unit,
        allowed: formatDecimal(allowed),
        most: formatDecimal(most),
        share: shareOf(most, allowed),
      }))
      .sort((a, b) => b.share - a.share);
  }

  /** Notes the uses of a section; amounts are in the counter currency. */
  #noteAll<Name extends string>(
    section: string,
    limits: Readonly<Record<NoInfer<Name>, number | Readonly<Record<string, string>>>>,
    uses: Readonly<Record<Name, string | number | undefined>>,
    counter: string,
  ): void {
    for (const name of Object.keys(uses) as Name[]) {
      const limit = limits[name];
      const isCount = typeof limit === 'number';
      const allowed = isCount ? limit : limit[counter];
      this.#note(`${section}.${name}`, isCount ? 'orders' : counter, allowed, uses[name]);
    }
  }

  #note(
    limit: string,
    unit: string,
    allowed: string | number | undefined,
    used: string | number | undefined,
    isDistance = false,
  ): void {
    if (allowed === undefined || used === undefined) return;
    const amount = new Decimal(used);
    const seen = Decimal.max(0, isDistance ? amount.abs() : amount);
    const before = this.#uses.get(limit);
    // If the limit changed during the day, the later one counts.
    const most = before === undefined ? seen : Decimal.max(before.most, seen);
    this.#uses.set(limit, { unit, allowed: new Decimal(allowed), most });
  }

  #limitsOf(hash: string): Limits | undefined {
    if (!this.#limits.has(hash)) {
      const text = this.#reports.limitsVersion(hash);
      const version =
        text === undefined ? undefined : (JSON.parse(text) as { readonly limits: Limits });
      this.#limits.set(hash, version?.limits);
    }
    return this.#limits.get(hash);
  }
}

/** Returns the fraction, rounded to four decimals. */
function shareOf(most: Decimal, allowed: Decimal): number {
  if (allowed.isZero()) return 0;
  return Math.round(most.div(allowed).toNumber() * 1e4) / 1e4; // a share, not money
}

/** Splits a pair into base and counter currency; the counter currency has limits. */
function currenciesOf({ account }: Limits, pair: string): readonly [base: string, counter: string] {
  const counter = Object.keys(account.openNotionalMax).find((one) => pair.endsWith(one)) ?? '';
  return [pair.slice(0, pair.length - counter.length), counter];
}
