/** Version 6: the stops of stop-limit orders. They never change, as the other terms of an order. */
import type { Migration } from './migration.ts';

const statements = `
ALTER TABLE orders ADD COLUMN stop_direction TEXT
  CHECK (stop_direction = 'ABOVE' OR stop_direction = 'BELOW');
ALTER TABLE orders ADD COLUMN stop_price TEXT
  CHECK ((stop_price IS NULL) = (stop_direction IS NULL));
CREATE TRIGGER orders_keep_stop BEFORE UPDATE OF stop_direction, stop_price ON orders
WHEN (OLD.stop_direction, OLD.stop_price) IS NOT (NEW.stop_direction, NEW.stop_price)
BEGIN SELECT RAISE(ABORT, 'the terms of an order never change'); END;
`;

export const version6: Migration = { version: 6, adds: 'stops of orders', statements };
