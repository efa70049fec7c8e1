/**
 * The two books of a running bot, its database and the exchange's own truth, and what differs.
 *
 * The bot goes on trading while it is read. So the database is read before and after the exchange:
 * what it had before must be at the exchange, and what the exchange had must be in it afterwards.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { parseWireJson } from '../../../src/venues/luno/api/wire-json.ts';
import { controlPath } from '../../../src/venues/luno/simulator/server/control-http.ts';
import { controlTokenPath } from '../../../src/venues/luno/simulator/server/control-token.ts';

type RealOrder = {
  readonly order_id: string;
  readonly client_order_id: string;
  readonly side: string;
  readonly status: string;
  readonly time_in_force: string;
  readonly creation_timestamp: number;
  readonly completed_timestamp: number;
};
type RealTrade = { readonly sequence: string; readonly orderId: string; readonly volume: string };
type Real = { readonly orders: readonly RealOrder[]; readonly trades: readonly RealTrade[] };

type StoredOrder = {
  readonly clientOrderId: string;
  readonly orderId: string | null;
  readonly state: string;
  readonly level: string | null;
  readonly cancelRequestedMs: number | null;
};
type StoredState = { readonly scope: string; readonly state: string; readonly reason: string };
type Incident = { readonly id: number; readonly code: string; readonly text: string };
type Stored = {
  readonly orders: ReadonlyMap<string, StoredOrder>;
  /** By trade and order. */
  readonly fills: ReadonlySet<string>;
  readonly fillCount: number;
  readonly closed: readonly StoredState[];
  readonly incidents: readonly Incident[];
};

export type Finding = {
  /** What can never be right, however long one waits. */
  readonly wrong: readonly string[];
  /** What is not equal yet. */
  readonly differences: readonly string[];
  readonly duplicates: number;
  /** When the newest order of ours was taken by the exchange, on its clock; 0 without one. */
  readonly newestOrderMs: number;
  /** Sides on which an order of ours rests at the exchange and is open in the database. */
  readonly sides: readonly string[];
  readonly unknownOrders: number;
  /** Scopes that do not trade, with the reason. */
  readonly closed: readonly StoredState[];
  readonly incidents: readonly Incident[];
  /** How many trades the exchange has, and how many of them the database lacks. */
  readonly trades: number;
  readonly lostFills: number;
  /** The exchange's clock. */
  readonly timeMs: number;
};

const finals = new Set(['filled', 'cancelled', 'rejected', 'absent', 'unsent']);
const neverThere = new Set(['absent', 'unsent']);

export class LaneBooks {
  readonly #baseUrl: string;
  readonly #authorization: string;
  readonly #path: string;
  #database: Database | undefined;

  constructor(parts: { readonly home: string; readonly baseUrl: string; readonly store: string }) {
    const token = readFileSync(controlTokenPath(join(parts.home, 'simulator')), 'utf8').trim();
    this.#authorization = `Bearer ${token}`;
    this.#baseUrl = parts.baseUrl;
    this.#path = parts.store;
  }

