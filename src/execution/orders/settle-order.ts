/**
 * Finishes an order that the exchange reports as complete: when our fills add up to its record
 * exactly. An order that had ended without its record waits for that record first.
 */

import { formatAmount } from '../../domain/amount.ts';
import { call, type Procedure, wait } from '../requests/procedure.ts';
import { isOpenAfterItsEnd, openAfterItsEnd } from './after-its-end.ts';
import { takeOrderReply } from './apply-order-record.ts';
import { orderRequestOf } from './order-read.ts';
import type { OrderStates } from './order-states.ts';
import { equalSums } from './sums.ts';
import type { TrackedOrder } from './tracked-order.ts';
import { isWhole } from './whole-order.ts';

const tradesPaceMs = 1_500;
const rereadMs = 15_000;
const uncheckedRereadMs = 2_000;
const incidentMs = 600_000;

const settledProof = ({ reported, volumeText }: TrackedOrder): string =>
  `fills add up to the record: base ${formatAmount(reported.base)} of ${volumeText}`;

/** Waits until the fills of `order` equal its record. */
export function* settleOrder(orders: OrderStates, order: TrackedOrder): Procedure {
  const { context } = orders;
  const startedMs = context.nowMs;
  let rereadAtMs = order.isUnchecked ? startedMs : startedMs + rereadMs;
  let reported = false;
  while (order.state === 'completing') {
    if (!order.isUnchecked && equalSums(order.booked, order.reported)) {
      orders.setState(
        order,
        isWhole(order, order.reported.base) ? 'filled' : 'cancelled',
        settledProof,
      );
      return;
    }
    orders.requestTrades(order.pair);
    if (rereadAtMs > startedMs) yield* wait(tradesPaceMs, order.changed);
    if (context.nowMs >= rereadAtMs) {
      rereadAtMs = context.nowMs + (order.isUnchecked ? uncheckedRereadMs : rereadMs);
      const reply = yield* call({
        priority: 'resolve',
        request: () => orderRequestOf(order),
      });
      const record = takeOrderReply(orders, order, reply);
      if (record !== undefined && isOpenAfterItsEnd(orders, order, record))
        orders.reopenUnchecked(order, openAfterItsEnd);
    }
    if (!reported && context.nowMs - startedMs > incidentMs) {
      reported = true;
      context.incident(
        'FILLS_DO_NOT_ADD_UP',
        `order ${order.clientOrderId}: fills ${formatAmount(order.booked.base)}, record ${formatAmount(order.reported.base)}`,
      );
      context.setTradingState(
        `pair:${order.pair}`,
        'HALTED',
        'the fills of an order do not add up to its record',
      );
    }
  }
}
