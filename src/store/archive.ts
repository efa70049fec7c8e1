/**
 * Moves old rows that are no longer needed for trading from the database into an archive file next
 * to it, so that the database of a bot stays fast over years.
 *
 * Orders, fills and their witnesses always stay: archiving changes no sum. The archive gets the
 * history of settled orders (decisions, attempts, outcomes, evidence), refusals, idle reasons,
 * incidents, samples of prices, and ledger rows that no sum needs: those that changed no balance,
 * and those of trades that the ledger has proven.
 *
 * Invariants: a row is in the archive, on the disk, before it is deleted from the database; the
 * newest row of an account, the newest reason of a pair and all rows of an order that is not
 * settled stay; repeating it after a crash changes nothing.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { settledMs, unfinished } from './schema.ts';

/** Rows of a table that are checked in one call, which takes a few milliseconds. */
const rowsPerCall = 2_000;

type Rule = {
  readonly table: string;
  readonly key: readonly string[];
  /** SQL condition of a row `t` that may be moved. */
  readonly movable: string;
  /** A column of the key: the oldest rows are taken for each of its values, not for the table. */
  readonly partition?: string;
};

const isSettled = `EXISTS (SELECT 1 FROM main.orders WHERE orders.intent_id = t.intent_id
  AND NOT (${unfinished}) AND ${settledMs} < @beforeMs)`;

/** Outcomes refer to attempts, so they go first. */
const rules: readonly Rule[] = [
  { table: 'outcomes', key: ['id'], movable: isSettled },
  {
    table: 'attempts',
    key: ['intent_id', 'number'],
    movable: `${isSettled} AND NOT EXISTS (SELECT 1 FROM main.outcomes o
      WHERE o.intent_id = t.intent_id AND o.number = t.number)`,
  },
  { table: 'evidence', key: ['id'], movable: isSettled },
  {
    table: 'decisions',
    key: ['id'],
    movable: `t.at_ms < @beforeMs AND (t.intent_id IS NULL OR ${isSettled})`,
  },
  {
    table: 'idle_reasons',
    key: ['id'],
    movable: `t.at_ms < @beforeMs AND EXISTS (SELECT 1 FROM main.idle_reasons later
      WHERE later.strategy_id = t.strategy_id AND later.pair = t.pair AND later.id > t.id)`,
  },
  { table: 'incidents', key: ['id'], movable: 't.at_ms < @beforeMs' },
  { table: 'market_samples', key: ['at_ms', 'pair'], movable: 't.at_ms < @beforeMs' },
  {
    table: 'ledger',
    key: ['account_id', 'row_index'],
    partition: 'account_id',
    movable: `t.timestamp_ms < @beforeMs
      AND EXISTS (SELECT 1 FROM main.ledger later
        WHERE later.account_id = t.account_id AND later.row_index > t.row_index)
      AND ((t.pair IS NULL AND CAST(t.balance_delta AS REAL) = 0)
        OR (EXISTS (SELECT 1 FROM main.witnesses w
            WHERE w.pair = t.pair AND w.sequence = t.sequence AND w.ledger = 1)
          AND NOT EXISTS (SELECT 1 FROM main.witnesses w
            WHERE w.pair = t.pair AND w.sequence = t.sequence AND w.ledger = 0)))`,
  },
];

export function archivePathOf(path: string): string {
  return `${path}.archive`;
}

/**
 * Moves some rows older than `beforeMs` from the database at `path` into its archive, and returns
 * their number; 0 when no more rows can be moved. Throws the errors of SQLite; no row is then lost,
 * and the call may be repeated. Do not call it within a transaction.
 */
export function archiveRows(database: Database, path: string, beforeMs: number): number {
  const chosen = rules.filter((rule) => chooseRows(database, rule, beforeMs));
  if (chosen.length === 0) return 0;
  const archive = archivePathOf(path);
  if (!existsSync(archive)) closeSync(openSync(archive, 'wx', 0o600));
  database.prepare('ATTACH ? AS archive').run(archive);
  try {
    database.pragma('archive.journal_mode = WAL');
    database.pragma('archive.synchronous = FULL');
    let moved = 0;
    for (const rule of chosen) moved += moveRows(database, rule);
    return moved;
  } finally {
    database.exec('DETACH archive');
  }
}