  async compare(): Promise<Finding> {
    const before = this.#read();
    const timeMs = (await this.#ask<{ timeMs: number }>('')).timeMs;
    const real = await this.#ask<Real>('/truth/desk');
    return compare(before, real, { after: this.#read(), timeMs });
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  async #ask<Body>(path: string): Promise<Body> {
    const headers = { authorization: this.#authorization };
    const answer = await fetch(`${this.#baseUrl}${controlPath}${path}`, { headers });
    return parseWireJson(await answer.text()) as Body;
  }

  #read(): Stored {
    this.#database ??= new SqliteDatabase(this.#path, { readonly: true, timeout: 5_000 });
    const database = this.#database;
    const rows = <Row>(sql: string): Row[] => database.prepare<[], Row>(sql).all();
    return database.transaction(() => {
      const orders = rows<StoredOrder>(
        `SELECT client_order_id AS clientOrderId, order_id AS orderId, state, level,
           cancel_requested_ms AS cancelRequestedMs FROM orders`,
      );
      const fills = rows<{ sequence: string; orderId: string }>(
        'SELECT CAST(sequence AS TEXT) AS sequence, order_id AS orderId FROM fills',
      );
      return {
        orders: new Map(orders.map((order) => [order.clientOrderId, order])),
        fills: new Set(fills.map(({ sequence, orderId }) => `${sequence} ${orderId}`)),
        fillCount: fills.length,
        closed: rows<StoredState>(
          `SELECT scope, state, reason FROM trading_states WHERE id IN (
             SELECT max(id) FROM trading_states GROUP BY scope) AND state != 'ACTIVE'`,
        ),
        incidents: rows<Incident>('SELECT id, code, text FROM incidents ORDER BY id'),
      };
    })();
  }
}

function compare(
  before: Stored,
  real: Real,
  { after, timeMs }: { readonly after: Stored; readonly timeMs: number },
): Finding {
  const wrong: string[] = [];
  const differences: string[] = [];
  const seen = new Map<string, RealOrder>();
  let duplicates = 0;
  const double = (text: string): void => {
    duplicates++;
    wrong.push(text);
  };
  for (const order of real.orders) {
    const id = order.client_order_id;
    if (seen.has(id)) double(`${id} is at the exchange twice`);
    seen.set(id, order);
    const row = after.orders.get(id);
    if (row === undefined) double(`${id} is at the exchange and was never stored`);
    else if (row.orderId !== null && row.orderId !== order.order_id)
      wrong.push(`${id} is ${order.order_id} at the exchange, here ${row.orderId}`);
    else if (order.status === 'COMPLETE' && !finals.has(row.state))
      differences.push(`${id} has ended at the exchange and is ${row.state} here`);
  }
  for (const { clientOrderId: id, state } of before.orders.values()) {
    const there = seen.get(id);
    if (there === undefined && ['open', 'completing', 'filled'].includes(state))
      differences.push(`${id} is ${state} here and not at the exchange`);
    if (there !== undefined && neverThere.has(state))
      wrong.push(`${id} is ${state} here and ${there.status} at the exchange`);
    if (there !== undefined && there.status !== 'COMPLETE' && finals.has(state))
      differences.push(`${id} is ${state} here and ${there.status} at the exchange`);
  }
  for (const text of overlaps(real.orders, after)) double(text);

  const trades = new Set(real.trades.map(({ sequence, orderId }) => `${sequence} ${orderId}`));
  const lost = [...trades].filter((key) => !after.fills.has(key));
  for (const key of lost) differences.push(`trade ${key} is not booked`);
  for (const key of before.fills) if (!trades.has(key)) wrong.push(`fill ${key} never happened`);
  if (after.fillCount !== after.fills.size) wrong.push('a fill is booked twice');

  const resting = real.orders.filter(
    (order) =>
      order.status === 'PENDING' && after.orders.get(order.client_order_id)?.state === 'open',
  );
  return {
    wrong,
    differences,
    duplicates,
    newestOrderMs: Math.max(0, ...real.orders.map((order) => order.creation_timestamp)),
    sides: [...new Set(resting.map((order) => order.side))],
    unknownOrders: [...after.orders.values()].filter(({ state }) => state === 'unknown').length,
    closed: after.closed,
    incidents: after.incidents,
    trades: trades.size,
    lostFills: lost.length,
    timeMs,
  };
}

/**
 * A level of a quote is one order at a time, and beside it at most the one that it replaces, whose
 * cancel was requested.
 */
function overlaps(orders: readonly RealOrder[], { orders: stored }: Stored): readonly string[] {
  const found: string[] = [];
  const openOf = new Map<string, readonly RealOrder[]>();
  for (const order of orders) {
    const id = order.client_order_id;
    const level = stored.get(id)?.level ?? undefined;
    if (level === undefined) continue;
    const open = (openOf.get(level) ?? []).filter(
      ({ status, completed_timestamp: endMs }) =>
        status !== 'COMPLETE' || order.creation_timestamp < endMs,
    );
    if (open.length > 1) found.push(`${id} was placed beside ${open.length} others of its level`);
    for (const { client_order_id: other } of open)
      if (stored.get(other)?.cancelRequestedMs === null)
        found.push(`${id} was placed beside ${other}, its level, which nobody cancels`);
    openOf.set(level, [...open, order]);
  }
  return found;
}
