/**
 * Reads the state from which a run starts: see `Restored`.
 *
 * Invariant: the cost grows with the number of unfinished orders and of fills, not with the number
 * of evidence, decision or ledger rows.
 */
import type { Database } from 'better-sqlite3';
import { keptFills } from '../domain/kept-fills.ts';
import type { FillTotals, LedgerRow, Restored } from '../domain/records.ts';
import { fillCodec, ledgerCodec, orderCodec } from './row-codecs.ts';
import { settledMs, unfinished } from './schema.ts';

const dayMs = 86_400_000;

/**
 * Final orders are kept in memory for this long, so that late messages about them find them, and a
 * strategy its fills.
 */
const watchedMs = keptFills.ms;

/** Returns the UTC day of `nowMs`; `endMs` is the first millisecond of the next day. */
function dayOf(nowMs: number): { readonly startMs: number; readonly endMs: number } {
  const startMs = Math.floor(nowMs / dayMs) * dayMs;
  return { startMs, endMs: startMs + dayMs };
}

/** How far back the mids of approved orders are read: beyond the period of the collar budget. */
const judgedMidsMs = 600_000;

const unprovenFills = `witnesses w JOIN fills f
  ON f.pair = w.pair AND f.sequence = w.sequence AND f.order_id = w.order_id WHERE w.ledger = 0`;

/** Reads everything in one read transaction. */
export function restoreFrom(database: Database, nowMs: number): Restored {
  return database.transaction(() => read(database, nowMs))();
}

function read(database: Database, nowMs: number): Restored {
  const rows = <Row>(sql: string, ...parameters: unknown[]): Row[] =>
    database.prepare<unknown[], Row>(sql).all(...parameters);
  // An order with a fill that the ledger has not proven, or one of the last day, is still needed,
  // whatever its age.
  const watched = `SELECT intent_id FROM orders WHERE ${unfinished}
    UNION SELECT intent_id FROM orders WHERE ${settledMs} >= ?
    UNION SELECT f.intent_id FROM ${unprovenFills}
    UNION SELECT intent_id FROM fills WHERE traded_ms >= ?`;
  const watchedSinceMs = nowMs - watchedMs;
  const since = [watchedSinceMs, watchedSinceMs] as const;
  const today = dayOf(nowMs);

  return {
    intentIdNext: database
      .prepare('SELECT coalesce(max(intent_id), 0) + 1 FROM orders')
      .pluck()
      .get() as number,
    orders: rows(
      `SELECT ${orderCodec.select()} FROM orders WHERE intent_id IN (${watched})
       ORDER BY intent_id`,
      ...since,
    ).map(orderCodec.decode),
    fills: rows(
      `SELECT ${fillCodec.select('f')} FROM fills f WHERE f.intent_id IN (${watched})
       ORDER BY f.traded_ms, f.pair, f.sequence, f.order_id`,
      ...since,
    ).map(fillCodec.decode),
    judgedMids: rows(
      `SELECT o.intent_id AS intentId, json_extract(d.inputs, '$.mid2') AS mid2
       FROM orders o JOIN decisions d ON d.intent_id = o.intent_id
       WHERE o.intent_id IN (${watched}) AND o.created_ms >= ?
         AND json_extract(d.inputs, '$.mid2') IS NOT NULL ORDER BY o.intent_id`,
      ...since,
      nowMs - judgedMidsMs,
    ),
    usedKeys: rows(
      `SELECT strategy_id AS strategyId, key FROM orders WHERE level IS NULL ORDER BY intent_id`,
    ),
    earlierTraded: rows(
      `WITH placed AS (
         SELECT intent_id,
           row_number() OVER (PARTITION BY strategy_id ORDER BY intent_id DESC) AS age
         FROM orders WHERE level IS NULL)
       SELECT o.strategy_id AS strategyId, o.pair, o.key,
         decimal_sum(f.base) AS base, decimal_sum(f.counter) AS counter,
         decimal_sum(f.fee_base) AS feeBase, decimal_sum(f.fee_counter) AS feeCounter
       FROM placed p JOIN orders o ON o.intent_id = p.intent_id
         JOIN fills f ON f.intent_id = p.intent_id
       WHERE p.age <= ${keptFills.ordersMax} AND p.intent_id NOT IN (${watched})
       GROUP BY p.intent_id ORDER BY p.intent_id`,
      ...since,
    ),
    totals: selectFillTotals(database),
    totalsToday: selectFillTotals(database, today),
    ledger: selectLedgerLatest(database),
    unproven: rows(
      `SELECT w.pair, CAST(w.sequence AS TEXT) AS sequence, w.order_id AS orderId
       FROM ${unprovenFills} ORDER BY w.pair, w.sequence, w.order_id`,
    ),
    looseRows: rows(
      `SELECT ${ledgerCodec.select('l')} FROM ledger l
       WHERE l.pair IS NOT NULL AND l.sequence IS NOT NULL AND (
         NOT EXISTS (SELECT 1 FROM witnesses p
           WHERE p.pair = l.pair AND p.sequence = l.sequence AND p.ledger = 1)
         OR EXISTS (SELECT 1 FROM ${unprovenFills} AND f.pair = l.pair AND f.sequence = l.sequence))
       ORDER BY l.account_id, l.row_index`,
    ).map(ledgerCodec.decode),
    foreignTrades: rows(
      `SELECT w.pair, CAST(w.sequence AS TEXT) AS sequence, w.order_id AS orderId,
         min(l.timestamp_ms) AS tradedMs
       FROM ledger l JOIN witnesses w ON w.pair = l.pair AND w.sequence = l.sequence
       WHERE l.timestamp_ms >= ? AND w.ledger = 1 AND NOT EXISTS (
         SELECT 1 FROM fills f
         WHERE f.pair = w.pair AND f.sequence = w.sequence AND f.order_id = w.order_id)
       GROUP BY w.pair, w.sequence, w.order_id ORDER BY w.pair, w.sequence, w.order_id`,
      watchedSinceMs,
    ),
    strategyStates: rows(
      'SELECT strategy_id AS strategyId, state FROM strategy_states ORDER BY strategy_id',
    ),
    tradingStates: rows(
      `SELECT scope, state, reason, at_ms AS atMs FROM trading_states
       WHERE id IN (SELECT max(id) FROM trading_states GROUP BY scope) ORDER BY scope`,
    ),
    riskStates: rows('SELECT name, state FROM risk_states ORDER BY name'),
    approvals: rows(
      `SELECT token, expires_ms AS expiresMs FROM approvals
       WHERE id IN (SELECT max(id) FROM approvals GROUP BY token)
         AND event = 'given' AND expires_ms > ? ORDER BY token`,
      nowMs,
    ),
  };
}

