/**
 * Version 3: a change of an order costs less. The table has the same columns and accepts the same
 * rows as before.
 *
 * SQLite builds a temporary table for each list of more than two values that a row is compared
 * with, so the checks compare with the values one by one, and there is no index whose condition has
 * such a list: the index by state finds the unfinished orders too. Triggers run only if one of the
 * columns that they protect is written.
 */
import type { Migration } from './migration.ts';

const statements = `
CREATE TABLE orders_rebuilt (
  intent_id INTEGER PRIMARY KEY, strategy_id TEXT NOT NULL, key TEXT NOT NULL, level TEXT,
  pair TEXT NOT NULL, side TEXT NOT NULL CHECK (side = 'BID' OR side = 'ASK'),
  price TEXT NOT NULL, volume TEXT NOT NULL,
  time_in_force TEXT NOT NULL
    CHECK (time_in_force = 'GTC' OR time_in_force = 'IOC' OR time_in_force = 'FOK'),
  post_only INTEGER NOT NULL CHECK (post_only = 0 OR post_only = 1),
  base_account_id TEXT NOT NULL, counter_account_id TEXT NOT NULL,
  client_order_id TEXT NOT NULL UNIQUE, reason TEXT NOT NULL,
  created_ms INTEGER NOT NULL, valid_until_ms INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (
    state = 'open' OR state = 'sending' OR state = 'cancelled' OR state = 'filled'
    OR state = 'completing' OR state = 'waiting' OR state = 'unknown'
    OR state = 'rejected' OR state = 'absent' OR state = 'unsent'
  ),
  order_id TEXT, attempts INTEGER NOT NULL,
  last_timestamp_ms INTEGER, last_ttl_ms INTEGER,
  ambiguous INTEGER NOT NULL CHECK (ambiguous = 0 OR ambiguous = 1), cancel_requested_ms INTEGER,
  base TEXT NOT NULL, counter TEXT NOT NULL, fee_base TEXT NOT NULL, fee_counter TEXT NOT NULL,
  completed_ms INTEGER,
  UNIQUE (strategy_id, key)
) STRICT;
INSERT INTO orders_rebuilt SELECT * FROM orders;
DROP TABLE orders;
ALTER TABLE orders_rebuilt RENAME TO orders;

CREATE INDEX orders_by_order_id ON orders (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX orders_settled ON orders (coalesce(completed_ms, created_ms));
CREATE INDEX orders_placed ON orders (intent_id, strategy_id, key) WHERE level IS NULL;
CREATE INDEX orders_by_state ON orders (state);

CREATE TRIGGER orders_keep_terms BEFORE UPDATE OF strategy_id, key, pair, side, price, volume,
  time_in_force, post_only, base_account_id, counter_account_id, client_order_id, created_ms
ON orders
WHEN
  (OLD.strategy_id, OLD.key, OLD.pair, OLD.side, OLD.price,
   OLD.volume, OLD.time_in_force, OLD.post_only,
   OLD.base_account_id, OLD.counter_account_id,
   OLD.client_order_id, OLD.created_ms)
  IS NOT
  (NEW.strategy_id, NEW.key, NEW.pair, NEW.side, NEW.price,
   NEW.volume, NEW.time_in_force, NEW.post_only,
   NEW.base_account_id, NEW.counter_account_id,
   NEW.client_order_id, NEW.created_ms)
BEGIN SELECT RAISE(ABORT, 'the terms of an order never change'); END;
CREATE TRIGGER orders_keep_order_id BEFORE UPDATE OF order_id ON orders
WHEN OLD.order_id IS NOT NULL AND NEW.order_id IS NULL
BEGIN SELECT RAISE(ABORT, 'the terms of an order never change'); END;
CREATE TRIGGER orders_stay BEFORE DELETE ON orders
BEGIN SELECT RAISE(ABORT, 'an order is never deleted'); END;
`;

export const version3: Migration = {
  version: 3,
  adds: 'cheaper checks of orders',
  statements,
};
