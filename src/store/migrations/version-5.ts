/** Version 5: the tags of orders. */
import type { Migration } from './migration.ts';

const statements = 'ALTER TABLE orders ADD COLUMN tag TEXT;';

export const version5: Migration = { version: 5, adds: 'tags of orders', statements };
