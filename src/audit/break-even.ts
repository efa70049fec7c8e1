/**
 * Whether a strategy's quotes can be profitable at the account's fees: the distance from the mid at
 * which a quote breaks even, the distance of its actual quotes, and what its fills earned and paid.
 * Computed from stored orders and fills, for any plugin.
 *
 * A round trip buys at `mid × (1 − h)`, sells at `mid × (1 + h)` and pays the fee `f` of the traded
 * value on both sides: it breaks even at `h = f`, apart from a term of the order of `f²`.
 */
import type { StrategySettings } from '../domain/bot-settings.ts';
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import type { FillRow, OrderRow } from '../domain/records.ts';

/** The account's fees in one market, as fractions of the traded value. */
export type Fees = { readonly maker: Decimal; readonly taker: Decimal };

export type BreakEvenFigures = {
  readonly strategy: string;
  readonly pair: string;
  /** Fractions of the traded value, as decimal strings; null while not known. */
  readonly makerFee: string | null;
  readonly takerFee: string | null;
  /** The least distance of a quote from the mid to break even, as a fraction of the mid. */
  readonly breakEvenHalfSpread: string | null;
  /** Half the distance between its own bids and asks: the median of the recent ones. */
  readonly quotedHalfSpread: string | null;
  /** Half the distance between its average sale and purchase prices. */
  readonly earnedHalfSpread: string | null;
  readonly paidFee: string | null;
  /** False if its quotes are nearer to the mid than the break-even; null while not known. */
  readonly canEarn: boolean | null;
};

/** How many of the newest orders and fills of a pair are used. */
export const quotesLookedAt = 200;
export const fillsLookedAt = 1_000;

const fewestPairs = 4;
const apartMsMax = 60_000;

/** Returns the pairs of all strategies, each once. */
export function pairsOf(strategies: readonly StrategySettings[]): readonly string[] {
  return [...new Set(strategies.flatMap(({ pairs }) => pairs))];
}

/**
 * Returns the fee that decides before there are fills: the maker's, unless none of the strategy's
 * orders can rest.
 */
function breakEvenOf<Fee extends Decimal | undefined>(
  { allow }: Pick<StrategySettings, 'allow'>,
  fees: { readonly maker: Fee; readonly taker: Fee },
): Fee {
  const canRest = allow.timeInForce.includes('GTC');
  return canRest ? fees.maker : fees.taker;
}

/** Returns the figures of each strategy and pair, from its recent orders and fills. */
export function breakEvenFiguresOf(given: {
  readonly strategies: readonly StrategySettings[];
  /** The fees of a pair; undefined if not read from the exchange, then those of fills count. */
  readonly feesOf: (pair: string) => Fees | undefined;
  /** Oldest first. */
  readonly orders: readonly OrderRow[];
  readonly fills: readonly FillRow[];
}): readonly BreakEvenFigures[] {
  return given.strategies.flatMap((strategy) =>
    strategy.pairs.map((pair) => {
      const isOf = (row: OrderRow | FillRow) => row.strategyId === strategy.id && row.pair === pair;
      const fills = given.fills.filter(isOf);
      const reported = given.feesOf(pair);
      const fees = {
        maker: reported?.maker ?? feeOf(fills, true),
        taker: reported?.taker ?? feeOf(fills, false),
      };
      const onlyTakes = fills.length > 0 && fills.every(({ maker }) => !maker);
      const breakEven = onlyTakes ? fees.taker : breakEvenOf(strategy, fees);
      const quoted = quotedHalfSpread(given.orders.filter(isOf));
      const isKnown = quoted !== undefined && breakEven !== undefined;
      return {
        strategy: strategy.id,
        pair,
        makerFee: shareText(fees.maker),
        takerFee: shareText(fees.taker),
        breakEvenHalfSpread: shareText(breakEven),
        quotedHalfSpread: shareText(quoted),
        earnedHalfSpread: shareText(earnedHalfSpread(fills)),
        paidFee: shareText(paidFee(fills)),
        canEarn: isKnown ? quoted.greaterThan(breakEven) : null,
      };
    }),
  );
}

