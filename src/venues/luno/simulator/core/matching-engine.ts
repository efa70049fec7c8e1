/**
 * Executes orders that passed the checks, triggers stop orders, and cancels orders. Callers check
 * first; nothing here refuses.
 *
 *     executeOrder ─▶ open ─▶ enter ─▶ match: fill maker and taker ─▶ publish ─▶ rest | close
 *                       │       ▲                    │
 *                       ▼       │                    │ trade prices
 *                   stop book ──┴── trigger ◀────────┘
 *
 * Invariant: an order that enters or leaves the book causes at most one message of the market
 * stream.
 */
import { assert } from '../../../../domain/errors.ts';
import { formatLots, formatTicks, formatValue, type Market } from '../../../../domain/market.ts';
import { maxTicks, minLots, minTicks } from '../../../../domain/ticks-and-lots.ts';
import { remainingOf } from '../../../../exchange-accounts/account-order.ts';
import { meetsBook } from '../../../../exchange-accounts/order-crossing.ts';
import { isTriggered, type PriceRange } from '../../../../exchange-accounts/stop-book.ts';
import type { IdentifiedBook } from '../../../../market/book/identified-book.ts';
import type { Exchange } from './exchange.ts';
import type { MarketState } from './exchange-state.ts';
import { boundHistory } from './history-bounds.ts';
import type { MarketChange } from './market-updates.ts';
import { type NewOrder, nextMaker, volumeAvailable } from './matching.ts';
import { orderStatusMessage } from './owner-messages.ts';
import { createSimulatedOrder, type SimulatedOrder } from './simulated-order.ts';
import { addTrade } from './trade-history.ts';
import type { Execution } from './trade-settlement.ts';

type TradeUpdate = NonNullable<MarketChange['trade_updates']>[number];

/**
 * Trades what it can at once. The rest stays in the book (GTC) or is cancelled. A stop order waits,
 * unless the last trade already triggers it.
 */
export function executeOrder(exchange: Exchange, terms: NewOrder): SimulatedOrder {
  const market = exchange.marketOf(terms.pair);
  const order = open(exchange, terms, market.market);
  const last = market.lastTradePrice;
  if (order.stop === undefined) triggerStops(exchange, market, enter(exchange, order, market));
  else if (last !== undefined && isTriggered(order.stop, { low: last, high: last }))
    triggerStops(exchange, market, trigger(exchange, order, market));
  else exchange.stopBookOf(order.pair).add(order);
  return order;
}

/** Cancels a pending order, or a stop order that has not been triggered. */
export function cancelOrder(exchange: Exchange, order: SimulatedOrder): void {
  assert(order.status !== 'COMPLETE', `order ${order.id} must be pending to be cancelled`);
  if (order.status === 'AWAITING') {
    exchange.stopBookOf(order.pair).remove(order);
  } else {
    const book = exchange.bookOf(order.pair);
    book.remove(book.slotOf(order.id));
    exchange.publish(exchange.marketOf(order.pair), { delete_update: { order_id: order.id } });
  }
  close(exchange, order, 'cancelled');
}

function open(exchange: Exchange, terms: NewOrder, market: Market): SimulatedOrder {
  const { state, timeMs } = exchange;
  state.orderCount += 1;
  const { idSeed, orderCount: number } = state;
  const order = createSimulatedOrder(terms, { idSeed, number, market, timeMs });
  state.orders.set(order.id, order);
  const user = exchange.userOf(order.userId);
  user.openOrderIds.add(order.id);
  if (user.isRecorded) {
    user.orderIds.push(order.id);
    if (order.clientOrderId !== '') user.orderIdByClientOrderId.set(order.clientOrderId, order.id);
  }
  exchange.settlement.open(order, state.timeMicros);
  return order;
}

/**
 * Executes the stop orders that these trades trigger, and those that the resulting trades trigger.
 */
function triggerStops(
  exchange: Exchange,
  market: MarketState,
  trades: PriceRange | undefined,
): void {
  const stops = exchange.stopBookOf(market.market.pair);
  const due: SimulatedOrder[] = [];
  for (let range = trades; ; ) {
    if (range !== undefined) due.push(...stops.take(range));
    const next = due.shift();
    if (next === undefined) return;
    range = trigger(exchange, next, market);
  }
}

