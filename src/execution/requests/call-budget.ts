/**
 * The call budget decides which call may be sent now. A venue refuses more calls a minute than it
 * documents. Each priority may use a part of them (see {@link CallCapacity}): orders the smallest,
 * then reads, then lookups, and cancels nearly all. So no call delays a more urgent one. Cancels do
 * not wait for the answers of other calls either.
 *
 * Invariants: in any 60 seconds of the engine's time, a call is sent only while fewer calls count
 * than its priority may use; priorities are served in order; while the venue refuses calls because
 * there are too many, only one cancel a second is sent. Replacements of moved quotes are also
 * paced, see {@link MovePace}.
 */
import type { CallsLeft } from '../../domain/calls-left.ts';
import type { ExchangeProfile } from '../../domain/exchange-profile.ts';
import type { VenueReply } from '../../venue/venue-reply.ts';
import { CallCapacity } from './call-capacity.ts';
import { callsPerMove, MovePace } from './move-pace.ts';
import { type CallPriority, type QueuedCall, Signal } from './procedure.ts';
import { ShortQueue } from './short-queue.ts';

/** If more of the calls of a minute were sent within the last one, a read may have to wait. */
const sentShareForPause = 3 / 10;
const inFlightMax = 16;
const cancelsInFlightMax = 64;
/** When a replacement looks again for room among the calls in flight. */
const answersSoonMs = 5;
const windowMs = 60_000;
const cancelPaceMs = 1_000;
/**
 * The exchange counts calls per minute, so a longer wait has no use. A bot that waited an hour, as
 * an answer may demand, could track neither orders nor fills, and could not prove its cancels.
 */
const pauseMsMax = 60_000;
const priorities: readonly CallPriority[] = ['cancel', 'resolve', 'place', 'read'];

