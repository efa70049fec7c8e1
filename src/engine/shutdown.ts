/**
 * Stops a bot in order: no new intents, every order cancelled or left by its strategy's policy, and
 * the exchange's own list read until it shows none of ours that should be gone.
 */

import type { OrderRecord } from '../exchange-api/operations/order-operations.ts';
import type { FillBook } from '../execution/fills/fill-book.ts';
import { clientOrderIdPrefix } from '../execution/orders/client-order-id.ts';
import type { Executor } from '../execution/orders/executor.ts';
import type { Reconciler } from '../execution/reconcile/reconciler.ts';
import { call, type Procedure, wait } from '../execution/requests/procedure.ts';

const paceMs = 250;
/** What a process has to end within, less the last list and the comparison at the end. */
const cancelWithinMs = 20_000;
const settleWithinMs = 4_000;
const tellEveryMs = 5_000;

export type Stopping = {
  readonly executor: Executor;
  readonly fills: FillBook;
  readonly reconciler: Reconciler;
  readonly namespace: string;
  /** Strategies whose orders stay. */
  readonly leaves: ReadonlySet<string>;
  readonly reconcile: boolean;
};

/** Cancels and verifies; returns how many orders of ours are still open that should not be. */
export function* stopOrders(stopping: Stopping): Procedure<number> {
  const { executor } = stopping;
  const { desk, tracker } = executor;
  const deadlineMs = desk.nowMs + cancelWithinMs;
  const stays = (strategyId: string): boolean => stopping.leaves.has(strategyId);
  let tellAtMs = desk.nowMs + tellEveryMs;
  let open = 0;
  do {
    executor.cancelAll('the bot stops', (order) => !stays(order.strategyId));
    open = 0;
    for (const order of tracker.live) if (!stays(order.strategyId)) open++;
    if (open === 0) {
      open = yield* countListed(stopping);
      if (open === 0) break;
    }
    if (desk.nowMs >= tellAtMs) {
      tellAtMs += tellEveryMs;
      tellProgress(stopping, open);
    }
    yield* wait(paceMs);
  } while (desk.nowMs < deadlineMs);
  if (open > 0) tellProgress(stopping, open);
  else if (stopping.reconcile) yield* proveFills(stopping);
  return open;
}

function tellProgress({ executor }: Stopping, open: number): void {
  const unknown = executor.tracker.count('unknown');
  const text = `${open} orders are not proven to be gone, ${unknown} of them with an unknown outcome`;
  executor.desk.notice({ level: 'warn', topic: 'state', text });
}

/** Counts our open orders at the exchange that should be gone; an unreadable list counts as one. */
function* countListed(stopping: Stopping): Procedure<number> {
  const reply = yield* call({
    lane: 'cancel',
    operation: 'listOrdersV2',
    parameters: () => ({ limit: 1000 }),
  });
  if (reply.kind !== 'ok') return 1;
  const { orders } = reply.body as { readonly orders: readonly OrderRecord[] };
  const prefix = clientOrderIdPrefix(stopping.namespace);
  return orders.filter((record) => {
    if (!record.client_order_id.startsWith(prefix)) return false;
    const order = stopping.executor.tracker.byClientOrderId(record.client_order_id);
    return order === undefined || !stopping.leaves.has(order.strategyId);
  }).length;
}

/** Waits until the ledger shows every fill, so that the last figures are proven ones. */
function* proveFills(stopping: Stopping): Procedure {
  const { executor, fills, reconciler } = stopping;
  const deadlineMs = executor.desk.nowMs + settleWithinMs;
  while (executor.desk.nowMs < deadlineMs) {
    const { unreadable, differences } = yield* reconciler.compare();
    if (unreadable === undefined && differences.length === 0 && fills.proofs.openCount === 0)
      return;
    yield* wait(paceMs * 2);
  }
}
