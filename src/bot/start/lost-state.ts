/**
 * Finds orders and fills of our namespace at the exchange that the database does not know, before a
 * run begins. The database is then lost or too old, or another bot uses our namespace.
 *
 *     from the last comparison or newest stored order:  open orders, closed orders, trades
 *     with an empty database:                           the same, all of them, up to a bound
 *
 * Invariant: a run starts halted if something is unknown or not everything could be searched.
 */

import type { OrderState } from '../../domain/order.ts';
import type { LostState } from '../../engine/engine-start.ts';
import { clientOrderIdPrefix, identityIn } from '../../execution/orders/client-order-id.ts';
import type { SqliteStore } from '../../store/sqlite-store.ts';
import { type BotPlace, botCommand, resumeCommand } from '../../terminal/command-hints.ts';
import { readList, type VenueReader } from '../../venue/venue-reader.ts';
import type { OrderView, TradeView } from '../../venue/venue-reply.ts';

/** The search begins this much earlier than necessary, because clocks differ. */
const marginMs = 60_000;
/** The maximum number of pages read from each list. */
const pagesMaxDefault = 50;
/** Orders in these states are not at the exchange, unless the database is an older copy. */
const neverLeft: ReadonlySet<OrderState> = new Set(['waiting', 'unsent']);

export type LostStateOptions = {
  readonly namespace: string;
  readonly pairs: readonly string[];
  /** `reconcile` cannot be used for a paper account. */
  readonly isPaper: boolean;
  readonly store: Pick<SqliteStore, 'identity' | 'comparedMs' | 'reports'>;
  /** The bot, for suggested commands. */
  readonly place: BotPlace;
  /** The maximum number of pages read from each list; 50 by default. */
  readonly pagesMax?: number;
};

type Found = {
  readonly orders: readonly OrderView[];
  readonly trades: readonly TradeView[];
  readonly isWhole: boolean;
};

/** Returns the finding, or undefined if nothing is unknown. Throws the error of a failed read. */
export async function findLostState(
  venue: VenueReader,
  options: LostStateOptions,
): Promise<LostState | undefined> {
  const { pagesMax = pagesMaxDefault } = options;
  const sinceMs = lookBackMs(options.store);
  const found = await findUnknown(venue, options, { sinceMs, pagesMax });
  if (found.orders.length + found.trades.length > 0)
    return { found: unknownText(found, options), remedies: remediesOf(options), mayResume: false };
  if (found.isWhole) return undefined;
  const count = pagesMax * venue.properties.lists.pageMax;
  return {
    found:
      `the exchange has more than ${count} closed orders, or more than ${count} trades of a pair; a start searches no ` +
      `further for orders of namespace ${options.namespace} that this database does not know`,
    remedies:
      `If this namespace was never used before: ${resumeCommand('bot', options.place)} ; otherwise restore the right database, ` +
      takeOverBy(options, 'search everything'),
    mayResume: true,
  };
}

type Suggestions = Pick<LostStateOptions, 'isPaper' | 'place'>;

function remediesOf(options: Suggestions): string {
  return (
    `Restore the right database and start again; ${takeOverBy(options, 'take them over with their fills and position')} ; ` +
    `then: ${resumeCommand('bot', options.place)} ; ` +
    'or, if they belong to another running bot, give this one a namespace of its own'
  );
}

function takeOverBy({ isPaper, place }: Suggestions, what: string): string {
  if (isPaper) return `or, to ${what}, start with --adopt`;
  return `or, to ${what}, start with --adopt, or stop the bot and run: ${botCommand('reconcile', place, '--repair')}`;
}

/** Whether the database does not know the order, or knows it as one that was never sent. */
export function isUnknownTo({ reports }: Pick<SqliteStore, 'reports'>, clientOrderId: string) {
  const known = reports.findOrder({ clientOrderId });
  return known === undefined || neverLeft.has(known.state);
}

/** The time from which something may be unknown; undefined if everything may be. */
function lookBackMs({ comparedMs, reports }: LostStateOptions['store']): number | undefined {
  const newest = reports.recentOrders(1).at(-1)?.createdMs;
  if (comparedMs === undefined && newest === undefined) return undefined;
  return Math.max(comparedMs ?? 0, newest ?? 0) - marginMs;
}

async function findUnknown(
  venue: VenueReader,
  { namespace, pairs, store }: LostStateOptions,
  { sinceMs, pagesMax }: { readonly sinceMs: number | undefined; readonly pagesMax: number },
): Promise<Found> {
  const prefix = clientOrderIdPrefix(namespace);
  const bounds = { prefix, pagesMax };
  const open = await readList(venue, { kind: 'orders', which: 'open' }, bounds);
  const ended = await readList(venue, { kind: 'orders', which: 'ended', sinceMs }, bounds);
  let isWhole = open.end === 'complete' && ended.end === 'complete';
  const isUnknown = ({ clientOrderId: id }: { readonly clientOrderId: string }): boolean =>
    id.startsWith(prefix) && isUnknownTo(store, id);
  // An order that ends between the two requests is in both lists; the later one is right.
  const orders = new Map([...open.rows, ...ended.rows].map((one) => [one.orderId, one]));
  const trades: TradeView[] = [];
  for (const pair of pairs) {
    const listed = await readList(venue, { kind: 'own-trades', pair, sinceMs }, bounds);
    trades.push(...listed.rows.filter(isUnknown));
    isWhole &&= listed.end === 'complete';
  }
  const unknown = [...orders.values()].filter((one) => isUnknown(one) && !leftNothing(one));
  return { orders: unknown, trades, isWhole };
}

/** Whether it is a market order that has ended without a trade: nothing of it can be taken over. */
function leftNothing({ type, isEnded, sums }: OrderView): boolean {
  return type === 'market' && isEnded && sums.base === 0n;
}

function unknownText(
  { orders, trades }: Found,
  { namespace, store }: Pick<LostStateOptions, 'namespace' | 'store'>,
): string {
  const all = [
    ...orders.map((one) => ({ id: one.clientOrderId, atMs: one.createdMs })),
    ...trades.map((one) => ({ id: one.clientOrderId, atMs: one.atMs })),
  ].sort((a, b) => a.atMs - b.atMs);
  const newest = all.at(-1);
  const makers = new Set(all.map(({ id }) => identityIn(id, namespace)));
  const isOlder = makers.size === 1 && makers.has(store.identity) && store.identity !== '';
  const known = isOlder
    ? 'this database is an older copy of the one that placed them'
    : 'another database placed them';
  const when = new Date(newest?.atMs ?? 0).toISOString();
  return (
    `the exchange has ${orders.length} orders and ${trades.length} trades of namespace ${namespace} that this database does not know, ` +
    `the newest with id ${newest?.id} at ${when}: ${known}`
  );
}
