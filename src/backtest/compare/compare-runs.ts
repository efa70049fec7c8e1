/**
 * Compares a run with a backtest of the same hours, order by order: which orders correspond, how
 * each ended, and why they differ.
 *
 * Two orders correspond if strategy, pair, side and level are equal and they were created within
 * the time window. Among several candidates, one at the same price comes first, then the closest in
 * time. Each order is matched at most once.
 */
import { Decimal, decimalOf, formatDecimal } from '../../domain/money.ts';
import type { FillRow, OrderRow } from '../../domain/records.ts';
import type { RunOrder } from './run-book.ts';

/**
 * Why two corresponding orders ended differently:
 * - `latency`: one arrived or was cancelled at another time relative to the order flow, and so, for
 *   example, took at another price;
 * - `queue`: both rested, at different places in the queue;
 * - `missed-fill`: the run lacks a fill that the order flow proves;
 * - `refused`: one of the two was refused;
 * - `not-placed`: one of the two never reached the exchange: it was withdrawn before it was sent,
 *   or lost on the way;
 * - `price`: the prices or volumes differ, because the decisions saw different books;
 * - `fees`: the same fills with different fees;
 * - `only-in-run`, `only-in-backtest`: the order has no counterpart.
 */
export type DifferenceCause =
  | 'latency'
  | 'queue'
  | 'missed-fill'
  | 'refused'
  | 'not-placed'
  | 'price'
  | 'fees'
  | 'only-in-run'
  | 'only-in-backtest';

export type OrderOutcome = Pick<
  OrderRow,
  | ('intentId' | 'clientOrderId' | 'createdMs' | 'price' | 'volume' | 'state')
  | ('base' | 'counter' | 'feeBase' | 'feeCounter')
> & { readonly fills: number; readonly lastFillMs: number | null };

export type OrderDifference = {
  readonly cause: DifferenceCause;
  readonly strategy: string;
  readonly pair: string;
  readonly side: string;
  readonly level: string | null;
  readonly run: OrderOutcome | null;
  readonly backtest: OrderOutcome | null;
};

export type Totals = {
  readonly orders: number;
  readonly fills: number;
  readonly bought: string;
  readonly sold: string;
  /** Gained in base and counter currency, after fees. */
  readonly position: string;
  readonly cash: string;
  readonly feeBase: string;
  readonly feeCounter: string;
};

export type Comparison = {
  readonly matched: number;
  readonly same: number;
  readonly causes: Readonly<Record<DifferenceCause, number>>;
  readonly totals: {
    readonly run: Totals;
    readonly backtest: Totals;
    readonly difference: Totals;
  };
  readonly differences: readonly OrderDifference[];
};

/** Compares two runs. `windowMs`: how far apart corresponding orders may be created. */
export function compareRuns(
  run: readonly RunOrder[],
  backtest: readonly RunOrder[],
  windowMs: number,
): Comparison {
  const left = new Set(backtest);
  const differences: OrderDifference[] = [];
  let same = 0;
  for (const order of run) {
    const other = partnerOf(order, left, windowMs);
    if (other !== undefined) left.delete(other);
    const cause = causeOf(order, other);
    if (cause === undefined) same++;
    else differences.push(differenceOf(cause, order, other));
  }
  const matched = backtest.length - left.size;
  for (const order of left) differences.push(differenceOf('only-in-backtest', undefined, order));
  const causes: Record<DifferenceCause, number> = {
    latency: 0,
    queue: 0,
    'missed-fill': 0,
    refused: 0,
    'not-placed': 0,
    price: 0,
    fees: 0,
    'only-in-run': 0,
    'only-in-backtest': 0,
  };
  for (const { cause } of differences) causes[cause]++;
  const [ours, theirs] = [totalsOf(run), totalsOf(backtest)];
  const totals = { run: ours, backtest: theirs, difference: differenceBetween(ours, theirs) };
  return { matched, same, causes, totals, differences };
}

function partnerOf(
  { row }: RunOrder,
  others: ReadonlySet<RunOrder>,
  windowMs: number,
): RunOrder | undefined {
  let best: { readonly order: RunOrder; readonly distance: number } | undefined;
  for (const order of others) {
    const other = order.row;
    const apartMs = Math.abs(other.createdMs - row.createdMs);
    const isSamePlace =
      other.strategyId === row.strategyId &&
      other.pair === row.pair &&
      other.side === row.side &&
      other.level === row.level;
    if (!isSamePlace || apartMs > windowMs) continue;
    // An order at the same price is preferred to a closer one at another price.
    const distance = apartMs + (other.price === row.price ? 0 : windowMs + 1);
    if (best === undefined || distance < best.distance) best = { order, distance };
  }
  return best?.order;
}

