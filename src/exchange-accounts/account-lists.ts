/** The pages that an exchange answers of an account: which items, in which order, how many. */
import { limits } from '../exchange-api/limits.ts';
import type { ParametersOf } from '../exchange-api/operation.ts';
import type { Operations } from '../exchange-api/operations.ts';
import type { AccountOrder, AccountTrade } from './account-order.ts';
import { type AccountRefusal, refused } from './account-refusal.ts';
import type { LedgerAccount } from './ledger.ts';

export type OrderFilter = {
  readonly pair?: string | undefined;
  readonly created_before?: number | undefined;
  readonly limit?: number | undefined;
};

/**
 * Returns the newest orders first. `ids` are in order of creation; `orderOf` returns undefined for
 * an order that is not listed.
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

/** Returns the page of own trades that is asked for; `trades` are the owner's, oldest first. */
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
  const oldest = firstAsked(trades, parameters);
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

/** Returns where the trades begin that are as new as is asked for. */
function firstAsked(
  trades: readonly AccountTrade[],
  parameters: ParametersOf<Operations['listtrades']>,
): number {
  const { pair, since = Number.NEGATIVE_INFINITY } = parameters;
  const first = boundOf(parameters.after_seq);
  // Mostly a few of the newest are asked for, so what is too old is found from that end.
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

/** Numbers of ledger rows, from `first` to before `end`. */
export type RowRange = { readonly kind: 'range'; readonly first: number; readonly end: number };

/**
 * Returns the rows that are asked for by numbers as text: zero or less counts back from the row
 * after the newest.
 */
export function askedRowsOf(
  { rowCount }: Pick<LedgerAccount, 'rowCount'>,
  asked: { readonly min_row: string; readonly max_row: string },
): RowRange | AccountRefusal {
  const first = rowOf(asked.min_row, rowCount);
  const end = rowOf(asked.max_row, rowCount);
  const { ledgerRowsPerCallMax: countMax } = limits;
  if (end - first > countMax)
    return refused('ErrTooManyRowsRequested', `Too many rows requested: at most ${countMax}`);
  return { kind: 'range', first, end };
}

function rowOf(text: string, rowCount: number): number {
  const row = Number.parseInt(text, 10);
  // No ledger comes near such a row, so it does not matter which of them is meant.
  const { MAX_SAFE_INTEGER: farthest } = Number;
  const near = Math.max(-farthest, Math.min(row, farthest));
  return near > 0 ? near : rowCount + 1 + near;
}
