/** Reads a list of orders page by page, as far as it can be read; for reports and at the start. */
import type { OrderRecord } from '../exchange-api/operations/order-operations.ts';
import { OrderPages, type OrderPagesOptions } from '../exchange-api/order-pages.ts';
import type { Client } from './client.ts';

/**
 * Returns the open or the closed orders, newest first, each once. Where the walk through the list
 * does not end as `complete`, they are those that the exchange has shown, see {@link OrderPages}.
 * Throws the error of a page that cannot be read.
 */
export async function listOrders(
  client: Pick<Client, 'listOrdersV2'>,
  { closed, ...bounds }: OrderPagesOptions & { readonly closed: boolean },
): Promise<readonly OrderRecord[]> {
  const pages = new OrderPages(bounds);
  while (pages.end === undefined) {
    const { orders } = await client.listOrdersV2({ closed, ...pages.next });
    pages.take(orders);
  }
  return pages.records;
}
