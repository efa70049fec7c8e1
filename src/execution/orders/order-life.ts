/**
 * The life of one order, from its approval to its end. The order's state alone decides what happens
 * next, so that a restart continues where the store left off.
 *
 *     waiting ──▶ attempt ──▶ open ──▶ cancel requested ──▶ stop ──▶ end reported by the stream
 *
 * The usual course is a table of steps: each event calls the method of the step that waits for it.
 * What is rare (an unknown outcome, a refusal, fills that do not add up yet) runs as a procedure,
 * and the life goes on when it returns.
 *
 * While the order is open, stream messages wake it, and it also polls, because messages may be
 * lost. In a replay none is lost, so it does not poll, but the polls that a live bot would make
 * count in the call budget.
 *
 * A cancel does not wait for a read: the read in progress is abandoned, and another follows the
 * stop. The read comes first only if the user stream reports that nothing is left to cancel.
 *
 * The answer to a stop is never final by itself: it may report success although the order fills
 * first, or an error because the order is already complete. The user stream confirms it, or else
 * the order record decides.
 */
import type { VenueReply } from '../../venue/venue-reply.ts';
import type { VenueRequest } from '../../venue/venue-request.ts';
import type { Resumed } from '../requests/procedure.ts';
import { orderPollMs } from '../requests/read-plan.ts';
import { Task } from '../requests/task.ts';
import { takeOrderReply } from './apply-order-record.ts';
import { endByStream, mayEndByStream, streamLagMs } from './end-by-stream.ts';
import { OrderRead } from './order-read.ts';
import type { OrderStates } from './order-states.ts';
import {
  beginAttempt,
  concludeOther,
  giveUp,
  noteAccepted,
  replyDeadlineMs,
  storeOutcome,
} from './place-order.ts';
import { noteRefusedStop } from './refused-stop.ts';
import { resolveUnknown } from './resolve-unknown.ts';
import { settleOrder } from './settle-order.ts';
import type { TrackedOrder } from './tracked-order.ts';

const stopRepeatMs = 2_000;
/** Pauses before repeating a failed read after a stream's hint; after them, only polls follow. */
const rereadsMs = [2_000, 4_000, 8_000];
const missingIncidentMs = 60_000;
const abandoned: VenueReply = { kind: 'no-answer', why: 'the answer is no longer needed' };

/**
 * What the life waits for.
 *
 * - `attempt`, `stop`, `read`: the reply to that call.
 * - `change`: a change of the open order, or the time of its next poll.
 * - `end`: after a confirmed stop, the stream's report that the order has ended.
 * - `reread`: the time to repeat a failed read, or a change.
 * - `pause`: a time or a change, after which the order's state is looked at again.
 */
type Step = 'attempt' | 'change' | 'stop' | 'end' | 'read' | 'reread' | 'pause';

export class OrderLife extends Task {
  readonly #orders: OrderStates;
  readonly #order: TrackedOrder;
  #step: Step = 'pause';
  /**
   * Since when, or until when, the step waits, by our clock. Starts as a fraction, so that V8 keeps
   * a double and writes allocate nothing.
   */
  #stepMs = 0.5;
  /** The read in progress. */
  #reading: OrderRead | undefined = undefined;
  /** The id that the stop in progress names. */
  #stopId = '';
  #hasStopped = false;
  #isStopTaken = false;
  #wasHinted = false;
  // These are reset whenever the order becomes open.
  #isOpen = false;
  #rereads = 0;
  #missingSinceMs: number | undefined = undefined;
  #isMissingReported = false;
  /** Whether to read by our own id, because the exchange's id led to no order or another one. */
  #isIdDoubted = false;

  constructor(orders: OrderStates, order: TrackedOrder) {
    super(orders.context.tasks);
    this.#orders = orders;
    this.#order = order;
  }

