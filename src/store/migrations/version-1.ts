/**
 * Version 1: the tables of the first release.
 *
 * Invariants: every table is STRICT; amounts are text; trade sequences are 64-bit integers, written
 * from text and read as text; rows of a history are never changed or deleted; the terms of an order
 * never change.
 */
import type { Migration } from './migration.ts';

const finalStates = `('filled', 'cancelled', 'rejected', 'absent', 'unsent')`;
const unfinished = `state NOT IN ${finalStates}`;

// References are checked at commit, so the order of the records within a batch does not matter.
const tables = `
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
  run_id INTEGER PRIMARY KEY,
  started_ms INTEGER NOT NULL,
  config_hash TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  node_version TEXT NOT NULL,
  sqlite_version TEXT NOT NULL,
  commit_number INTEGER NOT NULL DEFAULT 0,
  closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1))
) STRICT;

CREATE TABLE orders (
  intent_id INTEGER PRIMARY KEY,
  strategy_id TEXT NOT NULL,
  key TEXT NOT NULL,
  level TEXT,
  pair TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('BID', 'ASK')),
  price TEXT NOT NULL,
  volume TEXT NOT NULL,
  time_in_force TEXT NOT NULL CHECK (time_in_force IN ('GTC', 'IOC', 'FOK')),
  post_only INTEGER NOT NULL CHECK (post_only IN (0, 1)),
  base_account_id TEXT NOT NULL,
  counter_account_id TEXT NOT NULL,
  client_order_id TEXT NOT NULL UNIQUE,
  reason TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  valid_until_ms INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (
    state IN ('waiting', 'sending', 'unknown', 'open', 'completing') OR state IN ${finalStates}
  ),
  order_id TEXT,
  attempts INTEGER NOT NULL,
  last_timestamp_ms INTEGER,
  last_ttl_ms INTEGER,
  ambiguous INTEGER NOT NULL CHECK (ambiguous IN (0, 1)),
  cancel_requested_ms INTEGER,
  base TEXT NOT NULL,
  counter TEXT NOT NULL,
  fee_base TEXT NOT NULL,
  fee_counter TEXT NOT NULL,
  completed_ms INTEGER,
  UNIQUE (strategy_id, key)
) STRICT;
CREATE INDEX orders_by_order_id ON orders (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX orders_unfinished ON orders (intent_id) WHERE ${unfinished};
CREATE INDEX orders_settled ON orders (coalesce(completed_ms, created_ms));
CREATE INDEX orders_placed ON orders (intent_id, strategy_id, key) WHERE level IS NULL;
CREATE INDEX orders_by_state ON orders (state);
CREATE TRIGGER orders_keep_terms BEFORE UPDATE ON orders
WHEN (OLD.strategy_id, OLD.key, OLD.pair, OLD.side, OLD.price, OLD.volume, OLD.time_in_force,
      OLD.post_only, OLD.base_account_id, OLD.counter_account_id, OLD.client_order_id,
      OLD.created_ms)
  IS NOT (NEW.strategy_id, NEW.key, NEW.pair, NEW.side, NEW.price, NEW.volume, NEW.time_in_force,
      NEW.post_only, NEW.base_account_id, NEW.counter_account_id, NEW.client_order_id,
      NEW.created_ms)
  OR (OLD.order_id IS NOT NULL AND NEW.order_id IS NULL)
BEGIN SELECT RAISE(ABORT, 'the terms of an order never change'); END;
CREATE TRIGGER orders_stay BEFORE DELETE ON orders
BEGIN SELECT RAISE(ABORT, 'an order is never deleted'); END;

CREATE TABLE evidence (
  id INTEGER PRIMARY KEY,
  intent_id INTEGER NOT NULL REFERENCES orders DEFERRABLE INITIALLY DEFERRED,
  at_ms INTEGER NOT NULL,
  state TEXT NOT NULL,
  proof TEXT NOT NULL
) STRICT;
CREATE INDEX evidence_by_intent ON evidence (intent_id);

CREATE TABLE decisions (
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  strategy_id TEXT NOT NULL,
  pair TEXT NOT NULL,
  key TEXT NOT NULL,
  intent_id INTEGER REFERENCES orders DEFERRABLE INITIALLY DEFERRED,
  verdict TEXT NOT NULL CHECK (verdict IN ('approved', 'refused')),
  refusals TEXT NOT NULL CHECK (json_valid(refusals))
) STRICT;
CREATE INDEX decisions_by_intent ON decisions (intent_id) WHERE intent_id IS NOT NULL;
CREATE INDEX decisions_refused ON decisions (at_ms) WHERE verdict = 'refused';

CREATE TABLE attempts (
  intent_id INTEGER NOT NULL REFERENCES orders DEFERRABLE INITIALLY DEFERRED,
  number INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  timestamp_ms INTEGER NOT NULL,
  ttl_ms INTEGER NOT NULL,
  PRIMARY KEY (intent_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE outcomes (
  id INTEGER PRIMARY KEY,
  intent_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  detail TEXT NOT NULL,
  FOREIGN KEY (intent_id, number) REFERENCES attempts DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX outcomes_by_attempt ON outcomes (intent_id, number);

CREATE TABLE fills (
  pair TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  order_id TEXT NOT NULL,
  intent_id INTEGER NOT NULL REFERENCES orders DEFERRABLE INITIALLY DEFERRED,
  strategy_id TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('BID', 'ASK')),
  price TEXT NOT NULL,
  volume TEXT NOT NULL,
  base TEXT NOT NULL,
  counter TEXT NOT NULL,
  fee_base TEXT NOT NULL,
  fee_counter TEXT NOT NULL,
  traded_ms INTEGER NOT NULL,
  maker INTEGER NOT NULL CHECK (maker IN (0, 1)),
  PRIMARY KEY (pair, sequence, order_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX fills_by_intent ON fills (intent_id);
CREATE INDEX fills_by_time ON fills (traded_ms);

-- A witness may come before its fill is booked, so it does not refer to the fill.
CREATE TABLE witnesses (
  pair TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  order_id TEXT NOT NULL,
  user_stream INTEGER NOT NULL DEFAULT 0 CHECK (user_stream IN (0, 1)),
  market_stream INTEGER NOT NULL DEFAULT 0 CHECK (market_stream IN (0, 1)),
  list_of_trades INTEGER NOT NULL DEFAULT 0 CHECK (list_of_trades IN (0, 1)),
  ledger INTEGER NOT NULL DEFAULT 0 CHECK (ledger IN (0, 1)),
  PRIMARY KEY (pair, sequence, order_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX witnesses_unproven ON witnesses (pair, sequence, order_id) WHERE ledger = 0;
-- Every fill has a row of witnesses from the start, so that the unproven ones are found by index.
CREATE TRIGGER fills_await_proof AFTER INSERT ON fills
BEGIN
  INSERT INTO witnesses (pair, sequence, order_id) VALUES (NEW.pair, NEW.sequence, NEW.order_id)
  ON CONFLICT DO NOTHING;
END;

CREATE TABLE ledger (
  account_id TEXT NOT NULL,
  row_index INTEGER NOT NULL,
  currency TEXT NOT NULL,
  kind TEXT NOT NULL,
  balance TEXT NOT NULL,
  balance_delta TEXT NOT NULL,
  available TEXT NOT NULL,
  available_delta TEXT NOT NULL,
  pair TEXT,
  sequence INTEGER,
  description TEXT NOT NULL,
  timestamp_ms INTEGER NOT NULL,
  PRIMARY KEY (account_id, row_index)
) STRICT, WITHOUT ROWID;

CREATE TABLE incidents (
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  code TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE idle_reasons (
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  strategy_id TEXT NOT NULL,
  pair TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;
CREATE INDEX idle_reasons_latest ON idle_reasons (strategy_id, pair, id);

CREATE TABLE strategy_states (
  strategy_id TEXT PRIMARY KEY,
  state TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE trading_states (
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  scope TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('ACTIVE', 'REDUCING', 'HALTED')),
  reason TEXT NOT NULL
) STRICT;
CREATE INDEX trading_states_latest ON trading_states (scope, id);
`;

/**
 * Tables whose rows are written once. Writing a row again is refused unless it is equal.
 */
const histories = [
  'evidence',
  'decisions',
  'attempts',
  'outcomes',
  'fills',
  'ledger',
  'incidents',
  'idle_reasons',
  'trading_states',
];

const guards = histories
  .flatMap((table) =>
    ['UPDATE', 'DELETE'].map(
      (change) => `CREATE TRIGGER ${table}_no_${change.toLowerCase()} BEFORE ${change} ON ${table}
        BEGIN SELECT RAISE(ABORT, 'rows of ${table} are never changed'); END;`,
    ),
  )
  .join('\n');

export const version1: Migration = {
  version: 1,
  adds: 'the tables of the first release',
  statements: tables + guards,
};
