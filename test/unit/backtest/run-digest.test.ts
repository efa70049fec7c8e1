/** The digest of a run depends on what happened, not on records that only explain. */
import { expect, test } from 'vitest';
import { RunDigest } from '../../../src/backtest/run/run-digest.ts';
import type { StoreRecord } from '../../../src/domain/records.ts';

const result = { orders: 1 };
const rows = [Buffer.from('orders'), Buffer.from('fills')];

function digestOf(...batches: (readonly StoreRecord[])[]): string {
  const digest = new RunDigest();
  for (const records of batches) digest.add(records);
  return digest.finish(rows, result);
}

const incident = (code: string): StoreRecord => ({
  kind: 'incident',
  incident: { atMs: 1, code, text: 'x' },
});

const explanations: readonly StoreRecord[] = [
  { kind: 'witness', pair: 'XBTZAR', sequence: '1', orderId: 'BX7', witness: 'ledger' },
  { kind: 'evidence', intentId: 1, atMs: 1, state: 'open', proof: 'x' },
  { kind: 'idle', atMs: 1, strategyId: 'mm', pair: 'XBTZAR', reason: 'x' },
  { kind: 'risk-state', name: 'x', state: '{}' },
];

test('neither the batching of records nor explanatory records change it', () => {
  const known = digestOf([incident('A'), incident('B')]);
  expect(digestOf([incident('A')], [incident('B')])).toBe(known);
  expect(digestOf(explanations, [incident('A'), incident('B'), ...explanations])).toBe(known);
});

const refusal = (inputs: string, verdict: 'refused' | 'approved' = 'refused'): StoreRecord => ({
  ...{ kind: 'decision', atMs: 1, strategyId: 'mm', pair: 'XBTZAR', key: 'bid.1', verdict, inputs },
  ...{ intentId: undefined, refusals: '[{"code":"FUNDS"}]', limitsHash: 'x' },
});

test('the inputs of a refusal do not change it, and its codes do', () => {
  const known = digestOf([refusal('{}')]);
  expect(digestOf([refusal('{"free":"1"}')])).toBe(known);
  expect(digestOf([{ ...refusal('{}'), refusals: '[]' } as StoreRecord])).not.toBe(known);
  expect(digestOf([refusal('{}', 'approved')])).toBe(digestOf([]));
});

test('it depends on the records, their order, the digests of rows and the result', () => {
  const known = digestOf([incident('A'), incident('B')]);
  expect(digestOf([incident('B'), incident('A')])).not.toBe(known);
  expect(digestOf([incident('A')])).not.toBe(known);
  expect(new RunDigest().finish(rows, result)).toBe(digestOf([]));
  expect(new RunDigest().finish(rows.toReversed(), result)).not.toBe(digestOf([]));
  expect(new RunDigest().finish(rows, { orders: 2 })).not.toBe(digestOf([]));
});
