/** Draws the market orders of a random history. */
import { amountOf, amountOfOrder, amountOfScaled, formatAmount } from '../../src/domain/amount.ts';
import type { Market, Side } from '../../src/domain/market.ts';
import { boughtFor } from '../../src/domain/market-order.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import { ticksOf } from '../../src/domain/ticks-and-lots.ts';
import { marketPriceOf } from '../../src/risk/market-price.ts';
import type { Proposal } from '../../src/risk/proposal.ts';
import { shareOf } from '../../src/risk/share.ts';
import { amount } from './gate-oracle-amount.ts';
import type { OracleOrder } from './gate-oracle-types.ts';
import { decimalText } from './gate-rules.ts';
import { type DrawnStop, drawStop } from './gate-stops.ts';
import type { SeededRandom } from './seeded-random.ts';

type DrawnMarketOrder = {
  readonly price: Ticks;
  readonly volume: Lots;
  readonly timeInForce: 'IOC' | 'GTC';
  readonly postOnly: boolean;
  readonly pays: string;
};

type At = {
  readonly market: Market;
  /** The mid in half ticks. */
  readonly mid2: number;
  readonly collar: string | undefined;
  /** What the market order pays that is placed once more. */
  readonly paysAgain: string | undefined;
};

type Sized = { readonly side: Side; readonly volume: Lots };

/** Returns the stop of an order near `price`, or what makes it a market order, or neither. */
export function drawKind(
  random: SeededRandom,
  order: Sized & { readonly price: Ticks; readonly isAgain: boolean },
  at: At,
): DrawnStop & { readonly marketOrder?: DrawnMarketOrder | undefined } {
  const stop = drawStop(random, order.price, at.market.priceScale);
  const marketOrder = order.isAgain ? again(order, at) : drawMarketOrder(random, order, at);
  return marketOrder === undefined ? stop : { stop: undefined, ofOracle: undefined, marketOrder };
}

/** Returns a market order of about this volume, mostly as it must count. */
function drawMarketOrder(
  random: SeededRandom,
  { side, volume }: Sized,
  { market, mid2, collar }: At,
): DrawnMarketOrder | undefined {
  if (random.integer(1, 6) > 1) return undefined;
  const edge = marketPriceOf(side, mid2, shareOf(collar), market) ?? market.priceMin;
  const price = ticksOf(Math.max(1, edge + random.pick([0, 0, 0, 0, 0, 1, -1])));
  const rest = {
    timeInForce: random.integer(1, 12) === 1 ? 'GTC' : 'IOC',
    postOnly: random.integer(1, 12) === 1,
  } as const;
  if (side === 'ASK')
    return {
      price,
      volume,
      ...rest,
      pays: formatAmount(amountOfScaled(volume, market.volumeScale)),
    };
  const step = amountOfScaled(1, market.priceScale + market.volumeScale);
  const spend = amountOfOrder(price, volume, market) - step * BigInt(random.integer(0, price - 1));
  const isWrong = random.integer(1, 12) === 1;
  const counted = boughtFor(spend, price, market);
  return {
    ...{ price, ...rest, pays: formatAmount(spend) },
    volume: (isWrong ? Math.max(1, counted - 1) : counted) as Lots,
  };
}

/** Returns a market order that pays what one before it did, and counts by the present mid. */
function again(
  { side, volume }: Sized,
  { market, mid2, collar, paysAgain: pays }: At,
): DrawnMarketOrder | undefined {
  if (pays === undefined) return undefined;
  const price = marketPriceOf(side, mid2, shareOf(collar), market) ?? market.priceMin;
  const counted = side === 'ASK' ? volume : boughtFor(amountOf(pays), price, market);
  return { price, volume: counted, timeInForce: 'IOC', postOnly: false, pays };
}

/** Returns what a market order pays, as text that is the same for the same amount. */
export function paysText({ pays }: OracleOrder): string | undefined {
  return pays === undefined ? undefined : formatAmount(pays);
}

/** Returns an order as the oracle has it. */
export function oracleOrderOf(
  proposal: Proposal,
  { priceScale, volumeScale }: Market,
  stop: OracleOrder['stop'],
): OracleOrder {
  const { side, price, volume, pays, timeInForce, postOnly, reduceOnly, createdMs } = proposal;
  return {
    ...{ strategy: proposal.strategyId, pair: proposal.pair, side, timeInForce, postOnly, stop },
    price: amount(decimalText(price, priceScale)),
    volume: amount(decimalText(volume, volumeScale)),
    pays: pays === undefined ? undefined : amount(pays),
    accounts: [proposal.baseAccountId, proposal.counterAccountId],
    ...{ reduceOnly, createdMs },
  };
}
