/**
 * Sample records for the tests of the stores: an order, a fill, a ledger row, each with the fields
 * that a test changes.
 */
import type { FillRow, LedgerRow, OrderRow, StoreRecord } from '../../../src/domain/records.ts';

/** A Tuesday, 12:00 UTC. */
export const noonMs = Date.UTC(2026, 2, 3, 12);
export const dayMs = 86_400_000;

export const openOptions = {
  nowMs: noonMs,
  namespace: 'test',
  run: { configHash: 'c0', codeHash: 'c1', nodeVersion: 'v24.0.0' },
};

export function orderRow(intentId: number, change: Partial<OrderRow> = {}): OrderRow {
  return {
    intentId,
    strategyId: 'mm',
    key: `k${intentId}`,
    level: undefined,
    tag: undefined,
    pair: 'XBTZAR',
    side: 'BID',
    price: '1000000',
    volume: '0.01000000',
    timeInForce: 'GTC',
    postOnly: true,
    stopDirection: undefined,
    stopPrice: undefined,
    pays: undefined,
    baseAccountId: '9007199254740993',
    counterAccountId: '13',
    clientOrderId: `test-${intentId}`,
    reason: 'quote',
    createdMs: noonMs,
    validUntilMs: noonMs + 10_000,
    expiresMs: undefined,
    state: 'open',
    orderId: `BX${intentId}`,
    attempts: 1,
    lastTimestampMs: noonMs,
    lastTtlMs: 2_000,
    ambiguous: false,
    cancelRequestedMs: undefined,
    base: '0',
    counter: '0',
    feeBase: '0',
    feeCounter: '0',
    completedMs: undefined,
    ...change,
  };
}

export function fillRow(sequence: string, change: Partial<FillRow> = {}): FillRow {
  return {
    pair: 'XBTZAR',
    sequence,
    orderId: 'BX1',
    intentId: 1,
    strategyId: 'mm',
    side: 'BID',
    price: '1000000',
    volume: '0.00100000',
    base: '0.00100000',
    counter: '1000.00000000',
    feeBase: '0.00000100',
    feeCounter: '0',
    tradedMs: noonMs,
    maker: true,
    ...change,
  };
}

export function ledgerRow(rowIndex: number, change: Partial<LedgerRow> = {}): LedgerRow {
  return {
    accountId: '11',
    rowIndex,
    currency: 'XBT',
    kind: 'EXCHANGE',
    balance: '1.5',
    balanceDelta: '-0.001',
    available: '1.4',
    availableDelta: '0',
    pair: undefined,
    sequence: undefined,
    description: 'Bought',
    timestampMs: noonMs,
    ...change,
  };
}

export function order(intentId: number, change?: Partial<OrderRow>): StoreRecord {
  return { kind: 'order', row: orderRow(intentId, change) };
}

export function fill(sequence: string, change?: Partial<FillRow>): StoreRecord {
  return { kind: 'fill', row: fillRow(sequence, change) };
}

export function ledger(rowIndex: number, change?: Partial<LedgerRow>): StoreRecord {
  return { kind: 'ledger-row', row: ledgerRow(rowIndex, change) };
}

export function proof(sequence: string, orderId = 'BX1'): StoreRecord {
  return { kind: 'witness', pair: 'XBTZAR', sequence, orderId, witness: 'ledger' };
}
