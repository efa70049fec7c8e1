/**
 * The call budget: which request may leave now. The exchange refuses more than 300 calls a minute;
 * we run at 240, and the last 60 of them are kept for cancels and lookups, so that a burst of
 * orders or reads can never keep a cancel waiting.
 *
 * Invariants: at most {@link callsPerMinuteMax} calls leave in any 60 seconds of the engine's time;
 * lanes are served in their order; after a 429 nothing leaves until the pause is over.
 */
import type { Reply } from '../interface/reply.ts';
import type { Call, Lane } from './procedure.ts';

export const callsPerMinuteMax = 240;
const reservedForCancels = 60;
const inFlightMax = 16;
const windowMs = 60_000;
const lanes: readonly Lane[] = ['cancel', 'resolve', 'place', 'read'];

export type QueuedCall = { readonly call: Call; readonly resume: (reply: Reply) => void };

export class CallBudget {
  readonly #queues: Record<Lane, QueuedCall[]> = { cancel: [], resolve: [], place: [], read: [] };
  /** Times of the calls of the last minute, oldest first. */
  readonly #sentMs: number[] = [];
  #inFlight = 0;
  #pausedUntilMs = 0;
  #pauseMs = 0;

  /** Queues a call in its lane. */
  enqueue(queued: QueuedCall): void {
    this.#queues[queued.call.lane].push(queued);
  }

  /** Number of calls of a lane that wait. */
  waiting(lane: Lane): number {
    return this.#queues[lane].length;
  }

  /** Returns the next call that may leave at `nowMs`, and counts it; undefined if none may. */
  take(nowMs: number): QueuedCall | undefined {
    this.#expire(nowMs);
    if (nowMs < this.#pausedUntilMs || this.#inFlight >= inFlightMax) return undefined;
    const lane = lanes.find((one) => this.#queues[one].length > 0 && this.#hasRoom(one));
    if (lane === undefined) return undefined;
    return this.#queues[lane].shift();
  }

  /** Counts a call as sent. */
  sent(nowMs: number): void {
    this.#sentMs.push(nowMs);
    this.#inFlight++;
  }

  /** Counts a call as answered; a 429 pauses everything, longer each time it comes again. */
  answered(reply: Reply, nowMs: number): void {
    this.#inFlight--;
    const throttled =
      reply.kind === 'refused' && (reply.status === 429 || reply.code === 'ErrTooManyRequests');
    if (!throttled) {
      if (reply.kind === 'ok') this.#pauseMs = 0;
      return;
    }
    // Answers of calls that were in flight together are one refusal, not several.
    if (nowMs < this.#pausedUntilMs) return;
    this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, 2_000), 60_000);
    this.#pausedUntilMs = nowMs + Math.max(this.#pauseMs, reply.retryAfterMs ?? 0);
  }

  /** When a waiting call may leave, or undefined if none waits or only an answer can free it. */
  nextMs(nowMs: number): number | undefined {
    const lane = lanes.find((one) => this.#queues[one].length > 0);
    if (lane === undefined || this.#inFlight >= inFlightMax) return undefined;
    if (nowMs < this.#pausedUntilMs) return this.#pausedUntilMs;
    const surplus = this.#sentMs.length - this.#capacity(lane);
    const freeing = this.#sentMs[Math.max(0, surplus)];
    return freeing === undefined || surplus < 0 ? nowMs : freeing + windowMs;
  }

  #capacity(lane: Lane): number {
    return lane === 'cancel' || lane === 'resolve'
      ? callsPerMinuteMax
      : callsPerMinuteMax - reservedForCancels;
  }

  #hasRoom(lane: Lane): boolean {
    return this.#sentMs.length < this.#capacity(lane);
  }

  #expire(nowMs: number): void {
    while (this.#sentMs[0] !== undefined && this.#sentMs[0] <= nowMs - windowMs)
      this.#sentMs.shift();
  }
}
