/** The digest of a run depends on its actions, not on how its records are batched. */
import { expect, test } from 'vitest';
import { RunDigest } from '../../../src/backtest/run/run-digest.ts';
import type { OrderRow, StoreRecord } from '../../../src/domain/records.ts';
import { rowOf } from '../execution/execution-fixture.ts';

const result = { orders: 1 };

function digestOf(...batches: (readonly StoreRecord[])[]): string {
  const digest = new RunDigest();
  for (const records of batches) digest.add(records);
  return digest.finish([], result);
}

const order = (change: Partial<OrderRow> = {}): StoreRecord => ({
  kind: 'order',
  row: { ...rowOf({ state: 'cancelled', orderId: 'BX7' }), ...change },
});

const witness: StoreRecord = {
  kind: 'witness',
  pair: 'XBTZAR',
  sequence: '1',
  orderId: 'BX7',
  witness: 'ledger',
};

test('neither the batching of records nor explanatory records change it', () => {
  const known = digestOf([order(), order({ intentId: 8 })]);
  expect(digestOf([order()], [order({ intentId: 8 })])).toBe(known);
  expect(digestOf([witness, order()], [order({ state: 'open' }), order({ intentId: 8 })])).toBe(
    known,
  );
});

test.each([
  { price: '1.00' },
  { key: 'other' },
  { state: 'filled' },
  { createdMs: 1 },
  { completedMs: 1 },
  { attempts: 2 },
  { base: '0.5' },
] as const)('an order that differs in %o makes another digest', (change) => {
  expect(digestOf([order(change)])).not.toBe(digestOf([order()]));
});

test('an order that is open at the end counts', () => {
  const digest = new RunDigest();
  const row = rowOf({ state: 'open' });
  digest.add([{ kind: 'order', row }]);
  expect(digest.finish([row], result)).not.toBe(digestOf([]));
});

test('thousands of rows are hashed in order', () => {
  const rows = Array.from({ length: 3_000 }, (_, index) => order({ intentId: index + 1 }));
  expect(digestOf(rows)).toBe(digestOf(rows.slice(0, 1_000), rows.slice(1_000)));
  expect(digestOf(rows.toReversed())).not.toBe(digestOf(rows));
});
