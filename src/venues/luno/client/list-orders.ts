/** Reads the list of orders page by page, as far as possible, for reports and at a start. */
import type { OrderRecord } from '../api/operations/order-operations.ts';
import { OrderPages, type OrderPagesOptions, type WalkEnd } from '../api/order-pages.ts';
import type { Client } from './client.ts';

export type ListedOrders = {
  /** Newest first, without duplicates. */
  readonly records: readonly OrderRecord[];
  readonly end: WalkEnd;
};

/**
 * Returns the open or the closed orders, and how the walk through the list ended. Unless that is
 * `complete`, orders may be missing; see {@link OrderPages}. Throws the error of a page that cannot
 * be read.
 */
export async function walkOrders(
  client: Pick<Client, 'listOrdersV2'>,
  { closed, ...bounds }: OrderPagesOptions & { readonly closed: boolean },
): Promise<ListedOrders> {
  const pages = new OrderPages(bounds);
  while (pages.end === undefined) {
    const { orders } = await client.listOrdersV2({ closed, ...pages.next });
    pages.take(orders);
  }
  return { records: pages.records, end: pages.end };
}

/** Returns only the orders of {@link walkOrders}, complete or not. */
export async function listOrders(
  client: Pick<Client, 'listOrdersV2'>,
  bounds: OrderPagesOptions & { readonly closed: boolean },
): Promise<readonly OrderRecord[]> {
  return (await walkOrders(client, bounds)).records;
}
