/**
 * Resolves an order whose outcome is unknown by reading it with our own id.
 *
 *     found ─────────────────────────────────▶ open or completing
 *     not found before the fence ────────────▶ proves nothing
 *     not found often after the fence
 *       and still wanted ────────────────────▶ sent again, under the same id
 *       and refused as expired, in no list ──▶ absent
 *       and after the quarantine in no list ─▶ absent
 *     anything else (errors, HTML, 429, 5xx) ▶ proves nothing
 *
 * The fence is the attempt's timestamp + time to live + the possible lag of reads, by the
 * exchange's clock. Before it, the request may still be accepted, or may be accepted and not yet
 * visible. The quarantine covers exchanges that accept a request after its time to live; only after
 * it may the strategy use a new id for the same intent. If the exchange has reported that the id
 * exists, the quarantine is longer, and its end is an incident.
 *
 * A post-only order that would trade by now is not wanted: the exchange would refuse it, and after
 * the refusal everything begins anew, since an earlier attempt may be the cause.
 *
 * The quarantine ends early if the exchange refuses the repeated request as expired, see
 * `repeat-expired.ts`. It must do so twice, because a busy exchange may use the same error for a
 * deadline of its own. Only reads made late enough to show an accepted repetition count after that.
 */
import type { ListEnd, VenueReply } from '../../venue/venue-reply.ts';
import { call, type Procedure, wait } from '../requests/procedure.ts';
import { applyOrderRecord, reportWrongOrders, takeOrderReply } from './apply-order-record.ts';
import type { OrderStates } from './order-states.ts';
import { placeAgain, whyNotAgain } from './place-order.ts';
import { mayRepeatExpired, repeatExpired } from './repeat-expired.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** The number of refusals as expired that end the quarantine. */
const expiredMin = 2;
const missSpacingMs = 2_000;
const listMarginMs = 60_000;
/** Pauses before the first reads, which usually find an order if only the answer was lost. */
const firstPausesMs = [250, 500, 1_000, 2_000];
/** The pause before each later read; longer while a read could not prove anything. */
const pauseMs = 2_000;
/** The pause after a read that was too early; answers state the time in whole seconds only. */
const pauseMsAfterEarly = 1_000;

/** Reads until the order's state is no longer `unknown`. */
export function* resolveUnknown(orders: OrderStates, order: TrackedOrder): Procedure {
  const { context } = orders;
  const missesMin = orders.venue.absence.misses;
  let misses = 0;
  order.isMissed = false;
  let lastMissMs = Number.NEGATIVE_INFINITY;
  let expired = 0;
  let isEarly = false;
  /** Before this time, by our clock, reads may not show an accepted order yet. */
  let visibleMs = Number.NEGATIVE_INFINITY;
  for (let round = 0; order.state === 'unknown'; round++) {
    const provesMs = Math.max(fenceEndMs(orders, order), visibleMs);
    const leastMs = isEarly ? pauseMsAfterEarly : pauseMs;
    isEarly = false;
    const laterMs = Math.max(leastMs, provesMs - context.nowMs);
    yield* waitWhileUnknown(orders, order, firstPausesMs[round] ?? laterMs);
    if (order.state !== 'unknown') return;
    let askedMs = context.nowMs;
    const reply = yield* call({
      priority: 'resolve',
      request: () => {
        askedMs = context.nowMs;
        return { kind: 'order', clientOrderId: order.clientOrderId };
      },
    });
    if (order.state !== 'unknown') return;
    if (takeOrderReply(orders, order, reply) !== undefined) return;
    const sinceAttemptMs = sinceAttempt(orders, order, { reply, askedMs });
    const isNotFound = reply.kind === 'refused' && reply.reason === 'not-found';
    if (!isNotFound || sinceAttemptMs === undefined) continue;
    if (sinceAttemptMs < fenceOf(orders, order) || askedMs < visibleMs) {
      misses = 0;
      order.isMissed = false;
      isEarly = true;
      continue;
    }
    if (context.nowMs - lastMissMs >= missSpacingMs) {
      misses++;
      lastMissMs = context.nowMs;
    }
    order.isMissed = misses >= missesMin;
    const isWanted = whyNotAgain(orders, order) === undefined;
    if (!isWanted && expired < expiredMin && mayRepeatExpired(orders, order)) {
      order.isMissed = false;
      if (yield* repeatExpired(orders, order)) expired++;
      misses = 0;
      visibleMs = context.nowMs + (expired < expiredMin ? 0 : orders.readLag.allowanceMs);
      continue;
    }
    if (misses < missesMin) continue;
    if (isWanted) {
      yield* placeAgain(orders, order);
      return;
    }
    if (expired < expiredMin && sinceAttemptMs < quarantineOf(orders, order)) continue;
    if (yield* isInNoList(orders, order))
      setAbsent(orders, order, { misses, sinceAttemptMs, isExpired: expired >= expiredMin });
  }
}

/**
 * Says how many orders have an unknown outcome, and until when the lookup of those that are not
 * found goes on; undefined if every outcome is known.
 */
export function unknownText(orders: OrderStates): string | undefined {
  let count = 0;
  let untilMs = 0;
  for (const order of orders.tracker.live) {
    if (order.state !== 'unknown') continue;
    count++;
    const fromMs = order.lastAttempt?.timestampMs ?? order.createdMs;
    untilMs = Math.max(untilMs, fromMs + quarantineOf(orders, order));
  }
  if (count === 0) return undefined;
  const time = new Date(untilMs).toISOString().slice(11, 19);
  return `the outcome of ${count} is still unknown: the lookup goes on, also at the next start, and closes what it does not find soon after ${time} UTC`;
}

