/** Answers the queries of {@link StoreReports} from the database. Sums are exact; no caching. */
import { existsSync, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { storedDoneStrategies } from '../domain/done-strategy.ts';
import type { OrderState } from '../domain/order.ts';
import type { FillRow, OrderRow, Witness } from '../domain/records.ts';
import { storedTradingBlocks } from '../domain/trading-block.ts';
import { archivePathOf } from './archive.ts';
import { openDatabaseReadOnly } from './open-database.ts';
import { selectFillTotals, selectLedgerLatest } from './restore.ts';
import type { RowCodec } from './row-codec.ts';
import { createRowCodec } from './row-codec.ts';
import {
  attemptCodec,
  decisionCodec,
  evidenceCodec,
  fillCodec,
  idleCodec,
  incidentCodec,
  ledgerCodec,
  marketSampleCodec,
  operatorCommandCodec,
  orderCodec,
  outcomeCodec,
  tradingStateCodec,
} from './row-codecs.ts';
import { unfinished } from './schema.ts';
import type {
  FillWithMids,
  OrderHistory,
  OrderReference,
  RunRow,
  StoreReports,
} from './store-reports.ts';

const runCodec = createRowCodec<RunRow>('run', {
  runId: 'integer',
  startedMs: 'integer',
  configHash: 'text',
  codeHash: 'text',
  nodeVersion: 'text',
  sqliteVersion: 'text',
  commitNumber: 'integer',
  closed: 'boolean',
});

const dayMs = 86_400_000;

// Qualified, because the bare name is the selected text, which sorts 10 before 9.
const oldestFillFirst = 'ORDER BY fills.traded_ms, fills.pair, fills.sequence, fills.order_id';

/** Opens the database at `path` for reading, also while a bot writes it. Throws StoreError. */
export function openStoreReports(path: string): StoreReports & { close(): void } {
  const database = openDatabaseReadOnly(path);
  const archive = archivePathOf(path);
  const hasArchive = existsSync(archive) && statSync(archive).size > 0;
  if (hasArchive) database.prepare('ATTACH ? AS archive').run(archive);
  return Object.assign(createSqliteReports(database, hasArchive), {
    close: () => void database.close(),
  });
}

/** `hasArchive`: the archive is attached, and the history of an order is read from it too. */
export function createSqliteReports(database: Database, hasArchive = false): StoreReports {
  const tables = new StoredTables(database, hasArchive);
  return {
    ...orderReports(tables),
    ...fillReports(tables),
    ...ledgerReports(tables),
    ...decisionReports(tables),
    ...stateReports(tables),
    ...incidentReports(tables),
  };
}

class StoredTables {
  readonly database: Database;
  /** False for a database of an older version, which is read before its bot upgrades it. */
  readonly hasHistory: boolean;
  readonly #archived: ReadonlySet<string>;

  constructor(database: Database, hasArchive: boolean) {
    this.database = database;
    this.hasHistory = tablesIn(database, 'main').includes('fill_mids');
    this.#archived = new Set(hasArchive ? tablesIn(database, 'archive') : []);
  }

  /** Returns a FROM clause with the rows of a table in the database and in the archive. */
  withArchive(table: string, codec: { readonly columns: string }, more = ''): string {
    if (!this.#archived.has(table)) return table;
    const columns = `${codec.columns}${more}`;
    return `(SELECT ${columns} FROM main.${table} UNION ALL SELECT ${columns} FROM archive.${table})`;
  }

  select<Row>(codec: RowCodec<Row>, from: string, ...parameters: (string | number)[]): Row[] {
    const statement = this.database.prepare<unknown[]>(`SELECT ${codec.select()} FROM ${from}`);
    return statement.all(...parameters).map(codec.decode);
  }

  rows<Row>(sql: string, ...parameters: (string | number)[]): Row[] {
    return this.database.prepare<unknown[], Row>(sql).all(...parameters);
  }
}

function orderReports(tables: StoredTables) {
  return {
    orderCounts: () =>
      Object.fromEntries(
        tables
          .rows<{ state: OrderState; count: number }>(
            'SELECT state, count(*) AS count FROM orders GROUP BY state ORDER BY state',
          )
          .map(({ state, count }) => [state, count]),
      ),
    openOrders: () => tables.select(orderCodec, `orders WHERE ${unfinished} ORDER BY intent_id`),
    orders: () => tables.select(orderCodec, 'orders ORDER BY intent_id'),
    recentOrders: (countMax) =>
      tables.select(orderCodec, 'orders ORDER BY intent_id DESC LIMIT ?', countMax).reverse(),
    lastPlaced: () =>
      tables.rows(
        `SELECT strategy_id AS strategyId, pair, max(created_ms) AS atMs FROM orders
         GROUP BY strategy_id, pair ORDER BY strategy_id, pair`,
      ),
    recentQuotes: (countMax) =>
      tables
        .select(
          orderCodec,
          'orders WHERE level IS NOT NULL ORDER BY intent_id DESC LIMIT ?',
          countMax,
        )
        .reverse(),
    ordersCalled: (name) =>
      tables.rows(
        `SELECT strategy_id AS strategyId, count(*) AS count, max(intent_id) AS newest
         FROM orders WHERE coalesce(level, key) = ? GROUP BY strategy_id ORDER BY newest DESC`,
        name,
      ),
    findOrder: (reference) => findOrder(tables, reference),
    historyOf: (intentId) => historyOf(tables, intentId),
  } satisfies Partial<StoreReports>;
}

function findOrder(tables: StoredTables, reference: OrderReference): OrderRow | undefined {
  const [column, value] =
    'intentId' in reference
      ? ['intent_id', reference.intentId]
      : 'clientOrderId' in reference
        ? ['client_order_id', reference.clientOrderId]
        : ['order_id', reference.orderId];
  const from = `orders WHERE ${column} = ? ORDER BY intent_id DESC LIMIT 1`;
  return tables.select(orderCodec, from, value)[0];
}

function witnessesOf(tables: StoredTables, fill: FillRow): Witness[] {
  const [found] = tables.rows<Record<Witness, number>>(
    `SELECT user_stream AS "user-stream", market_stream AS "market-stream",
       list_of_trades AS "list-of-trades", ledger
     FROM witnesses WHERE pair = ? AND sequence = ? AND order_id = ?`,
    fill.pair,
    fill.sequence,
    fill.orderId,
  );
  const flags = Object.entries(found ?? {}) as [Witness, number][];
  return flags.filter(([, seen]) => seen === 1).map(([witness]) => witness);
}

function historyOf(tables: StoredTables, intentId: number): OrderHistory | undefined {
  const order = findOrder(tables, { intentId });
  if (order === undefined) return undefined;
  const ofIntent = 'WHERE intent_id = ? ORDER BY';
  return {
    order,
    decisions: tables.select(
      decisionCodec,
      `${tables.withArchive('decisions', decisionCodec, ', id')} ${ofIntent} id`,
      intentId,
    ),
    evidence: tables.select(
      evidenceCodec,
      `${tables.withArchive('evidence', evidenceCodec, ', id')} ${ofIntent} id`,
      intentId,
    ),
    attempts: tables.select(
      attemptCodec,
      `${tables.withArchive('attempts', attemptCodec)} ${ofIntent} number`,
      intentId,
    ),
    outcomes: tables.select(
      outcomeCodec,
      `${tables.withArchive('outcomes', outcomeCodec, ', id')} ${ofIntent} id`,
      intentId,
    ),
    fills: tables
      .select(fillCodec, `fills WHERE intent_id = ? ${oldestFillFirst}`, intentId)
      .map((fill) => ({ ...fill, witnesses: witnessesOf(tables, fill) })),
  };
}

function fillReports(tables: StoredTables) {
  return {
    fillCount: () => tables.database.prepare('SELECT count(*) FROM fills').pluck().get() as number,
    fills: (sinceMs) =>
      sinceMs === undefined
        ? tables.select(fillCodec, `fills ${oldestFillFirst}`)
        : tables.select(fillCodec, `fills WHERE traded_ms >= ? ${oldestFillFirst}`, sinceMs),
    recentFills: (pair, countMax) =>
      tables
        .select(
          fillCodec,
          'fills WHERE pair = ? ORDER BY fills.sequence DESC, order_id DESC LIMIT ?',
          pair,
          countMax,
        )
        .reverse(),
    fillTotals: () => selectFillTotals(tables.database),
    fillsWithMids: function* (pair, fromMs, toMs) {
      const mids = tables.hasHistory
        ? 'fill_mids'
        : `(SELECT NULL AS pair, NULL AS sequence, NULL AS order_id, NULL AS strategy_id,
            NULL AS mid, NULL AS spread, NULL AS mid1s, NULL AS mid10s, NULL AS mid60s,
            NULL AS mid300s)`;
      // With the plus, the fills are found by their time, and not among all of the pair.
      const statement = tables.database.prepare<unknown[]>(
        `SELECT ${fillWithMidsSelect} FROM fills LEFT JOIN ${mids} AS mids
           ON mids.pair = fills.pair AND mids.sequence = fills.sequence
           AND mids.order_id = fills.order_id
         WHERE +fills.pair = ? AND traded_ms >= ? AND traded_ms < ? ${oldestFillFirst}`,
      );
      for (const row of statement.iterate(pair, fromMs, toMs)) yield decodeFillWithMids(row);
    },
    fillSpreads: () =>
      tables.hasHistory
        ? tables.rows(
            `SELECT strategy_id AS strategyId, pair, count(*) AS fills,
               decimal_sum(spread) AS spread
             FROM fill_mids WHERE spread IS NOT NULL
             GROUP BY strategy_id, pair ORDER BY strategy_id, pair`,
          )
        : [],
    marketSamples: function* (pair, fromMs, toMs) {
      if (!tables.hasHistory) return;
      const statement = tables.database.prepare<unknown[]>(
        `SELECT ${marketSampleCodec.select()}
         FROM ${tables.withArchive('market_samples', marketSampleCodec)}
         WHERE pair = ? AND at_ms >= ? AND at_ms < ? ORDER BY at_ms`,
      );
      for (const row of statement.iterate(pair, fromMs, toMs)) yield marketSampleCodec.decode(row);
    },
  } satisfies Partial<StoreReports>;
}

function ledgerReports(tables: StoredTables) {
  return {
    ledger: () => tables.select(ledgerCodec, 'ledger ORDER BY account_id, row_index'),
    ledgerOfTrade: ({ pair, sequence }) =>
      tables.select(
        ledgerCodec,
        // The parameter is text, because 64 bits do not fit a JavaScript number.
        `${tables.withArchive('ledger', ledgerCodec)}
         WHERE pair = ? AND sequence = CAST(? AS INTEGER) ORDER BY account_id, row_index`,
        pair,
        sequence,
      ),
    ledgerLatest: () => selectLedgerLatest(tables.database),
    otherFlows: (pairs) =>
      tables.rows(
        `SELECT account_id AS accountId, decimal_sum(balance_delta) AS sum FROM ledger
         WHERE pair IS NULL ${pairs === undefined ? '' : 'OR pair NOT IN (SELECT value FROM json_each(?))'}
         GROUP BY account_id ORDER BY account_id`,
        ...(pairs === undefined ? [] : [JSON.stringify(pairs)]),
      ),
  } satisfies Partial<StoreReports>;
}

function decisionReports(tables: StoredTables) {
  return {
    refusalCounts: (sinceMs) =>
      tables.rows(
        `SELECT strategy_id AS strategyId, refusal.value ->> '$.code' AS code,
           count(*) AS count, max(at_ms) AS lastMs
         FROM decisions, json_each(decisions.refusals) AS refusal
         WHERE verdict = 'refused' AND at_ms >= ?
         GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`,
        sinceMs,
      ),
    refused: (sinceMs, countMax) =>
      tables.select(
        decisionCodec,
        `decisions WHERE verdict = 'refused' AND at_ms >= ? ORDER BY id DESC LIMIT ?`,
        sinceMs,
        countMax,
      ),
    decisionsBetween: function* (fromMs, toMs) {
      const from = 'decisions WHERE id >= ? AND id < ? AND at_ms >= ? AND at_ms < ? ORDER BY id';
      const statement = tables.database.prepare<unknown[]>(
        `SELECT ${decisionCodec.select()} FROM ${from}`,
      );
      // If the clock was set back between two runs, rows are out of order, by less than a day.
      const [firstId, endId] = [
        idAt(tables.database, fromMs - dayMs),
        idAt(tables.database, toMs + dayMs),
      ];
      for (const row of statement.iterate(firstId, endId, fromMs, toMs))
        yield decisionCodec.decode(row);
    },
    limitsVersion: (hash) =>
      tables.database
        .prepare<[string], string>('SELECT limits FROM limits_versions WHERE hash = ?')
        .pluck()
        .get(hash),
  } satisfies Partial<StoreReports>;
}

/**
 * Returns the approximate id of the first decision made at `atMs` or later. Decisions have no
 * index by time, but their ids rise with time, so a binary search finds a day among months.
 */
function idAt(database: Database, atMs: number): number {
  const newest = 'SELECT coalesce(max(id), 0) + 1 FROM decisions';
  const timeFrom = database
    .prepare<[number], number>('SELECT at_ms FROM decisions WHERE id >= ? ORDER BY id LIMIT 1')
    .pluck();
  let [low, high] = [0, database.prepare(newest).pluck().get() as number];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((timeFrom.get(middle) ?? atMs) >= atMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

function stateReports(tables: StoredTables) {
  return {
    idleReasons: () =>
      tables.select(
        idleCodec,
        `idle_reasons WHERE id IN (SELECT max(id) FROM idle_reasons GROUP BY strategy_id, pair)
         ORDER BY strategy_id, pair`,
      ),
    doneStrategies: () =>
      storedDoneStrategies(tables.rows('SELECT name, state FROM risk_states ORDER BY name')),
    tradingBlocks: () =>
      storedTradingBlocks(tables.rows('SELECT name, state FROM risk_states ORDER BY name')),
    tradingStates: () =>
      tables.select(
        tradingStateCodec,
        `trading_states WHERE id IN (SELECT max(id) FROM trading_states GROUP BY scope)
         ORDER BY scope`,
      ),
    tradingStatesBetween: (fromMs, toMs) =>
      tables.select(
        tradingStateCodec,
        'trading_states WHERE at_ms >= ? AND at_ms < ? ORDER BY id',
        fromMs,
        toMs,
      ),
    runs: (countMax) => tables.select(runCodec, 'runs ORDER BY run_id DESC LIMIT ?', countMax),
  } satisfies Partial<StoreReports>;
}

function incidentReports(tables: StoredTables) {
  return {
    incidents: (countMax) =>
      tables.select(incidentCodec, 'incidents ORDER BY id DESC LIMIT ?', countMax),
    incidentCounts: () =>
      tables.rows('SELECT code, count(*) AS count FROM incidents GROUP BY code ORDER BY code'),
    incidentsBetween: (fromMs, toMs) =>
      tables.select(
        incidentCodec,
        'incidents WHERE at_ms >= ? AND at_ms < ? ORDER BY id',
        fromMs,
        toMs,
      ),
    operatorCommands: (countMax, beforeId = Number.MAX_SAFE_INTEGER) =>
      tables.hasHistory
        ? tables
            .rows<{ readonly id: number }>(
              `SELECT id, ${operatorCommandCodec.select()} FROM operator_commands
             WHERE id < ? ORDER BY id DESC LIMIT ?`,
              beforeId,
              countMax,
            )
            .map((row) => ({ id: row.id, ...operatorCommandCodec.decode(row) }))
        : [],
  } satisfies Partial<StoreReports>;
}

const midFields = ['mid', 'spread', 'mid1s', 'mid10s', 'mid60s', 'mid300s'] as const;
const fillWithMidsSelect = [
  fillCodec.select('fills'),
  ...midFields.map((field) => `mids.${field} AS "${field}"`),
].join(', ');

function decodeFillWithMids(found: unknown): FillWithMids {
  const mids = Object.fromEntries(
    midFields.map((field) => [field, (found as Record<string, string | null>)[field] ?? undefined]),
  );
  return { ...fillCodec.decode(found), ...mids } as FillWithMids;
}

function tablesIn(database: Database, schema: 'main' | 'archive'): string[] {
  return database
    .prepare(`SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table'`)
    .pluck()
    .all() as string[];
}
