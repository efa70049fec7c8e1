/**
 * Adds to the database the orders, fills and ledger rows of our namespace that the exchange lists
 * and the database does not know.
 *
 * Invariants: existing rows are not changed, except orders that were never sent according to the
 * database; everything is written in one transaction.
 */
import { readOrders } from '../../audit/exchange-account.ts';
import { readExchangeOnce } from '../../audit/reconciliation.ts';
import type { BotSettings } from '../../domain/bot-settings.ts';
import type { Notice } from '../../domain/notice.ts';
import { clientOrderIdPrefix } from '../../execution/orders/client-order-id.ts';
import type { SqliteStore } from '../../store/sqlite-store.ts';
import type { VenueReader } from '../../venue/venue-reader.ts';
import { isUnknownTo } from './lost-state.ts';
import { accountsOfOrders, fetchAccounts, fetchMarketStarts } from './market-start.ts';
import { recordsTakenOver, type TakenOver } from './taken-over-records.ts';

export type TakeOverContext = {
  readonly settings: BotSettings;
  readonly nowMs: number;
  readonly onNotice: (notice: Notice) => void;
};

/** Reads every list completely and stores what is missing. Throws MillraceError. */
export async function takeOver(
  venue: VenueReader,
  store: Pick<SqliteStore, 'complete' | 'reports'>,
  { settings, nowMs, onNotice }: TakeOverContext,
): Promise<void> {
  const { namespace, strategies } = settings;
  const { reports } = store;
  const stored = reports.orders();
  const listed = await readOrders(venue, clientOrderIdPrefix(namespace));
  const names = new Set([
    ...strategies.flatMap((strategy) => strategy.pairs),
    ...[...stored, ...listed].map(({ pair }) => pair),
  ]);
  const markets = await fetchMarketStarts(venue, [...names]);
  const isGiven = Object.keys(settings.accounts).length > 0;
  const accounts = isGiven
    ? { ...accountsOfOrders(stored, markets), ...settings.accounts }
    : await fetchAccounts(venue, markets, stored);
  const pairs = new Map(markets.map(({ market }) => [market.pair, market]));
  const exchange = await readExchangeOnce(venue, { namespace, accounts, pairs });
  const found = recordsTakenOver(exchange, {
    ...{ reports, strategies, accounts, markets: pairs, nowMs },
    isUnknown: (clientOrderId) => isUnknownTo(store, clientOrderId),
  });
  store.complete(found.records);
  for (const notice of noticesOf(found)) onNotice(notice);
}

function noticesOf({ orders, fills, ledgerRows, unfit }: TakenOver): readonly Notice[] {
  const byOwner = Map.groupBy(orders, ({ strategyId, pair }) => `${strategyId} on ${pair}`);
  const owners = [...byOwner].map(([owner, own]) => `${own.length} to ${owner}`).join(', ');
  const given = owners === '' ? '' : `; assigned by pair, as the exchange has no owner: ${owners}`;
  const taken: Notice = {
    level: 'warn',
    topic: 'reconcile',
    text: `took over ${orders.length} orders, ${fills} fills and ${ledgerRows} ledger rows from the exchange${given}`,
  };
  if (unfit.length === 0) return [taken];
  const text = `${unfit.length} orders of this namespace are of no type that a bot places: ${unfit.slice(0, 5).join(', ')}`;
  return [taken, { level: 'alarm', topic: 'reconcile', text }];
}
