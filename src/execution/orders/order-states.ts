/**
 * The state shared by the lives of all orders: the orders by each of their ids, their state
 * changes, the exposure that each reserves, and the cancel requests.
 *
 * Invariants: every state change is stored with its proof, and announced; an order reserves
 * exposure from its creation until it is final.
 */

import { assert } from '../../domain/errors.ts';
import { mayBecome, type OrderState } from '../../domain/order.ts';
import { maxLots, noLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import type { VenueProperties } from '../../venue/venue-properties.ts';
import type { ExecutionContext } from '../requests/execution-context.ts';
import { ReadLag } from '../requests/read-lag.ts';
import type { ReadPlan } from '../requests/read-plan.ts';
import { type FinalKept, OrderTracker } from './order-tracker.ts';
import { type Proof, proofText } from './proof.ts';
import { timeToLiveMs } from './time-to-live.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** In a replay no fill is late, and no final order turns out to be open. */
const finalKeptOfReplay: FinalKept = { ms: 120_000, max: 1_000 };
/** An intent that is older than this, by our clock, is not sent for the first time. */
const intentAgeMsMax = 10_000;
const rejectionTextsMax = 50;

export type OrderStatesOptions = {
  readonly context: ExecutionContext;
  /** Starts what takes an order from its current state to a final one. */
  readonly drive: (orders: OrderStates, order: TrackedOrder) => void;
  /** Called when the fills of a pair should be read soon. */
  readonly requestTrades: (pair: string) => void;
  readonly venue: VenueProperties;
  readonly reads: ReadPlan;
  readonly endChecks: {
    /** Whether another order may end before its record is read. */
    readonly mayAdd: () => boolean;
    /** Takes an order that has ended without its record. */
    readonly add: (order: TrackedOrder) => void;
  };
};

export class OrderStates {
  readonly context: ExecutionContext;
  readonly tracker: OrderTracker;
  readonly requestTrades: (pair: string) => void;
  readonly readLag: ReadLag;
  readonly venue: VenueProperties;
  /** How long after its timestamp the exchange may accept an attempt. */
  readonly ttlMs: number;
  readonly reads: ReadPlan;
  /** Set while a kill cancels and reads all orders; the orders' own lives wait. */
  isCancellingAll = false;
  /** Set while one list of open orders replaces the polls of individual orders. */
  isPolledByList = false;
  readonly #drive: OrderStatesOptions['drive'];
  readonly #endChecks: OrderStatesOptions['endChecks'];
  #isStreamTrusted = true;
  #intentsFromMs = Number.NEGATIVE_INFINITY;
  #accepted = 0;
  #firstAcceptedMs: number | undefined;
  readonly #rejections = new Map<string, number>();

  constructor(options: OrderStatesOptions) {
    this.context = options.context;
    this.reads = options.reads;
    this.venue = options.venue;
    this.ttlMs = timeToLiveMs(options.venue.placing);
    this.tracker = new OrderTracker(options.reads.losesMessages ? undefined : finalKeptOfReplay);
    this.requestTrades = options.requestTrades;
    this.readLag = new ReadLag(options.context, options.venue.reads.lagMs);
    this.#drive = options.drive;
    this.#endChecks = options.endChecks;
  }

  /** The number of orders accepted in this run, and when the first one was. */
  get counts(): { readonly accepted: number; readonly firstAcceptedMs: number | undefined } {
    return { accepted: this.#accepted, firstAcceptedMs: this.#firstAcceptedMs };
  }

  /**
   * How many orders of this run the exchange rejected, by its code and text. Texts beyond the first
   * {@link rejectionTextsMax} count together, since an exchange may put a number into each.
   */
  get rejections(): ReadonlyMap<string, number> {
    return this.#rejections;
  }

  #countRejection(text: string): void {
    const counted = this.#rejections;
    const name = counted.has(text) || counted.size < rejectionTextsMax ? text : 'other texts';
    counted.set(name, (counted.get(name) ?? 0) + 1);
  }

  /** Whether the user stream may confirm the end of an order whose stop was accepted. */
  get trustsStream(): boolean {
    return !this.reads.losesMessages || (this.#isStreamTrusted && this.#endChecks.mayAdd());
  }

  /** From now on, the record of each cancelled order is read at once. */
  distrustStream(why: string): void {
    if (!this.#isStreamTrusted) return;
    this.#isStreamTrusted = false;
    const text = `the user stream was wrong: ${why}. It no longer ends orders; their records do`;
    this.context.notice({ level: 'warn', topic: 'stream', text });
  }

  /** Notes that an order has ended without its record. */
  noteUnchecked(order: TrackedOrder): void {
    this.#endChecks.add(order);
  }

  /** Waits again for the fills of an order that ended with fewer than the exchange reports. */
  correct(order: TrackedOrder, proof: Proof): void {
    this.setState(order, 'completing', proof);
    this.drive(order);
  }

  /** Starts the life of an order, which goes on until the order is final. */
  drive(order: TrackedOrder): void {
    this.#drive(this, order);
  }

  /** Moves an order to `state`: stores it with its proof, announces it, updates the exposure. */
  setState(order: TrackedOrder, state: OrderState, proof: Proof): void {
    if (!mayBecome(order.state, state)) {
      const change = `cannot become ${state} from ${order.state}`;
      assert(false, `order ${order.clientOrderId} ${change} (${proofText(proof, order)})`);
    }
    const { context } = this;
    const before = order.state;
    const revived = order.isFinal;
    const isAtExchange = state === 'open' || state === 'completing';
    if (isAtExchange && (before === 'sending' || before === 'unknown')) {
      this.#accepted++;
      this.#firstAcceptedMs ??= context.nowMs;
      context.exposure.activity.noteAccepted(order);
    }
    order.state = state;
    if (state === 'open') {
      order.completedMs = undefined;
      if (revived) order.isEndStreamed = false;
    }
    if (revived) this.#reserve(order, true);
    if (isAtExchange) context.exposure.confirm(order.hold);
    if (order.isFinal) {
      context.exposure.release(order.hold);
      order.hold = undefined;
      this.tracker.noteFinal(order, context.nowMs);
    } else if (revived) this.tracker.noteRevived(order);
    this.storeWithProof(order, proof);
    if (state === 'rejected') this.#countRejection(proofText(proof, order));
    context.orderChanged(order, before, proof);
    order.changed.raise();
    const isCorrected = state === 'completing' && (before === 'filled' || before === 'cancelled');
    if (revived && !isCorrected) this.#haltRevived(order, proofText(proof, order));
  }

  /** Tracks an order again that the user stream reported complete, and a read shows as open. */
  reopenUnchecked(order: TrackedOrder, proof: string): void {
    order.isUnchecked = false;
    this.distrustStream(`${order.clientOrderId} was reported complete, and is open`);
    const isDriven = !order.isFinal;
    this.setState(order, 'open', proof);
    if (isDriven) this.#reportRevived(order, proof);
  }

  /** Halts the strategy of an order that was final although it is at the exchange, and stops it. */
  #haltRevived(order: TrackedOrder, proof: string): void {
    this.#reportRevived(order, proof);
    this.cancel(order, 'it should not exist');
    this.drive(order);
  }

  #reportRevived(order: TrackedOrder, proof: string): void {
    this.context.incident(
      'ENDED_ORDER_OPEN',
      `order ${order.clientOrderId} was final, but it is at the exchange: ${proof}`,
    );
    this.context.setTradingState(
      `strategy:${order.strategyId}`,
      'HALTED',
      `order ${order.clientOrderId} was final, but it is at the exchange`,
    );
  }

  /** Notes that a stop-limit order has become its limit order; `proof` says what shows it. */
  noteTriggered(order: TrackedOrder, proof: string): void {
    const { context } = this;
    order.awaiting = false;
    context.exposure.trigger(order.hold);
    if (context.keepsAllRecords) this.#keepProof(order, `triggered: ${proof}`);
    context.orderTriggered(order);
    order.changed.raise();
  }

  /** Stores the current state of the order. */
  store(order: TrackedOrder): void {
    const { context } = this;
    if (context.keepsAllRecords) context.record({ kind: 'order', row: order.toRow() });
    context.results?.noteOrder(order);
  }

  /** Stores the current state of the order, and its proof. */
  storeWithProof(order: TrackedOrder, proof: Proof): void {
    this.store(order);
    if (this.context.keepsAllRecords) this.#keepProof(order, proofText(proof, order));
  }

  #keepProof({ intentId, state }: TrackedOrder, proof: string): void {
    const { context } = this;
    context.record({ kind: 'evidence', intentId, atMs: context.nowMs, state, proof });
  }

  /** Reserves in the exposure the unbooked volume of a new order or one of an earlier run. */
  hold(order: TrackedOrder): void {
    this.#reserve(order, false);
  }

  /** An order that was final in between has been counted: it and its cancel count once in rates. */
  #reserve(order: TrackedOrder, isCounted: boolean): void {
    const { exposure } = this.context;
    if (order.hold !== undefined) assert(false, `order ${order.clientOrderId} is held already`);
    order.hold = exposure.hold(
      {
        strategyId: order.strategyId,
        pair: order.pair,
        side: order.terms.side,
        price: order.terms.price,
        volume: maxLots(noLots, subtractLots(order.terms.volume, order.bookedLots)),
        isAwaiting: order.awaiting,
        pays: order.terms.pays,
      },
      order.createdMs,
      isCounted,
    );
    if (order.cancelRequestedMs !== undefined)
      exposure.withdraw(order.hold, order.cancelRequestedMs, isCounted);
  }

  /** Expires all earlier intents that have not been sent; orders at the exchange stay. */
  expireIntents(): void {
    this.#intentsFromMs = this.context.nowMs;
  }

  /** Whether the process was suspended since the intent of `order` was made. */
  isFromBeforePause(order: TrackedOrder): boolean {
    return order.createdMs < this.#intentsFromMs;
  }

  /** Whether the intent of `order` is too old for a first attempt. */
  isExpired(order: TrackedOrder): boolean {
    return this.context.nowMs > order.createdMs + intentAgeMsMax || this.isFromBeforePause(order);
  }

  /**
   * Requests the cancellation of an order; a repeated request changes nothing. An order that still
   * waits for the call budget ends at once.
   */
  cancel(order: TrackedOrder, reason: string): void {
    this.cancelAtTurn(order, reason);
    order.life?.withdrawAttempt();
  }

  /**
   * As {@link cancel}, but an order that waits for the call budget ends only when its turn comes.
   * Rate limits count approvals, so replacements must not be approved more often than calls are
   * sent.
   */
  cancelAtTurn(order: TrackedOrder, reason: string): void {
    if (order.isFinal || order.cancelRequestedMs !== undefined) return;
    const { context } = this;
    order.cancelRequestedMs = context.nowMs;
    order.cancelReason = reason;
    context.exposure.withdraw(order.hold, context.nowMs);
    this.store(order);
    if (context.keepsAllRecords) this.#keepProof(order, `cancel requested: ${reason}`);
    order.changed.raise();
    if (!order.hasNothingToCancel) order.life?.abandonRead();
    context.orderChanged(order, order.state);
  }

  /**
   * Cancels every live order for which `matches` returns true, newest first, because these are
   * nearest to the market; returns their number.
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
