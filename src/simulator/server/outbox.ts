/**
 * What the simulated exchange says waits here until everything that it knows is on the disk.
 *
 *     command ─▶ log ─▶ end of the turn ─▶ one wait for the disk ─▶ answers and frames, in order
 *
 * All requests of a turn of the event loop, and all that come while the disk works, share one wait.
 *
 * Invariants: nothing is sent before the commands that were given before it are durable; what is
 * sent keeps its order; after a failure nothing is sent any more.
 */
import type { StoreError } from '../../domain/errors.ts';
import type { Timers } from '../../runtime/timers.ts';

export type OutboxOptions = {
  readonly timers: Pick<Timers, 'soon'>;
  /** Whether commands were given that no commit has taken yet. */
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

  /** Calls `send` as soon as it may be: at once if nothing waits for the disk. */
  put(send: Send): void {
    if (this.#state === 'closed') return;
    if (this.#state === 'idle' && !this.#options.hasPending()) {
      send();
      return;
    }
    this.#waiting.push(send);
    this.#arm();
  }

  /** Sees to it that commands without any answer become durable too. */
  settle(): void {
    if (this.#options.hasPending()) this.#arm();
  }

  /** Drops what waits and resolves when the disk is no longer at work. */
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
    // Still closed to short cuts: what a send causes comes after the rest of its batch.
    this.#state = 'armed';
    for (const send of batch) send();
    if (this.#state !== 'armed') return;
    this.#state = 'idle';
    if (this.#waiting.length > 0) this.#arm();
    else this.settle();
  }
}
