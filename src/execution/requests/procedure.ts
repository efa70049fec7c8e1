/**
 * Procedures without promises: paging, resolving an unknown outcome, start-up and shutdown are
 * generator functions that yield what they wait for and are resumed by the event that brings it.
 * They run inside the engine's step, so they replay and simulate like everything else.
 *
 *     function* example(): Procedure {
 *       const request = () => ({ kind: 'balances' }) as const;
 *       const reply = yield* call({ priority: 'read', request });
 *       if (reply.kind !== 'ok') yield* wait(2_000);
 *     }
 */
import type { Failure, VenueReply } from '../../venue/venue-reply.ts';
import type { VenueRequest } from '../../venue/venue-request.ts';

/** Priority of a call in the call budget: cancels, then lookups, then orders, then reads. */
export type CallPriority = 'cancel' | 'resolve' | 'place' | 'read';

export type Call<Request extends VenueRequest = VenueRequest> = {
  readonly priority: CallPriority;
  /**
   * Called when the budget lets the call be sent, so that its timestamp is fresh and the attempt is
   * stored together with the request. Undefined withdraws the call: it is answered `not-sent`.
   */
  readonly request: () => Request | undefined;
  readonly deadlineMs?: number | undefined;
};

/** A call that waits for the budget or for its reply, and what takes the reply. */
export interface QueuedCall {
  priority: CallPriority;
  readonly deadlineMs: number | undefined;
  /** The number of its request, once it was sent. */
  number: number;
  /** See {@link Call}. */
  request(): VenueRequest | undefined;
  /** Takes the reply, once for each time that the call was queued. */
  resume(reply: VenueReply): void;
}

/** Something that waits for a signal. */
export type Waiter = { onSignal(): void };

/** A condition that tasks wait for. Raising it resumes all of them. */
export class Signal {
  // Rarely more than one waits, and the first push to a list reserves room for many.
  #first: Waiter | undefined;
  /** Empty without a first one. */
  #others: Waiter[] | undefined;

  /** Resumes every waiter, once. */
  raise(): void {
    const first = this.#first;
    if (first === undefined) return;
    const others = this.#others;
    this.#first = undefined;
    this.#others = undefined;
    first.onSignal();
    if (others !== undefined) for (const waiter of others) waiter.onSignal();
  }

  /** Calls `waiter` at the next raise, once. */
  subscribe(waiter: Waiter): void {
    if (this.#first === undefined) this.#first = waiter;
    else if (this.#others === undefined) this.#others = [waiter];
    else this.#others.push(waiter);
  }

  /** Does not call `waiter` at the next raise. */
  unsubscribe(waiter: Waiter): void {
    if (this.#first === waiter) {
      this.#first = this.#others?.shift();
      return;
    }
    const place = this.#others?.indexOf(waiter) ?? -1;
    if (place !== -1) this.#others?.splice(place, 1);
  }
}

export type Yielded =
  | { readonly kind: 'call'; readonly call: Call }
  | {
      readonly kind: 'wait';
      readonly milliseconds: number;
      readonly signal: Signal | undefined;
    };

/** What a procedure is resumed with: the reply of a call, or what ended a wait. */
export type Resumed = VenueReply | 'time' | 'signal';

export type Procedure<Result = void> = Generator<Yielded, Result, Resumed>;

/** Sends one request and returns its reply. */
export function* call<Request extends VenueRequest>(
  asked: Call<Request>,
): Procedure<VenueReply<Request['kind']>> {
  // A procedure that yielded a call is resumed with the reply to that call.
  return (yield { kind: 'call', call: asked }) as VenueReply<Request['kind']>;
}

/** Returns why a call failed, as text. */
export function describeFailure(failure: Failure): string {
  return failure.kind === 'refused' ? failure.code : failure.why;
}

/** Waits `milliseconds`, which may be infinite, or until `signal`; returns which ended the wait. */
export function* wait(milliseconds: number, signal?: Signal): Procedure<'time' | 'signal'> {
  return (yield { kind: 'wait', milliseconds, signal }) as 'time' | 'signal';
}