  override run(value: Resumed | undefined): void {
    if (this.isInProcedure) {
      super.run(value);
      return;
    }
    switch (this.#step) {
      case 'attempt':
        this.#onAttemptAnswered(value as VenueReply<'place'>);
        return;
      case 'change':
        this.#onChange(value === 'time');
        return;
      case 'stop':
        this.#onStopAnswered(value as VenueReply<'cancel'>);
        return;
      case 'end':
        this.#awaitEnd();
        return;
      case 'read':
        this.#onRead(value as VenueReply<'order'>);
        return;
      case 'reread':
        // A cancel that was requested meanwhile goes first; a read follows it.
        this.#order.completionHinted = this.#order.cancelRequestedMs === undefined;
        this.#goOn();
        return;
      case 'pause':
        this.#goOn();
        return;
    }
  }

  protected override returned(): void {
    this.#goOn();
  }

  /** Does what the order's state asks for. */
  #goOn(): void {
    const order = this.#order;
    const wasOpen = this.#isOpen;
    this.#isOpen = order.state === 'open';
    switch (order.state) {
      case 'waiting':
      case 'sending':
        this.#place();
        return;
      case 'unknown':
        this.begin(resolveUnknown(this.#orders, order));
        return;
      case 'open':
        if (!wasOpen) this.#beginFollowing();
        this.#follow();
        return;
      case 'completing':
        this.begin(settleOrder(this.#orders, order));
        return;
      default:
        order.life = undefined;
    }
  }

  #place(): void {
    const order = this.#order;
    if (order.state === 'waiting' && order.cancelRequestedMs !== undefined) {
      giveUp(this.#orders, order);
      this.#goOn();
      return;
    }
    this.#step = 'attempt';
    order.isAttempting = true;
    this.enqueue('place', replyDeadlineMs);
  }

  override request(): VenueRequest | undefined {
    if (this.isInProcedure) return super.request();
    if (this.#step === 'attempt') return beginAttempt(this.#orders, this.#order);
    return this.#order.state === 'open' ? { kind: 'cancel', orderId: this.#stopId } : undefined;
  }

  #onAttemptAnswered(reply: VenueReply<'place'>): void {
    const order = this.#order;
    order.isAttempting = false;
    if (order.state === 'waiting') giveUp(this.#orders, order);
    else {
      const outcome = storeOutcome(this.#orders, order, reply);
      // A stream may have reported the order before the answer arrived.
      if (order.state === 'sending') {
        if (outcome.kind !== 'accepted') {
          this.begin(concludeOther(this.#orders, order, outcome));
          return;
        }
        noteAccepted(this.#orders, order, outcome.orderId);
      }
    }
    this.#goOn();
  }

  #beginFollowing(): void {
    this.#rereads = 0;
    this.#missingSinceMs = undefined;
    this.#isMissingReported = false;
    this.#isIdDoubted = false;
  }

  /** Follows the open order until something happens to it. */
  #follow(): void {
    const order = this.#order;
    const orders = this.#orders;
    this.#hasStopped = false;
    this.#isStopTaken = false;
    const isReadFirst = order.completionHinted && order.hasNothingToCancel;
    if (orders.isCancellingAll) this.#pause(orderPollMs);
    else if (order.cancelRequestedMs !== undefined && !isReadFirst) this.#stop();
    else if (order.completionHinted) this.#read();
    else {
      this.#step = 'change';
      this.#stepMs = orders.context.nowMs;
      this.wait(orders.reads.pollMs, order.changed);
    }
  }

  #pause(milliseconds: number): void {
    this.#step = 'pause';
    this.wait(milliseconds, this.#order.changed);
  }

  #onChange(isTime: boolean): void {
    this.#orders.reads.countPolls(this.#stepMs);
    // If its cancel was requested meanwhile, it is stopped before it is read.
    const isCancelled = this.#order.cancelRequestedMs !== undefined;
    if (isCancelled || (isTime && this.#orders.isPolledByList)) this.#goOn();
    else this.#readIfOpen();
  }

  #stop(): void {
    const order = this.#order;
    this.#hasStopped = true;
    // The answer to a request may have a wrong id; an id reported with our own id is right.
    const orderId = order.namedId ?? order.orderId;
    if (orderId === undefined) {
      this.#readIfOpen();
      return;
    }
    this.#stopId = orderId;
    this.#step = 'stop';
    this.enqueue('cancel', undefined);
  }

  #onStopAnswered(reply: VenueReply<'cancel'>): void {
    this.#isStopTaken = reply.kind === 'ok';
    noteRefusedStop(this.#orders, this.#order, reply);
    if (!this.#isStopTaken || !this.#orders.trustsStream) {
      this.#readIfOpen();
      return;
    }
    this.#stepMs = this.#orders.context.nowMs + streamLagMs;
    this.#awaitEnd();
  }

  /** Waits for the stream's report that the stopped order has ended, and ends it. */
  #awaitEnd(): void {
    const order = this.#order;
    const leftMs = this.#stepMs - this.#orders.context.nowMs;
    if (order.state === 'open' && !order.isEndStreamed && leftMs > 0) {
      this.#step = 'end';
      this.wait(leftMs, order.changed);
      return;
    }
    if (order.state === 'open' && !mayEndByStream(order)) {
      this.#read();
      return;
    }
    if (order.state === 'open') endByStream(this.#orders, order);
    this.#goOn();
  }

  #readIfOpen(): void {
    if (this.#order.state === 'open') this.#read();
    else this.#goOn();
  }

  /** Reads the order; a cancel that is requested meanwhile does not wait for the answer. */
  #read(): void {
    const order = this.#order;
    this.#wasHinted = order.completionHinted;
    order.completionHinted = false;
    this.#step = 'read';
    this.#reading = new OrderRead(this, order, this.#isIdDoubted || order.isIdContradicted);
    this.runner.enqueue(this.#reading);
  }

  /** Takes the answer to a read, unless it was abandoned. */
  takeRead(read: OrderRead, reply: VenueReply): void {
    if (this.#reading !== read) return;
    this.#reading = undefined;
    this.runner.resume(this, reply);
  }

  /** Goes on without the answer to the read in progress. */
  abandonRead(): void {
    const reading = this.#reading;
    if (reading === undefined) return;
    this.runner.withdraw(reading);
    this.takeRead(reading, abandoned);
  }

  /** Withdraws an attempt that waits for the call budget. */
  withdrawAttempt(): void {
    if (this.#order.isAttempting) this.runner.withdraw(this);
  }

  #onRead(reply: VenueReply<'order'>): void {
    const order = this.#order;
    if (order.state === 'open') this.#applyRead(reply);
    if (order.state !== 'open') {
      this.#goOn();
      return;
    }
    const isReadFailed = this.#wasHinted && reply.kind !== 'ok';
    const isCancelling = order.cancelRequestedMs !== undefined;
    const rereadMs = isReadFailed && !isCancelling ? rereadsMs[this.#rereads++] : undefined;
    if (rereadMs !== undefined) {
      this.#step = 'reread';
      this.wait(rereadMs, order.changed);
      return;
    }
    this.#rereads = 0;
    // A cancel that was requested during the read is sent without a wait. A replay reports the end
    // of a stopped order by itself, perhaps only at the end of the bar.
    const isEndCertain = this.#isStopTaken && !this.#orders.reads.losesMessages;
    // The end may have been reported while an answer with the earlier state was on its way.
    if (isEndCertain && order.completionHinted) this.#read();
    else if (this.#hasStopped) this.#pause(isEndCertain ? Number.POSITIVE_INFINITY : stopRepeatMs);
    else this.#goOn();
  }

  #applyRead(reply: VenueReply<'order'>): void {
    const order = this.#order;
    const { context } = this.#orders;
    const record = takeOrderReply(this.#orders, order, reply);
    if (record !== undefined) {
      this.#missingSinceMs = undefined;
      this.#isIdDoubted = record.clientOrderId !== order.clientOrderId;
    } else if (reply.kind === 'refused' && reply.reason === 'not-found') {
      this.#isIdDoubted = !this.#isIdDoubted;
      this.#missingSinceMs ??= context.nowMs;
      if (this.#isMissingReported || context.nowMs - this.#missingSinceMs <= missingIncidentMs)
        return;
      this.#isMissingReported = true;
      context.incident(
        'ORDER_MISSING',
        `open order ${order.clientOrderId} (${order.orderId}) has not been found for a minute; it is still tracked`,
      );
    }
  }
}
