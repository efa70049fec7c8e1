/**
 * Orders and fills of ours at the exchange that the database does not know: it is gone, or older
 * than they are, or another bot runs under our name. They are looked for before a run begins.
 *
 *     last comparison or newest stored order ─▶ now:  open orders, closed orders, trades
 *     nothing stored                         ─▶ the same, back to the first, up to a bound
 *
 * Invariant: a run that begins with something unknown, or without having looked at everything,
 * begins halted.
 */

import type { Client } from '../../client/client.ts';
import { walkOrders } from '../../client/list-orders.ts';
import type { OrderState } from '../../domain/order.ts';
import type { LostState } from '../../engine/engine-start.ts';
import { limits } from '../../exchange-api/limits.ts';
import type { OrderRecord, UserTrade } from '../../exchange-api/operations/order-operations.ts';
import { TradePages } from '../../exchange-api/trade-pages.ts';
import { clientOrderIdPrefix, identityIn } from '../../execution/orders/client-order-id.ts';
import type { SqliteStore } from '../../store/sqlite-store.ts';
import { type BotPlace, botCommand, resumeCommand } from '../../terminal/command-hints.ts';

/** Looked at this much before the time since which everything should be known: clocks differ. */
const marginMs = 60_000;
/** Of each list, at most. */
const pagesMaxDefault = 50;
/** What never left cannot be at the exchange, unless the database was written before it left. */
const neverLeft: ReadonlySet<OrderState> = new Set(['waiting', 'unsent']);

export type LostStateOptions = {
  readonly namespace: string;
  readonly pairs: readonly string[];
  /** `reconcile` has no exchange to ask about a bot of mode paper. */
  readonly isPaper: boolean;
  readonly store: Pick<SqliteStore, 'identity' | 'comparedMs' | 'reports'>;
  /** The bot, for commands that are suggested. */
  readonly place: BotPlace;
  /** Pages of each list that are read; 50 unless given. */
  readonly pagesMax?: number;
};

type Reader = Pick<Client, 'listOrdersV2' | 'listtrades'>;

type Found = {
  readonly orders: readonly OrderRecord[];
  readonly trades: readonly UserTrade[];
  readonly isWhole: boolean;
};

/** Returns what is wrong, or undefined. Throws the error of a page that cannot be read. */
export async function findLostState(
  client: Reader,
  options: LostStateOptions,
): Promise<LostState | undefined> {
  const { pagesMax = pagesMaxDefault } = options;
  const sinceMs = lookBackMs(options.store);
  const found = await findUnknown(client, options, { sinceMs, pagesMax });
  if (found.orders.length + found.trades.length > 0)
    return { found: unknownText(found, options), waysOut: waysOutOf(options), mayResume: false };
  if (found.isWhole) return undefined;
  const count = pagesMax * limits.listLimitMax;
  return {
    found:
      `the exchange has more than the newest ${count} closed orders, or ${count} trades of a pair, which is as far ` +
      `as a start looks for what this database does not know of namespace ${options.namespace}`,
    waysOut:
      `If this namespace was never used before: ${resumeCommand('bot', options.place)} ; else put the right database back, ` +
      takeOverBy(options, 'look at everything'),
    mayResume: true,
  };
}

type Told = Pick<LostStateOptions, 'isPaper' | 'place'>;

function waysOutOf(options: Told): string {
  return (
    `Put the right database back and start again; ${takeOverBy(options, 'take them over with their fills and position')} ; ` +
    `then: ${resumeCommand('bot', options.place)} ; ` +
    'or, if they are of another bot that runs, give this one a namespace of its own'
  );
}

function takeOverBy({ isPaper, place }: Told, what: string): string {
  if (isPaper) return `or let a start with --adopt ${what}`;
  return `or stop the bot and let this ${what} (or a start with --adopt): ${botCommand('reconcile', place, '--repair')}`;
}

/** Whether the exchange can have the order only if the database is not the one that made it. */
export function isUnknownTo({ reports }: Pick<SqliteStore, 'reports'>, clientOrderId: string) {
  const known = reports.findOrder({ clientOrderId });
  return known === undefined || neverLeft.has(known.state);
}

/** The time since which something may be unknown; undefined if that is for ever. */
function lookBackMs({ comparedMs, reports }: LostStateOptions['store']): number | undefined {
  const newest = reports.recentOrders(1).at(-1)?.createdMs;
  if (comparedMs === undefined && newest === undefined) return undefined;
  return Math.max(comparedMs ?? 0, newest ?? 0) - marginMs;
}

async function findUnknown(
  client: Reader,
  { namespace, pairs, store }: LostStateOptions,
  { sinceMs, pagesMax }: { readonly sinceMs: number | undefined; readonly pagesMax: number },
): Promise<Found> {
  const bounds = { ...(sinceMs === undefined ? {} : { sinceMs }), pagesMax };
  const open = await walkOrders(client, { closed: false, pagesMax });
  const closed = await walkOrders(client, { closed: true, ...bounds });
  let isWhole = open.end === 'complete' && closed.end === 'complete';
  const prefix = clientOrderIdPrefix(namespace);
  const isUnknown = ({ client_order_id: id }: { readonly client_order_id: string }): boolean =>
    id.startsWith(prefix) && isUnknownTo(store, id);
  // One that closes between the two lists is in both; the later one is right.
  const records = new Map([...open.records, ...closed.records].map((one) => [one.order_id, one]));
  const trades: UserTrade[] = [];
  for (const pair of pairs) {
    const pages = new TradePages(sinceMs === undefined ? '1' : undefined);
    for (let page = 0; pages.end === undefined; page++) {
      if (page === pagesMax) {
        isWhole = false;
        break;
      }
      const since = sinceMs === undefined ? {} : { since: Math.max(0, Math.trunc(sinceMs)) };
      const listed = (await client.listtrades({ pair, ...since, ...pages.next })).trades;
      trades.push(...listed.filter(isUnknown));
      pages.take(listed);
    }
    isWhole &&= pages.end === 'complete';
  }
  return { orders: [...records.values()].filter(isUnknown), trades, isWhole };
}

function unknownText(
  { orders, trades }: Found,
  { namespace, store }: Pick<LostStateOptions, 'namespace' | 'store'>,
): string {
  const all = [
    ...orders.map((one) => ({ id: one.client_order_id, atMs: one.creation_timestamp })),
    ...trades.map((one) => ({ id: one.client_order_id, atMs: one.timestamp })),
  ].sort((a, b) => a.atMs - b.atMs);
  const newest = all.at(-1);
  const makers = new Set(all.map(({ id }) => identityIn(id, namespace)));
  const isOlder = makers.size === 1 && makers.has(store.identity) && store.identity !== '';
  const known = isOlder ? 'this database is an older copy of theirs' : 'another database made them';
  const when = new Date(newest?.atMs ?? 0).toISOString();
  return (
    `the exchange has ${orders.length} orders and ${trades.length} trades of namespace ${namespace} that this database does not know, ` +
    `the newest of ${newest?.id} at ${when}: ${known}`
  );
}