function causeOf(run: RunOrder, backtest: RunOrder | undefined): DifferenceCause | undefined {
  if (backtest === undefined) return 'only-in-run';
  const [ours, theirs] = [sumsOf(run.fills), sumsOf(backtest.fills)];
  const hasSameFills = ours.base.equals(theirs.base) && ours.counter.equals(theirs.counter);
  if (run.row.price !== backtest.row.price || run.row.volume !== backtest.row.volume)
    return 'price';
  if (hasSameFills) {
    const hasSameFees =
      ours.feeBase.equals(theirs.feeBase) && ours.feeCounter.equals(theirs.feeCounter);
    return hasSameFees ? arrivalCauseOf(run, backtest) : 'fees';
  }
  const arrivalCause = arrivalCauseOf(run, backtest);
  if (arrivalCause !== undefined) return arrivalCause;
  if (rested(run) !== rested(backtest)) return 'latency';
  // The same volume for another amount: a taker met other prices, or a maker other partial fills.
  if (ours.base.equals(theirs.base)) return rested(run) ? 'queue' : 'latency';
  const [more, less] = ours.base.greaterThan(theirs.base) ? [run, backtest] : [backtest, run];
  // The fill came when the other order had already ended or had not yet arrived.
  const lastMs = more.fills.at(-1)?.tradedMs ?? 0;
  const endMs = less.row.completedMs ?? Infinity;
  if (lastMs >= endMs || lastMs <= less.row.createdMs) return 'latency';
  return less === backtest ? 'queue' : 'missed-fill';
}

/** Returns why the two differ in whether they reached the exchange; undefined if they do not. */
function arrivalCauseOf(run: RunOrder, backtest: RunOrder): DifferenceCause | undefined {
  const arrivals = [arrivalOf(run), arrivalOf(backtest)];
  if (arrivals[0] === arrivals[1]) return undefined;
  if (arrivals.includes('refused')) return 'refused';
  return arrivals.includes('not-placed') ? 'not-placed' : 'latency';
}

function arrivalOf({ row }: RunOrder): 'placed' | 'refused' | 'not-placed' | 'unknown' {
  if (row.orderId !== undefined) return 'placed';
  if (row.state === 'rejected') return 'refused';
  // The journal may end before the answer.
  return row.state === 'unsent' || row.state === 'absent' ? 'not-placed' : 'unknown';
}

/** Whether it has no taker fills. */
function rested({ fills }: RunOrder): boolean {
  return fills.every((fill) => fill.maker);
}

function sumsOf(fills: readonly FillRow[]) {
  const sum = (pick: (fill: FillRow) => string): Decimal =>
    fills.reduce((total, fill) => total.plus(decimalOf(pick(fill))), new Decimal(0));
  return {
    base: sum((fill) => fill.base),
    counter: sum((fill) => fill.counter),
    feeBase: sum((fill) => fill.feeBase),
    feeCounter: sum((fill) => fill.feeCounter),
  };
}

function differenceOf(
  cause: DifferenceCause,
  run: RunOrder | undefined,
  backtest: RunOrder | undefined,
): OrderDifference {
  const row = (run ?? backtest)?.row;
  return {
    cause,
    strategy: row?.strategyId ?? '',
    pair: row?.pair ?? '',
    side: row?.side ?? '',
    level: row?.level ?? null,
    run: run === undefined ? null : outcomeOf(run),
    backtest: backtest === undefined ? null : outcomeOf(backtest),
  };
}

function outcomeOf({ row, fills }: RunOrder): OrderOutcome {
  const { base, counter, feeBase, feeCounter } = sumsOf(fills);
  const { intentId, clientOrderId, createdMs, price, volume, state } = row;
  return {
    ...{ intentId, clientOrderId, createdMs, price, volume, state },
    fills: fills.length,
    base: formatDecimal(base),
    counter: formatDecimal(counter),
    feeBase: formatDecimal(feeBase),
    feeCounter: formatDecimal(feeCounter),
    lastFillMs: fills.at(-1)?.tradedMs ?? null,
  };
}

function totalsOf(orders: readonly RunOrder[]): Totals {
  const fills = orders.flatMap((order) => order.fills);
  const bought = sumsOf(fills.filter(({ side }) => side === 'BID'));
  const sold = sumsOf(fills.filter(({ side }) => side === 'ASK'));
  const feeBase = bought.feeBase.plus(sold.feeBase);
  const feeCounter = bought.feeCounter.plus(sold.feeCounter);
  return {
    orders: orders.length,
    fills: fills.length,
    bought: formatDecimal(bought.base),
    sold: formatDecimal(sold.base),
    position: formatDecimal(bought.base.minus(sold.base).minus(feeBase)),
    cash: formatDecimal(sold.counter.minus(bought.counter).minus(feeCounter)),
    feeBase: formatDecimal(feeBase),
    feeCounter: formatDecimal(feeCounter),
  };
}

function differenceBetween(a: Totals, b: Totals): Totals {
  const minus = (name: Exclude<keyof Totals, 'orders' | 'fills'>): string =>
    formatDecimal(decimalOf(a[name]).minus(b[name]));
  return {
    orders: a.orders - b.orders,
    fills: a.fills - b.fills,
    bought: minus('bought'),
    sold: minus('sold'),
    position: minus('position'),
    cash: minus('cash'),
    feeBase: minus('feeBase'),
    feeCounter: minus('feeCounter'),
  };
}
