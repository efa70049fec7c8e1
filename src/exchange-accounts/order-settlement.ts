/**
 * The effects of an order on its owner's accounts, and the sequence of the resulting messages:
 *
 *     open      row: reserved            ▶ status
 *     book      sums of the order ▶ trade ▶ row: paid ▶ row: received, less the fee
 *     close     row: released, if any    ▶ status
 *
 * What trades, and when, is decided elsewhere.
 *
 * Invariants: an order reserves what its unexecuted volume may cost; it pays and receives the
 * amounts of its trades, less their fees.
 */
import { type Amount, amountOfOrder, amountOfValue, amountOfVolume } from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';
import { addLots } from '../domain/ticks-and-lots.ts';
import { type AccountOrder, type AccountTrade, payerIdOf, receiverIdOf } from './account-order.ts';
import { productOf } from './fee-schedule.ts';
import type { LedgerEntry } from './ledger.ts';

/** What the exchange does at each step. Times are the exchange's, in microseconds. */
export interface SettlementListener<Order extends AccountOrder, Trade extends AccountTrade> {
  /** Appends a trade's row to one of the order's accounts and notifies its owner. */
  append(accountId: string, entry: LedgerEntry, atMicros: number): void;
  /** Reserves an amount, or releases it if it is negative; see {@link reservationEntryOf}. */
  reserve(order: Order, reservedDelta: Amount, atMicros: number): void;
  /** Called when the trade is included in the order's sums. */
  traded(order: Order, trade: Trade, atMicros: number): void;
  /** Called when the order's status has changed. */
  statusChanged(order: Order, atMicros: number): void;
}

export class OrderSettlement<Order extends AccountOrder, Trade extends AccountTrade> {
  readonly #listener: SettlementListener<Order, Trade>;

  constructor(listener: SettlementListener<Order, Trade>) {
    this.#listener = listener;
  }

  /** Reserves the amount that a new order needs. */
  open(order: Order, atMicros: number): void {
    this.#listener.reserve(order, order.reserved, atMicros);
    this.#listener.statusChanged(order, atMicros);
  }

  /** Books a trade of the order. The caller decides whether that completes the order. */
  book(order: Order, trade: Trade, market: Market, atMicros: number): void {
    const { price, volume, feeBase, feeCounter, timeMs } = trade;
    const isBid = order.side === 'BID';
    const value = productOf(price, volume);
    const base = amountOfVolume(volume, market);
    const counter = amountOfValue(value, market);
    const paid = isBid ? counter : base;
    // A limit buy releases its reservation at the limit price, a market order what it paid.
    const isBetter = isBid && price !== order.price && order.isMarketOrder !== true;
    const released = isBetter ? amountOfOrder(order.price, volume, market) : paid;
    order.filled = addLots(order.filled, volume);
    order.filledValue += value;
    order.feeBase += feeBase;
    order.feeCounter += feeCounter;
    order.reserved -= released;
    this.#listener.traded(order, trade, atMicros);
    const paying: LedgerEntry = {
      timeMs,
      balanceDelta: -paid,
      reservedDelta: -released,
      kind: 'EXCHANGE',
      description: undefined,
      reference: order.id,
      trade,
    };
    this.#listener.append(payerIdOf(order), paying, atMicros);
    const receiving: LedgerEntry = {
      timeMs,
      balanceDelta: isBid ? base - feeBase : counter - feeCounter,
      reservedDelta: 0n,
      kind: 'EXCHANGE',
      description: undefined,
      reference: order.id,
      trade,
    };
    this.#listener.append(receiverIdOf(order), receiving, atMicros);
  }

  /** Ends an order and releases the rest of its reservation. */
  close(order: Order, outcome: 'filled' | 'cancelled', atMicros: number): void {
    const timeMs = Math.floor(atMicros / 1000);
    const { reserved } = order;
    order.status = 'COMPLETE';
    order.completedMs = timeMs;
    if (outcome === 'cancelled') order.cancelledMs = timeMs;
    order.reserved = 0n;
    if (reserved !== 0n) this.#listener.reserve(order, -reserved, atMicros);
    this.#listener.statusChanged(order, atMicros);
  }
}

/** Returns the row that reserves an amount for an order, or releases it if it is negative. */
export function reservationEntryOf(
  { id, status, createdMs, completedMs }: AccountOrder,
  reservedDelta: Amount,
): LedgerEntry {
  const isEnd = status === 'COMPLETE';
  return {
    timeMs: isEnd ? completedMs : createdMs,
    balanceDelta: 0n,
    reservedDelta,
    kind: 'EXCHANGE',
    description: isEnd ? 'Released from an order' : 'Reserved for an order',
    reference: id,
    trade: undefined,
  };
}
