/**
 * Clears the exchange of open orders: lists them, stops each of ours, and goes on until two lists
 * that were asked for long enough after one another show none. The kill of a running bot, `panic`
 * and the watchdog all run this one procedure.
 *
 *     list ─▶ some are ours ─▶ stop each, newest first ─▶ list again …
 *        └──▶ none is ours ──▶ and none was so long ago, and nothing can still come ──▶ clean
 *
 * Invariants: an answer that cannot be read proves nothing; one list is never enough, since lists
 * lag; every call is in the lane of cancels, which no limit of ours keeps waiting behind others.
 */
import type { OrderRecord } from '../interface/operations/orders.ts';
import type { Reply } from '../interface/reply.ts';
import { call, type Procedure, wait } from './procedure.ts';
import { ttlMs } from './sending.ts';

/** The longest that a list may lag behind what the exchange did. */
export const readLagMs = 5_000;
/**
 * Two clean lists must be further apart: a request that had just left when the first was asked for
 * is taken within its time to live, and the second list shows what was taken.
 */
export const quietMs = ttlMs + readLagMs;
const paceMs = 1_000;
/** A stop that was answered with anything but success is repeated after this, if still listed. */
const repeatMs = 500;
const pageSize = 1000;

export type ClearingProgress = {
  /** Open orders of ours in the last list that could be read; undefined before the first. */
  readonly open: number | undefined;
  readonly stopsSent: number;
  /** Why the last list or stop failed; undefined if it did not. */
  readonly problem: string | undefined;
};

export type Clearing = {
  readonly desk: { readonly nowMs: number; spawn(procedure: Procedure): void };
  readonly isOurs: (record: OrderRecord) => boolean;
  /** Orders that are thought open, newest first; they are stopped before any list is read. */
  readonly known: readonly string[];
  /** Requests that may still make an order, or have made one that no list need show yet. */
  readonly countPending: () => number;
  /** Asked before every call; false ends the work. */
  readonly mayGoOn: () => boolean;
  /** What else is to be done with a list that was read to its end. */
  readonly heed?: (open: readonly OrderRecord[]) => Procedure;
  readonly tell: (progress: ClearingProgress) => void;
};

export type Cleared = {
  /** Two lists in a row showed none, far enough apart. */
  readonly isClean: boolean;
  /** Of the last list that could be read; undefined if none could. */
  readonly open: number | undefined;
  readonly stopsSent: number;
};

/** Runs until it is clean, or until it may not go on. */
export function* clearOrders(clearing: Clearing): Procedure<Cleared> {
  const { desk } = clearing;
  const stops = new Stops(clearing);
  for (const orderId of clearing.known) stops.begin(orderId);
  let open: number | undefined;
  let cleanSinceMs: number | undefined;
  let problem: string | undefined;
  while (clearing.mayGoOn()) {
    const askedMs = desk.nowMs;
    const isSettled = clearing.countPending() === 0;
    const listed = yield* listOpen(clearing);
    problem = typeof listed === 'string' ? listed : stops.takeProblem();
    if (typeof listed !== 'string') {
      const ours = listed.filter(clearing.isOurs);
      open = ours.length;
      if (open > 0) cleanSinceMs = undefined;
      else cleanSinceMs ??= askedMs;
      for (const { order_id: orderId } of newestFirst(ours)) stops.begin(orderId);
      if (clearing.heed !== undefined) yield* clearing.heed(listed);
    }
    clearing.tell({ open, stopsSent: stops.sent, problem });
    const isQuiet = cleanSinceMs !== undefined && askedMs - cleanSinceMs > quietMs;
    if (isQuiet && isSettled && typeof listed !== 'string')
      return { isClean: true, open, stopsSent: stops.sent };
    yield* wait(paceMs);
  }
  return { isClean: false, open, stopsSent: stops.sent };
}

/** What was placed last is nearest to the market, and trades next. */
function newestFirst(orders: readonly OrderRecord[]): readonly OrderRecord[] {
  return [...orders].sort((a, b) => b.creation_timestamp - a.creation_timestamp);
}

/** Stops under way, several at a time; each order has one at a time. */
class Stops {
  sent = 0;
  readonly #clearing: Clearing;
  /** When an order may be stopped again; infinite while its stop is under way. */
  readonly #againAtMs = new Map<string, number>();
  #problem: string | undefined;

  constructor(clearing: Clearing) {
    this.#clearing = clearing;
  }

  begin(orderId: string): void {
    const { desk } = this.#clearing;
    if (desk.nowMs < (this.#againAtMs.get(orderId) ?? 0)) return;
    this.#againAtMs.set(orderId, Number.POSITIVE_INFINITY);
    desk.spawn(this.#stop(orderId));
  }

  /** Why a stop failed since this was last asked. */
  takeProblem(): string | undefined {
    const problem = this.#problem;
    this.#problem = undefined;
    return problem;
  }

  *#stop(orderId: string): Procedure {
    const { desk, mayGoOn } = this.#clearing;
    const reply = yield* call({
      lane: 'cancel',
      operation: 'stoporder',
      parameters: () => {
        if (!mayGoOn()) return undefined;
        this.sent++;
        return { order_id: orderId };
      },
    });
    const isDone = isStopped(reply);
    if (!isDone) this.#problem = `stop of ${orderId}: ${describeReply(reply)}`;
    // A list may still show what was stopped a moment ago.
    this.#againAtMs.set(orderId, desk.nowMs + (isDone ? readLagMs : repeatMs));
  }
}

function isStopped(reply: Reply): boolean {
  if (reply.kind === 'ok') return (reply.body as { readonly success: boolean }).success;
  return reply.kind === 'refused' && reply.code === 'ErrCannotStopUnknownOrNonPendingOrder';
}

/** Every open order, page by page; the reason if a page cannot be read. */
function* listOpen({ mayGoOn }: Clearing): Procedure<readonly OrderRecord[] | string> {
  const byId = new Map<string, OrderRecord>();
  let before: number | undefined;
  for (;;) {
    const createdBefore = before;
    const reply = yield* call({
      lane: 'cancel',
      operation: 'listOrdersV2',
      parameters: () =>
        mayGoOn() ? { limit: pageSize, created_before: createdBefore } : undefined,
    });
    if (reply.kind !== 'ok') return `list of open orders: ${describeReply(reply)}`;
    const { orders } = reply.body as { readonly orders: readonly OrderRecord[] };
    for (const order of orders) byId.set(order.order_id, order);
    const oldest = orders.at(-1)?.creation_timestamp;
    if (orders.length < pageSize || oldest === undefined) return [...byId.values()];
    // Several may share the page's last millisecond, so that it is asked for again.
    before = oldest + 1 === before ? oldest : oldest + 1;
  }
}

/** Returns a reply in words, without its body. */
export function describeReply(reply: Reply): string {
  switch (reply.kind) {
    case 'ok':
      return 'answered without success';
    case 'refused':
      return `${reply.status} ${reply.code}`;
    case 'not-sent':
    case 'no-answer':
      return reply.reason;
  }
}
