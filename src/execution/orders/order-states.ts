/**
 * The state that the procedures of all orders share: the orders by each of their ids, their changes
 * of state, what each sets aside in the exposure, and which of them are to be cancelled.
 *
 * Invariants: every change of state is stored with what proved it, and announced; an order holds
 * room in the exposure from its creation until it is final.
 */

import { assert } from '../../domain/errors.ts';
import { type OrderState, orderTransitions } from '../../domain/order.ts';
import { maxLots, noLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import type { ExecutionContext } from '../requests/execution-context.ts';
import type { Procedure } from '../requests/procedure.ts';
import { ReadLag } from '../requests/read-lag.ts';
import { type FinalKept, OrderTracker } from './order-tracker.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** Where a replay answers, no fill comes late and no order comes back. */
const finalKeptOfReplay: FinalKept = { ms: 120_000, max: 1_000 };
/** An intent that is older than this, by our clock, is not sent for the first time any more. */
const intentAgeMsMax = 10_000;

/** What proved a change of state, in words; a function where the words cost and few read them. */
export type Proof = string | (() => string);

export type OrderStatesOptions = {
  readonly context: ExecutionContext;
  /** The procedure that takes an order from its present state to a final one. */
  readonly drive: (orders: OrderStates, order: TrackedOrder) => Procedure;
  /** Called when fills of a pair should be looked up soon. */
  readonly requestTrades: (pair: string) => void;
  /** Whether the lag of the exchange's reads is measured; not where a replay answers. */
  readonly measuresReadLag: boolean;
  /** See {@link OrderStates.isReplay}. */
  readonly isReplay: boolean;
};

export class OrderStates {
  readonly context: ExecutionContext;
  readonly tracker: OrderTracker;
  readonly requestTrades: (pair: string) => void;
  readonly readLag: ReadLag;
  /** Whether a replay answers, whose user stream misses nothing. */
  readonly isReplay: boolean;
  /** A kill stops and reads every order at once; the orders' own procedures wait meanwhile. */
  isCancellingAll = false;
  /** One list of open orders is read for all, so that an open order need not poll by itself. */
  isPolledByList = false;
  readonly #drive: OrderStatesOptions['drive'];
  #intentsFromMs = Number.NEGATIVE_INFINITY;
  #accepted = 0;
  #firstAcceptedMs: number | undefined;

  constructor(options: OrderStatesOptions) {
    this.context = options.context;
    this.isReplay = options.isReplay;
    this.tracker = new OrderTracker(options.measuresReadLag ? undefined : finalKeptOfReplay);
    this.requestTrades = options.requestTrades;
    this.readLag = new ReadLag(options.context, options.measuresReadLag);
    this.#drive = options.drive;
  }

  /** What this run's exchange has accepted so far. */
  get counts(): { readonly accepted: number; readonly firstAcceptedMs: number | undefined } {
    return { accepted: this.#accepted, firstAcceptedMs: this.#firstAcceptedMs };
  }

  /** Starts the procedure of an order, which runs until the order is final. */
  drive(order: TrackedOrder): void {
    this.context.spawn(this.#drive(this, order));
  }

  /** Moves an order to `state` with what proved it: stores it, announces it, holds or releases. */
  setState(order: TrackedOrder, state: OrderState, proof: Proof): void {
    const allowed: readonly OrderState[] = orderTransitions[order.state];
    if (!allowed.includes(state)) {
      const change = `cannot become ${state} from ${order.state}`;
      assert(false, `order ${order.clientOrderId} ${change} (${textOf(proof)})`);
    }
    const { context } = this;
    const before = order.state;
    const revived = order.isFinal;
    const isAtExchange = state === 'open' || state === 'completing';
    if (isAtExchange && (before === 'sending' || before === 'unknown')) {
      this.#accepted++;
      this.#firstAcceptedMs ??= context.nowMs;
    }
    order.state = state;
    if (revived && !order.isFinal) {
      order.completedMs = undefined;
      this.hold(order);
    }
    if (isAtExchange) context.exposure.confirm(order.clientOrderId);
    if (order.isFinal) context.exposure.release(order.clientOrderId);
    this.tracker.noteState(order, context.nowMs);
    this.storeWithProof(order, proof);
    context.orderChanged(order, before);
    order.changed.raise();
    if (revived && !order.isFinal) this.#haltRevived(order, textOf(proof));
  }

  /** An order that was final is at the exchange after all. */
  #haltRevived(order: TrackedOrder, proof: string): void {
    this.context.incident(
      'ZOMBIE_ORDER',
      `order ${order.clientOrderId} was final and is at the exchange after all: ${proof}`,
    );
    this.context.setTradingState(
      `strategy:${order.strategyId}`,
      'HALTED',
      `order ${order.clientOrderId} came back`,
    );
    this.cancel(order, 'it should not exist');
    this.drive(order);
  }

  /** Stores the order as it is now. */
  store(order: TrackedOrder): void {
    if (this.context.keepsAllRecords || order.isFinal || order.isNew)
      this.context.record({ kind: 'order', row: order.toRow() });
  }

  /** Stores the order as it is now, and why. */
  storeWithProof(order: TrackedOrder, proof: Proof): void {
    this.store(order);
    if (!this.context.keepsAllRecords) return;
    this.context.record({
      kind: 'evidence',
      intentId: order.intentId,
      atMs: this.context.nowMs,
      state: order.state,
      proof: textOf(proof),
    });
  }

  /** Sets aside in the exposure what is not booked yet of an order that may still trade. */
  hold(order: TrackedOrder): void {
    const { exposure } = this.context;
    exposure.hold(
      order.clientOrderId,
      {
        strategyId: order.strategyId,
        pair: order.pair,
        side: order.terms.side,
        price: order.terms.price,
        volume: maxLots(noLots, subtractLots(order.terms.volume, order.bookedLots)),
      },
      order.createdMs,
    );
    if (order.cancelRequestedMs !== undefined)
      exposure.withdraw(order.clientOrderId, order.cancelRequestedMs);
  }

  /** From now on no intent that was made before is sent; orders at the exchange stay. */
  expireIntents(): void {
    this.#intentsFromMs = this.context.nowMs;
  }

  /** Whether the process stood still since the intent of `order` was made. */
  isOvertaken(order: TrackedOrder): boolean {
    return order.createdMs < this.#intentsFromMs;
  }

  /** Whether the intent of `order` is too old for the order to be sent for the first time now. */
  isExpired(order: TrackedOrder): boolean {
    return this.context.nowMs > order.createdMs + intentAgeMsMax || this.isOvertaken(order);
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
    const { context } = this;
    order.cancelRequestedMs = context.nowMs;
    context.exposure.withdraw(order.clientOrderId, context.nowMs);
    this.storeWithProof(order, () => `cancel requested: ${reason}`);
    order.changed.raise();
    context.orderChanged(order, order.state);
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
}

function textOf(proof: Proof): string {
  return typeof proof === 'string' ? proof : proof();
}