/** Returns exact sums of the fills traded in [startMs, endMs), or of all fills. */
export function selectFillTotals(
  database: Database,
  span?: { readonly startMs: number; readonly endMs: number },
): FillTotals[] {
  const where = span === undefined ? '' : 'WHERE traded_ms >= ? AND traded_ms < ?';
  return database
    .prepare<unknown[], FillTotals>(
      `SELECT strategy_id AS strategyId, pair, side,
         decimal_sum(base) AS base, decimal_sum(counter) AS counter,
         decimal_sum(fee_base) AS feeBase, decimal_sum(fee_counter) AS feeCounter,
         count(*) AS count
       FROM fills ${where} GROUP BY strategy_id, pair, side ORDER BY strategy_id, pair, side`,
    )
    .all(...(span === undefined ? [] : [span.startMs, span.endMs]));
}

/** Returns the newest row of each account, with one index lookup per account. */
export function selectLedgerLatest(database: Database): LedgerRow[] {
  return database
    .prepare(
      `WITH RECURSIVE accounts (id) AS (
         SELECT min(account_id) FROM ledger
         UNION ALL
         SELECT (SELECT min(account_id) FROM ledger WHERE account_id > accounts.id)
         FROM accounts WHERE accounts.id IS NOT NULL
       )
       SELECT ${ledgerCodec.select('l')} FROM accounts JOIN ledger l
         ON l.account_id = accounts.id
         AND l.row_index = (SELECT max(row_index) FROM ledger WHERE account_id = accounts.id)
       ORDER BY l.account_id`,
    )
    .all()
    .map(ledgerCodec.decode);
}
