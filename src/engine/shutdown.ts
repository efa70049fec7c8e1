/**
 * Shuts a bot down: no new intents; each order is cancelled or left open, as its strategy's
 * settings say; the exchange's list is read until it shows no order that should be cancelled.
 *
 * An order of unknown outcome does not keep the bot from ending once it is shown absent, see
 * {@link TrackedOrder.isShownAbsent}. It stays unknown in the store, and the next start settles it.
 */

import type { FillBook } from '../execution/fills/fill-book.ts';
import { clientOrderIdPrefix } from '../execution/orders/client-order-id.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import { unknownText } from '../execution/orders/resolve-unknown.ts';
import type { EndChecks } from '../execution/reconcile/end-checks.ts';
import type { Reconciler } from '../execution/reconcile/reconciler.ts';
import { type Procedure, wait } from '../execution/requests/procedure.ts';
import { walkOpenOrders } from '../execution/requests/walk-open-orders.ts';

const paceMs = 250;
/** The time that a process has to exit, minus that of the last list and the last comparison. */
const cancelWithinMs = 20_000;
const settleWithinMs = 4_000;
const reportEveryMs = 5_000;

export type ShutdownOptions = {
  readonly orders: OrderStates;
  readonly fills: FillBook;
  readonly reconciler: Reconciler;
  readonly endChecks: EndChecks;
  readonly namespace: string;
  /** Strategies whose orders stay open. */
  readonly leaves: ReadonlySet<string>;
  readonly provesFills: boolean;
};

/** Cancels and verifies; returns how many orders may be open although they were cancelled. */
export function* stopOrders(options: ShutdownOptions): Procedure<number> {
  const { orders } = options;
  const { context } = orders;
  const deadlineMs = context.nowMs + cancelWithinMs;
  const stays = (strategyId: string): boolean => options.leaves.has(strategyId);
  let reportAtMs = context.nowMs + reportEveryMs;
  let open = 0;
  do {
    orders.cancelAll('the bot is stopping', (order) => !stays(order.strategyId));
    open = countOpen(options);
    if (open === 0) {
      open = yield* countListed(options);
      if (open === 0) break;
      // A listed order that is final for us may have ended without its record.
      if (options.endChecks.count > 0) yield* options.endChecks.pass();
    }
    if (context.nowMs >= reportAtMs) {
      reportAtMs += reportEveryMs;
      reportProgress(options, open);
    }
    yield* wait(paceMs);
  } while (context.nowMs < deadlineMs);
  if (open > 0) reportProgress(options, open);
  else if (options.provesFills) {
    yield* proveFills(options);
    open = countOpen(options);
  }
  if (open === 0) reportUnknown(options);
  return open;
}

/** Counts the orders that should be cancelled and may be open. */
function countOpen({ orders, leaves }: ShutdownOptions): number {
  let open = 0;
  for (const order of orders.tracker.live)
    if (!leaves.has(order.strategyId) && !order.isShownAbsent) open++;
  return open;
}

function reportUnknown({ orders }: ShutdownOptions): void {
  const unknown = unknownText(orders);
  if (unknown === undefined) return;
  const text = `no order is listed as open, but ${unknown}`;
  orders.context.notice({ level: 'warn', topic: 'state', text });
}

function reportProgress({ orders }: ShutdownOptions, open: number): void {
  const unknown = orders.tracker.count('unknown');
  const text = `${open} orders may still be open at the exchange, ${unknown} of them with an unknown outcome`;
  orders.context.notice({ level: 'warn', topic: 'state', text });
}

/**
 * Counts our listed orders that should be cancelled. A list that cannot be read, or may be
 * incomplete, counts as one order.
 */
function* countListed({ orders, namespace, leaves }: ShutdownOptions): Procedure<number> {
  const walk = yield* walkOpenOrders({ priority: 'cancel' });
  if (walk.kind !== 'complete') return 1;
  const prefix = clientOrderIdPrefix(namespace);
  return [...walk.views, ...walk.wrong].filter(({ clientOrderId = '' }) => {
    if (!clientOrderId.startsWith(prefix)) return false;
    const order = orders.tracker.byClientOrderId(clientOrderId);
    return order === undefined || !leaves.has(order.strategyId);
  }).length;
}

/**
 * Waits until records prove the end of every order and the ledger every fill, so that the last
 * figures are proven.
 */
function* proveFills(options: ShutdownOptions): Procedure {
  const { orders, fills, reconciler, endChecks } = options;
  const deadlineMs = orders.context.nowMs + settleWithinMs;
  while (orders.context.nowMs < deadlineMs) {
    if (endChecks.count > 0) yield* endChecks.pass();
    const { unreadable, differences } = yield* reconciler.compare();
    const isEqual = unreadable === undefined && differences.length === 0;
    if (isEqual && fills.proofs.openCount === 0 && endChecks.count === 0) return;
    yield* wait(paceMs * 2);
  }
}
