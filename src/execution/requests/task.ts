/**
 * Work that waits inside the engine's step: for the reply to its call, for a time, or for a signal.
 * A task waits for one thing at a time, so it needs no object for each wait: the task itself waits
 * in the call budget, in the queue of timers and at the signal.
 *
 * Most tasks run a procedure. The life of an order is a task whose usual course needs none (see
 * `order-life.ts`).
 */
import type { VenueReply } from '../../venue/venue-reply.ts';
import type { VenueRequest } from '../../venue/venue-request.ts';
import type {
  Call,
  CallPriority,
  Procedure,
  QueuedCall,
  Resumed,
  Signal,
  Waiter,
} from './procedure.ts';

/** Something that a timer wakes. */
export type Timed = { onTime(): void };

/** What runs tasks, and what they wait with; the engine implements it. */
export interface TaskRunner {
  /** Resumes `task` with `value`: at once, or after the task that is running. */
  resume(task: Task, value: Resumed | undefined): void;
  /** Puts a call into the call budget. */
  enqueue(call: QueuedCall): void;
  /** Answers a call that waits for the budget as `not-sent`; one that was sent stays. */
  withdraw(call: QueuedCall): void;
  /** Wakes `timed` once after `milliseconds`; returns the number of the timer. */
  startTimer(timed: Timed, milliseconds: number): number;
  /** Cancels a timer that has not run. */
  cancelTimer(timer: number): void;
}

const noTimer = -1;

export class Task implements QueuedCall, Waiter, Timed {
  protected readonly runner: TaskRunner;
  priority: CallPriority = 'read';
  deadlineMs: number | undefined = undefined;
  number = 0;
  /** What the runner resumes it with when its turn comes. */
  resumedWith: Resumed | undefined = undefined;
  /** The procedure in progress, and its call if it waits for one. */
  #procedure: Procedure | undefined = undefined;
  #call: Call | undefined = undefined;
  #timer = noTimer;
  #signal: Signal | undefined = undefined;

  constructor(runner: TaskRunner, procedure?: Procedure) {
    this.runner = runner;
    this.#procedure = procedure;
  }

  /** Whether a procedure is in progress. */
  protected get isInProcedure(): boolean {
    return this.#procedure !== undefined;
  }

  /** Continues with the value that ended the wait; only the runner calls it. */
  run(value: Resumed | undefined): void {
    const procedure = this.#procedure;
    if (procedure === undefined) return;
    // The first resumption carries no value; a generator ignores the argument of its first next.
    const { done, value: yielded } = procedure.next(value as Resumed);
    if (done === true) {
      this.#procedure = undefined;
      this.#call = undefined;
      this.returned();
    } else if (yielded.kind === 'wait') this.wait(yielded.milliseconds, yielded.signal);
    else {
      this.#call = yielded.call;
      this.enqueue(yielded.call.priority, yielded.call.deadlineMs);
    }
  }

  /** Called when a procedure has returned. */
  protected returned(): void {}

  /** Runs `procedure` up to its first wait; until it returns, the task continues with it. */
  protected begin(procedure: Procedure): void {
    this.#procedure = procedure;
    this.run(undefined);
  }

  /** Waits for the reply to a call with {@link request}. */
  protected enqueue(priority: CallPriority, deadlineMs: number | undefined): void {
    this.priority = priority;
    this.deadlineMs = deadlineMs;
    this.runner.enqueue(this);
  }

  /** Waits `milliseconds`, which may be infinite, or until `signal`. */
  protected wait(milliseconds: number, signal: Signal | undefined): void {
    this.#signal = signal;
    signal?.subscribe(this);
    // A timer that never fires would stay in the queue for ever.
    if (milliseconds !== Number.POSITIVE_INFINITY)
      this.#timer = this.runner.startTimer(this, milliseconds);
  }

  /** The request of the call that waits; see {@link Call}. */
  request(): VenueRequest | undefined {
    return this.#call?.request();
  }

  /** Takes the reply to the call. */
  resume(reply: VenueReply): void {
    this.runner.resume(this, reply);
  }

  onTime(): void {
    this.#timer = noTimer;
    this.#signal?.unsubscribe(this);
    this.runner.resume(this, 'time');
  }

  onSignal(): void {
    if (this.#timer !== noTimer) this.runner.cancelTimer(this.#timer);
    this.#timer = noTimer;
    this.runner.resume(this, 'signal');
  }
}
