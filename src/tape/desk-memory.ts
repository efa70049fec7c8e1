/**
 * What an account at the tape exchange must remember to go on in another process: its orders,
 * trades and ledgers, and each change of them as a line of text.
 *
 * Invariant: the changes, in their order, give the memory; of an order the last change counts.
 */
import { DecodeError } from '../domain/errors.ts';
import type { AccountEntry } from './tape-account.ts';
import type { TapeOrder, TapeTrade } from './tape-order.ts';

export type DeskChange =
  | { readonly kind: 'order'; readonly order: TapeOrder }
  | { readonly kind: 'trade'; readonly trade: TapeTrade }
  | { readonly kind: 'entry'; readonly currency: string; readonly entry: AccountEntry };

export type DeskMemory = {
  /** Oldest first. */
  readonly orders: readonly TapeOrder[];
  readonly trades: readonly TapeTrade[];
  readonly entries: readonly { readonly currency: string; readonly entry: AccountEntry }[];
};

type WrittenTrade = Omit<TapeTrade, 'order'> & { readonly orderId: string };

/** Returns the change as one line of JSON; amounts beyond 53 bits are strings that end in n. */
export function encodeDeskChange(change: DeskChange): string {
  return JSON.stringify(writtenOf(change), (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

function writtenOf(change: DeskChange): object {
  if (change.kind !== 'trade') return change;
  const { order, ...trade } = change.trade;
  const written: WrittenTrade = { ...trade, orderId: order.id };
  return { kind: 'trade', trade: written };
}

/**
 * Returns the memory in lines, each a JSON list of what {@link encodeDeskChange} wrote; throws
 * DecodeError.
 */
export function decodeDeskMemory(lines: readonly string[]): DeskMemory {
  const orders = new Map<string, TapeOrder>();
  const trades: TapeTrade[] = [];
  const entries: { currency: string; entry: AccountEntry }[] = [];
  for (const change of lines.flatMap(changesIn)) {
    // The same object for all that is said of an order: its trades point to it.
    if (change.kind === 'order') {
      const { order } = change;
      orders.set(order.id, Object.assign(orders.get(order.id) ?? { ...order }, order));
    } else if (change.kind === 'entry') entries.push(change);
    else {
      const { orderId, ...trade } = change.trade;
      const order = orders.get(orderId);
      if (order === undefined)
        throw new DecodeError(`a trade of order ${orderId}, which is not there`);
      trades.push({ ...trade, order });
    }
  }
  return { orders: [...orders.values()], trades, entries };
}

type Change =
  | Exclude<DeskChange, { kind: 'trade' }>
  | { readonly kind: 'trade'; readonly trade: WrittenTrade };

function changesIn(line: string): readonly Change[] {
  try {
    return JSON.parse(line, (_, value: unknown) =>
      typeof value === 'string' && /^-?\d+n$/u.test(value) ? BigInt(value.slice(0, -1)) : value,
    ) as readonly Change[];
  } catch (cause) {
    throw new DecodeError(`no changes of an account: ${line.slice(0, 80)}`, { cause });
  }
}
