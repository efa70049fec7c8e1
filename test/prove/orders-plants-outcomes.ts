/** Plants that take what proves nothing for a proof. */

import { Executor } from '../../src/execution/orders/executor.ts';
import { OrderStates } from '../../src/execution/orders/order-states.ts';
import type { TrackedOrder } from '../../src/execution/orders/tracked-order.ts';
import { ExchangeClock } from '../../src/execution/requests/exchange-clock.ts';
import type { VenueReply } from '../../src/venue/venue-reply.ts';
import {
  afterChange,
  answerInstead,
  insteadOf,
  isOutcomeUnknown,
  runningEngine,
  watchEngine,
} from './orders-plant-hooks.ts';
import type { OrdersPlant } from './orders-plants.ts';

/** The quarantine is 120 s, the fence 7 s. */
const quarantineLessFenceMs = 113_000;

export const outcomePlants: Readonly<Record<string, OrdersPlant>> = {
  'timeout-rejected': {
    meaning: 'an order request without an answer counts as rejected',
    install: () => rejectIf(/no answer|ECONNRESET/u),
  },
  '5xx-rejected': {
    meaning: 'an order request that a failing server answers counts as rejected',
    install: () => rejectIf(/^5\d\d /u),
  },
  'deadline-rejected': {
    meaning: 'ErrDeadlineExceeded counts as rejected',
    install: () => rejectIf(/ErrDeadlineExceeded/u),
  },
  '429-rejected': {
    meaning: 'an order request that is answered 429 counts as rejected',
    install: () => rejectIf(/^429 /u),
  },
  'new-id-on-retry': {
    meaning: 'an order request without an answer is sent again under a new id',
    install: retryUnderNewId,
  },
  'no-quarantine': {
    meaning: 'an order is absent right after the fence (the exchange ignores the time to live)',
    broken: ['ttl'],
    install: endQuarantineWithFence,
  },
  'missing-is-gone': {
    meaning: 'an open order that one read does not find counts as cancelled',
    install: () =>
      endWhen('order', (reply) => reply.kind === 'refused' && reply.reason === 'not-found'),
  },
  'trusted-stop': {
    meaning: 'a stop that is answered with success ends the order at once',
    install: () => endWhen('cancel', (reply) => reply.kind === 'ok'),
  },
  'own-clock': {
    meaning: 'requests are stamped by our own clock',
    install: () => {
      ExchangeClock.prototype.nowMs = (nowMs) => nowMs;
    },
  },
};

function rejectIf(pattern: RegExp): void {
  insteadOf((change) =>
    isOutcomeUnknown(change) && pattern.test(change.proof) ? 'rejected' : undefined,
  );
}

function retryUnderNewId(): void {
  type Placed = { readonly by: Executor; readonly given: Parameters<Executor['place']> };
  const placed = new WeakMap<TrackedOrder, Placed>();
  const retries = new WeakSet<TrackedOrder>();
  // The planner of quotes would take the second order of a level back before it leaves.
  const cancel = OrderStates.prototype.cancel;
  OrderStates.prototype.cancel = function (this: OrderStates, order, reason): void {
    if (!retries.has(order) || order.state !== 'waiting') cancel.call(this, order, reason);
  };
  const place = Executor.prototype.place;
  Executor.prototype.place = function (this: Executor, ...given) {
    const order = place.apply(this, given);
    placed.set(order, { by: this, given });
    return order;
  };
  afterChange(({ order, state }, before) => {
    const first = placed.get(order);
    if (state !== 'unknown' || before !== 'sending' || first === undefined) return;
    const [approved, market, origin] = first.given;
    // A key of its own, or the store would refuse the second intent.
    const key = `${origin.key}-${first.by.nextIntentId}`;
    retries.add(first.by.place(approved, market, { ...origin, key }));
  });
}

/** Makes an attempt of unknown outcome look older, with a fence that ends when it really does. */
function endQuarantineWithFence(): void {
  afterChange(({ order, state }) => {
    const last = order.lastAttempt;
    if (state !== 'unknown' || last === undefined) return;
    order.lastAttempt = {
      timestampMs: last.timestampMs - quarantineLessFenceMs,
      ttlMs: last.ttlMs + quarantineLessFenceMs,
    };
  });
}

/** Ends the open order that a request names when its answer is such a one. */
function endWhen(kind: 'order' | 'cancel', isEnd: (reply: VenueReply) => boolean): void {
  watchEngine();
  answerInstead((asked, reply) => {
    if (asked?.kind !== kind || !isEnd(reply)) return reply;
    const { orders } = runningEngine();
    const order = orders.tracker.byOrderId(asked.orderId ?? '');
    if (order?.state !== 'open') return reply;
    orders.setState(order, 'cancelled', `${kind} says so`);
    return reply;
  });
}
