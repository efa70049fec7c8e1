/**
 * Cancels all orders without a bot, with a call budget of its own and a monotonic clock. Used by
 * `panic` and the watchdog.
 *
 * Invariant: no database, no engine, no gate; it only lists and stops orders.
 */
import { Coroutines } from '../../engine/coroutines.ts';
import { TimerQueue } from '../../engine/timer-queue.ts';
import { timeToLiveMs } from '../../execution/orders/time-to-live.ts';
import {
  CancelAll,
  type CancelAllOptions,
  type CancelAllResult,
} from '../../execution/reconcile/cancel-all.ts';
import { CallBudget } from '../../execution/requests/call-budget.ts';
import type { Procedure } from '../../execution/requests/procedure.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Cancel, Timers } from '../../runtime/timers.ts';
import type { VenueProperties } from '../../venue/venue-properties.ts';
import type { VenueReply } from '../../venue/venue-reply.ts';
import type { VenueRequest } from '../../venue/venue-request.ts';

const deadlineMs = 4_000;

export type CancelAllRunOptions = {
  readonly properties: VenueProperties;
  readonly clock: Pick<Clock, 'monotonicMicros'>;
  readonly timers: Pick<Timers, 'after'>;
  /** Sends one request; `answer` is called once. */
  readonly send: (
    request: VenueRequest,
    deadlineMs: number,
    answer: (reply: VenueReply) => void,
  ) => void;
};

/** Cancels all orders; resolves when that is proven, or when `mayGoOn` ends it. */
export function runCancelAll(
  options: CancelAllRunOptions,
  work: Pick<CancelAllOptions, 'prefix' | 'mayGoOn' | 'tell'> &
    Partial<Pick<CancelAllOptions, 'known'>>,
): Promise<CancelAllResult> {
  return new Promise((resolve) => {
    const context = new CancelAllContext(options);
    const { placing, reads } = options.properties;
    const cancelAll = new CancelAll({
      ...{ known: [], ...work, context, countPending: () => 0 },
      unlistedMsMax: () => timeToLiveMs(placing) + reads.lagMs.min,
    });
    context.begin(
      (function* () {
        const cleared = yield* cancelAll.run();
        context.end();
        resolve(cleared);
      })(),
    );
  });
}

class CancelAllContext {
  readonly #options: CancelAllRunOptions;
  readonly #budget: CallBudget;
  readonly #waits = new TimerQueue();
  readonly #coroutines: Coroutines;
  #cancelWake: Cancel = () => {};
  #isOver = false;

  constructor(options: CancelAllRunOptions) {
    this.#options = options;
    this.#budget = new CallBudget(options.properties.calls);
    this.#coroutines = new Coroutines({
      timers: this.#waits,
      nowMicros: () => this.#nowMicros(),
      calls: this.#budget,
    });
  }

  get nowMs(): number {
    return this.#nowMicros() / 1000;
  }

  spawn(procedure: Procedure): void {
    this.#coroutines.spawn(procedure);
  }

  begin(procedure: Procedure): void {
    this.spawn(procedure);
    this.#turn();
  }

  end(): void {
    this.#isOver = true;
    this.#cancelWake();
  }

  #nowMicros(): number {
    return this.#options.clock.monotonicMicros();
  }

  /** Runs due procedures, sends the allowed calls, and schedules the next turn. */
  #turn(): void {
    this.#cancelWake();
    this.#waits.runDue(this.#nowMicros());
    this.#sendAllowed();
    if (this.#isOver) return;
    const budgetMs = this.#budget.nextMs(this.nowMs) ?? Infinity;
    const wakeMs = Math.min(this.#waits.nextMicros / 1000, budgetMs);
    if (wakeMs === Infinity) return;
    const delayMs = Math.max(1, Math.ceil(wakeMs - this.nowMs));
    this.#cancelWake = this.#options.timers.after(delayMs, () => this.#turn());
  }

  #sendAllowed(): void {
    for (;;) {
      const call = this.#isOver ? undefined : this.#budget.take(this.nowMs);
      if (call === undefined) return;
      const request = call.request();
      if (request === undefined) {
        call.resume({ kind: 'not-sent', why: 'withdrawn' });
        continue;
      }
      this.#budget.sent(this.nowMs);
      this.#options.send(request, deadlineMs, (reply) => {
        if (this.#isOver) return;
        this.#budget.answered(reply, this.nowMs);
        call.resume(reply);
        this.#turn();
      });
    }
  }
}
