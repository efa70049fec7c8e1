/**
 * The call budget: which request may leave now. The exchange refuses more than 300 calls a minute;
 * we run at 240. The last 60 of them are kept for cancels and lookups, so that a burst of orders or
 * reads can never keep a cancel waiting; 30 more are kept from orders, so that orders can never
 * keep the reads waiting by which they come to an end. Cancels alone go on to 290, and do not wait
 * for the answers of others, so that lookups cannot keep them waiting either.
 *
 * Invariants: at most {@link callsPerMinuteMax} calls leave in any 60 seconds of the engine's time,
 * with cancels at most {@link cancelsPerMinuteMax}; lanes are served in their order; after a 429
 * nothing leaves until the pause is over, but for one cancel a second. What a moved quote replaces
 * is paced besides, see {@link MovePace}: it begins while fewer than 130 calls count, and no order
 * waits.
 */
import type { CallsLeft } from '../../domain/calls-left.ts';
import type { CallLimit } from '../../domain/scenario-settings.ts';
import type { Reply } from '../../exchange-api/reply.ts';
import { MovePace } from './move-pace.ts';
import { type Call, type Lane, Signal } from './procedure.ts';

export const callsPerMinuteMax = 240;
/** The rest of 300 is for what the exchange counts otherwise than we do. */
export const cancelsPerMinuteMax = 290;
/** Calls that a lane leaves to the others. */
const reserved: Readonly<Record<Lane, number>> = { cancel: 0, resolve: 0, place: 90, read: 60 };
/** Where more calls left within a minute, a read may have to wait. */
const sentMaxForPause = 90;
const inFlightMax = 16;
const cancelsInFlightMax = 64;
const windowMs = 60_000;
const cancelPaceMs = 1_000;
/**
 * The exchange counts calls by the minute, so that a longer wait frees nothing. Who obeys one of an
 * hour follows neither its orders nor its fills meanwhile, and cannot prove that a cancel worked.
 */
const pauseMsMax = 60_000;
const lanes: readonly Lane[] = ['cancel', 'resolve', 'place', 'read'];

export type QueuedCall = { readonly call: Call; readonly resume: (reply: Reply) => void };

export class CallBudget {
  /** Raised when a call is queued that is no read. */
  readonly orderCalled = new Signal();
  readonly #queues: Record<Lane, QueuedCall[]> = { cancel: [], resolve: [], place: [], read: [] };
  /** The same in the order in which they are served. */
  readonly #inOrder = lanes.map((lane) => ({ lane, queue: this.#queues[lane] }));
  /** Times of the calls of the last minute, oldest first. */
  readonly #sentMs: number[] = [];
  readonly #moves = new MovePace(this.#sentMs);
  /** Calls of all lanes that wait. */
  #waiting = 0;
  #inFlight = 0;
  #pausedUntilMs = 0;
  #pauseMs = 0;
  /** When a cancel may leave although the others pause. */
  #cancelAtMs = 0;
  #isReserveLifted = false;
  readonly #isUnlimited: boolean;

  /** With `unlimited` calls leave as they come, except after a 429. */
  constructor(callLimit: CallLimit = 'exchange') {
    this.#isUnlimited = callLimit === 'unlimited';
  }

