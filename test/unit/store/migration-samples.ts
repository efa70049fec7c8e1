/** Unreleased steps of the schema, for tests that upgrade a database of version 1. */
import type { Migration } from '../../../src/store/migrations/migration.ts';

/** Versions 2 and 3: a table filled from another table, and a rebuilt table. */
export const laterSteps: readonly Migration[] = [
  {
    version: 2,
    adds: 'a note to every order',
    statements: `
      CREATE TABLE notes (intent_id INTEGER PRIMARY KEY REFERENCES orders, text TEXT) STRICT;
      INSERT INTO notes SELECT intent_id, reason FROM orders;`,
  },
  {
    version: 3,
    adds: 'a level to idle reasons',
    statements: `
      CREATE TABLE idle_reasons_new (
        id INTEGER PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        strategy_id TEXT NOT NULL,
        pair TEXT NOT NULL,
        reason TEXT NOT NULL,
        level TEXT NOT NULL DEFAULT ''
      ) STRICT;
      INSERT INTO idle_reasons_new (id, at_ms, strategy_id, pair, reason)
        SELECT id, at_ms, strategy_id, pair, reason FROM idle_reasons;
      DROP TABLE idle_reasons;
      ALTER TABLE idle_reasons_new RENAME TO idle_reasons;
      CREATE INDEX idle_reasons_latest ON idle_reasons (strategy_id, pair, id);`,
  },
];
