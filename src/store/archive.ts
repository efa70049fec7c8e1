/**
 * Moves what only explains the past from the database into an archive beside it, so that a bot of
 * years opens and reads as fast as one of months.
 *
 * Orders, fills and their witnesses stay for ever: they are the books, and no sum changes by
 * archiving. What goes is how an order came to its end (decisions, attempts, outcomes, evidence),
 * refusals, idle reasons, incidents, and ledger rows that no sum needs: those that moved no
 * balance, and those of trades that the ledger has proven.
 *
 * Invariants: a row is in the archive, on the disk, before it leaves the database; the newest row
 * of an account, the newest reason of a pair and what belongs to an order that is not settled stay;
 * doing it again after a crash changes nothing.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { settledMs, unfinished } from './schema.ts';

/** Rows of a table that are looked at in one go: a few milliseconds. */
const rowsAtOnce = 2_000;

type Rule = {
  readonly table: string;
  readonly key: readonly string[];
  /** Of the oldest rows, named `t`, those that may go. */
  readonly mayGo: string;
  /** The rows among which the oldest are taken, for a table of many beginnings. */
  readonly parts?: string;
};

const isSettled = `EXISTS (SELECT 1 FROM main.orders WHERE orders.intent_id = t.intent_id
  AND NOT (${unfinished}) AND ${settledMs} < @beforeMs)`;

/** Outcomes refer to attempts, so they go first. */
const rules: readonly Rule[] = [
  { table: 'outcomes', key: ['id'], mayGo: isSettled },
  {
    table: 'attempts',
    key: ['intent_id', 'number'],
    mayGo: `${isSettled} AND NOT EXISTS (SELECT 1 FROM main.outcomes o
      WHERE o.intent_id = t.intent_id AND o.number = t.number)`,
  },
  { table: 'evidence', key: ['id'], mayGo: isSettled },
  {
    table: 'decisions',
    key: ['id'],
    mayGo: `t.at_ms < @beforeMs AND (t.intent_id IS NULL OR ${isSettled})`,
  },
  {
    table: 'idle_reasons',
    key: ['id'],
    mayGo: `t.at_ms < @beforeMs AND EXISTS (SELECT 1 FROM main.idle_reasons later
      WHERE later.strategy_id = t.strategy_id AND later.pair = t.pair AND later.id > t.id)`,
  },
  { table: 'incidents', key: ['id'], mayGo: 't.at_ms < @beforeMs' },
  {
    table: 'ledger',
    key: ['account_id', 'row_index'],
    parts: 'account_id',
    mayGo: `t.timestamp_ms < @beforeMs
      AND EXISTS (SELECT 1 FROM main.ledger later
        WHERE later.account_id = t.account_id AND later.row_index > t.row_index)
      AND ((t.pair IS NULL AND CAST(t.balance_delta AS REAL) = 0)
        OR (EXISTS (SELECT 1 FROM main.witnesses w
            WHERE w.pair = t.pair AND w.sequence = t.sequence AND w.ledger = 1)
          AND NOT EXISTS (SELECT 1 FROM main.witnesses w
            WHERE w.pair = t.pair AND w.sequence = t.sequence AND w.ledger = 0)))`,
  },
];

/** Returns where the archive of the database at `path` is, or would be. */
export function archivePathOf(path: string): string {
  return `${path}.archive`;
}

/**
 * Moves some of what is older than `beforeMs` from the database at `path` into its archive, and
 * returns how many rows; 0 when nothing is left to move. Throws what SQLite throws; then nothing is
 * lost, and it may be done again. Not within a transaction.
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

/** Moves the rows that were chosen; returns how many. */
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
  // The guard of a history is for everybody else; without this commit it was never away.
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

/** Notes the keys of the oldest rows that may go; returns whether there are any. */
function chooseRows(database: Database, rule: Rule, beforeMs: number): boolean {
  const { table, key, mayGo, parts } = rule;
  const keys = key.join(', ');
  database.exec(`DROP TABLE IF EXISTS temp.moving_${table}`);
  database.exec(`CREATE TEMP TABLE moving_${table} AS SELECT ${keys} FROM main.${table} WHERE 0`);
  const values =
    parts === undefined
      ? [undefined]
      : (database.prepare(`SELECT DISTINCT ${parts} FROM main.${table}`).pluck().all() as string[]);
  let chosen = 0;
  for (const value of values) {
    const part = value === undefined ? '' : `WHERE ${parts} = @value`;
    chosen += database
      .prepare(
        `INSERT INTO temp.moving_${table} SELECT ${keys} FROM
           (SELECT * FROM main.${table} ${part} ORDER BY ${keys} LIMIT ${rowsAtOnce}) t
         WHERE ${mayGo}`,
      )
      .run({ beforeMs, ...(value === undefined ? {} : { value }) }).changes;
  }
  return chosen > 0;
}

/** Makes the archive's table, or gives it the columns that the database has got since. */
function prepareTable(database: Database, { table, key }: Rule, columns: readonly string[]): void {
  const known = columnsOf(database, 'archive', table);
  if (known.length === 0) {
    const look = columns.includes('intent_id') ? 'intent_id' : 'sequence';
    // Whole or not at all: without its key a row could be there twice.
    database.transaction(() => {
      database.exec(`CREATE TABLE archive.${table} AS SELECT * FROM main.${table} WHERE 0`);
      database.exec(`CREATE UNIQUE INDEX archive.${table}_key ON ${table} (${key.join(', ')})`);
      if (columns.includes(look) && key[0] !== look)
        database.exec(`CREATE INDEX archive.${table}_by_${look} ON ${table} (${look})`);
    })();
    return;
  }
  for (const column of columns.filter((one) => !known.includes(one)))
    database.exec(`ALTER TABLE archive.${table} ADD COLUMN "${column}"`);
}

function columnsOf(database: Database, schema: string, table: string): string[] {
  const rows = database.pragma(`${schema}.table_info(${table})`) as { readonly name: string }[];
  return rows.map(({ name }) => name);
}
