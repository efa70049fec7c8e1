/**
 * How many calls each priority may use within a minute. Each leaves a share of the limit to the
 * more urgent ones, or what the profile of the exchange says. Of 300 calls a minute:
 *
 *     calls of the last minute        0 ──── moves ── orders ── reads ── lookups ── cancels ── 300
 *     without a report of the limit         170      190      210       240       290
 *     as the exchange reports it            255      258      268       278       290
 *
 * The venue documents its limit, and its answers may report it and how many calls are left. While
 * they do, for a window of a minute, the bot uses nearly all of them, less those that others make
 * with the same key. Otherwise it leaves a fifth unused.
 *
 * Invariants: each live order has a call reserved for its cancel, up to a third of the limit; no
 * report raises the limit above the documented one, and none limits cancels.
 */
import type { CallClass, CallRules } from '../../domain/exchange-profile.ts';
import type { CallLimitReport } from '../../venue/venue-reply.ts';
import type { CallPriority } from './procedure.ts';

/** What each class leaves of the limit. */
type Margins = Readonly<Record<CallClass, number>>;

// As fractions of the limit. What cancels leave covers differences between the venue's count and
// ours.
const assumedShares: Margins = {
  cancel: 1 / 30,
  lookup: 1 / 5,
  read: 3 / 10,
  order: 11 / 30,
  move: 13 / 30,
};
const reportedShares: Margins = {
  cancel: 1 / 30,
  lookup: 11 / 150,
  read: 8 / 75,
  order: 7 / 50,
  move: 3 / 20,
};
/** The share of the calls that live orders reserve at most for their cancels. */
const cancelsReservedShare = 1 / 3;
const classes: Readonly<Record<CallPriority | 'move', CallClass>> = {
  cancel: 'cancel',
  resolve: 'lookup',
  read: 'read',
  place: 'order',
  move: 'move',
};
/** A report counts for this long; so do the calls of others that it shows. */
const reportMs = 60_000;
const othersMs = 10_000;

/** Returns the most calls of any minute, all priorities together, at a venue with these rules. */
export function callsPerMinuteMax(rules: CallRules): number {
  return rules.perMinute - assumedOf(rules).cancel;
}

function assumedOf({ perMinute, leave }: CallRules): Margins {
  return leave ?? sharesOf(perMinute, assumedShares);
}

/** While the exchange reports its limit, no class leaves more than otherwise. */
function reportedOf(rules: CallRules): Margins {
  const { cancel, lookup, read, order, move } = sharesOf(rules.perMinute, reportedShares);
  const most = assumedOf(rules);
  return {
    cancel: Math.min(cancel, most.cancel),
    lookup: Math.min(lookup, most.lookup),
    read: Math.min(read, most.read),
    order: Math.min(order, most.order),
    move: Math.min(move, most.move),
  };
}

function sharesOf(perMinute: number, shares: Margins): Margins {
  const of = (share: number): number => Math.round(perMinute * share);
  return {
    cancel: of(shares.cancel),
    lookup: of(shares.lookup),
    read: of(shares.read),
    order: of(shares.order),
    move: of(shares.move),
  };
}

export class CallCapacity {
  /** Returns the number of orders that may need a cancel. */
  cancelsNeeded: () => number = () => 0;
  /** The calls of a minute that the venue documents. */
  readonly #documented: number;
  readonly #assumed: Margins;
  readonly #reported: Margins;
  readonly #cancelsReservedMax: number;
  #limit: number;
  #limitMs = Number.NEGATIVE_INFINITY;
  /** Calls within the last minute that others made, and when an answer showed them. */
  #others = 0;
  #othersMs = Number.NEGATIVE_INFINITY;

  constructor(rules: CallRules) {
    this.#documented = rules.perMinute;
    this.#assumed = assumedOf(rules);
    this.#reported = reportedOf(rules);
    this.#cancelsReservedMax = Math.round(rules.perMinute * cancelsReservedShare);
    this.#limit = rules.perMinute;
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
    if (kind === 'cancel') return this.#documented - this.#assumed.cancel;
    const isReported = nowMs < this.#limitMs + reportMs;
    const margins = isReported ? this.#reported : this.#assumed;
    const limit = isReported ? this.#limit - this.#others : this.#documented;
    const most = Math.max(1, limit - margins[classes[kind]]);
    const needed = Math.min(this.cancelsNeeded(), this.#cancelsReservedMax);
    return Math.max(1, most - Math.max(0, needed - (margins.lookup - margins.cancel)));
  }
}
