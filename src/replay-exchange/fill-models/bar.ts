/**
 * One bar of a recording of candles, and the fills that it implies. The order of events within a
 * bar is unknown, so the rules assume the case that is worse for us.
 */
import type { Lots, Ticks } from '../../domain/money.ts';
import { minLots, movedBy, subtractLots } from '../../domain/ticks-and-lots.ts';
import type { OwnOrder } from './own-order.ts';

export type Bar = {
  readonly startMicros: number;
  readonly endMicros: number;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
  readonly volume: Lots;
};

/** Whether a fill at `price` loses by the close of the bar. */
function loses({ side }: Pick<OwnOrder, 'side'>, price: Ticks, { close }: Bar): boolean {
  return side === 'BID' ? close < price : close > price;
}

/**
 * Whether a bar fills a resting order: the bar must trade strictly beyond its price. An order that
 * arrived or was cancelled within the bar fills only if the fill loses.
 */
export function fillsResting(order: OwnOrder, bar: Bar, isCancelled: boolean): boolean {
  const isBeyond = order.side === 'BID' ? bar.low < order.price : bar.high > order.price;
  if (!isBeyond) return false;
  const wasThere = order.createdMicros <= bar.startMicros && !isCancelled;
  return wasThere || loses(order, order.price, bar);
}

/**
 * Returns the price of a taker order: the worst price of the bar plus the half spread; or its
 * limit, if that is closer and the fill loses; undefined if it does not trade.
 */
export function takerPrice(order: OwnOrder, bar: Bar, halfSpread: Ticks): Ticks | undefined {
  const isBid = order.side === 'BID';
  const worst = isBid ? movedBy(bar.high, halfSpread) : movedBy(bar.low, -halfSpread);
  if (isBid ? order.price >= worst : order.price <= worst) return worst;
  return loses(order, order.price, bar) ? order.price : undefined;
}

export type PlannedFill = { readonly order: OwnOrder; readonly volume: Lots };

/** Shares `budget` among orders, in the given order. */
export function shared(orders: readonly OwnOrder[], budget: Lots): readonly PlannedFill[] {
  const fills: PlannedFill[] = [];
  let left = budget;
  for (const order of orders) {
    const volume = minLots(left, order.remaining);
    if (volume === 0) break;
    left = subtractLots(left, volume);
    fills.push({ order, volume });
  }
  return fills;
}

/** Returns the total gain of fills at their limits by the close, in ticks × lots. */
export function gainOf(fills: readonly PlannedFill[], { close }: Bar): bigint {
  let gain = 0n;
  for (const { order, volume } of fills) {
    const better = order.side === 'BID' ? close - order.price : order.price - close;
    gain += BigInt(better) * BigInt(volume);
  }
  return gain;
}
