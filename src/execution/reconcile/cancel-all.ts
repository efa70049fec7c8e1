/**
 * Cancels all our open orders: lists them, stops each, and repeats until two lists, requested far
 * enough apart, show no order of ours. The kill switch of a running bot, `panic` and the watchdog
 * all run this procedure.
 *
 *     list ─▶ some are ours ─▶ stop each, newest first ─▶ list again …
 *        └──▶ none is ours ──▶ nor in an earlier list, and no request is pending ──▶ clean
 *
 * Invariants: an unreadable response proves nothing; one list is never enough, since lists lag;
 * every call has the priority of cancels, so that our call budget never delays it for other calls.
 */
import type { VenueReply } from '../../venue/venue-reply.ts';
import { call, describeFailure, type Procedure, wait } from '../requests/procedure.ts';
import {
  describeIncomplete,
  type ListedOrders,
  walkOpenOrders,
} from '../requests/walk-open-orders.ts';

/** A stop that was taken is repeated after this time, if the order is still listed. */
const takenRepeatMs = 5_000;
const paceMs = 1_000;
/** A stop without success is repeated after this time, if the order is still listed. */
const repeatMs = 500;

export type CancelAllProgress = {
  /** Number of our open orders in the last readable list; undefined before the first. */
  readonly open: number | undefined;
  readonly stopsSent: number;
  /** Why the last list or stop failed; undefined if it succeeded. */
  readonly problem: string | undefined;
};

export type CancelAllOptions = {
  readonly context: { readonly nowMs: number; spawn(procedure: Procedure): void };
  /** Orders whose client order id begins with this are ours; the empty text means all. */
  readonly prefix: string;
  /** Orders believed to be open, newest first; they are stopped before the first list is read. */
  readonly known: readonly string[];
  /** Number of requests that may still create an order, or may have created an unlisted order. */
  readonly countPending: () => number;
  /** For how long an order that was sent may be accepted, and then be missing in lists. */
  readonly unlistedMsMax: () => number;
  /** Called before every request; false ends the procedure. */
  readonly mayGoOn: () => boolean;
  /** Called with each complete list. */
  readonly onList?: (open: ListedOrders) => Procedure;
  /** Called after each list. */
  readonly tell: (progress: CancelAllProgress) => void;
};

export type CancelAllResult = {
  /** Two lists, far enough apart, showed no order of ours. */
  readonly isClean: boolean;
  /** Number of our open orders in the last readable list; undefined if there was none. */
  readonly open: number | undefined;
  readonly stopsSent: number;
};

export class CancelAll {
  readonly #options: CancelAllOptions;
  /** When an order may be stopped again; infinite while its stop is in progress. */
  readonly #againAtMs = new Map<string, number>();
  #stopsSent = 0;
  #problem: string | undefined;

  constructor(options: CancelAllOptions) {
    this.#options = options;
  }

  /** Runs until no order of ours is open, or until `mayGoOn` returns false. */
  *run(): Procedure<CancelAllResult> {
    const { context, known, countPending, mayGoOn, onList, tell } = this.#options;
    for (const orderId of known) this.#beginStop(orderId);
    let open: number | undefined;
    let cleanSinceMs: number | undefined;
    while (mayGoOn()) {
      const askedMs = context.nowMs;
      const pending = countPending();
      const listed = yield* this.#listOpen();
      if (listed !== undefined) {
        open = this.#ours(listed).length;
        if (open > 0) cleanSinceMs = undefined;
        else cleanSinceMs ??= askedMs;
        if (onList !== undefined) yield* onList(listed);
      }
      tell({ open, stopsSent: this.#stopsSent, problem: this.#problem });
      this.#problem = undefined;
      const isQuiet = cleanSinceMs !== undefined && this.isProof(askedMs - cleanSinceMs);
      if (listed !== undefined && isQuiet && pending === 0)
        return { isClean: true, open, stopsSent: this.#stopsSent };
      yield* wait(paceMs);
    }
    return { isClean: false, open, stopsSent: this.#stopsSent };
  }

  /**
   * Whether empty lists requested `apartMs` apart prove that nothing is open: an order request sent
   * just before the first is accepted within its time to live, and listed within the lag.
   */
  isProof(apartMs: number): boolean {
    return apartMs > this.#options.unlistedMsMax();
  }

  /** Returns the time in milliseconds after which a still listed order is stopped again. */
  pauseAfterStop(isDone: boolean): number {
    return isDone ? takenRepeatMs : repeatMs;
  }

  /** Returns the ids of our orders, newest first: these are probably nearest to the market. */
  #ours({ views, wrong }: ListedOrders): readonly string[] {
    const { prefix } = this.#options;
    const newestFirst = [...views].sort((a, b) => b.createdMs - a.createdMs);
    // An order is ours by its id, whatever else is said of it.
    return [...newestFirst, ...wrong]
      .filter(({ clientOrderId = '' }) => clientOrderId.startsWith(prefix))
      .map(({ orderId = '' }) => orderId);
  }

  #beginStop(orderId: string): void {
    const { context } = this.#options;
    if (context.nowMs < (this.#againAtMs.get(orderId) ?? 0)) return;
    this.#againAtMs.set(orderId, Number.POSITIVE_INFINITY);
    context.spawn(this.#stop(orderId));
  }

  *#stop(orderId: string): Procedure {
    const { context, mayGoOn } = this.#options;
    const reply = yield* call({
      priority: 'cancel',
      request: () => {
        if (!mayGoOn()) return undefined;
        this.#stopsSent++;
        return { kind: 'cancel', orderId };
      },
    });
    const isDone = isStopped(reply);
    if (reply.kind !== 'ok' && !isDone)
      this.#problem = `stop of ${orderId}: ${describeFailure(reply)}`;
    this.#againAtMs.set(orderId, context.nowMs + this.pauseAfterStop(isDone));
  }

  /**
   * Returns every open order; undefined if the list cannot be read or may be incomplete. Our orders
   * are stopped page by page, without waiting for the rest of the list.
   */
  *#listOpen(): Procedure<ListedOrders | undefined> {
    const { mayGoOn } = this.#options;
    const walk = yield* walkOpenOrders({
      priority: 'cancel',
      mayGoOn,
      onPage: (page) => {
        for (const orderId of this.#ours(page)) this.#beginStop(orderId);
      },
    });
    if (walk.kind === 'complete') return walk;
    this.#problem =
      walk.kind === 'refused'
        ? `list of open orders: ${describeFailure(walk.failure)}`
        : describeIncomplete(walk.kind);
    return undefined;
  }
}

/** Whether the exchange confirms that the order is stopped, or was not open. */
export function isStopped(reply: VenueReply<'cancel'>): boolean {
  return reply.kind === 'ok' || (reply.kind === 'refused' && reply.reason === 'not-open');
}
