/**
 * What a run did, for the charts of its page: fills, orders and refusals of each market.
 *
 * Invariant: memory is bounded, however long the run is: of too many, an even sample is kept, and
 * of the fills also those at the lowest and the highest prices.
 */
import type { FillRow, OrderRow, StoreRecord } from '../../domain/records.ts';
import type { TrackedOrder } from '../../execution/orders/tracked-order.ts';
import { EvenSample } from './even-sample.ts';
import { ExtremeSample } from './extreme-sample.ts';

/** A sample of up to three times as many fills. */
const fillGroupsMax = 4_096;
const ordersMax = 8_192;
const refusalsMax = 4_096;

export type FillEvent = { readonly row: FillRow; readonly reason: string };

/** `completedMs` is undefined if it was open at the end of the run. */
export type OrderEvent = Pick<
  OrderRow,
  | ('intentId' | 'strategyId' | 'side' | 'price' | 'volume' | 'state')
  | ('reason' | 'createdMs' | 'completedMs')
>;

export type RefusalEvent = {
  readonly atMs: number;
  readonly strategyId: string;
  /** JSON: the refusals, each with code, observed value and limit. */
  readonly refusals: string;
};

export class PairEvents {
  readonly fills = new ExtremeSample<FillEvent>(fillGroupsMax);
  readonly orders = new EvenSample<OrderEvent>(ordersMax);
  readonly refusals = new EvenSample<RefusalEvent>(refusalsMax);
}

export class RunEvents {
  readonly #pairs = new Map<string, PairEvents>();

  of(pair: string): PairEvents {
    let events = this.#pairs.get(pair);
    if (events === undefined) {
      events = new PairEvents();
      this.#pairs.set(pair, events);
    }
    return events;
  }

  noteFill(row: FillRow, { reason }: TrackedOrder): void {
    const price = Number(row.price); // not money: only compared
    this.of(row.pair).fills.add({ row, reason }, price);
  }

  /** Takes an order that has ended, or is open when the run ends. */
  noteOrder(order: TrackedOrder): void {
    const { orders } = this.of(order.pair);
    if (!orders.keepsNext) {
      orders.skip();
      return;
    }
    orders.add({
      intentId: order.intentId,
      strategyId: order.strategyId,
      side: order.terms.side,
      price: order.priceText,
      volume: order.volumeText,
      state: order.state,
      reason: order.reason,
      createdMs: order.createdMs,
      completedMs: order.completedMs,
    });
  }

  noteRefusal({
    pair,
    atMs,
    strategyId,
    refusals,
  }: Extract<StoreRecord, { readonly kind: 'decision' }>): void {
    this.of(pair).refusals.add({ atMs, strategyId, refusals });
  }
}
