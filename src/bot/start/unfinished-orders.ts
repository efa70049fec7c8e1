/** Describes the orders that earlier runs may have left open at the exchange. */
import type { OrderRow } from '../../domain/records.ts';
import { openDatabaseReadOnly } from '../../store/open-database.ts';
import { createSqliteReports } from '../../store/sqlite-reports.ts';

const ordersNamed = 5;

/** Describes the orders, naming the newest ones; undefined if there are none. */
export function unfinishedText(orders: readonly OrderRow[]): string | undefined {
  if (orders.length === 0) return undefined;
  const named = orders
    .slice(-ordersNamed)
    .map(({ side, volume, pair, price }) => `${side} ${volume} ${pair} at ${price}`);
  const more = orders.length > ordersNamed ? ', …' : '';
  return `${orders.length} orders of earlier runs may be open at the exchange (${named.join(', ')}${more})`;
}

/** As {@link unfinishedText}, for a read-only database; undefined if it cannot be read either. */
export function unfinishedIn(store: string): string | undefined {
  try {
    const database = openDatabaseReadOnly(store);
    try {
      return unfinishedText(createSqliteReports(database).openOrders());
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}
