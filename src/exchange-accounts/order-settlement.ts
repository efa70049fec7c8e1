/**
 * What an order does to its owner's accounts from its opening to its close, and the order in which
 * its owner is informed:
 *
 *     open      row: set aside            ▶ status
 *     book      sums of the order ▶ trade ▶ row: paid ▶ row: received, less the fee
 *     close     row: given back, if any   ▶ status
 *
 * What trades, and when, is decided elsewhere.
 *
 * Invariants: what an order has set aside is what its unexecuted rest may cost; what it pays and
 * receives is what its trades say, less their fees.
 */
import { amountOfOrder, amountOfValue, amountOfVolume } from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';

import { addLots } from '../domain/ticks-and-lots.ts';
import { type AccountOrder, type AccountTrade, payerIdOf, receiverIdOf } from './account-order.ts';
import { productOf } from './fee-schedule.ts';
import type { LedgerEntry } from './ledger.ts';

/** What an exchange does at each step. Times are its own, in microseconds. */
export interface SettlementListener<Order extends AccountOrder, Trade extends AccountTrade> {
  /** Appends a row to an account of the order, and tells its owner. */
  append(accountId: string, entry: LedgerEntry, atMicros: number): void;
  /** The order has the trade in its sums. */
  traded(order: Order, trade: Trade, atMicros: number): void;
  /** The order's status is a new one. */
  statusChanged(order: Order, atMicros: number): void;
}

export class OrderSettlement<Order extends AccountOrder, Trade extends AccountTrade> {
  readonly #listener: SettlementListener<Order, Trade>;

  constructor(listener: SettlementListener<Order, Trade>) {
    this.#listener = listener;
  }

  /** Sets aside what a new order needs. */
  open(order: Order, atMicros: number): void {
    const setAside: LedgerEntry = {
      timeMs: order.createdMs,
      balanceDelta: 0n,
      reservedDelta: order.reserved,
      kind: 'EXCHANGE',
      description: 'Reserved for an order',
      reference: order.id,
      trade: undefined,
    };
    this.#listener.append(payerIdOf(order), setAside, atMicros);
    this.#listener.statusChanged(order, atMicros);
  }

  /** Books a trade of the order. Whether that completes the order is the caller's affair. */
  book(order: Order, trade: Trade, market: Market, atMicros: number): void {
    const { price, volume, feeBase, feeCounter, timeMs } = trade;
    const isBid = order.side === 'BID';
    const value = productOf(price, volume);
    const base = amountOfVolume(volume, market);
    const counter = amountOfValue(value, market);
    const paid = isBid ? counter : base;
    // A limit order holds its own price, a market order only what it spends.
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

  /** Ends an order and gives back what is left of its reservation. */
  close(order: Order, outcome: 'filled' | 'cancelled', atMicros: number): void {
    const timeMs = Math.floor(atMicros / 1000);
    const { reserved } = order;
    order.status = 'COMPLETE';
    order.completedMs = timeMs;
    if (outcome === 'cancelled') order.cancelledMs = timeMs;
    order.reserved = 0n;
    if (reserved !== 0n) {
      const givenBack: LedgerEntry = {
        timeMs,
        balanceDelta: 0n,
        reservedDelta: -reserved,
        kind: 'EXCHANGE',
        description: 'Released from an order',
        reference: order.id,
        trade: undefined,
      };
      this.#listener.append(payerIdOf(order), givenBack, atMicros);
    }
    this.#listener.statusChanged(order, atMicros);
  }
}
