/** The pages of an account's lists: which items, in which order, how many. */

import type { AccountOrder, AccountTrade } from '../../../../exchange-accounts/account-order.ts';
import type { LedgerAccount } from '../../../../exchange-accounts/ledger.ts';
import { limits } from '../../api/limits.ts';
import type { ParametersOf } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import { type Refusal, refuse } from './refusal.ts';

export type OrderFilter = {
  readonly pair?: string | undefined;
  readonly created_before?: number | undefined;
  readonly limit?: number | undefined;
};

/**
 * Returns a page of orders, newest first. `ids` are in order of creation; `orderOf` returns
 * undefined for an order that is not listed.
 */
export function newestOrders<Order extends AccountOrder>(
  ids: readonly string[],
  orderOf: (id: string) => Order | undefined,
  filter: OrderFilter,
): readonly Order[] {
  const { pair, created_before: createdBefore, limit = limits.listLimitDefault } = filter;
  const found: Order[] = [];
  for (let index = ids.length - 1; index >= 0 && found.length < limit; index--) {
    const order = orderOf(ids[index] as string);
    if (order === undefined) continue;
    if (pair !== undefined && order.pair !== pair) continue;
    if (createdBefore === undefined || order.createdMs < createdBefore) found.push(order);
  }
  return found;
}

/** Returns the requested page of own trades; `trades` are all own trades, oldest first. */
export function pageOfTrades<Trade extends AccountTrade>(
  trades: readonly Trade[],
  parameters: ParametersOf<Operations['listtrades']>,
): readonly Trade[] {
  const { pair, before, limit = limits.listLimitDefault } = parameters;
  const end = boundOf(parameters.before_seq);
  const isListed = (trade: Trade): boolean =>
    trade.pair === pair &&
    (before === undefined || trade.timeMs < before) &&
    (end === undefined || trade.sequence < end);
  const oldest = firstRequested(trades, parameters);
  const isNewestFirst = parameters.sort_desc === true || before !== undefined;
  const step = isNewestFirst ? -1 : 1;
  const page: Trade[] = [];
  for (
    let index = isNewestFirst ? trades.length - 1 : oldest;
    index >= oldest && index < trades.length && page.length < limit;
    index += step
  ) {
    const trade = trades[index] as Trade;
    if (isListed(trade)) page.push(trade);
  }
  return page;
}

/** Returns the index of the oldest trade within the requested lower bounds. */
function firstRequested(
  trades: readonly AccountTrade[],
  parameters: ParametersOf<Operations['listtrades']>,
): number {
  const { pair, since = Number.NEGATIVE_INFINITY } = parameters;
  const first = boundOf(parameters.after_seq);
  // Usually a few of the newest trades are requested, so the search starts at that end.
  let index = trades.length;
  for (; index > 0; index--) {
    const trade = trades[index - 1] as AccountTrade;
    if (trade.timeMs < since) break;
    if (first !== undefined && trade.pair === pair && trade.sequence < first) break;
  }
  return index;
}

function boundOf(sequence: string | undefined): bigint | undefined {
  return sequence === undefined ? undefined : BigInt(sequence);
}

/** Numbers of ledger rows from `first` up to, but not including, `end`. */
export type RowRange = { readonly kind: 'range'; readonly first: number; readonly end: number };

/**
 * Returns the requested range of row numbers, which are given as text: zero or less counts back
 * from the row after the newest.
 */
export function askedRowsOf(
  { rowCount }: Pick<LedgerAccount, 'rowCount'>,
  asked: { readonly min_row: string; readonly max_row: string },
): RowRange | Refusal {
  const first = rowOf(asked.min_row, rowCount);
  const end = rowOf(asked.max_row, rowCount);
  const { ledgerRowsPerCallMax: countMax } = limits;
  if (end - first > countMax)
    return refuse('ErrTooManyRowsRequested', `Too many rows requested: at most ${countMax}`);
  return { kind: 'range', first, end };
}

function rowOf(text: string, rowCount: number): number {
  const row = Number.parseInt(text, 10);
  // Row numbers beyond the size of any ledger are clamped to safe integers.
  const { MAX_SAFE_INTEGER: farthest } = Number;
  const near = Math.max(-farthest, Math.min(row, farthest));
  return near > 0 ? near : rowCount + 1 + near;
}