/** How long after the attempt's timestamp reads may not show an accepted order yet. */
function fenceOf({ readLag }: OrderStates, { lastAttempt }: TrackedOrder): number {
  return (lastAttempt?.ttlMs ?? 0) + readLag.allowanceMs;
}

/** The earliest end of the fence, by our clock. */
function fenceEndMs(orders: OrderStates, order: TrackedOrder): number {
  return (order.lastAttempt?.leftMs ?? Number.NEGATIVE_INFINITY) + fenceOf(orders, order);
}

/** Waits at most `milliseconds`; ends soon after a stream shows the order. */
function* waitWhileUnknown(
  { context }: OrderStates,
  order: TrackedOrder,
  milliseconds: number,
): Procedure {
  const endMs = context.nowMs + milliseconds;
  while (order.state === 'unknown' && context.nowMs < endMs)
    yield* wait(Math.min(pauseMs, endMs - context.nowMs));
}

function quarantineOf({ venue }: OrderStates, { doubt }: TrackedOrder): number {
  const { afterMs, afterExistsMs } = venue.absence;
  return doubt === 'reported-to-exist' ? afterExistsMs : afterMs;
}

function setAbsent(
  orders: OrderStates,
  order: TrackedOrder,
  found: { readonly misses: number; readonly sinceAttemptMs: number; readonly isExpired: boolean },
): void {
  const { misses, isExpired } = found;
  const seconds = Math.round(found.sinceAttemptMs / 1000);
  if (order.doubt === 'reported-to-exist')
    orders.context.incident(
      'ORDER_MISSING',
      `the exchange reported that ${order.clientOrderId} exists, but no read has found it for ${seconds} s`,
    );
  const expiry = isExpired ? ', and its repeated request was refused as expired' : '';
  orders.setState(
    order,
    'absent',
    `not found by ${misses} reads, the last ${seconds} s after its timestamp, nor in any list${expiry}`,
  );
}

/**
 * The shortest possible time from the last attempt's timestamp to this answer, by the exchange's
 * clock. An answer without a time may be as old as its request. The result never exceeds the time
 * since the attempt was sent, by our clock, so that a wrong clock of the exchange ends no fence.
 */
function sinceAttempt(
  { context }: OrderStates,
  order: TrackedOrder,
  { reply, askedMs }: { readonly reply: VenueReply; readonly askedMs: number },
): number | undefined {
  const answered = reply.kind === 'not-sent' ? undefined : reply.venueTimeMs;
  const now = answered ?? context.exchangeClock.nowMs(askedMs);
  // The age of an order restored without its attempt is that of its intent.
  const from = order.lastAttempt?.timestampMs ?? order.createdMs;
  if (now === undefined) return undefined;
  const leftMs = order.lastAttempt?.leftMs ?? Number.NEGATIVE_INFINITY;
  return Math.min(now - from, context.nowMs - leftMs);
}

/** Whether the id is in neither the open orders, the closed orders nor our trades since then. */
function* isInNoList(orders: OrderStates, order: TrackedOrder): Procedure<boolean> {
  const sinceMs = (order.lastAttempt?.timestampMs ?? order.createdMs) - listMarginMs;
  for (const which of ['open', 'ended'] as const)
    if (!(yield* isNotListed(orders, order, which, sinceMs))) return false;
  if (!(yield* hasNoTrade(orders, order, sinceMs))) return false;
  return order.state === 'unknown';
}

/**
 * Reads the orders back to `sinceMs`; returns true if a complete list lacks the order. A list that
 * fails or may be incomplete proves nothing.
 */
function* isNotListed(
  orders: OrderStates,
  order: TrackedOrder,
  which: 'open' | 'ended',
  sinceMs: number,
): Procedure<boolean> {
  const { pair, clientOrderId } = order;
  let cursor: string | undefined;
  let end: ListEnd | undefined;
  while (end === undefined) {
    const reply = yield* call({
      priority: 'resolve',
      request: () => ({ kind: 'orders', which, pair, sinceMs, cursor }),
    });
    if (reply.kind !== 'ok') return false;
    const page = reply.value;
    const isOurs = (one: { readonly clientOrderId?: string | undefined }): boolean =>
      one.clientOrderId === clientOrderId;
    const found = page.rows.find(isOurs);
    if (found !== undefined) applyOrderRecord(orders, order, found, `${which} orders`);
    reportWrongOrders(orders, page.wrong);
    if (found !== undefined || page.wrong.some(isOurs)) return false;
    ({ next: cursor, end } = page);
  }
  return end === 'complete';
}

function* hasNoTrade(
  orders: OrderStates,
  { pair, clientOrderId }: TrackedOrder,
  sinceMs: number,
): Procedure<boolean> {
  let cursor: string | undefined;
  let end: ListEnd | undefined;
  while (end === undefined) {
    const reply = yield* call({
      priority: 'resolve',
      request: () => ({ kind: 'own-trades', pair, sinceMs, cursor }),
    });
    if (reply.kind !== 'ok') return false;
    const page = reply.value;
    if ([...page.rows, ...page.wrong].some((trade) => trade.clientOrderId === clientOrderId)) {
      orders.requestTrades(pair);
      return false;
    }
    ({ next: cursor, end } = page);
  }
  return end === 'complete';
}