export function breakEvenLine(figures: BreakEvenFigures): string {
  const { strategy, pair, makerFee: maker, takerFee: taker, breakEvenHalfSpread } = figures;
  const { quotedHalfSpread: quoted, earnedHalfSpread: earned, paidFee: paid } = figures;
  const fees = [
    ...(maker === null ? [] : [`maker ${bps(maker)}`]),
    ...(taker === null ? [] : [`taker ${bps(taker)}`]),
  ].join(', ');
  return [
    breakEvenHalfSpread === null
      ? `${strategy} ${pair}: fees are not known before its first fill`
      : `${strategy} ${pair}: breaks even ${bps(breakEvenHalfSpread)} from the mid (${fees})`,
    ...(quoted === null ? [] : [`quotes ${bps(quoted)} from the mid`]),
    ...(earned === null || paid === null
      ? []
      : [`its fills earned ${bps(earned)} on each side and paid ${bps(paid)} in fees`]),
    ...(figures.canEarn === false ? ['IT CANNOT MAKE A PROFIT: every round trip loses'] : []),
  ].join('; ');
}

/** Returns a fraction in basis points: "0.0005" is "5bps". */
export function bps(share: string): string {
  return `${formatDecimal(decimalOf(share).times(10_000).toDecimalPlaces(2))}bps`;
}

function shareText(share: Decimal | undefined): string | null {
  return share === undefined ? null : formatDecimal(share.toDecimalPlaces(8));
}

/**
 * Returns the median, over the quotes, of half the distance between a quote and the newest one of
 * the other side, as a fraction of their middle; undefined for fewer than {@link fewestPairs}.
 */
function quotedHalfSpread(orders: readonly OrderRow[]): Decimal | undefined {
  const newest: { BID?: OrderRow; ASK?: OrderRow } = {};
  const halves: Decimal[] = [];
  for (const order of orders) {
    if (order.level === undefined) continue;
    newest[order.side] = order;
    const { BID: bid, ASK: ask } = newest;
    if (bid === undefined || ask === undefined) continue;
    if (Math.abs(bid.createdMs - ask.createdMs) > apartMsMax) continue;
    halves.push(halfBetween(decimalOf(bid.price), decimalOf(ask.price)));
  }
  halves.sort((a, b) => a.comparedTo(b));
  return halves.length < fewestPairs ? undefined : halves[Math.floor(halves.length / 2)];
}

function halfBetween(low: Decimal, high: Decimal): Decimal {
  return high.minus(low).div(high.plus(low));
}

function earnedHalfSpread(fills: readonly FillRow[]): Decimal | undefined {
  const averageOf = (side: 'BID' | 'ASK') => {
    const ofSide = fills.filter((fill) => fill.side === side);
    const base = sum(ofSide.map((fill) => fill.base));
    return base.isZero() ? undefined : sum(ofSide.map((fill) => fill.counter)).div(base);
  };
  const [bought, sold] = [averageOf('BID'), averageOf('ASK')];
  return bought === undefined || sold === undefined ? undefined : halfBetween(bought, sold);
}

/** Returns the fees as a fraction of the value of the fills, in whichever currency they were. */
function paidFee(fills: readonly FillRow[]): Decimal | undefined {
  const value = sum(fills.map((fill) => fill.counter));
  if (value.isZero()) return undefined;
  const paid = fills.reduce(
    (total, fill) =>
      total.plus(fill.feeCounter).plus(decimalOf(fill.feeBase).times(decimalOf(fill.price))),
    new Decimal(0),
  );
  return paid.div(value);
}

/** Returns the fee of the newest fills of one role; fees change with the account's volume. */
function feeOf(fills: readonly FillRow[], maker: boolean): Decimal | undefined {
  return paidFee(fills.filter((fill) => fill.maker === maker).slice(-20));
}

function sum(amounts: readonly string[]): Decimal {
  return amounts.reduce((total, amount) => total.plus(amount), new Decimal(0));
}
