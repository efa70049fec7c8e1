/**
 * Turns approved intents into orders, and takes over the open orders of the store.
 *
 * Invariants: an order is stored before its first attempt, and each attempt before it is sent; an
 * order whose outcome is unknown never gets a second client_order_id, and is sent again under its
 * own id only after the fence; the answer to a stop is never final.
 */
import { formatLots, formatTicks, type Market } from '../../domain/market.ts';
import type { OrderRow } from '../../domain/records.ts';
import { type Approved, assertApproved } from '../../risk/gate.ts';
import { clientOrderIdOf, clientOrderIdPrefix, numberedOrderId } from './client-order-id.ts';
import { expire } from './expire.ts';
import type { OrderStates } from './order-states.ts';
import { TrackedOrder } from './tracked-order.ts';

/** The exchange accepts no attempt of an intent after this time. */
const validMs = 60_000;

export type ExecutorOptions = {
  readonly orders: OrderStates;
  readonly namespace: string;
  /** The database's identity, a part of every client_order_id. */
  readonly identity: string;
  readonly intentIdNext: number;
  /** Whether ids consist of the intent's number alone, see {@link numberedOrderId}. */
  readonly numbersIds?: boolean | undefined;
};

/** The origin of an intent. */
export type IntentOrigin = {
  readonly strategyId: string;
  readonly key: string;
  readonly level: string | undefined;
  readonly tag: string | undefined;
  readonly expiresMs: number | undefined;
  readonly reason: string;
};

const approvedProof = ({ reason }: TrackedOrder): string => `approved: ${reason}`;

export class Executor {
  readonly orders: OrderStates;
  readonly #namespace: string;
  readonly #identity: string;
  /** The prefix of numbered ids; undefined if ids are not numbered. */
  readonly #numberedPrefix: string | undefined;
  #intentIdNext: number;

  constructor(options: ExecutorOptions) {
    this.orders = options.orders;
    this.#namespace = options.namespace;
    this.#identity = options.identity;
    this.#numberedPrefix =
      options.numbersIds === true ? clientOrderIdPrefix(options.namespace) : undefined;
    this.#intentIdNext = options.intentIdNext;
  }

  /** The number of the next intent. */
  get nextIntentId(): number {
    return this.#intentIdNext;
  }

  /** Creates and starts the order of an approved intent; only the gate can create `approved`. */
  place(approved: Approved, market: Market, origin: IntentOrigin): TrackedOrder {
    assertApproved(approved);
    const { orders } = this;
    const { context } = orders;
    const intentId = this.#intentIdNext++;
    const createdMs = context.nowMs;
    const order = new TrackedOrder(
      {
        intentId,
        strategyId: origin.strategyId,
        key: origin.key,
        level: origin.level,
        tag: origin.tag,
        terms: {
          side: approved.side,
          price: approved.price,
          volume: approved.volume,
          timeInForce: approved.timeInForce,
          postOnly: approved.postOnly,
          stop: approved.stop,
          pays: approved.pays,
        },
        baseAccountId: approved.baseAccountId,
        counterAccountId: approved.counterAccountId,
        clientOrderId: this.#identify(approved, market, intentId, createdMs),
        reason: origin.reason,
        expiresMs: origin.expiresMs,
        createdMs,
        validUntilMs: Math.floor(context.exchangeClock.nowMs(createdMs) ?? createdMs) + validMs,
      },
      market,
    );
    orders.tracker.add(order, context.nowMs);
    orders.hold(order);
    orders.storeWithProof(order, approvedProof);
    orders.drive(order);
    if (order.expiresMs !== undefined) context.spawn(expire(orders, order, order.expiresMs));
    return order;
  }

  #identify(approved: Approved, market: Market, intentId: number, createdMs: number): string {
    if (this.#numberedPrefix !== undefined) return numberedOrderId(this.#numberedPrefix, intentId);
    const namespace = this.#namespace;
    const { side, timeInForce, postOnly, stop, pays } = approved;
    const price = formatTicks(approved.price, market);
    const volume = formatLots(approved.volume, market);
    const { pair } = market;
    const stopText = stop && `${stop.direction} ${formatTicks(stop.price, market)}`;
    const terms = { pair, side, price, volume, timeInForce, postOnly, stop: stopText, pays };
    const identity = this.#identity;
    return clientOrderIdOf({ ...terms, namespace, identity, intentId, createdMs });
  }

  /** Takes over an order from the store. */
  restore(row: OrderRow, market: Market): TrackedOrder {
    const order = TrackedOrder.restore(row, market);
    this.orders.tracker.add(order, this.orders.context.nowMs);
    return order;
  }

  /**
   * Reserves the open part of a restored order and starts its procedure; call it after its fills
   * were restored. An order that was never sent becomes unsent; one that may have been sent is
   * looked up.
   */
  resume(order: TrackedOrder): void {
    const { orders } = this;
    orders.hold(order);
    if (order.orderId !== undefined) orders.context.exposure.confirm(order.hold);
    if (order.state === 'waiting') {
      orders.setState(order, 'unsent', 'restart: it had not been sent');
      return;
    }
    if (order.state === 'sending' || order.state === 'unknown') order.raiseDoubt('lookup-only');
    if (order.state === 'sending')
      orders.setState(order, 'unknown', 'restart: it had been sent, and the answer is lost');
    orders.drive(order);
    if (order.expiresMs !== undefined) orders.context.spawn(expire(orders, order, order.expiresMs));
  }
}
