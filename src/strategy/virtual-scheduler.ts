/**
 * Virtual time for one strategy: an RxJS scheduler whose clock is moved by the engine.
 *
 * Unlike RxJS's VirtualTimeScheduler, it reuses a repeating action, so a timer that runs for months
 * takes no more memory than one that ran once.
 *
 * Invariants: due actions run in order of (due time, order of scheduling); no real timer is
 * created; a repeating action that is late keeps its rhythm and skips the times that it missed; the
 * number of waiting actions, and of actions run in one event, is bounded.
 */
import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';

type Work<T> = (this: SchedulerAction<T>, state?: T) => void;

/** The maximum number of waiting actions of one strategy, and of actions run in one event. */
const actionsMax = 10_000;

/**
 * A repeating action waits at least this long, as Node's own timers do. Otherwise `interval(0)`
 * would never end.
 */
const repeatMsMin = 1;

class VirtualAction<T> extends Subscription implements SchedulerAction<T> {
  /** Infinity while the action is not waiting. */
  dueMs = Infinity;
  sequence = 0;
  delayMs: number | undefined;
  readonly #work: Work<T>;
  readonly #arm: (action: VirtualAction<unknown>, delayMs: number) => void;
  readonly #disarm: (action: VirtualAction<unknown>) => void;
  #state: T | undefined;

  constructor(
    work: Work<T>,
    arm: (action: VirtualAction<unknown>, delayMs: number) => void,
    disarm: (action: VirtualAction<unknown>) => void,
  ) {
    super();
    this.#work = work;
    this.#arm = arm;
    this.#disarm = disarm;
  }

  schedule(state?: T, delayMs = 0): Subscription {
    if (this.closed) return this;
    this.#state = state;
    this.#arm(this as VirtualAction<unknown>, Number.isNaN(delayMs) ? 0 : Math.max(0, delayMs));
    return this;
  }

  run(): void {
    try {
      this.#work.call(this, this.#state);
    } catch (error) {
      this.unsubscribe();
      throw error;
    }
  }

  override unsubscribe(): void {
    if (this.closed) return;
    this.#disarm(this as VirtualAction<unknown>);
    super.unsubscribe();
  }
}

export class VirtualScheduler implements SchedulerLike {
  /** Like {@link VirtualScheduler}, but actions without delay run at once, one after another. */
  readonly queue: SchedulerLike;
  // These have a number from the start, and not an integer, so that V8 stores them in place.
  #nowMs = 0.5;
  /** When the running action was due. */
  #runningDueMs = 0.5;
  #sequence = 0;
  /** Ascending in (dueMs, sequence). */
  readonly #waiting: VirtualAction<unknown>[] = [];
  /** When the first of them is due. It is read far more often than they change. */
  #nextDueMs = Infinity;
  #queued: VirtualAction<unknown>[] | undefined;
  #running: VirtualAction<unknown> | undefined;

  constructor(startMs: number) {
    this.#nowMs = startMs;
    const schedule = <T>(work: Work<T>, delayMs?: number, state?: T): Subscription =>
      this.#create(work, this.#armQueued).schedule(state, delayMs);
    this.queue = { now: () => this.#nowMs, schedule };
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#nowMs;
  }

  /** Runs `work` after `delayMs`; never if it is infinite. */
  schedule<T>(work: Work<T>, delayMs?: number, state?: T): Subscription {
    return this.#create(work, this.#arm).schedule(state, delayMs);
  }

  /** When the next action is due, or Infinity if none is waiting. */
  get nextDueMs(): number {
    return this.#nextDueMs;
  }

  /** Number of waiting actions. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Moves the clock to `nowMs`, never back, without running anything. */
  moveTo(nowMs: number): void {
    if (nowMs > this.#nowMs) this.#nowMs = nowMs;
  }

  /** Runs due actions, including those that become due meanwhile. Throws what an action throws. */
  runDue(): void {
    let count = 0;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const { dueMs } = next;
      if (dueMs > this.#nowMs) return;
      count += 1;
      if (count > actionsMax)
        throw new RangeError(`more than ${actionsMax} timers ran in one event`);
      // Most strategies have one timer, and `shift` is slow.
      if (this.#waiting.length === 1) this.#waiting.pop();
      else this.#waiting.shift();
      this.#noteNext();
      next.dueMs = Infinity;
      this.#running = next;
      this.#runningDueMs = dueMs;
      try {
        next.run();
      } finally {
        this.#running = undefined;
      }
    }
  }

  /** Removes all waiting actions. */
  clear(): void {
    this.#nextDueMs = Infinity;
    for (const action of this.#waiting.splice(0)) {
      action.dueMs = Infinity;
      action.unsubscribe();
    }
  }

  #create<T>(
    work: Work<T>,
    arm: (action: VirtualAction<unknown>, delayMs: number) => void,
  ): VirtualAction<T> {
    return new VirtualAction(work, arm, this.#disarm);
  }

  readonly #arm = (action: VirtualAction<unknown>, delayMs: number): void => {
    this.#disarm(action);
    const repeats = this.#running === action;
    const waitMs = repeats ? Math.max(delayMs, repeatMsMin) : delayMs;
    let dueMs = this.#nowMs + waitMs;
    if (repeats && action.delayMs === delayMs && Number.isFinite(waitMs)) {
      const lateMs = this.#nowMs - this.#runningDueMs;
      // Most actions run in time, and a remainder of two doubles is slow.
      if (lateMs > 0) dueMs -= lateMs % waitMs;
    }
    action.delayMs = delayMs;
    if (!Number.isFinite(dueMs)) return;
    if (this.#waiting.length >= actionsMax) {
      throw new RangeError(`more than ${actionsMax} timers are waiting`);
    }
    action.dueMs = dueMs;
    action.sequence = this.#sequence++;
    const place = this.#placeOf(action);
    if (place === this.#waiting.length) this.#waiting.push(action);
    else this.#waiting.splice(place, 0, action);
    this.#noteNext();
  };

  readonly #armQueued = (action: VirtualAction<unknown>, delayMs: number): void => {
    if (delayMs > 0) {
      this.#arm(action, delayMs);
      return;
    }
    if (this.#queued !== undefined) {
      if (this.#queued.length >= actionsMax) throw new RangeError('queueScheduler overflows');
      this.#queued.push(action);
      return;
    }
    const queued = [action];
    this.#queued = queued;
    let count = 0;
    try {
      for (let next = queued.shift(); next !== undefined; next = queued.shift()) {
        count += 1;
        if (count > actionsMax) throw new RangeError('queueScheduler never becomes empty');
        if (!next.closed) next.run();
      }
    } finally {
      this.#queued = undefined;
    }
  };

  readonly #disarm = (action: VirtualAction<unknown>): void => {
    if (action.dueMs === Infinity) return;
    const place = this.#placeOf(action);
    if (this.#waiting[place] === action) this.#waiting.splice(place, 1);
    this.#noteNext();
    action.dueMs = Infinity;
  };

  #noteNext(): void {
    const first = this.#waiting[0];
    this.#nextDueMs = first === undefined ? Infinity : first.dueMs;
  }

  /** Returns the index of `action` among the waiting ones, or where to insert it. */
  #placeOf(action: VirtualAction<unknown>): number {
    const { dueMs } = action;
    let low = 0;
    let high = this.#waiting.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#waiting[middle] as VirtualAction<unknown>;
      if (other.dueMs < dueMs || (other.dueMs === dueMs && other.sequence < action.sequence)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
