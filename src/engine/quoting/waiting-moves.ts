/**
 * Replacements of quoted orders that wait for the call budget, or for the limits of orders per
 * second and minute, while the old order rests. The one that has waited longest begins first; each
 * has the newest terms of its quote.
 */
import type { QuotedOrder } from '../../domain/intent.ts';
import type { TrackedOrder } from '../../execution/orders/tracked-order.ts';
import type { CallBudget } from '../../execution/requests/call-budget.ts';
import type { EngineServices } from '../engine-services.ts';
import type { QuoteTarget } from './quote-target.ts';

/** Counts of the replacements that have begun. */
export type MoveCounts = {
  readonly begun: number;
  /** How many of them waited for more than a second. */
  readonly waitedLong: number;
  readonly waitMsMax: number;
};

/** The resting order of one level of a quote, its replacement, and since when that waits. */
export type WaitingMove = {
  readonly target: QuoteTarget;
  readonly resting: TrackedOrder;
  readonly wanted: QuotedOrder;
  readonly sinceMs: number;
};

const longMsMin = 1_000;

export class WaitingMoves {
  readonly #context: EngineServices;
  readonly #calls: CallBudget;
  readonly #rateAtMs: (strategyId: string) => number;
  /** Longest wait first. */
  #waiting: WaitingMove[] = [];
  /** When the earliest scheduled wake-up is due. */
  #wakeAtMs = Number.POSITIVE_INFINITY;
  readonly #counts = { begun: 0, waitedLong: 0, waitMsMax: 0 };

  /** `rateAtMs` returns when the limits of orders per time allow a strategy's next replacement. */
  constructor(
    context: EngineServices,
    calls: CallBudget,
    rateAtMs: (strategyId: string) => number,
  ) {
    this.#context = context;
    this.#calls = calls;
    this.#rateAtMs = rateAtMs;
  }

  /** When the limits of orders per time allow a replacement of the target; may be past. */
  rateAtMs({ strategyId }: QuoteTarget): number {
    return this.#rateAtMs(strategyId);
  }

  get counts(): MoveCounts {
    return { ...this.#counts };
  }

  /** Every waiting replacement that is still wanted. */
  get all(): readonly WaitingMove[] {
    if (this.#waiting.length > 0) this.#waiting = this.#waiting.filter(isWanted);
    return this.#waiting;
  }

  /** Whether a replacement of the target waits. */
  isWaiting(target: QuoteTarget): boolean {
    return this.#waiting.length > 0 && this.all.some((one) => one.target === target);
  }

  /**
   * Begins to replace `resting` by `wanted`, which has its level, if the calls can be sent and no
   * other has waited longer; returns the time since which it waited. Returns undefined if it must
   * still wait.
   */
  begin(target: QuoteTarget, resting: TrackedOrder, wanted: QuotedOrder): number | undefined {
    const { nowMs } = this.#context;
    const waiting = this.all;
    const place = placeOf(target, wanted.level, waiting);
    // An index of −1 would be looked up as a name.
    const sinceMs = place === -1 ? nowMs : (waiting[place]?.sinceMs ?? nowMs);
    const rateMs = this.rateAtMs(target);
    if (rateMs <= nowMs && this.#isFirst(place) && this.#calls.beginMove(nowMs)) {
      if (place !== -1) this.#waiting.splice(place, 1);
      this.#count(nowMs - sinceMs);
      return sinceMs;
    }
    const move = { target, resting, wanted, sinceMs };
    if (place === -1) this.#waiting.push(move);
    else this.#waiting[place] = move;
    this.#scheduleWake(nowMs, rateMs);
    return undefined;
  }

  /** Whether none that could begin has waited longer; `place` is −1 for one that has not waited. */
  #isFirst(place: number): boolean {
    const { nowMs } = this.#context;
    const ahead = place === -1 ? this.#waiting.length : place;
    for (let at = 0; at < ahead; at++)
      if (this.rateAtMs((this.#waiting[at] as WaitingMove).target) <= nowMs) return false;
    return true;
  }

  /** Drops the waiting replacements of a target, except for those at the levels of `moving`. */
  keep(target: QuoteTarget, moving: readonly TrackedOrder[]): void {
    if (this.#waiting.length === 0) return;
    this.#waiting = this.#waiting.filter(
      (one) => one.target !== target || moving.some(({ level }) => level === one.wanted.level),
    );
  }

  #count(waitedMs: number): void {
    const counts = this.#counts;
    counts.begun++;
    if (waitedMs > longMsMin) counts.waitedLong++;
    if (waitedMs > counts.waitMsMax) counts.waitMsMax = waitedMs;
  }

  /** Plans the waiting quotes again when a replacement may begin or old calls no longer count. */
  #scheduleWake(nowMs: number, rateMs: number): void {
    const calls = this.#calls;
    const callsMs = Math.min(calls.moveAtMs(nowMs), calls.forgetsAtMs);
    const atMs = Math.max(nowMs + 1, rateMs > nowMs ? rateMs : callsMs);
    if (atMs >= this.#wakeAtMs) return;
    this.#wakeAtMs = atMs;
    this.#context.wakeAfter(atMs - nowMs, () => {
      if (this.#wakeAtMs === atMs) this.#wakeAtMs = Number.POSITIVE_INFINITY;
      for (const { target } of this.all) target.isDirty = true;
    });
  }
}

/** False once the strategy has no quote or the resting order ends. */
function isWanted({ target, resting }: WaitingMove): boolean {
  return target.quotes.wanted !== undefined && !resting.isFinal && !resting.cancelling;
}

/** Returns the index of the replacement at a level of the target; −1 if it does not wait. */
function placeOf(target: QuoteTarget, level: string, waiting: readonly WaitingMove[]): number {
  for (let place = 0; place < waiting.length; place++) {
    const move = waiting[place] as WaitingMove;
    if (move.target === target && move.wanted.level === level) return place;
  }
  return -1;
}
