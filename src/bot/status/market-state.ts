/** A market in the status: its prices, its book with our own orders, and their places in it. */
import {
  type LadderLevel,
  ladderLevelsMax,
  type MarketState,
  type OwnOrder,
  type OwnStop,
} from '../../domain/bot-status.ts';
import { formatLots, formatTicks, type Market, type Side } from '../../domain/market.ts';
import { formatDecimal, type Lots, type Ticks } from '../../domain/money.ts';
import { addLots, lotsLeft, noLots } from '../../domain/ticks-and-lots.ts';
import { midOf } from '../../engine/account/mid.ts';
import type { EngineMarket } from '../../engine/engine-market.ts';
import type { TrackedOrder } from '../../execution/orders/tracked-order.ts';

/** Returns the volume ahead of an order that is in no book, as in paper trading. */
export type AheadOf = (pair: string, orderId: string) => Lots | undefined;

/** Returns the state of a market; `live` has our orders on it that are not final. */
export function marketStateOf(
  engineMarket: EngineMarket,
  live: readonly TrackedOrder[],
  nowMs: number,
  aheadOf: AheadOf = () => undefined,
): MarketState {
  const { market, feed, top, lastTrade, unusableReason = null } = engineMarket;
  const { lastMessageMicros } = feed;
  const [bid, ask] = [top?.bid, top?.ask];
  const mid = midOf(engineMarket);
  return {
    pair: market.pair,
    base: market.base,
    counter: market.counter,
    priceScale: market.priceScale,
    volumeScale: market.volumeScale,
    isUsable: unusableReason === null,
    unusableReason,
    bookAgeMs:
      lastMessageMicros === undefined
        ? null
        : Math.max(0, Math.round(nowMs - lastMessageMicros / 1000)),
    bid: bid === undefined ? null : formatTicks(bid, market),
    ask: ask === undefined ? null : formatTicks(ask, market),
    mid: mid === undefined ? null : formatDecimal(mid),
    spreadBps: bid === undefined || ask === undefined ? null : spreadBpsOf(bid, ask),
    bids: levelsOf(engineMarket, 'BID', live),
    asks: levelsOf(engineMarket, 'ASK', live),
    ownOrders: live.map((order) => ownOrderOf(engineMarket, order, aheadOf)),
    lastTrade:
      lastTrade === undefined
        ? null
        : {
            price: formatTicks(lastTrade.price, market),
            side: lastTrade.side,
            atMs: lastTrade.timeMs,
          },
  };
}

function spreadBpsOf(bid: Ticks, ask: Ticks): number {
  return Math.round(((ask - bid) * 2_000_000) / (ask + bid)) / 100;
}

/** Returns the best levels of a side, and all with orders of our own, best price first. */
function levelsOf(
  { market, feed, isUsable }: EngineMarket,
  side: Side,
  live: readonly TrackedOrder[],
): readonly LadderLevel[] {
  const book = isUsable ? feed.book : undefined;
  if (book === undefined) return [];
  const volumes = new Map(
    book.levels(side, ladderLevelsMax).map(({ price, volume }) => [price, volume]),
  );
  const own = ownVolumes(side, live);
  for (const price of own.keys())
    if (!volumes.has(price)) volumes.set(price, book.volumeAt(side, price));
  const prices = [...volumes.keys()].sort((a, b) => (side === 'BID' ? b - a : a - b));
  return prices.map((price) => levelOf(market, price, volumes.get(price), own.get(price)));
}

function levelOf(
  market: Market,
  price: Ticks,
  volume: Lots = noLots,
  own: Lots = noLots,
): LadderLevel {
  return {
    price: formatTicks(price, market),
    volume: formatLots(volume, market),
    own: formatLots(own, market),
  };
}

/** What is left of our orders at the exchange, by price. */
function ownVolumes(side: Side, live: readonly TrackedOrder[]): ReadonlyMap<Ticks, Lots> {
  const own = new Map<Ticks, Lots>();
  for (const order of live) {
    if (order.state !== 'open' || order.terms.side !== side) continue;
    const { price, pays } = order.terms;
    if (pays !== undefined) continue;
    own.set(price, addLots(own.get(price) ?? noLots, leftOf(order)));
  }
  return own;
}

function leftOf({ terms, filledLots }: TrackedOrder): Lots {
  return lotsLeft(terms.volume, filledLots);
}

function ownOrderOf(
  { market, feed, isUsable }: EngineMarket,
  order: TrackedOrder,
  aheadOf: AheadOf,
): OwnOrder {
  const { orderId } = order;
  const isPlaced = isUsable && orderId !== undefined;
  const place = isPlaced ? feed.orders.placeOf(orderId) : undefined;
  const ahead = place?.aheadVolume ?? (isPlaced ? aheadOf(market.pair, orderId) : undefined);
  return {
    intentId: order.intentId,
    strategyId: order.strategyId,
    side: order.terms.side,
    price: order.priceText,
    volume: order.volumeText,
    remaining: formatLots(leftOf(order), market),
    state: order.state,
    isCancelling: order.cancelling,
    createdMs: order.createdMs,
    clientOrderId: order.clientOrderId,
    orderId: orderId ?? null,
    aheadVolume: ahead === undefined ? null : formatLots(ahead, market),
    aheadOrders: place?.aheadOrders ?? null,
    level: order.level ?? null,
    key: order.level === undefined ? order.key : null,
    stop: stopOf(order),
    expiresMs: order.expiresMs ?? null,
  };
}

function stopOf({ terms, stopPriceText, awaiting }: TrackedOrder): OwnStop | null {
  if (terms.stop === undefined || stopPriceText === undefined) return null;
  return { direction: terms.stop.direction, price: stopPriceText, isAwaiting: awaiting };
}
