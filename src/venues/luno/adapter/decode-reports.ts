/** Reads the messages of Luno's user stream. */
import {
  checkFill,
  checkMovement,
  checkReportedOrder,
  RowReader,
} from '../../../venue/row-checks.ts';
import type { BalanceReport, FillReport, VenueReport } from '../../../venue/venue-report.ts';
import type {
  BalanceUpdate,
  OrderFillUpdate,
  OrderStatusUpdate,
  UserMessage,
} from '../api/user-messages.ts';

export type UserHint = Exclude<UserMessage, { kind: 'keep-alive' | 'error' }>;

/** Returns what a message reports. Throws DecodeError for one that cannot be true. */
export function reportOf(message: UserHint): VenueReport {
  switch (message.kind) {
    case 'order-status':
      return statusReportOf(message.update, message.timestamp);
    case 'order-fill':
      return fillReportOf(message.update, message.timestamp);
    case 'balance':
      return balanceReportOf(message.update, message.timestamp);
    case 'unknown':
      return { kind: 'unknown', what: message.type };
  }
}

function statusReportOf(update: OrderStatusUpdate, atMs: number): VenueReport {
  const row = new RowReader(`status of order ${update.order_id}`);
  const ids = idsOf(update);
  checkReportedOrder(row, ids);
  row.mustBeTrue();
  if (update.status === 'COMPLETE') return { kind: 'ended', ...ids, atMs };
  const report = { kind: 'accepted', ...ids, atMs } as const;
  if (update.status === 'AWAITING') return { ...report, isAwaiting: true };
  // In a new status the order is at least known.
  return update.status === 'PENDING' ? report : { ...report, isStatusNew: true };
}

function fillReportOf(update: OrderFillUpdate, atMs: number): FillReport {
  const row = new RowReader(`fill of order ${update.order_id}`);
  const report: FillReport = {
    kind: 'filled',
    ...idsOf(update),
    atMs,
    filled: row.amount('base_fill', update.base_fill),
    sums: {
      base: row.amount('base_delta', update.base_delta),
      counter: row.amount('counter_delta', update.counter_delta),
      feeBase: row.amount('base_fee_delta', update.base_fee_delta),
      feeCounter: row.amount('counter_fee_delta', update.counter_fee_delta),
    },
  };
  checkFill(row, report);
  row.mustBeTrue();
  return report;
}

function balanceReportOf(update: BalanceUpdate, atMs: number): BalanceReport {
  const row = new RowReader(`balance of account ${update.account_id}`);
  const report: BalanceReport = {
    ...{ kind: 'balance', atMs, account: update.account_id, row: update.row_index },
    balance: row.amount('balance', update.balance),
    delta: row.amount('balance_delta', update.balance_delta),
    available: row.amount('available', update.available),
    availableDelta: row.amount('available_delta', update.available_delta),
  };
  checkMovement(row, report);
  row.mustBeTrue();
  return report;
}

function idsOf(update: Pick<OrderFillUpdate, 'order_id' | 'client_order_id' | 'market_id'>) {
  return {
    orderId: update.order_id,
    clientOrderId: update.client_order_id,
    pair: update.market_id,
  };
}