function trigger(
  exchange: Exchange,
  order: SimulatedOrder,
  market: MarketState,
): PriceRange | undefined {
  order.status = 'PENDING';
  exchange.notify(exchange.userOf(order.userId), () => orderStatusMessage(order, exchange.timeMs));
  if (order.isPostOnly === true && meetsBook(order, exchange.bookOf(order.pair).book)) {
    close(exchange, order, 'cancelled');
    return undefined;
  }
  return enter(exchange, order, market);
}

/**
 * Matches an order and handles the rest by its time in force. Returns the range of its trade
 * prices.
 */
function enter(
  exchange: Exchange,
  order: SimulatedOrder,
  market: MarketState,
): PriceRange | undefined {
  const book = exchange.bookOf(order.pair);
  exchange.state.arrivalCount += 1;
  order.arrival = exchange.state.arrivalCount;
  const isKilled = order.timeInForce === 'FOK' && volumeAvailable(order, book.book) < order.volume;
  const { trades, range } = isKilled
    ? { trades: [], range: undefined }
    : match(exchange, order, market);
  const left = remainingOf(order);
  if (order.status === 'COMPLETE') {
    publish(exchange, market, trades, undefined);
  } else if (order.timeInForce === 'GTC') {
    book.create(order.id, order.side, order.price, left);
    publish(exchange, market, trades, {
      order_id: order.id,
      type: order.side,
      price: formatTicks(order.price, market.market),
      volume: formatLots(left, market.market),
    });
  } else {
    publish(exchange, market, trades, undefined);
    close(exchange, order, 'cancelled');
  }
  return range;
}

function match(
  exchange: Exchange,
  order: SimulatedOrder,
  market: MarketState,
): { readonly trades: TradeUpdate[]; readonly range: PriceRange | undefined } {
  const book = exchange.bookOf(order.pair);
  const { timeMs } = exchange;
  const trades: TradeUpdate[] = [];
  let range: PriceRange | undefined;
  for (;;) {
    const slot = order.status === 'PENDING' ? nextMaker(order, book.book) : 0;
    if (slot === 0) return { trades, range };
    const maker = makerAt(exchange, book, slot);
    const { price } = maker;
    const volume = minLots(remainingOf(order), book.book.volumeOf(slot));
    market.tradeSequence += 1n;
    const sequence = market.tradeSequence;
    const trade = { market, price, volume, sequence, takerSide: order.side };
    book.reduce(slot, volume);
    fill(exchange, maker, { ...trade, role: 'maker' });
    fill(exchange, order, { ...trade, role: 'taker' });
    market.lastTradePrice = price;
    addTrade(market, { sequence, timeMs, price, volume, takerSide: order.side });
    range = {
      low: minTicks(range?.low ?? price, price),
      high: maxTicks(range?.high ?? price, price),
    };
    trades.push({
      sequence: sequence.toString(),
      base: formatLots(volume, market.market),
      counter: formatValue(BigInt(price) * BigInt(volume), market.market),
      maker_order_id: maker.id,
      taker_order_id: order.id,
      order_id: maker.id,
    });
  }
}

function makerAt({ state }: Exchange, book: IdentifiedBook, slot: number): SimulatedOrder {
  const id = book.idOf(slot);
  const maker = state.orders.get(id);
  assert(maker !== undefined, `the resting order ${id} must exist at the exchange`);
  return maker;
}

function fill(exchange: Exchange, order: SimulatedOrder, execution: Execution): void {
  exchange.settlement.book(order, execution, exchange.state.timeMicros);
  if (remainingOf(order) === 0) close(exchange, order, 'filled');
}

function close(exchange: Exchange, order: SimulatedOrder, how: 'filled' | 'cancelled'): void {
  const { state } = exchange;
  const user = exchange.userOf(order.userId);
  user.openOrderIds.delete(order.id);
  exchange.settlement.close(order, how, state.timeMicros);
  if (user.isRecorded) boundHistory(state, user);
  else state.orders.delete(order.id);
}

/** Publishes an entering order's trades and the volume that it leaves in the book, if any. */
function publish(
  exchange: Exchange,
  market: MarketState,
  trades: TradeUpdate[],
  create: MarketChange['create_update'],
): void {
  if (trades.length === 0 && create === undefined) return;
  exchange.publish(market, { trade_updates: trades, create_update: create });
}
