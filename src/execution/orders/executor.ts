/**
 * The executor: from an approved intent to one order at the exchange, through lost answers,
 * refusals and cancels, to a final state that the exchange has proven.
 *
 * One procedure drives each order; what it does next follows from the order's state alone, so that
 * a restart resumes where the store says.
 *
 * Invariants: an order is stored before its first attempt, an attempt before it leaves; an unknown
 * outcome never gets a second client_order_id, and is sent again under its own only after the
 * fence; a stop's answer is never final.
 */
import type { TimeInForce } from '../../domain/bot-settings.ts';
import { assert } from '../../domain/errors.ts';
import { formatLots, formatTicks, type Market } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import { type OrderState, orderTransitions } from '../../domain/order.ts';
import type { OrderRow } from '../../domain/records.ts';
import { type Approved, assertApproved } from '../../risk/gate.ts';
import type { ExecutionContext } from '../requests/execution-context.ts';
import type { Procedure } from '../requests/procedure.ts';
import { ReadLag } from '../requests/read-lag.ts';
import { clientOrderIdOf } from './client-order-id.ts';
import { OrderTracker } from './order-tracker.ts';
import { sendOrder } from './place-order.ts';
import { resolveOrder } from './resolve-unknown.ts';
import { completeOrder } from './settle-order.ts';
import { followOrder } from './track-order.ts';
import { TrackedOrder } from './tracked-order.ts';

/** An intent that is older, by our clock, is not sent for the first time any more. */
const intentAgeMsMax = 10_000;
/** No attempt of an intent is taken by the exchange later than this after the intent was made. */
const validMs = 60_000;

export type ExecutorOptions = {
  readonly namespace: string;
  readonly intentIdNext: number;
  readonly desk: ExecutionContext;
  /** Called when fills of a pair should be looked up soon. */
  readonly requestTrades: (pair: string) => void;
  /** Whether the lag of the exchange's reads is measured; not where the answers are a tape's. */
  readonly measuresReadLag: boolean;
};

/** Where an intent came from. */
export type IntentOrigin = {
  readonly strategyId: string;
  readonly key: string;
  readonly level: string | undefined;
  readonly reason: string;
};

export class Executor {
  readonly tracker = new OrderTracker();
  readonly desk: ExecutionContext;
  readonly requestTrades: (pair: string) => void;
  /** A kill stops and reads every order at once; the orders' own procedures wait meanwhile. */
  isClearing = false;
  /** One list of open orders is read for all, so that an open order need not poll by itself. */
  isPolledByList = false;
  readonly readLag: ReadLag;
  readonly #namespace: string;
  #intentIdNext: number;
  #intentsFromMs = Number.NEGATIVE_INFINITY;
  #accepted = 0;
  #firstAcceptedMs: number | undefined;

  constructor(options: ExecutorOptions) {
    this.desk = options.desk;
    this.requestTrades = options.requestTrades;
    this.readLag = new ReadLag(options.desk, options.measuresReadLag);
    this.#namespace = options.namespace;
    this.#intentIdNext = options.intentIdNext;
  }