  /**
   * Takes it that the last `gapMs` did not pass for the exchange: our clock may have been moved,
   * and calls that seem long ago may still count there.
   */
  noteGap(gapMs: number): void {
    for (const [index, sentMs] of this.#sentMs.entries()) this.#sentMs[index] = sentMs + gapMs;
  }

  /** Whether so few calls left in the last minute that a read now and then leaves at once. */
  hasRoomForReads(nowMs: number): boolean {
    this.#expire(nowMs);
    return (
      nowMs >= this.#pausedUntilMs && this.#waiting === 0 && this.#sentMs.length <= sentMaxForPause
    );
  }

  /**
   * Counts calls at these times that left otherwise, as those of an earlier run, or were not made
   * as they find nothing.
   */
  noteOthers(timesMs: readonly number[]): void {
    if (this.#isUnlimited) return;
    this.#sentMs.push(...timesMs);
    this.#sentMs.sort((a, b) => a - b);
  }

  /** Gives every lane all calls; for the end, when no order is placed and reads prove the rest. */
  liftReserve(): void {
    this.#isReserveLifted = true;
  }

  /** Queues a call in its lane, which it leaves at once when it is withdrawn. */
  enqueue(queued: QueuedCall): void {
    this.#waiting++;
    this.#queues[queued.call.lane].push(queued);
    if (queued.call.lane !== 'read') this.orderCalled.raise();
    queued.call.withdrawal?.subscribe(() => this.#withdraw(queued));
  }

  #withdraw(queued: QueuedCall): void {
    const queue = this.#queues[queued.call.lane];
    const place = queue.indexOf(queued);
    // Its turn came before.
    if (place === -1) return;
    queue.splice(place, 1);
    this.#waiting--;
    queued.resume({ kind: 'not-sent', reason: 'withdrawn' });
  }

  /** Whether a call of any lane waits. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** Number of calls of a lane that wait. */
  waiting(lane: Lane): number {
    return this.#queues[lane].length;
  }

  /** Returns the next call that may leave at `nowMs`, and counts it; undefined if none may. */
  take(nowMs: number): QueuedCall | undefined {
    this.#expire(nowMs);
    if (this.#waiting === 0) return undefined;
    for (const { lane, queue } of this.#inOrder) {
      if (queue.length === 0 || !this.#mayLeave(lane, nowMs)) continue;
      if (nowMs < this.#pausedUntilMs) this.#cancelAtMs = nowMs + cancelPaceMs;
      if (lane !== 'read') this.#moves.noteLeft();
      this.#waiting--;
      return queue.shift();
    }
    return undefined;
  }

  #mayLeave(lane: Lane, nowMs: number): boolean {
    return (
      nowMs >= this.#pauseEndMs(lane) &&
      (this.#isUnlimited ||
        (this.#inFlight < inFlightMaxOf(lane) && this.#sentMs.length < this.#capacity(lane)))
    );
  }

  /** Counts a call as sent. */
  sent(nowMs: number): void {
    if (!this.#isUnlimited) this.#sentMs.push(nowMs);
    this.#inFlight++;
  }

  /**
   * Counts a call as answered; a 429 pauses everything, longer each time it comes again. Returns
   * how long, in milliseconds, if a pause begins.
   */
  answered(reply: Reply, nowMs: number): number | undefined {
    this.#inFlight--;
    const throttled =
      reply.kind === 'refused' && (reply.status === 429 || reply.code === 'ErrTooManyRequests');
    if (!throttled) {
      if (reply.kind === 'ok') this.#pauseMs = 0;
      return undefined;
    }
    // Answers of calls that were in flight together are one refusal, not several.
    if (nowMs < this.#pausedUntilMs) return undefined;
    this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, 2_000), pauseMsMax);
    const pauseMs = Math.min(Math.max(this.#pauseMs, reply.retryAfterMs ?? 0), pauseMsMax);
    this.#pausedUntilMs = nowMs + pauseMs;
    this.#cancelAtMs = nowMs + cancelPaceMs;
    return pauseMs;
  }

  /** When a waiting call may leave, or undefined if none waits or only an answer can free it. */
  nextMs(nowMs: number): number | undefined {
    if (this.#waiting === 0) return undefined;
    let next: number | undefined;
    for (const lane of lanes) {
      if (this.#queues[lane].length === 0) continue;
      if (!this.#isUnlimited && this.#inFlight >= inFlightMaxOf(lane)) continue;
      const laneMs = this.#freeMs(lane, nowMs);
      next = Math.min(next ?? laneMs, laneMs);
    }
    return next;
  }

  /** Until when a 429 keeps all but cancels back, in our milliseconds; in the past if none does. */
  get pausedUntilMs(): number {
    return this.#pausedUntilMs;
  }

  /** When a lane has a call for one behind `ahead` others, as far as is known: at least `nowMs`. */
  #freeMs(lane: Lane, nowMs: number, ahead = 0): number {
    const place = this.#sentMs.length + ahead - this.#capacity(lane);
    const freeing = this.#sentMs[Math.min(place, this.#sentMs.length - 1)];
    const freeMs = freeing === undefined ? nowMs : freeing + windowMs;
    return Math.max(nowMs, freeMs, this.#pauseEndMs(lane));
  }

  /** What is left at `nowMs`, as strategies read it. */
  left(nowMs: number): CallsLeft {
    return {
      perMinute: this.#isUnlimited ? Number.POSITIVE_INFINITY : callsPerMinuteMax,
      forOrders: this.#leftForOrders(nowMs),
      nextOrderMs: this.orderAtMs(nowMs),
      nextMoveMs: this.moveAtMs(nowMs),
    };
  }

  #leftForOrders(nowMs: number): number {
    this.#bringUp(nowMs);
    if (nowMs < this.#pausedUntilMs) return 0;
    if (this.#isUnlimited) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#capacity('place') - this.#sentMs.length - this.#waiting);
  }

  /** When a further order may leave, behind those that wait; not in the past. */
  orderAtMs(nowMs: number): number {
    this.#bringUp(nowMs);
    return this.#freeMs('place', nowMs, this.#queues.place.length);
  }

  /** When an order of a quote may be replaced, as far as is known; not in the past. */
  moveAtMs(nowMs: number): number {
    const orderMs = this.orderAtMs(nowMs);
    if (this.#isUnlimited) return orderMs;
    // Those that wait are missing at the exchange, and go first.
    if (this.#queues.place.length > 0) return Math.max(orderMs, nowMs + 1);
    return Math.max(orderMs, this.#moves.nextMs() ?? nowMs + cancelPaceMs);
  }

  /** Begins a replacement if its calls can leave; returns whether they can. */
  beginMove(nowMs: number): boolean {
    if (this.moveAtMs(nowMs) > nowMs) return false;
    if (!this.#isUnlimited) this.#moves.begin(nowMs);
    return true;
  }

  /** When {@link moveAtMs} may say an earlier time: a call of a minute before counts no more. */
  get forgetsAtMs(): number {
    return (this.#sentMs[0] ?? Number.POSITIVE_INFINITY) + windowMs;
  }

  /** Reads that are left out while nothing happens count from now on, see {@link ReadPauses}. */
  #bringUp(nowMs: number): void {
    this.orderCalled.raise();
    this.#expire(nowMs);
  }

  #pauseEndMs(lane: Lane): number {
    return lane === 'cancel'
      ? Math.min(this.#pausedUntilMs, this.#cancelAtMs)
      : this.#pausedUntilMs;
  }

  #capacity(lane: Lane): number {
    if (lane === 'cancel') return cancelsPerMinuteMax;
    // At the end reads prove what became of the orders, and nothing comes after them.
    return this.#isReserveLifted ? cancelsPerMinuteMax : callsPerMinuteMax - reserved[lane];
  }

  #expire(nowMs: number): void {
    while (this.#sentMs[0] !== undefined && this.#sentMs[0] <= nowMs - windowMs)
      this.#sentMs.shift();
  }
}

function inFlightMaxOf(lane: Lane): number {
  return lane === 'cancel' ? cancelsInFlightMax : inFlightMax;
}
