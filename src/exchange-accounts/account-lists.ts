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
  const { pair, since, before, limit = limits.listLimitDefault } = parameters;
  const first = boundOf(parameters.after_seq);
  const end = boundOf(parameters.before_seq);
  // Mostly a few of the newest are asked for, so what is too old is found from that end.
  const old = trades.findLastIndex(
    (trade) =>
      (since !== undefined && trade.timeMs < since) ||
      (first !== undefined && trade.pair === pair && trade.sequence < first),
  );
  const page = trades
    .slice(old + 1)
    .filter(
      (trade) =>
        trade.pair === pair &&
        (before === undefined || trade.timeMs < before) &&
        (end === undefined || trade.sequence < end),
    );
  if (parameters.sort_desc === true || before !== undefined) page.reverse();
  return page.slice(0, limit);
}

function boundOf(sequence: string | undefined): bigint | undefined {
  return sequence === undefined ? undefined : BigInt(sequence);
}

/** Numbers of ledger rows, from `first` to before `end`. */
export type RowRange = { readonly kind: 'range'; readonly first: bigint; readonly end: bigint };

/**
 * Returns the rows that are asked for by numbers as text: zero or less counts back from the row
 * after the newest.
 */
export function askedRowsOf(
  { rowCount }: Pick<LedgerAccount, 'rowCount'>,
  asked: { readonly min_row: string; readonly max_row: string },
): RowRange | AccountRefusal {
  const after = BigInt(rowCount) + 1n;
  const [first, end] = [asked.min_row, asked.max_row].map((text) => {
    const row = BigInt(text);
    return row > 0n ? row : after + row;
  }) as [bigint, bigint];
  const { ledgerRowsPerCallMax: countMax } = limits;
  if (end - first > BigInt(countMax))
    return refused('ErrTooManyRowsRequested', `Too many rows requested: at most ${countMax}`);
  return { kind: 'range', first, end };
}
