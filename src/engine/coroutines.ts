/**
 * Runs procedures inside the engine's step: a call waits for its reply event, a wait for the
 * engine's time or a signal.
 *
 * Invariants: a procedure is resumed at most once per yield; procedures are resumed in the order of
 * the events that resume them; a procedure that throws is a bug and ends the step.
 */

import type { Reply } from '../exchange-api/reply.ts';
import type { Call, Procedure, Resumed, Yielded } from '../execution/requests/procedure.ts';
import type { TimerQueue } from './timer-queue.ts';

export type CallHandler = (call: Call, resume: (reply: Reply) => void) => void;

const abandoned: Reply = { kind: 'no-answer', reason: 'the answer is no longer needed' };

export class Coroutines {
  readonly #timers: TimerQueue;
  readonly #nowMicros: () => number;
  readonly #handleCall: CallHandler;
  readonly #ready: { procedure: Procedure; value: Resumed | undefined }[] = [];
  #running = false;

  constructor(options: {
    readonly timers: TimerQueue;
    readonly nowMicros: () => number;
    readonly handleCall: CallHandler;
  }) {
    this.#timers = options.timers;
    this.#nowMicros = options.nowMicros;
    this.#handleCall = options.handleCall;
  }

  /** Starts `procedure`; it runs up to its first yield before the current step ends. */
  spawn(procedure: Procedure): void {
    this.#enqueue(procedure, undefined);
  }

  // A queue instead of recursion: a signal raised by one procedure must not run another inside it.
  #enqueue(procedure: Procedure, value: Resumed | undefined): void {
    if (this.#running) {
      this.#ready.push({ procedure, value });
      return;
    }
    this.#running = true;
    try {
      this.#advance(procedure, value);
      for (let next = this.#ready.shift(); next !== undefined; next = this.#ready.shift())
        this.#advance(next.procedure, next.value);
    } finally {
      this.#running = false;
    }
  }

  #advance(procedure: Procedure, value: Resumed | undefined): void {
    // The first resumption carries no value; a generator ignores the argument of its first next.
    const result = procedure.next(value as Resumed);
    if (!result.done) this.#arm(procedure, result.value);
  }

  #arm(procedure: Procedure, yielded: Yielded): void {
    if (yielded.kind === 'call') this.#armCall(procedure, yielded.call);
    else if (yielded.milliseconds !== Number.POSITIVE_INFINITY) this.#armWait(procedure, yielded);
    // A timer that never fires would stay in the queue for ever.
    else yielded.signal?.subscribe(() => this.#enqueue(procedure, 'signal'));
  }

  #armCall(procedure: Procedure, call: Call): void {
    let resumed = false;
    const resume = (reply: Reply): void => {
      if (resumed) return;
      resumed = true;
      this.#enqueue(procedure, reply);
    };
    this.#handleCall(call, resume);
    if (call.isAbandonable === true) call.withdrawal?.subscribe(() => resume(abandoned));
  }

  #armWait(
    procedure: Procedure,
    { milliseconds, signal }: Extract<Yielded, { kind: 'wait' }>,
  ): void {
    const dueMicros = this.#nowMicros() + Math.round(milliseconds * 1000);
    if (signal === undefined) {
      this.#timers.at(dueMicros, () => this.#enqueue(procedure, 'time'));
      return;
    }
    const onSignal = (): void => {
      cancelTimer();
      this.#enqueue(procedure, 'signal');
    };
    signal.subscribe(onSignal);
    const cancelTimer = this.#timers.at(dueMicros, () => {
      signal.unsubscribe(onSignal);
      this.#enqueue(procedure, 'time');
    });
  }
}
