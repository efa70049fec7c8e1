/**
 * The state of an account at the replay exchange that lets it continue in another process: its
 * orders and trades in all markets, its ledgers, and each change of them as a line of text.
 *
 * Invariant: the changes, in order, give the state; the last change of an order counts.
 */
import { DecodeError } from '../../domain/errors.ts';
import type { LedgerEntry, TradeName } from '../../exchange-accounts/ledger.ts';
import { rowTextOf } from './account-views.ts';
import {
  createReplayTrade,
  type FillTerms,
  type ReplayOrder,
  type ReplayTrade,
} from './replay-order.ts';

/** A change of an account. */
export type AccountChange =
  | { readonly kind: 'order'; readonly order: ReplayOrder }
  | { readonly kind: 'trade'; readonly trade: ReplayTrade }
  | EntryChange;

export type EntryChange = {
  readonly kind: 'entry';
  readonly currency: string;
  readonly entry: LedgerEntry;
};

export type AccountSnapshot = {
  /** Oldest first. */
  readonly orders: readonly ReplayOrder[];
  readonly trades: readonly ReplayTrade[];
  readonly entries: readonly { readonly currency: string; readonly entry: LedgerEntry }[];
};

/** The part of the state that belongs to one market. */
export type MarketSnapshot = Pick<AccountSnapshot, 'orders' | 'trades'>;

/** Returns the state of the market `pair`. */
export function marketSnapshotOf(
  { orders, trades }: AccountSnapshot,
  pair: string,
): MarketSnapshot {
  return {
    orders: orders.filter((order) => order.pair === pair),
    trades: trades.filter(({ order }) => order.pair === pair),
  };
}

type WrittenOrder = Omit<ReplayOrder, 'pair'> & { readonly pair?: string };
type WrittenTrade = FillTerms & { readonly orderId: string };

/** Returns the change as one line of JSON; a bigint is a string that ends in n. */
export function encodeAccountChange(change: AccountChange): string {
  return JSON.stringify(writtenOf(change), (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

function writtenOf(change: AccountChange): object {
  if (change.kind === 'trade') return { kind: 'trade', trade: writtenTradeOf(change.trade) };
  if (change.kind === 'order') return change;
  const { kind, currency } = change;
  const { trade, ...entry } = change.entry;
  if (trade === undefined) return { kind, currency, entry };
  const description = rowTextOf(change.entry);
  const name: TradeName = { pair: trade.pair, sequence: String(trade.sequence) };
  return { kind, currency, entry: { ...entry, description, trade: name } };
}

function writtenTradeOf(trade: ReplayTrade): WrittenTrade {
  const { orderId, sequence, isMaker, aheadAtFill, price, volume, timeMs } = trade;
  const { feeBase, feeCounter } = trade;
  return { orderId, sequence, isMaker, aheadAtFill, price, volume, feeBase, feeCounter, timeMs };
}

/**
 * Returns the account state that `lines` describe, each a JSON list of changes written by
 * {@link encodeAccountChange}. `pair` is used for orders that name none, as older files of a
 * single market wrote them. Throws DecodeError.
 */
export function decodeAccountSnapshot(lines: readonly string[], pair?: string): AccountSnapshot {
  const orders = new Map<string, ReplayOrder>();
  const trades: ReplayTrade[] = [];
  const entries: { currency: string; entry: LedgerEntry }[] = [];
  for (const change of lines.flatMap(changesIn)) {
    // All changes of an order update the same object, because its trades point to it.
    if (change.kind === 'order') {
      const order = orderOf(change.order, pair);
      orders.set(order.id, Object.assign(orders.get(order.id) ?? { ...order }, order));
    } else if (change.kind === 'entry') entries.push(change);
    else {
      const { orderId, ...trade } = change.trade;
      const order = orders.get(orderId);
      if (order === undefined)
        throw new DecodeError(`a trade belongs to order ${orderId}, which is missing`);
      trades.push(createReplayTrade(order, trade));
    }
  }
  return { orders: [...orders.values()], trades, entries };
}

type Change =
  | EntryChange
  | { readonly kind: 'order'; readonly order: WrittenOrder }
  | { readonly kind: 'trade'; readonly trade: WrittenTrade };

function orderOf(written: WrittenOrder, pairByDefault: string | undefined): ReplayOrder {
  const { pair = pairByDefault } = written;
  if (pair === undefined) throw new DecodeError(`order ${written.id} has no pair`);
  return { ...written, pair };
}

function changesIn(line: string): readonly Change[] {
  try {
    return JSON.parse(line, (_, value: unknown) =>
      typeof value === 'string' && /^-?\d+n$/u.test(value) ? BigInt(value.slice(0, -1)) : value,
    ) as readonly Change[];
  } catch (cause) {
    throw new DecodeError(`not a list of account changes: ${line.slice(0, 80)}`, { cause });
  }
}
