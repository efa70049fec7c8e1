/** Version 7: the expiries of orders. They never change, as the terms of an order. */
import type { Migration } from './migration.ts';

const statements = `
ALTER TABLE orders ADD COLUMN expires_ms INTEGER;
CREATE TRIGGER orders_keep_expiry BEFORE UPDATE OF expires_ms ON orders
WHEN OLD.expires_ms IS NOT NEW.expires_ms
BEGIN SELECT RAISE(ABORT, 'the terms of an order never change'); END;
`;

export const version7: Migration = { version: 7, adds: 'expiries of orders', statements };
