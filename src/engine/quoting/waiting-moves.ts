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

/** The resting order of one level of a quote, and its replacement. */
export type Move = {
  readonly target: QuoteTarget;
  readonly resting: TrackedOrder;
  readonly wanted: QuotedOrder;
};

/** Counts of the replacements that have begun. */
export type MoveCounts = {
  readonly begun: number;
  /** How many of them waited for more than a second. */
  readonly waitedLong: number;
  readonly waitMsMax: number;
};

export type WaitingMove = Move & { readonly sinceMs: number };

const longMsMin = 1_000;

export class WaitingMoves {
  readonly #context: EngineServices;
  readonly #calls: CallBudget;
  readonly #rateAtMs: (strategyId: string) => number;
  /** Longest wait first. */
  #waiting: WaitingMove[] = [];
  /** When the earliest scheduled wake-up is due. */
  #wakeAtMs = Number.POSITIVE_INFINITY;
  #counts: MoveCounts = { begun: 0, waitedLong: 0, waitMsMax: 0 };

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

  /** When the limits of orders per time allow the replacement; a past time means now. */
  rateAtMs({ target }: Move): number {
    return this.#rateAtMs(target.strategyId);
  }

  get counts(): MoveCounts {
    return this.#counts;
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
   * Begins a replacement if its calls can be sent and no other has waited longer; returns the time
   * since which it waited. Returns undefined if it must still wait.
   */
  begin(move: Move): number | undefined {
    const { nowMs } = this.#context;
    const waiting = this.all;
    const place = placeOf(move, waiting);
    // An index of −1 would be looked up as a name.
    const sinceMs = place === -1 ? nowMs : (waiting[place]?.sinceMs ?? nowMs);
    const rateMs = this.rateAtMs(move);
    if (rateMs <= nowMs && this.#isFirst(place) && this.#calls.beginMove(nowMs)) {
      if (place !== -1) this.#waiting.splice(place, 1);
      this.#count(nowMs - sinceMs);
      return sinceMs;
    }
    if (place === -1) this.#waiting.push({ ...move, sinceMs });
    else this.#waiting[place] = { ...move, sinceMs };
    this.#scheduleWake(nowMs, rateMs);
    return undefined;
  }

  /** Whether none that could begin has waited longer; `place` is −1 for one that has not waited. */
  #isFirst(place: number): boolean {
    const { nowMs } = this.#context;
    const ahead = place === -1 ? this.#waiting.length : place;
    for (let at = 0; at < ahead; at++)
      if (this.rateAtMs(this.#waiting[at] as WaitingMove) <= nowMs) return false;
    return true;
  }

  /** Drops the waiting replacements of a target, except for `moves`. */
  keep(target: QuoteTarget, moves: readonly Move[]): void {
    if (this.#waiting.length === 0) return;
    this.#waiting = this.#waiting.filter(
      (one) => one.target !== target || moves.some((move) => isSamePlace(one, move)),
    );
  }

  #count(waitedMs: number): void {
    const { begun, waitedLong, waitMsMax } = this.#counts;
    this.#counts = {
      begun: begun + 1,
      waitedLong: waitedLong + (waitedMs > longMsMin ? 1 : 0),
      waitMsMax: Math.max(waitMsMax, waitedMs),
    };
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
  return target.quote !== undefined && !resting.isFinal && !resting.cancelling;
}

/** Returns the index of the move of the same level; −1 if it does not wait. */
function placeOf(move: Move, waiting: readonly WaitingMove[]): number {
  for (let place = 0; place < waiting.length; place++)
    if (isSamePlace(waiting[place] as WaitingMove, move)) return place;
  return -1;
}

function isSamePlace(a: Move, b: Move): boolean {
  return a.target === b.target && a.wanted.level === b.wanted.level;
}
