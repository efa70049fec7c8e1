/**
 * Clears the exchange of open orders: lists them, stops each of ours, and goes on until two lists
 * that were asked for long enough after one another show none. The kill of a running bot, `panic`
 * and the watchdog all run this one procedure.
 *
 *     list ─▶ some are ours ─▶ stop each, newest first ─▶ list again …
 *        └──▶ none is ours ──▶ and none was so long ago, and nothing can still come ──▶ clean
 *
 * Invariants: an answer that cannot be read proves nothing; one list is never enough, since lists
 * lag; every call has the priority of cancels, so it does not wait behind other calls.
 */
import type { OrderRecord } from '../../exchange-api/operations/order-operations.ts';
import type { Reply } from '../../exchange-api/reply.ts';
import { ttlMs } from '../orders/place-order.ts';
import { call, describeReply, type Procedure, wait } from '../requests/procedure.ts';
import { describeIncomplete, walkOpenOrders } from '../requests/walk-open-orders.ts';

/** The longest that a list may lag behind what the exchange did. */
export const readLagMs = 5_000;
const paceMs = 1_000;
/** A stop that was answered with anything but success is repeated after this, if still listed. */
const repeatMs = 500;

export type CancelAllProgress = {
  /** Open orders of ours in the last list that could be read; undefined before the first. */
  readonly open: number | undefined;
  readonly stopsSent: number;
  /** Why the last list or stop failed; undefined if it did not. */
  readonly problem: string | undefined;
};

export type CancelAllOptions = {
  readonly context: { readonly nowMs: number; spawn(procedure: Procedure): void };
  readonly isOurs: (record: OrderRecord) => boolean;
  /** Orders that are thought open, newest first; they are stopped before any list is read. */
  readonly known: readonly string[];
  /** Requests that may still make an order, or have made one that no list need show yet. */
  readonly countPending: () => number;
  /** How far lists may lag, if it is known better than {@link readLagMs}; never less. */
  readonly lagMs?: () => number;
  /** Asked before every call; false ends the work. */
  readonly mayGoOn: () => boolean;
  /** What else is to be done with a list that was read to its end. */
  readonly onList?: (open: readonly OrderRecord[]) => Procedure;
  readonly tell: (progress: CancelAllProgress) => void;
};

export type CancelAllResult = {
  /** Two lists in a row showed none, far enough apart. */
  readonly isClean: boolean;
  /** Of the last list that could be read; undefined if none could. */
  readonly open: number | undefined;
  readonly stopsSent: number;
};

export class CancelAll {
  readonly #options: CancelAllOptions;
  /** When an order may be stopped again; infinite while its stop is under way. */
  readonly #againAtMs = new Map<string, number>();
  #stopsSent = 0;
  #problem: string | undefined;

  constructor(options: CancelAllOptions) {
    this.#options = options;
  }

  /** Runs until it is clean, or until it may not go on. */
  *run(): Procedure<CancelAllResult> {
    const { context, isOurs, known, countPending, mayGoOn, onList, tell } = this.#options;
    for (const orderId of known) this.#beginStop(orderId);
    let open: number | undefined;
    let cleanSinceMs: number | undefined;
    while (mayGoOn()) {
      const askedMs = context.nowMs;
      const pending = countPending();
      const listed = yield* this.#listOpen();
      if (listed !== undefined) {
        const ours = listed.filter(isOurs);
        open = ours.length;
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
   * Whether lists that show nothing prove it, when the last was asked so long after the first: a
   * request that had just left then is taken within its time to live, and shown within the lag.
   */
  isProof(apartMs: number): boolean {
    return apartMs > ttlMs + (this.#options.lagMs?.() ?? readLagMs);
  }

  /** How long after the answer to its stop an order that is listed still is stopped again. */
  pauseAfterStop(isDone: boolean): number {
    return isDone ? readLagMs : repeatMs;
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
      operation: 'stoporder',
      parameters: () => {
        if (!mayGoOn()) return undefined;
        this.#stopsSent++;
        return { order_id: orderId };
      },
    });
    const isDone = isStopped(reply);
    if (!isDone) this.#problem = `stop of ${orderId}: ${describeReply(reply)}`;
    this.#againAtMs.set(orderId, context.nowMs + this.pauseAfterStop(isDone));
  }

  /**
   * Every open order; undefined if the list cannot be read or may be incomplete. Ours are stopped
   * as they are found: what is on one page does not wait for the others.
   */
  *#listOpen(): Procedure<readonly OrderRecord[] | undefined> {
    const { mayGoOn, isOurs } = this.#options;
    const walk = yield* walkOpenOrders({
      priority: 'cancel',
      mayGoOn,
      onPage: (page) => {
        for (const { order_id: orderId } of newestFirst(page.filter(isOurs)))
          this.#beginStop(orderId);
      },
    });
    if (walk.kind === 'complete') return walk.records;
    this.#problem =
      walk.kind === 'refused'
        ? `list of open orders: ${describeReply(walk.reply)}`
        : describeIncomplete(walk.kind);
    return undefined;
  }
}

/** What was placed last is nearest to the market, and trades next. */
function newestFirst(orders: readonly OrderRecord[]): readonly OrderRecord[] {
  return [...orders].sort((a, b) => b.creation_timestamp - a.creation_timestamp);
}

/** Whether the exchange says that the order is stopped, or that there is nothing to stop. */
export function isStopped(reply: Reply<'stoporder'>): boolean {
  if (reply.kind === 'ok') return reply.body.success;
  return reply.kind === 'refused' && reply.code === 'ErrCannotStopUnknownOrNonPendingOrder';
}