export class CallBudget {
  /** Raised when a call other than a read is queued. */
  readonly orderCalled = new Signal();
  readonly #queues: Readonly<Record<CallPriority, ShortQueue<QueuedCall>>> = {
    cancel: new ShortQueue(),
    resolve: new ShortQueue(),
    place: new ShortQueue(),
    read: new ShortQueue(),
  };
  /** The queues in the order in which they are served. */
  readonly #inOrder = priorities.map((priority) => ({ priority, queue: this.#queues[priority] }));
  /** Times of the calls of the last minute, oldest first. */
  readonly #sentMs: number[] = [];
  readonly #moves: MovePace;
  /** Undefined at an exchange that does not limit calls. */
  readonly #capacity: CallCapacity | undefined;
  readonly #sentMaxForPause: number;
  /** The number of waiting calls of all priorities. */
  #waiting = 0;
  #inFlight = 0;
  #pausedUntilMs = 0;
  #pauseMs = 0;
  /** When a cancel may be sent during a pause. */
  #cancelAtMs = 0;
  #isReserveLifted = false;
  /** Whether the exchange does not limit calls. */
  readonly isUnlimited: boolean;
  /** How many calls the exchange allows in a minute; Infinity if it does not limit them. */
  readonly perMinute: number;

  /** With `unlimited`, calls are sent without a limit, except after a refusal for the rate. */
  constructor(rules: ExchangeProfile['calls']) {
    this.isUnlimited = rules === 'unlimited';
    this.perMinute = rules === 'unlimited' ? Number.POSITIVE_INFINITY : rules.perMinute;
    this.#capacity = rules === 'unlimited' ? undefined : new CallCapacity(rules);
    this.#sentMaxForPause = Math.round(this.perMinute * sentShareForPause);
    this.#moves = new MovePace(this.#sentMs, this.perMinute);
  }

  /** Sets the source of the number of orders that may need a cancel. */
  reserveCancels(cancelsNeeded: () => number): void {
    if (this.#capacity !== undefined) this.#capacity.cancelsNeeded = cancelsNeeded;
  }

  /**
   * Treats the last `gapMs` as not elapsed at the exchange: our clock may have been moved, so calls
   * that seem old may still count there.
   */
  noteGap(gapMs: number): void {
    for (const [index, sentMs] of this.#sentMs.entries()) this.#sentMs[index] = sentMs + gapMs;
  }

  /** Whether the last minute had so few calls that an occasional read can be sent at once. */
  hasRoomForReads(nowMs: number): boolean {
    this.#expire(nowMs);
    return (
      nowMs >= this.#pausedUntilMs &&
      this.#waiting === 0 &&
      this.#sentMs.length <= this.#sentMaxForPause
    );
  }

  /** Counts calls that this budget did not send: those of an earlier run, and skipped reads. */
  countOtherCalls(timesMs: readonly number[]): void {
    if (this.isUnlimited) return;
    this.#sentMs.push(...timesMs);
    this.#sentMs.sort((a, b) => a - b);
  }

  /** Makes all calls available to every priority; for a shutdown, when no order is placed. */
  liftReserve(): void {
    this.#isReserveLifted = true;
  }

  /** Queues a call by its priority. */
  enqueue(call: QueuedCall): void {
    this.#waiting++;
    this.#queueOf(call.priority).push(call);
    if (call.priority !== 'read') this.orderCalled.raise();
  }

  /** Removes a call that waits, and answers it `not-sent`; a call that was sent stays. */
  withdraw(call: QueuedCall): void {
    if (!this.#queueOf(call.priority).remove(call)) return;
    this.#waiting--;
    call.resume({ kind: 'not-sent', why: 'withdrawn' });
  }

  /** Whether any call waits. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** The number of waiting calls of a priority. */
  waiting(priority: CallPriority): number {
    return this.#queueOf(priority).size;
  }

  /** Removes and returns the next call that may be sent at `nowMs`; undefined if none may. */
  take(nowMs: number): QueuedCall | undefined {
    this.#expire(nowMs);
    if (this.#waiting === 0) return undefined;
    for (const { priority, queue } of this.#inOrder) {
      if (queue.size === 0 || !this.#maySend(priority, nowMs)) continue;
      if (nowMs < this.#pausedUntilMs) this.#cancelAtMs = nowMs + cancelPaceMs;
      if (priority !== 'read') this.#moves.noteSent();
      this.#waiting--;
      return queue.shift();
    }
    return undefined;
  }

  // A member that is named by a value is looked up in a table of all names.
  #queueOf(priority: CallPriority): ShortQueue<QueuedCall> {
    const { cancel, resolve, place, read } = this.#queues;
    if (priority === 'place') return place;
    if (priority === 'cancel') return cancel;
    return priority === 'read' ? read : resolve;
  }

  #maySend(priority: CallPriority, nowMs: number): boolean {
    return (
      nowMs >= this.#pauseEndMs(priority) &&
      (this.isUnlimited ||
        (this.#inFlight < inFlightMaxOf(priority) &&
          this.#sentMs.length < this.#capacityOf(priority, nowMs)))
    );
  }

  /** Counts a call as sent. */
  sent(nowMs: number): void {
    if (!this.isUnlimited) this.#sentMs.push(nowMs);
    this.#inFlight++;
  }

  /**
   * Counts a call as answered. Too many pause everything, longer with each repetition; returns the
   * length in milliseconds of a pause that begins now.
   */
  answered(reply: VenueReply, nowMs: number): number | undefined {
    this.#inFlight--;
    if ('callLimit' in reply && reply.callLimit !== undefined) {
      this.#expire(nowMs);
      this.#capacity?.note(reply.callLimit, this.#sentMs.length, nowMs);
    }
    if (reply.kind !== 'refused' || reply.reason !== 'throttled') {
      if (reply.kind === 'ok') this.#pauseMs = 0;
      return undefined;
    }
    // The answers of calls that were in flight together count as one refusal.
    if (nowMs < this.#pausedUntilMs) return undefined;
    this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, 2_000), pauseMsMax);
    const pauseMs = Math.min(Math.max(this.#pauseMs, reply.retryAfterMs ?? 0), pauseMsMax);
    this.#pausedUntilMs = nowMs + pauseMs;
    this.#cancelAtMs = nowMs + cancelPaceMs;
    return pauseMs;
  }

  /** When a waiting call may be sent; undefined if none waits or an answer must arrive first. */
  nextMs(nowMs: number): number | undefined {
    if (this.#waiting === 0) return undefined;
    let next: number | undefined;
    for (const priority of priorities) {
      if (this.#queueOf(priority).size === 0) continue;
      if (!this.isUnlimited && this.#inFlight >= inFlightMaxOf(priority)) continue;
      const freeMs = this.#freeMs(priority, nowMs);
      next = Math.min(next ?? freeMs, freeMs);
    }
    return next;
  }

  /** Until when a 429 stops all calls except cancels, in our milliseconds; may be in the past. */
  get pausedUntilMs(): number {
    return this.#pausedUntilMs;
  }

  /** When a call behind `ahead` others of its priority may be sent, at least; not in the past. */
  #freeMs(priority: CallPriority, nowMs: number, ahead = 0): number {
    const place = this.#sentMs.length + ahead - this.#capacityOf(priority, nowMs);
    // A negative index would be looked up as a name.
    const last = Math.min(place, this.#sentMs.length - 1);
    const freeing = last < 0 ? undefined : this.#sentMs[last];
    const freeMs = freeing === undefined ? nowMs : freeing + windowMs;
    return Math.max(nowMs, freeMs, this.#pauseEndMs(priority));
  }

  /** The calls that are left at `nowMs`, for strategies. */
  left(nowMs: number): CallsLeft {
    return {
      perMinute: this.#capacityFor('resolve', nowMs),
      forOrders: this.#leftForOrders(nowMs),
      nextOrderMs: this.orderAtMs(nowMs),
      nextMoveMs: this.moveAtMs(nowMs),
    };
  }

  #leftForOrders(nowMs: number): number {
    this.#refresh(nowMs);
    if (nowMs < this.#pausedUntilMs) return 0;
    if (this.isUnlimited) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#capacityOf('place', nowMs) - this.#sentMs.length - this.#waiting);
  }

  /** When another order may be sent, after those that wait; not in the past. */
  orderAtMs(nowMs: number): number {
    this.#refresh(nowMs);
    return this.#freeMs('place', nowMs, this.#queues.place.size);
  }

  /** When an order of a quote may be replaced, as far as known; not in the past. */
  moveAtMs(nowMs: number): number {
    const orderMs = this.orderAtMs(nowMs);
    if (this.isUnlimited) return orderMs;
    // Both calls of a replacement have to leave together, without waiting for an answer.
    const { cancel, place } = this.#queues;
    const inFlight = this.#inFlight + cancel.size + place.size;
    if (inFlight + callsPerMove > inFlightMax) return Math.max(orderMs, nowMs + answersSoonMs);
    const most = this.#capacityFor('move', nowMs);
    return Math.max(orderMs, this.#moves.nextMs(most) ?? nowMs + cancelPaceMs);
  }

  /** Begins a replacement if its calls can be sent; returns whether they can. */
  beginMove(nowMs: number): boolean {
    if (this.moveAtMs(nowMs) > nowMs) return false;
    if (!this.isUnlimited) this.#moves.begin(nowMs);
    return true;
  }

  /** When {@link moveAtMs} may become earlier, because the oldest call no longer counts. */
  get forgetsAtMs(): number {
    return (this.#sentMs[0] ?? Number.POSITIVE_INFINITY) + windowMs;
  }

  /** Counts the reads that were skipped until now, see {@link ReadPauses}. */
  #refresh(nowMs: number): void {
    this.orderCalled.raise();
    this.#expire(nowMs);
  }

  #pauseEndMs(priority: CallPriority): number {
    return priority === 'cancel'
      ? Math.min(this.#pausedUntilMs, this.#cancelAtMs)
      : this.#pausedUntilMs;
  }

  #capacityOf(priority: CallPriority, nowMs: number): number {
    // In a shutdown, reads prove the state of the orders, and no calls follow.
    return this.#capacityFor(this.#isReserveLifted ? 'cancel' : priority, nowMs);
  }

  #capacityFor(kind: CallPriority | 'move', nowMs: number): number {
    return this.#capacity?.of(kind, nowMs) ?? Number.POSITIVE_INFINITY;
  }

  #expire(nowMs: number): void {
    while (this.#sentMs[0] !== undefined && this.#sentMs[0] <= nowMs - windowMs)
      this.#sentMs.shift();
  }
}

function inFlightMaxOf(priority: CallPriority): number {
  return priority === 'cancel' ? cancelsInFlightMax : inFlightMax;
}
