/**
 * Reads a bot's orders, trades, ledger rows and balances from the exchange. Changes nothing, and
 * reads every list to its end.
 */
import { formatAmount } from '../domain/amount.ts';
import { read, readList, type VenueReader } from '../venue/venue-reader.ts';
import type { MovementView, OrderView, TradeView } from '../venue/venue-reply.ts';
import type { OrdersRequest, RequestKind } from '../venue/venue-request.ts';

/** Every kind of request that a comparison needs. None of them changes anything. */
export const accountReads: readonly RequestKind[] = [
  'markets',
  'last-trade',
  'fees',
  'balances',
  'movements',
  'orders',
  'own-trades',
];

/**
 * Returns the account's trades on a pair, from a sequence on or all, including those of orders that
 * are not this bot's. `prefix` is that of its own.
 */
export async function readTrades(
  venue: VenueReader,
  pair: string,
  { prefix, from }: { readonly prefix: string; readonly from?: string | undefined },
): Promise<readonly TradeView[]> {
  const { rows } = await readList(venue, { kind: 'own-trades', pair, from }, { prefix });
  return [...new Map(rows.map((one) => [`${one.sequence} ${one.orderId}`, one])).values()];
}

/** Returns the open orders whose client order id begins with `prefix`. */
export async function readOpenOrders(
  venue: VenueReader,
  prefix: string,
): Promise<readonly OrderView[]> {
  return ownOrders(await ordersIn(venue, 'open', prefix), prefix);
}

/** Returns every order, open or ended, whose client order id begins with `prefix`. */
export async function readOrders(
  venue: VenueReader,
  prefix: string,
): Promise<readonly OrderView[]> {
  // An order that ends between the two reads is in both lists; the later view is right.
  const open = await ordersIn(venue, 'open', prefix);
  return ownOrders([...open, ...(await ordersIn(venue, 'ended', prefix))], prefix);
}

async function ordersIn(
  venue: VenueReader,
  which: OrdersRequest['which'],
  prefix: string,
): Promise<readonly OrderView[]> {
  return (await readList(venue, { kind: 'orders', which }, { prefix })).rows;
}

function ownOrders(listed: readonly OrderView[], prefix: string): readonly OrderView[] {
  const byId = new Map(listed.map((order) => [order.orderId, order]));
  return [...byId.values()].filter((order) => order.clientOrderId.startsWith(prefix));
}

/** Returns every ledger row of an account, oldest first. */
export async function readLedger(
  venue: VenueReader,
  account: string,
): Promise<readonly MovementView[]> {
  return (await readList(venue, { kind: 'movements', account }, { prefix: '' })).rows;
}

export async function readBalances(venue: VenueReader): Promise<ReadonlyMap<string, string>> {
  const balances = await read(venue, { kind: 'balances' });
  return new Map(balances.map(({ account, balance }) => [account, formatAmount(balance)]));
}