/** Moves the chosen rows; returns their number. */
function moveRows(database: Database, rule: Rule): number {
  const { table, key } = rule;
  const columns = columnsOf(database, 'main', table);
  const names = columns.map((name) => `"${name}"`).join(', ');
  const keys = key.join(', ');
  prepareTable(database, rule, columns);
  const isChosen = `(${keys}) IN (SELECT ${keys} FROM temp.moving_${table})`;
  database
    .transaction(() =>
      database.exec(
        `INSERT OR IGNORE INTO archive.${table} (${names})
         SELECT ${names} FROM main.${table} WHERE ${isChosen}`,
      ),
    )
    .immediate();
  // The trigger that forbids deletes is dropped and created again in one transaction, so that no
  // other connection ever sees the table without it.
  const guard = `${table}_no_delete`;
  const definition = database
    .prepare(`SELECT sql FROM main.sqlite_schema WHERE type = 'trigger' AND name = ?`)
    .pluck()
    .get(guard) as string;
  const remove = database.transaction(() => {
    database.exec(`DROP TRIGGER main.${guard}`);
    const { changes } = database.prepare(`DELETE FROM main.${table} WHERE ${isChosen}`).run();
    database.exec(definition);
    return changes;
  });
  return remove.immediate();
}

/**
 * Stores the keys of the oldest movable rows in a temporary table; returns whether there are any.
 */
function chooseRows(database: Database, rule: Rule, beforeMs: number): boolean {
  const { table, key, movable, partition } = rule;
  const keys = key.join(', ');
  database.exec(`DROP TABLE IF EXISTS temp.moving_${table}`);
  database.exec(`CREATE TEMP TABLE moving_${table} AS SELECT ${keys} FROM main.${table} WHERE 0`);
  const values =
    partition === undefined
      ? [undefined]
      : (database
          .prepare(`SELECT DISTINCT ${partition} FROM main.${table}`)
          .pluck()
          .all() as string[]);
  let chosen = 0;
  for (const value of values) {
    const part = value === undefined ? '' : `WHERE ${partition} = @value`;
    chosen += database
      .prepare(
        `INSERT INTO temp.moving_${table} SELECT ${keys} FROM
           (SELECT * FROM main.${table} ${part} ORDER BY ${keys} LIMIT ${rowsPerCall}) t
         WHERE ${movable}`,
      )
      .run({ beforeMs, ...(value === undefined ? {} : { value }) }).changes;
  }
  return chosen > 0;
}

/** Creates the table in the archive, or adds the columns that the database has since gained. */
function prepareTable(database: Database, { table, key }: Rule, columns: readonly string[]): void {
  const known = columnsOf(database, 'archive', table);
  if (known.length === 0) {
    const indexed = columns.includes('intent_id') ? 'intent_id' : 'sequence';
    // In one transaction: in a table without its key, a row could be stored twice.
    database.transaction(() => {
      database.exec(`CREATE TABLE archive.${table} AS SELECT * FROM main.${table} WHERE 0`);
      database.exec(`CREATE UNIQUE INDEX archive.${table}_key ON ${table} (${key.join(', ')})`);
      if (columns.includes(indexed) && key[0] !== indexed)
        database.exec(`CREATE INDEX archive.${table}_by_${indexed} ON ${table} (${indexed})`);
    })();
    return;
  }
  for (const column of columns.filter((name) => !known.includes(name)))
    database.exec(`ALTER TABLE archive.${table} ADD COLUMN "${column}"`);
}

function columnsOf(database: Database, schema: string, table: string): string[] {
  const rows = database.pragma(`${schema}.table_info(${table})`) as { readonly name: string }[];
  return rows.map(({ name }) => name);
}
