/**
 * Version 4: prices over time, the mids around each fill, and what operators did. Nothing of it is
 * needed for trading.
 */
import type { Migration } from './migration.ts';

const statements = `
CREATE TABLE market_samples (
  at_ms INTEGER NOT NULL,
  pair TEXT NOT NULL,
  bid TEXT NOT NULL,
  ask TEXT NOT NULL,
  PRIMARY KEY (at_ms, pair)
) STRICT, WITHOUT ROWID;

-- The mids become known one after the other, so the rows change.
CREATE TABLE fill_mids (
  pair TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  order_id TEXT NOT NULL,
  strategy_id TEXT NOT NULL,
  mid TEXT,
  spread TEXT,
  mid1s TEXT,
  mid10s TEXT,
  mid60s TEXT,
  mid300s TEXT,
  PRIMARY KEY (pair, sequence, order_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_commands (
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  asked_by TEXT NOT NULL,
  command TEXT NOT NULL,
  scope TEXT,
  reason TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome = 'done' OR outcome = 'refused' OR outcome = 'unfinished'),
  text TEXT NOT NULL
) STRICT;

CREATE TRIGGER market_samples_no_update BEFORE UPDATE ON market_samples
BEGIN SELECT RAISE(ABORT, 'rows of market_samples are never changed'); END;
CREATE TRIGGER market_samples_no_delete BEFORE DELETE ON market_samples
BEGIN SELECT RAISE(ABORT, 'rows of market_samples are never changed'); END;
CREATE TRIGGER operator_commands_no_update BEFORE UPDATE ON operator_commands
BEGIN SELECT RAISE(ABORT, 'rows of operator_commands are never changed'); END;
CREATE TRIGGER operator_commands_no_delete BEFORE DELETE ON operator_commands
BEGIN SELECT RAISE(ABORT, 'rows of operator_commands are never changed'); END;
`;

export const version4: Migration = {
  version: 4,
  adds: 'prices over time, mids around fills, commands of operators',
  statements,
};