  /** What this run's exchange has accepted so far. */
  get counts(): { readonly accepted: number; readonly firstAcceptedMs: number | undefined } {
    return { accepted: this.#accepted, firstAcceptedMs: this.#firstAcceptedMs };
  }

  /** The number that the next intent will have. */
  get nextIntentId(): number {
    return this.#intentIdNext;
  }

  /**
   * Turns an approved intent into an order that is on its way; only the gate can make the argument.
   */
  place(approved: Approved, market: Market, origin: IntentOrigin): TrackedOrder {
    assertApproved(approved);
    const { desk } = this;
    const intentId = this.#intentIdNext++;
    const createdMs = Math.trunc(desk.nowMs);
    const terms = {
      pair: market.pair,
      side: approved.side,
      price: formatTicks(approved.price, market),
      volume: formatLots(approved.volume, market),
      timeInForce: approved.timeInForce as TimeInForce,
      postOnly: approved.postOnly,
    };
    const order = new TrackedOrder(
      {
        ...terms,
        intentId,
        strategyId: origin.strategyId,
        key: origin.key,
        level: origin.level,
        reason: origin.reason,
        baseAccountId: approved.baseAccountId,
        counterAccountId: approved.counterAccountId,
        clientOrderId: clientOrderIdOf({
          ...terms,
          namespace: this.#namespace,
          intentId,
          createdMs,
        }),
        createdMs,
        validUntilMs: Math.floor(desk.exchangeClock.nowMs(createdMs) ?? createdMs) + validMs,
        orderId: undefined,
        attempts: 0,
        lastTimestampMs: undefined,
        lastTtlMs: undefined,
        ambiguous: false,
        cancelRequestedMs: undefined,
        completedMs: undefined,
      },
      market,
    );
    this.tracker.add(order, desk.nowMs);
    desk.exposure.hold(
      order.clientOrderId,
      {
        strategyId: origin.strategyId,
        pair: market.pair,
        side: approved.side,
        price: approved.price,
        volume: approved.volume,
      },
      desk.nowMs,
    );
    this.#store(order, `approved: ${origin.reason}`);
    desk.spawn(this.#drive(order));
    return order;
  }

  /**
   * Takes an order over from the store. What never left stays unsent; what may have left is looked
   * up.
   */
  restore(row: OrderRow, market: Market): TrackedOrder {
    const order = TrackedOrder.restore(row, market);
    this.tracker.add(order, this.desk.nowMs);
    return order;
  }

  /**
   * Makes an order that the exchange shows and the store does not know one of this run; its number
   * is not given again.
   */
  takeOver(row: OrderRow, market: Market): void {
    const order = this.restore(row, market);
    this.#intentIdNext = Math.max(this.#intentIdNext, row.intentId + 1);
    this.#store(order, row.reason);
    this.resume(order);
  }

  /**
   * Holds what is open of a restored order and starts its procedure, after its fills were restored.
   */
  resume(order: TrackedOrder): void {
    this.#hold(order);
    order.noResend = true;
    if (order.orderId !== undefined) this.desk.exposure.confirm(order.clientOrderId);
    if (order.state === 'waiting') {
      this.setState(order, 'unsent', 'restart: nothing had left');
      return;
    }
    if (order.state === 'sending') {
      order.ambiguous = true;
      this.setState(order, 'unknown', 'restart: an attempt had left, its answer is lost');
    }
    this.desk.spawn(this.#drive(order));
  }

  /** Intents of before now are not sent any more; those that are at the exchange stay. */
  expireIntents(): void {
    this.#intentsFromMs = this.desk.nowMs;
  }

  /** Whether the process stood still since `order` was wished for. */
  isOvertaken(order: TrackedOrder): boolean {
    return order.createdMs < this.#intentsFromMs;
  }

  /** Whether `order` was wished for too long ago to be sent for the first time now. */
  isExpired(order: TrackedOrder): boolean {
    return this.desk.nowMs > order.createdMs + intentAgeMsMax || this.isOvertaken(order);
  }

  /**
   * Asks for an order to be cancelled; repeated asking changes nothing. One that waits for the call
   * budget ends at once.
   */
  cancel(order: TrackedOrder, reason: string): void {
    this.cancelAtTurn(order, reason);
    order.withdrawal?.raise();
  }

  /**
   * As {@link cancel}, but one that waits for the call budget ends when its turn comes: what takes
   * its place is not approved more often than calls leave, and the limits of rates count approvals.
   */
  cancelAtTurn(order: TrackedOrder, reason: string): void {
    if (order.isFinal || order.cancelRequestedMs !== undefined) return;
    order.cancelRequestedMs = this.desk.nowMs;
    this.desk.exposure.withdraw(order.clientOrderId, this.desk.nowMs);
    this.#store(order, `cancel requested: ${reason}`);
    order.changed.raise();
    this.desk.orderChanged(order, order.state);
  }

  /**
   * Cancels every live order that `matches`, newest first, as those are nearest to the market;
   * returns how many there are.
   */
  cancelAll(reason: string, matches: (order: TrackedOrder) => boolean = () => true): number {
    let count = 0;
    for (const order of [...this.tracker.live].reverse()) {
      if (!matches(order)) continue;
      count++;
      this.cancel(order, reason);
    }
    return count;
  }

  /** Moves an order to `state` with what proved it; keeps, announces and releases as needed. */
  setState(order: TrackedOrder, state: OrderState, proof: string): void {
    const allowed: readonly OrderState[] = orderTransitions[order.state];
    assert(
      allowed.includes(state),
      `order ${order.clientOrderId} cannot become ${state} from ${order.state} (${proof})`,
    );
    const before = order.state;
    const revived = order.isFinal;
    const isAtExchange = state === 'open' || state === 'completing';
    if (isAtExchange && (before === 'sending' || before === 'unknown')) {
      this.#accepted++;
      this.#firstAcceptedMs ??= this.desk.nowMs;
    }
    order.state = state;
    if (revived && !order.isFinal) {
      order.completedMs = undefined;
      this.#hold(order);
    }
    if (isAtExchange) this.desk.exposure.confirm(order.clientOrderId);
    if (order.isFinal) this.desk.exposure.release(order.clientOrderId);
    this.tracker.noteState(order, this.desk.nowMs);
    this.#store(order, proof);
    this.desk.orderChanged(order, before);
    order.changed.raise();
    if (revived && !order.isFinal) {
      this.desk.incident(
        'ZOMBIE_ORDER',
        `order ${order.clientOrderId} was final and is at the exchange after all: ${proof}`,
      );
      this.desk.setTradingState(
        `strategy:${order.strategyId}`,
        'HALTED',
        `order ${order.clientOrderId} came back`,
      );
      this.cancel(order, 'it should not exist');
      this.desk.spawn(this.#drive(order));
    }
  }

  /** Keeps the order as it is now, without a change of state. */
  keep(order: TrackedOrder): void {
    this.desk.record({ kind: 'order', row: order.toRow() });
  }

  /** Takes room for what is not booked of an order that may still trade. */
  #hold(order: TrackedOrder): void {
    this.desk.exposure.hold(
      order.clientOrderId,
      {
        strategyId: order.strategyId,
        pair: order.pair,
        side: order.terms.side,
        price: order.terms.price,
        volume: Math.max(0, order.terms.volume - order.bookedLots) as Lots,
      },
      order.createdMs,
    );
    if (order.cancelRequestedMs !== undefined)
      this.desk.exposure.withdraw(order.clientOrderId, order.cancelRequestedMs);
  }

  #store(order: TrackedOrder, proof: string): void {
    this.keep(order);
    this.desk.record({
      kind: 'evidence',
      intentId: order.intentId,
      atMs: this.desk.nowMs,
      state: order.state,
      proof,
    });
  }

  *#drive(order: TrackedOrder): Procedure {
    while (!order.isFinal) {
      switch (order.state) {
        case 'waiting':
        case 'sending':
          yield* sendOrder(this, order);
          break;
        case 'unknown':
          yield* resolveOrder(this, order);
          break;
        case 'open':
          yield* followOrder(this, order);
          break;
        case 'completing':
          yield* completeOrder(this, order);
          break;
      }
    }
  }
}
