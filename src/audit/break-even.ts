/**
 * Whether a strategy's quoting can earn at the account's fees: how far from the mid a quote must
 * stand to break even, how far its quotes stood, and what its fills earned and paid. All of it from
 * stored orders and fills, whatever the plugin.
 *
 * A round trip buys at `mid × (1 − h)` and sells at `mid × (1 + h)`, and pays the fee `f` of its
 * traded value on both sides: it breaks even at `h = f`, but for a share of `f²`.
 */
import type { StrategySettings } from '../domain/bot-settings.ts';
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import type { FillRow, OrderRow } from '../domain/records.ts';

/** What an account pays in one market, as fractions. */
export type Fees = { readonly maker: Decimal; readonly taker: Decimal };

export type FeeSense = {
  readonly strategy: string;
  readonly pair: string;
  /** Fractions of the traded value, as decimals; null where nothing tells yet. */
  readonly makerFee: string | null;
  readonly takerFee: string | null;
  /** How far from the mid a quote must stand at least, as a fraction of it. */
  readonly breakEvenHalfSpread: string | null;
  /** Half the distance of its own bids and asks, the median of the recent ones. */
  readonly quotedHalfSpread: string | null;
  /** Half the distance of what it sold and bought at, on average. */
  readonly earnedHalfSpread: string | null;
  /** What its fills paid, as a fraction of their value. */
  readonly paidFee: string | null;
  /** False when its quotes stand nearer than the break-even; null while that is not known. */
  readonly canEarn: boolean | null;
};

/** So many of the newest quotes, and fills of a pair, tell how a strategy quotes now. */
export const quotesLookedAt = 200;
export const fillsLookedAt = 1_000;

const fewestPairs = 4;
const apartMsMax = 60_000;

/** Every pair that is traded, once. */
export function pairsOf(strategies: readonly StrategySettings[]): readonly string[] {
  return [...new Set(strategies.flatMap(({ pairs }) => pairs))];
}

/** Which fee decides: the maker's unless all that a strategy may send takes at once. */
export function breakEvenOf<Fee extends Decimal | undefined>(
  { allow }: Pick<StrategySettings, 'allow'>,
  fees: { readonly maker: Fee; readonly taker: Fee },
): Fee {
  const canRest = allow.timeInForce.includes('GTC');
  return canRest ? fees.maker : fees.taker;
}

/** Returns what the recent orders and fills of each strategy and pair tell. */
export function feeSenseOf(given: {
  readonly strategies: readonly StrategySettings[];
  /** The fees of a pair; undefined if the exchange was not asked, then those of the fills count. */
  readonly feesOf: (pair: string) => Fees | undefined;
  /** Oldest first. */
  readonly orders: readonly OrderRow[];
  readonly fills: readonly FillRow[];
}): readonly FeeSense[] {
  return given.strategies.flatMap((strategy) =>
    strategy.pairs.map((pair) => {
      const isOf = (row: OrderRow | FillRow) => row.strategyId === strategy.id && row.pair === pair;
      const fills = given.fills.filter(isOf);
      const told = given.feesOf(pair);
      const fees = {
        maker: told?.maker ?? feeOf(fills, true),
        taker: told?.taker ?? feeOf(fills, false),
      };
      const breakEven = breakEvenOf(strategy, fees);
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

/** One line for people. */
export function feeSenseLine(sense: FeeSense): string {
  const { strategy, pair, makerFee: maker, takerFee: taker, breakEvenHalfSpread } = sense;
  const { quotedHalfSpread: quoted, earnedHalfSpread: earned, paidFee: paid } = sense;
  const fees = [
    ...(maker === null ? [] : [`maker ${bps(maker)}`]),
    ...(taker === null ? [] : [`taker ${bps(taker)}`]),
  ].join(', ');
  return [
    breakEvenHalfSpread === null
      ? `${strategy} ${pair}: fees are not known before its first fill`
      : `${strategy} ${pair}: breaks even ${bps(breakEvenHalfSpread)} from the mid (${fees})`,
    ...(quoted === null ? [] : [`quotes ${bps(quoted)} from it`]),
    ...(earned === null || paid === null
      ? []
      : [`its fills stood ${bps(earned)} from their middle and paid ${bps(paid)}`]),
    ...(sense.canEarn === false ? ['IT CANNOT EARN: every round trip loses'] : []),
  ].join('; ');
}

/** A fraction in hundredths of a percent: "0.0005" is "5bps". */
export function bps(share: string): string {
  return `${formatDecimal(decimalOf(share).times(10_000).toDecimalPlaces(2))}bps`;
}

function shareText(share: Decimal | undefined): string | null {
  return share === undefined ? null : formatDecimal(share.toDecimalPlaces(8));
}

/**
 * The median over the quotes of half the distance between each and the newest one of the other
 * side, as a fraction of their middle; undefined for fewer than {@link fewestPairs}.
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

/** What the fills paid of their value, in whichever currency it was taken. */
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

/** What the newest fills of one kind paid; fees change with the account's volume. */
function feeOf(fills: readonly FillRow[], maker: boolean): Decimal | undefined {
  return paidFee(fills.filter((fill) => fill.maker === maker).slice(-20));
}

function sum(amounts: readonly string[]): Decimal {
  return amounts.reduce((total, amount) => total.plus(amount), new Decimal(0));
}
