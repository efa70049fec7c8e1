/**
 * Version 2: decisions have their inputs; the states of circuit breakers and approvals survive a
 * restart.
 */
import type { Migration } from './migration.ts';

const statements = `
ALTER TABLE decisions ADD COLUMN inputs TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(inputs));
ALTER TABLE decisions ADD COLUMN limits_hash TEXT NOT NULL DEFAULT '';

CREATE TABLE limits_versions (
  hash TEXT PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  limits TEXT NOT NULL CHECK (json_valid(limits))
) STRICT, WITHOUT ROWID;
CREATE TRIGGER limits_versions_no_update BEFORE UPDATE ON limits_versions
BEGIN SELECT RAISE(ABORT, 'rows of limits_versions are never changed'); END;
CREATE TRIGGER limits_versions_no_delete BEFORE DELETE ON limits_versions
BEGIN SELECT RAISE(ABORT, 'rows of limits_versions are never changed'); END;

CREATE TABLE risk_states (
  name TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (json_valid(state))
) STRICT, WITHOUT ROWID;

CREATE TABLE approvals (
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  token TEXT NOT NULL,
  event TEXT NOT NULL CHECK (event IN ('given', 'used')),
  expires_ms INTEGER NOT NULL,
  reason TEXT NOT NULL
) STRICT;
CREATE INDEX approvals_latest ON approvals (token, id);
CREATE TRIGGER approvals_no_update BEFORE UPDATE ON approvals
BEGIN SELECT RAISE(ABORT, 'rows of approvals are never changed'); END;
CREATE TRIGGER approvals_no_delete BEFORE DELETE ON approvals
BEGIN SELECT RAISE(ABORT, 'rows of approvals are never changed'); END;
`;

export const version2: Migration = {
  version: 2,
  adds: 'inputs of decisions, versions of limits, states of breakers, approvals',
  statements,
};
