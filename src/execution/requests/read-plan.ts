/**
 * Which reads are made only in case a message was lost. An exchange in the same process loses none:
 * there these reads are left out, and count in the call budget, because a bot at a real exchange
 * makes them. Every other read is made in every mode, in the same way.
 *
 * Where messages are late, only answers tell the time well, so idle reads are made there, too.
 *
 * This is the only place that decides it, for live, paper and backtest alike.
 */
import type { Demand } from './demand.ts';
import { type Procedure, type Signal, wait } from './procedure.ts';

/** How often an open order is read if no message wakes it. */
export const orderPollMs = 15_000;
/** The call budget counts the calls of this period. */
const countedMs = 60_000;

/** A read that is repeated in case a message was lost. */
export type SafetyRead = {
  /** How long it waits for a request before it is made all the same. */
  readonly idleMs: number;
  /** How much longer one takes to the next, besides {@link idleMs}. */
  readonly spacingMs: number;
  /** The same while orders need the calls. */
  readonly busyMs: number;
  /** How many calls it needs. */
  readonly calls: number;
  /** Whether it is needed although no message asked for it; false by default. */
  readonly isNeeded?: () => boolean;
};

/** A read that is left out, and up to when it was counted. */
type SkippedRead = { readonly read: SafetyRead; readonly sinceMs: number; untilMs: number };

export type ReadPlanOptions = {
  /** Whether the exchange's messages may be lost. */
  readonly losesMessages: boolean;
  /** Whether its messages arrive more than a second late. */
  readonly delaysMessages: boolean;
  readonly time: { readonly nowMs: number };
  /** The part of the call budget that is needed here. */
  readonly calls: {
    /** Raised before the budget is used. */
    readonly orderCalled: Signal;
    readonly isUnlimited: boolean;
    hasRoomForReads(nowMs: number): boolean;
    countOtherCalls(timesMs: readonly number[]): void;
  };
};

export class ReadPlan {
  /** Whether the exchange's messages may be lost. */
  readonly losesMessages: boolean;
  readonly #options: ReadPlanOptions;
  readonly #skipped = new Set<SkippedRead>();

  constructor(options: ReadPlanOptions) {
    this.#options = options;
    this.losesMessages = options.losesMessages;
    if (!options.losesMessages && !options.calls.isUnlimited) this.#countBeforeUse();
  }

  /** How long an open order waits for a message before it is read. */
  get pollMs(): number {
    return this.losesMessages ? orderPollMs : Number.POSITIVE_INFINITY;
  }

  /** Counts the polls of an order that were left out since `sinceMs`. */
  countPolls(sinceMs: number): void {
    if (this.losesMessages) return;
    const poll = { idleMs: orderPollMs, spacingMs: 0, busyMs: 0, calls: 1 };
    this.#count([{ read: poll, sinceMs, untilMs: sinceMs }]);
  }

  /** Waits until `demand` requests the read, or until it is made in case a message was lost. */
  *next(demand: Demand, read: SafetyRead): Procedure {
    const { delaysMessages } = this.#options;
    if (this.losesMessages || delaysMessages || read.isNeeded?.() === true) {
      yield* demand.next(read.idleMs);
      return;
    }
    if (!demand.isPending) {
      const skipped = this.skip(read);
      yield* wait(Number.POSITIVE_INFINITY, demand.asked);
      this.#count([skipped]);
      this.#skipped.delete(skipped);
    }
    demand.clear();
  }

  /** Leaves out a read from now on. */
  skip(read: SafetyRead): SkippedRead {
    const { nowMs } = this.#options.time;
    const skipped = { read, sinceMs: nowMs, untilMs: nowMs };
    this.#skipped.add(skipped);
    return skipped;
  }

  #countBeforeUse(): void {
    const { orderCalled } = this.#options.calls;
    const waiter = {
      onSignal: (): void => {
        this.#count(this.#skipped);
        // A signal forgets its waiters when it is raised.
        orderCalled.subscribe(waiter);
      },
    };
    orderCalled.subscribe(waiter);
  }

  #count(all: Iterable<SkippedRead>): void {
    const { calls } = this.#options;
    if (calls.isUnlimited) return;
    const timesMs: number[] = [];
    for (const skipped of all) this.#addTimes(skipped, timesMs);
    if (timesMs.length > 0) calls.countOtherCalls(timesMs);
  }

  #addTimes(skipped: SkippedRead, timesMs: number[]): void {
    const { calls, time } = this.#options;
    const { nowMs } = time;
    const { read, sinceMs, untilMs } = skipped;
    const isBusy = read.busyMs > 0 && !calls.hasRoomForReads(nowMs);
    const periodMs = read.idleMs + read.spacingMs + (isBusy ? read.busyMs : 0);
    const countedFromMs = Math.max(untilMs, nowMs - countedMs) - sinceMs;
    skipped.untilMs = nowMs;
    let atMs = sinceMs + (Math.floor(countedFromMs / periodMs) + 1) * periodMs;
    for (; atMs <= nowMs; atMs += periodMs)
      for (let call = 0; call < read.calls; call++) timesMs.push(atMs);
  }
}
