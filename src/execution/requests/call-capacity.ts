/**
 * How many calls each priority may use within a minute. At a venue that allows 300:
 *
 *     calls of the last minute        0 ──── moves ── orders ── reads ── lookups ── cancels ── 300
 *     without a report of the limit         170      190      210       240       290
 *     as the exchange reports it            255      258      268       278       290
 *
 * The venue documents its limit, and its answers may report it and how many calls are left. While
 * they do, for a window of a minute, the bot uses nearly all of them, less those that others make
 * with the same key. Otherwise it leaves a fifth unused.
 *
 * Invariants: each live order has a call reserved for its cancel, up to {@link cancelsReservedMax};
 * no report raises the limit above the documented one, and none limits cancels.
 */
import type { CallLimitReport } from '../../venue/venue-reply.ts';
import type { CallPriority } from './procedure.ts';

/** What each priority, and the replacements of quotes, leave of the limit. */
type Margins = Readonly<Record<CallPriority | 'move', number>>;
const assumed: Margins = { cancel: 10, resolve: 60, read: 90, place: 110, move: 130 };
const reported: Margins = { cancel: 10, resolve: 22, read: 32, place: 42, move: 45 };
/** With fewer, too few of them would be left for orders and quotes. */
export const callsPerMinuteMin = 200;
/** The most calls that live orders reserve for their cancels. */
const cancelsReservedMax = 100;
/** A report counts for this long; so do the calls of others that it shows. */
const reportMs = 60_000;
const othersMs = 10_000;

/** Returns the most calls of any minute, all priorities together, at a venue with this limit. */
export function callsPerMinuteMax(documented: number): number {
  // The rest covers differences between the venue's count and ours.
  return documented - assumed.cancel;
}

export class CallCapacity {
  /** Returns the number of orders that may need a cancel. */
  cancelsNeeded: () => number = () => 0;
  /** The calls of a minute that the venue documents. */
  readonly #documented: number;
  #limit: number;
  #limitMs = Number.NEGATIVE_INFINITY;
  /** Calls within the last minute that others made, and when an answer showed them. */
  #others = 0;
  #othersMs = Number.NEGATIVE_INFINITY;

  constructor(documented: number) {
    this.#documented = documented;
    this.#limit = documented;
  }

  /** Takes the report of an answer; `own` calls of ours count at that time. */
  note({ perMinute, remaining }: CallLimitReport, own: number, nowMs: number): void {
    this.#limit = Math.min(perMinute, this.#documented);
    this.#limitMs = nowMs;
    const others = Math.max(0, perMinute - remaining - own);
    // Our count differs from the exchange's while calls are on their way, so a fall counts later.
    if (others < this.#others && nowMs < this.#othersMs + othersMs) return;
    this.#others = others;
    this.#othersMs = nowMs;
  }

  /** Returns the most calls of any minute after which a call of this kind may be sent. */
  of(kind: CallPriority | 'move', nowMs: number): number {
    // Cancels ignore reports: a wrong one must not keep an order at the exchange.
    if (kind === 'cancel') return callsPerMinuteMax(this.#documented);
    const isReported = nowMs < this.#limitMs + reportMs;
    const margins = isReported ? reported : assumed;
    const limit = isReported ? this.#limit - this.#others : this.#documented;
    const most = Math.max(1, limit - margins[kind]);
    const needed = Math.min(this.cancelsNeeded(), cancelsReservedMax);
    return Math.max(1, most - Math.max(0, needed - (margins.resolve - margins.cancel)));
  }
}
