/**
 * Holds answers and stream messages back until every command before them is on the disk.
 *
 *     command ─▶ log ─▶ end of the turn ─▶ one disk sync ─▶ answers and messages, in order
 *
 * All requests of one turn of the event loop share a disk sync, and so do all requests that arrive
 * during a sync.
 *
 * Invariants: nothing is sent before all earlier commands are durable; output keeps its order;
 * after a failure nothing is sent.
 */
import type { StoreError } from '../../../../domain/errors.ts';
import type { Timers } from '../../../../runtime/timers.ts';

export type OutboxOptions = {
  readonly timers: Pick<Timers, 'soon'>;
  /** Whether commands were given that no commit has written yet. */
  readonly hasPending: () => boolean;
  readonly commitLater: (done: (failure: StoreError | undefined) => void) => void;
  /** Called at most once. */
  readonly fail: (failure: StoreError) => void;
};

type Send = () => void;

export class Outbox {
  readonly #options: OutboxOptions;
  #waiting: Send[] = [];
  #state: 'idle' | 'armed' | 'committing' | 'closed' = 'idle';
  #idle = Promise.withResolvers<void>();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Calls `send` once all earlier commands are durable: at once if nothing waits for the disk. */
  put(send: Send): void {
    if (this.#state === 'closed') return;
    if (this.#state === 'idle' && !this.#options.hasPending()) {
      send();
      return;
    }
    this.#waiting.push(send);
    this.#arm();
  }

  /** Makes sure that commands without an answer become durable too. */
  settle(): void {
    if (this.#options.hasPending()) this.#arm();
  }

  /** Drops the waiting output. Resolves when no commit is running. */
  async close(): Promise<void> {
    const isCommitting = this.#state === 'committing';
    this.#state = 'closed';
    this.#waiting = [];
    if (isCommitting) await this.#idle.promise;
  }

  #arm(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'armed';
    this.#options.timers.soon(() => this.#commit());
  }

  #commit(): void {
    if (this.#state !== 'armed') return;
    const batch = this.#waiting;
    this.#waiting = [];
    if (!this.#options.hasPending()) {
      this.#release(batch);
      return;
    }
    this.#state = 'committing';
    this.#idle = Promise.withResolvers<void>();
    this.#options.commitLater((failure) => {
      this.#idle.resolve();
      if (this.#state === 'closed') return;
      if (failure === undefined) this.#release(batch);
      else {
        this.#state = 'closed';
        this.#options.fail(failure);
      }
    });
  }

  #release(batch: readonly Send[]): void {
    // While armed, output that a send causes is queued behind the rest of its batch.
    this.#state = 'armed';
    for (const send of batch) send();
    if (this.#state !== 'armed') return;
    this.#state = 'idle';
    if (this.#waiting.length > 0) this.#arm();
    else this.settle();
  }
}
