/**
 * Reads the history of a database in bounded pieces, for charts and lists. Numbers are only drawn;
 * exact figures come from {@link StoreReports}.
 *
 * Invariant: each call is one short read, so that the bot's write-ahead log can always restart.
 */
import { existsSync, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { Side } from '../domain/market.ts';
import type { OrderState } from '../domain/order.ts';
import type { Incident, OrderRow } from '../domain/records.ts';
import { archivePathOf } from './archive.ts';
import { openDatabaseReadOnly } from './open-database.ts';
import { orderCodec } from './row-codecs.ts';
import { createSqliteReports } from './sqlite-reports.ts';
import type { StoreReports } from './store-reports.ts';

/** A fill as numbers, for drawing. */
export type DrawnFill = {
  readonly tradedMs: number;
  readonly strategyId: string;
  readonly isBid: boolean;
  readonly price: number;
  readonly base: number;
  readonly counter: number;
  readonly feeBase: number;
  readonly feeCounter: number;
  readonly isMaker: boolean;
  readonly intentId: number;
  /** The mid at the fill, and at the times of {@link markoutsAfterMs}; undefined if not known. */
  readonly mid: number | undefined;
  readonly midsAfter: readonly (number | undefined)[];
};

/** The times after a fill at which the store has the mid. */
export const markoutsAfterMs = [1_000, 10_000, 60_000, 300_000] as const;

/** The best prices of a market at a time. */
export type DrawnTop = { readonly atMs: number; readonly bid: number; readonly ask: number };

/** The place of a fill among those of its pair: trades are numbered in order of time. */
export type FillPlace = { readonly sequence: string; readonly orderId: string };

export type FillPart = {
  readonly fills: readonly DrawnFill[];
  /** Where the next part begins; undefined after the last one. */
  readonly next: FillPlace | undefined;
};

/** An order as it is drawn: where it rested, and from when on. */
export type DrawnOrder = {
  readonly createdMs: number;
  readonly strategyId: string;
  readonly side: Side;
  readonly price: number;
};

export type OrderFilter = {
  readonly before?: number | undefined;
  readonly pair?: string | undefined;
  readonly strategy?: string | undefined;
  readonly state?: OrderState | undefined;
};

/** Exact sums of fills. */
export type TradedSums = {
  readonly fills: number;
  readonly base: string;
  readonly turnover: string;
  readonly feeBase: string;
  readonly feeCounter: string;
};

export type StoreHistory = {
  readonly reports: StoreReports;
  /** The time of the first order or fill of a pair. */
  firstMs(pair: string): number | undefined;
  /** The place before the first fill of a pair that was traded at `fromMs` or later. */
  placeBefore(pair: string, fromMs: number): FillPlace | undefined;
  /** Fills of a pair after `place` that were traded before `toMs`: at most `max`. */
  fillsAfter(pair: string, place: FillPlace, toMs: number, max: number): FillPart;
  /** About `max` orders of a pair, spread evenly over those created in [`fromMs`, `toMs`). */
  sampledOrders(pair: string, fromMs: number, toMs: number, max: number): readonly DrawnOrder[];
  /** Samples of a pair after `afterMs` and before `toMs`, oldest first: at most `max`. */
  topsAfter(pair: string, afterMs: number, toMs: number, max: number): readonly DrawnTop[];
  /** The newest sample of a pair in [`fromMs`, `toMs`). */
  lastTop(pair: string, fromMs: number, toMs: number): DrawnTop | undefined;
  /** Newest first. */
  orders(filter: OrderFilter, max: number): readonly OrderRow[];
  /** Incidents with an id below `before`, newest first. */
  incidents(
    before: number | undefined,
    max: number,
  ): readonly (Incident & { readonly id: number })[];
  /** Exact sums of the fills of a pair traded in [`fromMs`, `toMs`). */
  sumsOf(pair: string, fromMs: number, toMs: number): TradedSums;
  close(): void;
};

/** Opens the database at `path` for reading, also while a bot writes it. Throws StoreError. */
export function openStoreHistory(path: string): StoreHistory {
  const database = openDatabaseReadOnly(path);
  const archive = archivePathOf(path);
  try {
    const hasArchive = existsSync(archive) && statSync(archive).size > 0;
    if (hasArchive) database.prepare('ATTACH ? AS archive').run(archive);
    return new SqliteHistory(database, hasArchive);
  } catch (error) {
    database.close();
    throw error;
  }
}

const fillSelect = `SELECT f.traded_ms, CAST(f.sequence AS TEXT), f.order_id, f.strategy_id,
  f.side = 'BID', CAST(f.price AS REAL), CAST(f.base AS REAL), CAST(f.counter AS REAL),
  CAST(f.fee_base AS REAL), CAST(f.fee_counter AS REAL), f.maker, f.intent_id`;
const midsSelect = ['mid', 'mid1s', 'mid10s', 'mid60s', 'mid300s']
  .map((column) => `CAST(m.${column} AS REAL)`)
  .join(', ');

class SqliteHistory implements StoreHistory {
  readonly reports: StoreReports;
  readonly #database: Database;
  // An older database that no newer program has opened has neither of these tables.
  readonly #hasMids: boolean;
  readonly #topTables: readonly string[];

  constructor(database: Database, hasArchive: boolean) {
    this.#database = database;
    this.reports = createSqliteReports(database, hasArchive);
    const has = (schema: 'main' | 'archive', table: string): boolean =>
      (schema === 'main' || hasArchive) &&
      database.prepare(`SELECT 1 FROM ${schema}.sqlite_schema WHERE name = ?`).get(table) !==
        undefined;
    this.#hasMids = has('main', 'fill_mids');
    this.#topTables = (['main', 'archive'] as const)
      .filter((schema) => has(schema, 'market_samples'))
      .map((schema) => `${schema}.market_samples`);
  }

  firstMs(pair: string): number | undefined {
    const order = this.#number(
      'SELECT created_ms FROM orders WHERE pair = ? ORDER BY intent_id LIMIT 1',
      pair,
    );
    const fill = this.#number(
      'SELECT traded_ms FROM fills WHERE pair = ? ORDER BY traded_ms LIMIT 1',
      pair,
    );
    if (order === undefined || fill === undefined) return order ?? fill;
    return Math.min(order, fill);
  }

  placeBefore(pair: string, fromMs: number): FillPlace | undefined {
    const sequence = this.#database
      .prepare<unknown[], string>(
        `SELECT CAST(sequence AS TEXT) FROM fills INDEXED BY fills_by_time
         WHERE traded_ms >= ? AND pair = ? ORDER BY traded_ms, pair, sequence LIMIT 1`,
      )
      .pluck()
      .get(fromMs, pair);
    return sequence === undefined ? undefined : { sequence, orderId: '' };
  }

  fillsAfter(pair: string, place: FillPlace, toMs: number, max: number): FillPart {
    // In the order of the table, which takes a third of the time of the index by time.
    const rows = this.#database
      .prepare<unknown[]>(
        `${fillSelect}, ${this.#hasMids ? midsSelect : 'NULL, NULL, NULL, NULL, NULL'}
         FROM fills f
         ${this.#hasMids ? 'LEFT JOIN fill_mids m USING (pair, sequence, order_id)' : ''}
         WHERE f.pair = @pair
           AND (f.sequence, f.order_id) > (CAST(@sequence AS INTEGER), @orderId)
         ORDER BY f.sequence, f.order_id LIMIT @max`,
      )
      .raw()
      .all({ pair, max, ...place }) as FillColumns[];
    const shown = rows.filter(([tradedMs]) => tradedMs < toMs);
    const last = rows.length < max || shown.length < rows.length ? undefined : rows.at(-1);
    return {
      fills: shown.map(drawnFill),
      next: last === undefined ? undefined : { sequence: last[1], orderId: last[2] },
    };
  }

  sampledOrders(pair: string, fromMs: number, toMs: number, max: number): readonly DrawnOrder[] {
    const first = this.#intentAt(fromMs);
    const span = this.#intentAt(toMs) - first;
    const step = Math.max(1, Math.ceil(span / max));
    // Uneven steps, or orders that come in a fixed order of sides would all be of one side.
    const ids = Array.from(
      { length: Math.ceil(span / step) },
      (_, index) => first + index * step + ((index * 7_919) % step),
    );
    return this.#database
      .prepare<unknown[], DrawnOrder>(
        `SELECT created_ms AS createdMs, strategy_id AS strategyId, side,
           CAST(price AS REAL) AS price
         FROM json_each(?) JOIN orders ON intent_id = value WHERE pair = ?
         ORDER BY intent_id`,
      )
      .all(JSON.stringify(ids), pair);
  }

  topsAfter(pair: string, afterMs: number, toMs: number, max: number): readonly DrawnTop[] {
    return this.#tops('ASC', pair, afterMs, toMs, max);
  }

  lastTop(pair: string, fromMs: number, toMs: number): DrawnTop | undefined {
    return this.#tops('DESC', pair, fromMs - 1, toMs, 1)[0];
  }

  orders(
    { before = Number.MAX_SAFE_INTEGER, pair, strategy, state }: OrderFilter,
    max: number,
  ): readonly OrderRow[] {
    const given = { pair, strategy_id: strategy, state };
    const filters = Object.entries(given).filter(([, value]) => value !== undefined);
    const more = filters.map(([column]) => ` AND ${column} = ?`).join('');
    return this.#database
      .prepare<unknown[]>(
        `SELECT ${orderCodec.select()} FROM orders WHERE intent_id < ?${more}
         ORDER BY intent_id DESC LIMIT ?`,
      )
      .all(before, ...filters.map(([, value]) => value), max)
      .map(orderCodec.decode);
  }

  incidents(
    before = Number.MAX_SAFE_INTEGER,
    max: number,
  ): readonly (Incident & { readonly id: number })[] {
    return this.#database
      .prepare<unknown[], Incident & { id: number }>(
        `SELECT id, at_ms AS atMs, code, text FROM incidents WHERE id < ?
         ORDER BY id DESC LIMIT ?`,
      )
      .all(before, max);
  }

  sumsOf(pair: string, fromMs: number, toMs: number): TradedSums {
    return this.#database
      .prepare<unknown[], TradedSums>(
        `SELECT count(*) AS fills, decimal_sum(base) AS base, decimal_sum(counter) AS turnover,
           decimal_sum(fee_base) AS feeBase, decimal_sum(fee_counter) AS feeCounter
         FROM fills INDEXED BY fills_by_time
         WHERE pair = ? AND traded_ms >= ? AND traded_ms < ?`,
      )
      .get(pair, fromMs, toMs) as TradedSums;
  }

  close(): void {
    this.#database.close();
  }

  #number(sql: string, ...parameters: (string | number)[]): number | undefined {
    const found = this.#database
      .prepare<unknown[]>(sql)
      .pluck()
      .get(...parameters);
    return (found as number | null | undefined) ?? undefined;
  }

  /** The first intent id created at `atMs` or later; ids rise with time, apart from clock steps. */
  #intentAt(atMs: number): number {
    const createdFrom = this.#database
      .prepare<[number], number>(
        'SELECT created_ms FROM orders WHERE intent_id >= ? ORDER BY intent_id LIMIT 1',
      )
      .pluck();
    let [low, high] = [0, (this.#number('SELECT max(intent_id) FROM orders') ?? 0) + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((createdFrom.get(middle) ?? atMs) >= atMs) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #tops(
    order: 'ASC' | 'DESC',
    ...[pair, afterMs, toMs, max]: [string, number, number, number]
  ): readonly DrawnTop[] {
    if (this.#topTables.length === 0) return [];
    return this.#database
      .prepare<unknown[], DrawnTop>(
        `SELECT at_ms AS atMs, CAST(bid AS REAL) AS bid, CAST(ask AS REAL) AS ask
         FROM (${this.#topTables.map((table) => `SELECT * FROM ${table}`).join(' UNION ALL ')})
         WHERE at_ms > ? AND at_ms < ? AND pair = ? ORDER BY at_ms ${order} LIMIT ?`,
      )
      .all(afterMs, toMs, pair, max);
  }
}

type FillColumns = [
  tradedMs: number,
  sequence: string,
  orderId: string,
  strategyId: string,
  isBid: number,
  price: number,
  base: number,
  counter: number,
  feeBase: number,
  feeCounter: number,
  maker: number,
  intentId: number,
  mid: number | null,
  mid1s: number | null,
  mid10s: number | null,
  mid60s: number | null,
  mid300s: number | null,
];

function drawnFill(row: FillColumns): DrawnFill {
  const [tradedMs, , , strategyId, isBid, price, base, counter, feeBase, feeCounter] = row;
  const [maker, intentId, mid, ...midsAfter] = row.slice(10) as (number | null)[];
  return {
    ...{ tradedMs, strategyId, isBid: isBid === 1, price, base, counter, feeBase, feeCounter },
    ...{ isMaker: maker === 1, intentId: intentId as number, mid: mid ?? undefined },
    midsAfter: midsAfter.map((one) => one ?? undefined),
  };
}
