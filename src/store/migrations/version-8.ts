/** Version 8: what market orders pay. It never changes, as the other terms of an order. */
import type { Migration } from './migration.ts';

const statements = `
ALTER TABLE orders ADD COLUMN pays TEXT;
CREATE TRIGGER orders_keep_payment BEFORE UPDATE OF pays ON orders
WHEN OLD.pays IS NOT NEW.pays
BEGIN SELECT RAISE(ABORT, 'the terms of an order never change'); END;
`;

export const version8: Migration = { version: 8, adds: 'payments of market orders', statements };
