/**
 * Sends the calls of procedures by priority, as the call budget allows, and resumes each procedure
 * with the answer.
 */

import type { CallBudget } from '../execution/requests/call-budget.ts';
import type { QueuedCall } from '../execution/requests/procedure.ts';
import { ShortQueue } from '../execution/requests/short-queue.ts';
import type { VenueReply } from '../venue/venue-reply.ts';
import type { VenueRequest } from '../venue/venue-request.ts';
import type { EngineContext } from './engine-context.ts';

const requestDeadlineMs = 4_000;
/** A shorter pause after a 429 is not worth a notice. */
const pauseReportedMsMin = 5_000;

/** Whether the egress guard blocked the request; then no further request can be trusted. */
export function isBlocked(reply: VenueReply): reply is Extract<VenueReply, { kind: 'not-sent' }> {
  return reply.kind === 'not-sent' && reply.isBlocked === true;
}

export class RequestQueue {
  readonly #context: EngineContext;
  readonly #budget: CallBudget;
  /** Requests without an answer, in the order in which they were sent; there are few. */
  readonly #pending = new ShortQueue<QueuedCall>();
  #requests = 0;
  /** Calls of the step in progress that leave after its orders, and their requests. */
  readonly #others = new ShortQueue<QueuedCall>();
  readonly #othersRequests = new ShortQueue<VenueRequest>();

  constructor(context: EngineContext) {
    this.#context = context;
    this.#budget = context.calls;
  }

  /** See {@link CallBudget.nextMs}. */
  get nextMs(): number | undefined {
    return this.#budget.nextMs(this.#context.nowMicros / 1000);
  }

  /** See {@link CallBudget.noteGap}. */
  noteGap(gapMs: number): void {
    this.#budget.noteGap(gapMs);
  }

  /** See {@link CallBudget.liftReserve}. */
  liftReserve(): void {
    this.#budget.liftReserve();
  }

  /** Our time, in microseconds. */
  get nowMicros(): number {
    return this.#context.nowMicros;
  }

  /** See {@link CallBudget.hasRoomForReads}. */
  get hasRoomForReads(): boolean {
    return this.#budget.hasRoomForReads(this.#context.nowMs);
  }

  /** See {@link CallBudget.countOtherCalls}. */
  countOtherCalls(timesMs: readonly number[]): void {
    this.#budget.countOtherCalls(timesMs);
  }

  /** Whether a call waits to be sent. */
  get isWaiting(): boolean {
    return this.#budget.isWaiting;
  }

  /**
   * Sends the calls that the budget allows; returns how many it took from the queues. Orders come
   * before the cancels of the same step: the gate has counted both, and a delay of an order costs
   * more.
   */
  send(): number {
    const context = this.#context;
    let taken = 0;
    for (; ; taken++) {
      const call = this.#budget.take(context.nowMs);
      if (call === undefined) break;
      const request = call.request();
      if (request === undefined) {
        call.resume({ kind: 'not-sent', why: 'withdrawn' });
        continue;
      }
      this.#budget.sent(context.nowMs);
      if (request.kind === 'place') this.#emit(call, request);
      else {
        this.#others.push(call);
        this.#othersRequests.push(request);
      }
    }
    while (this.#others.size > 0)
      this.#emit(this.#others.removeAt(0), this.#othersRequests.removeAt(0));
    return taken;
  }

  #emit(queued: QueuedCall, call: VenueRequest): void {
    const request = ++this.#requests;
    queued.number = request;
    this.#pending.push(queued);
    const { deadlineMs = requestDeadlineMs } = queued;
    this.#context.effect({ kind: 'request', request, call, deadlineMs });
  }

  /** Halts the bot: the exchange refuses the key or this program, and will refuse every order. */
  #haltFor(code: string): void {
    const context = this.#context;
    if (context.facts.tradingState.global === 'HALTED') return;
    const text = `the exchange refuses the key or this program: ${code}`;
    context.incident('KEY_REFUSED', text);
    context.setTradingState('bot', 'HALTED', text);
  }

  #reportPause(pauseMs: number | undefined): void {
    if (pauseMs === undefined || pauseMs < pauseReportedMsMin) return;
    const text = `the exchange refuses calls because there are too many (429): for ${Math.ceil(pauseMs / 1000)} s only one cancel a second is sent`;
    this.#context.notice({ level: 'warn', topic: 'state', text });
  }

  /** Removes and returns the call of a request; undefined if it is unknown or answered. */
  #takePending(request: number): QueuedCall | undefined {
    const pending = this.#pending;
    // Answers arrive nearly in the order of their requests.
    for (let place = 0; place < pending.size; place++)
      if (pending.at(place).number === request) return pending.removeAt(place);
    return undefined;
  }

  /** Takes the answer to a request; an answer to an unknown or answered request is ignored. */
  answer(request: number, reply: VenueReply): void {
    const call = this.#takePending(request);
    if (call === undefined) return;
    this.#reportPause(this.#budget.answered(reply, this.#context.nowMs));
    if (reply.kind !== 'not-sent' && reply.venueTimeMs !== undefined)
      this.#context.observeAnswer(reply.venueTimeMs);
    if (isBlocked(reply)) this.#context.incident('EGRESS_BLOCKED', reply.why);
    if (reply.kind === 'refused' && reply.reason === 'key-refused') this.#haltFor(reply.code);
    call.resume(reply);
  }
}
