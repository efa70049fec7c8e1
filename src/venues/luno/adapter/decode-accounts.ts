/** Reads Luno's ledger rows and balances. */
import { checkMovement, RowReader } from '../../../venue/row-checks.ts';
import type { AccountBalance, MovementView, WrongValue } from '../../../venue/venue-reply.ts';
import type { ResponseOf } from '../api/operation.ts';
import type { balance, TransactionEntry } from '../api/operations/account-operations.ts';

/**
 * Returns a ledger row, or its first value that cannot be true. Throws DecodeError for a row of
 * another account: its whole answer belongs to another request.
 */
export function movementViewOf(
  entry: TransactionEntry,
  account: string,
): MovementView | WrongValue {
  const row = new RowReader(`row ${entry.row_index} of account ${account}`);
  if (entry.account_id !== account) row.refuse('account', entry.account_id, `must be ${account}`);
  row.mustBeTrue();
  const trade = entry.detail_fields?.trade_details ?? undefined;
  const view: MovementView = {
    row: entry.row_index,
    atMs: entry.timestamp,
    currency: entry.currency,
    kind: entry.kind,
    delta: row.amount('change', entry.balance_delta),
    balance: row.amount('balance', entry.balance),
    availableDelta: row.amount('available change', entry.available_delta),
    available: row.amount('available', entry.available),
    trade: trade && { pair: trade.pair, sequence: trade.sequence },
    text: entry.description,
  };
  if (row.wrong === undefined) checkMovement(row, view);
  return row.wrong ?? view;
}

type BalanceRecord = ResponseOf<typeof balance>['balance'][number];

/** Returns the balance of an account. Throws DecodeError for one that cannot be true. */
export function balanceOf(record: BalanceRecord): AccountBalance {
  const row = new RowReader(`account ${record.account_id}`);
  const balance = row.amount('balance', record.balance);
  const view: AccountBalance = {
    account: record.account_id,
    currency: record.asset,
    balance,
    available: balance - row.amount('reserved', record.reserved),
  };
  row.mustBeTrue();
  return view;
}
