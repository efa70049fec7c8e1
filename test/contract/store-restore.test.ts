/** The state from which a run starts, in both stores. */
import { describe, expect, test } from 'vitest';
import { nothingRestored, type StoreRecord } from '../../src/domain/records.ts';
import {
  dayMs,
  fill,
  ledger,
  ledgerRow,
  noonMs,
  order,
  orderRow,
  proof,
} from '../unit/store/store-samples.ts';
import { storeWith, subjects } from './store-subjects.ts';

describe.each(Object.entries(subjects))('%s', (_name, subject) => {
  test('the mid price at the time of the decision is restored for orders of the last minutes', () => {
    const judged = (intentId: number, inputs: object): StoreRecord => ({
      kind: 'decision',
      atMs: noonMs,
      strategyId: 'mm',
      pair: 'XBTZAR',
      key: `k${intentId}`,
      intentId,
      verdict: 'approved',
      refusals: '[]',
      inputs: JSON.stringify(inputs),
      limitsHash: '',
    });
    const store = storeWith(subject, [
      order(1, { createdMs: noonMs - 3_600_000 }),
      judged(1, { mid2: 1 }),
      order(2, { createdMs: noonMs - 60_000 }),
      judged(2, { mid2: 2_000_001 }),
      order(3, { createdMs: noonMs - 1_000 }),
      judged(3, {}),
    ]);
    expect(store.restore(noonMs).judgedMids).toEqual([{ intentId: 2, mid2: 2_000_001 }]);
  });

  test('an empty store restores an empty state', () => {
    expect(storeWith(subject).restore(noonMs)).toEqual(nothingRestored);
  });

  test('an order is restored with all fields as last written', () => {
    const full = orderRow(7, {
      level: 'bid-1',
      state: 'unknown',
      orderId: undefined,
      ambiguous: true,
      cancelRequestedMs: noonMs + 1,
      completedMs: noonMs + 2,
      base: '123456789012.123456789012345678',
      reason: 'a "reason" with ünïcode;\nand a line',
    });
    const store = storeWith(
      subject,
      [order(7, { ...full, state: 'sending', base: '0' })],
      [{ kind: 'order', row: full }],
    );
    const restored = store.restore(noonMs);
    expect(restored.orders).toEqual([full]);
    expect(restored.intentIdNext).toBe(8);
    for (const reference of [{ intentId: 7 }, { clientOrderId: 'test-7' }]) {
      expect(store.reports.findOrder(reference)).toEqual(full);
    }
    expect(store.reports.findOrder({ orderId: 'BX7' })).toBeUndefined();
  });

  test('orders are found by their level, or by their key, and counted by strategy', () => {
    const { reports } = storeWith(subject, [
      order(1, { level: 'maker/bid' }),
      order(2, { level: 'maker/bid', strategyId: 'other' }),
      order(3, { level: 'maker/bid' }),
      order(4, { key: 'entry' }),
      order(5, { level: 'ask', key: 'bid' }),
    ]);
    expect(reports.ordersCalled('maker/bid')).toEqual([
      { strategyId: 'mm', count: 2, newest: 3 },
      { strategyId: 'other', count: 1, newest: 2 },
    ]);
    expect(reports.ordersCalled('entry')).toEqual([{ strategyId: 'mm', count: 1, newest: 4 }]);
    // The key of a quote's order is not a name that its strategy gave.
    expect(reports.ordersCalled('bid')).toEqual([]);
  });

  test('unfinished orders are always restored, final orders for a day or until proven', () => {
    const longAgo = { createdMs: noonMs - 9 * dayMs };
    const store = storeWith(subject, [
      order(1, { ...longAgo, state: 'open' }),
      order(2, { ...longAgo, state: 'filled', completedMs: noonMs - dayMs }),
      order(3, { ...longAgo, state: 'filled', completedMs: noonMs - dayMs - 1 }),
      order(4, { ...longAgo, state: 'rejected' }),
      order(5, { createdMs: noonMs - dayMs + 1, state: 'absent' }),
      order(6, { ...longAgo, state: 'unknown' }),
      order(7, { ...longAgo, state: 'filled', completedMs: noonMs - 2 * dayMs }),
      fill('1', { intentId: 3, orderId: 'BX3', tradedMs: noonMs - dayMs - 1 }),
      proof('1', 'BX3'),
      fill('2', { intentId: 2, orderId: 'BX2' }),
      proof('2', 'BX2'),
      fill('3', { intentId: 7, orderId: 'BX7' }),
    ]);
    const restored = store.restore(noonMs);
    expect(restored.orders.map((row) => row.intentId)).toEqual([1, 2, 5, 6, 7]);
    expect(restored.fills.map((row) => row.sequence)).toEqual(['2', '3']);
    expect(restored.unproven.map((row) => row.sequence)).toEqual(['3']);
    expect(store.reports.openOrders().map((row) => row.intentId)).toEqual([1, 6]);
  });

  test('keys of placed orders stay used for ever; keys of quotes are not restored', () => {
    const long = noonMs - 300 * dayMs;
    const store = storeWith(subject, [
      order(1, { key: 'dca-2025', createdMs: long, state: 'filled' }),
      order(2, { key: 'q1', level: 'bid' }),
      order(3, { key: 'dca-2026', strategyId: 'dca' }),
    ]);
    expect(store.restore(noonMs).usedKeys).toEqual([
      { strategyId: 'mm', key: 'dca-2025' },
      { strategyId: 'dca', key: 'dca-2026' },
    ]);
  });

  test('what the newest orders by key have traded, of those that are not restored themselves', () => {
    const longAgo = noonMs - 9 * dayMs;
    const old = { createdMs: longAgo, state: 'filled', completedMs: longAgo } as const;
    const filled = (sequence: string, intentId: number, tradedMs = longAgo) => [
      fill(sequence, { intentId, orderId: `BX${intentId}`, tradedMs, feeCounter: '0.1' }),
      proof(sequence, `BX${intentId}`),
    ];
    const many = Array.from({ length: 10_000 }, (_, index) =>
      order(10 + index, { ...old, strategyId: 'grid', key: `g${index}` }),
    );
    const store = storeWith(subject, [
      ...[order(1, old), ...filled('1', 1), ...filled('2', 1)],
      ...[order(2, old), order(3, { ...old, level: 'bid' }), ...filled('3', 3)],
      ...[order(4, { ...old, strategyId: 'grid' }), ...filled('4', 4), ...many],
      ...[...filled('5', 10), order(20_000, old), ...filled('6', 20_000, noonMs - dayMs)],
    ]);
    const { earlierTraded, orders, fills } = store.restore(noonMs);
    const once = { pair: 'XBTZAR', base: '0.001', counter: '1000', feeBase: '0.000001' };
    expect(earlierTraded).toEqual([
      {
        strategyId: 'mm',
        key: 'k1',
        ...once,
        base: '0.002',
        counter: '2000',
        feeBase: '0.000002',
        feeCounter: '0.2',
      },
      { strategyId: 'grid', key: 'g0', ...once, feeCounter: '0.1' },
    ]);
    // It ended long ago, but a fill is of the last day.
    expect(orders.map(({ intentId }) => intentId)).toEqual([20_000]);
    expect(fills.map(({ sequence }) => sequence)).toEqual(['6']);
  });

  test('sequences beyond 2^53 are exact, distinct, and ordered as numbers', () => {
    const sequences = ['9007199254740993', '9007199254740992', '9223372036854775807', '9', '10'];
    const store = storeWith(subject, [order(1), ...sequences.map((sequence) => fill(sequence))]);
    const sorted = ['9', '10', '9007199254740992', '9007199254740993', '9223372036854775807'];
    expect(store.restore(noonMs).fills.map((row) => row.sequence)).toEqual(sorted);
    expect(store.restore(noonMs).unproven.map((row) => row.sequence)).toEqual(sorted);
    expect(store.reports.fills().map((row) => row.sequence)).toEqual(sorted);
  });

  test('totals are exact sums by strategy, pair and side; today is the UTC day', () => {
    const midnightMs = noonMs - dayMs / 2;
    const store = storeWith(subject, [
      order(1),
      fill('1', {
        base: '123456789012.123456789012345678',
        counter: '0.1',
        tradedMs: midnightMs - 1,
      }),
      fill('2', { base: '0.000000000000000001', counter: '0.2', tradedMs: midnightMs }),
      fill('3', { base: '5', counter: '0.30', side: 'ASK', tradedMs: midnightMs + dayMs }),
      fill('4', { base: '7.10', counter: '1', strategyId: 'dca', tradedMs: noonMs, feeBase: '-1' }),
    ]);
    const rest = { pair: 'XBTZAR', feeCounter: '0' };
    const dca = { base: '7.1', counter: '1', feeBase: '-1', count: 1 };
    const { totals, totalsToday } = store.restore(noonMs);
    expect(totals).toEqual([
      { ...rest, strategyId: 'dca', side: 'BID', ...dca },
      {
        ...rest,
        strategyId: 'mm',
        side: 'ASK',
        base: '5',
        counter: '0.3',
        feeBase: '0.000001',
        count: 1,
      },
      {
        ...rest,
        strategyId: 'mm',
        side: 'BID',
        base: '123456789012.123456789012345679',
        counter: '0.3',
        feeBase: '0.000002',
        count: 2,
      },
    ]);
    expect(store.reports.fillTotals()).toEqual(totals);
    expect(totalsToday.map((row) => [row.strategyId, row.base, row.count])).toEqual([
      ['dca', '7.1', 1],
      ['mm', '0.000000000000000001', 1],
    ]);
  });

  test('a fill is unproven until the ledger proves it, whichever comes first', () => {
    const store = storeWith(
      subject,
      [order(1), fill('1'), fill('2'), proof('3')],
      [
        fill('3'),
        proof('1'),
        {
          kind: 'witness',
          pair: 'XBTZAR',
          sequence: '2',
          orderId: 'BX1',
          witness: 'list-of-trades',
        },
        {
          kind: 'witness',
          pair: 'XBTZAR',
          sequence: '2',
          orderId: 'BX1',
          witness: 'market-stream',
        },
      ],
    );
    expect(store.restore(noonMs).unproven).toEqual([
      { pair: 'XBTZAR', sequence: '2', orderId: 'BX1' },
    ]);
    expect(store.reports.historyOf(1)?.fills.map((row) => row.witnesses)).toEqual([
      ['ledger'],
      ['market-stream', 'list-of-trades'],
      ['ledger'],
    ]);
  });

  test('the newest ledger row of each account and the rows of unproven trades are restored', () => {
    const trade = (sequence: string) => ({ pair: 'XBTZAR', sequence });
    const store = storeWith(subject, [
      order(1),
      fill('1'),
      proof('1'),
      fill('2'),
      ledger(1, { description: 'deposit' }),
      ledger(2, trade('1')),
      ledger(3, trade('2')),
      ledger(10, { ...trade('3'), balance: '-0.5' }),
      ledger(9, trade('1')),
      ledger(2, { ...trade('2'), accountId: '9007199254740993' }),
    ]);
    const restored = store.restore(noonMs);
    expect(restored.ledger).toEqual([
      ledgerRow(10, { ...trade('3'), balance: '-0.5' }),
      ledgerRow(2, { ...trade('2'), accountId: '9007199254740993' }),
    ]);
    expect(store.reports.ledgerLatest()).toEqual(restored.ledger);
    expect(restored.looseRows.map((row) => [row.accountId, row.rowIndex])).toEqual([
      ['11', 3],
      ['11', 10],
      ['9007199254740993', 2],
    ]);
  });

  test('a foreign trade that the ledger proved is restored for a day, and its rows are not', () => {
    const witness = (sequence: string, orderId: string, one: 'ledger' | 'market-stream') =>
      ({ kind: 'witness', pair: 'XBTZAR', sequence, orderId, witness: one }) as const;
    const row = (rowIndex: number, sequence: string, timestampMs: number) =>
      ledger(rowIndex, { pair: 'XBTZAR', sequence, timestampMs });
    const store = storeWith(subject, [
      order(1),
      fill('1'),
      proof('1'),
      row(1, '1', noonMs),
      row(2, '8', noonMs - 1_000),
      witness('8', 'BXother', 'ledger'),
      row(3, '9', noonMs),
      witness('9', 'BXother', 'market-stream'),
      row(4, '7', noonMs - 25 * 3_600_000),
      witness('7', 'BXother', 'ledger'),
    ]);
    const restored = store.restore(noonMs);
    expect(restored.foreignTrades).toEqual([
      { pair: 'XBTZAR', sequence: '8', orderId: 'BXother', tradedMs: noonMs - 1_000 },
    ]);
    expect(restored.looseRows.map((one) => one.sequence)).toEqual(['9']);
  });

  test('strategy states and trading states are restored as last written', () => {
    const halt = { kind: 'trading-state', scope: 'bot', reason: 'panic', atMs: noonMs } as const;
    const store = storeWith(
      subject,
      [
        { kind: 'strategy-state', strategyId: 'mm', state: '{"n":1}' },
        { ...halt, state: 'HALTED' },
        { ...halt, scope: 'pair:XBTZAR', state: 'REDUCING' },
      ],
      [
        { kind: 'strategy-state', strategyId: 'mm', state: '{"n":2}' },
        { ...halt, state: 'ACTIVE', reason: 'resumed' },
      ],
    );
    const restored = store.restore(noonMs);
    expect(restored.strategyStates).toEqual([{ strategyId: 'mm', state: '{"n":2}' }]);
    expect(restored.tradingStates).toMatchObject([
      { scope: 'bot', state: 'ACTIVE' },
      { scope: 'pair:XBTZAR', state: 'REDUCING', reason: 'panic', atMs: noonMs },
    ]);
    expect(store.reports.tradingStates()).toEqual([
      { scope: 'bot', state: 'ACTIVE', reason: 'resumed', atMs: noonMs },
      { scope: 'pair:XBTZAR', state: 'REDUCING', reason: 'panic', atMs: noonMs },
    ]);
  });
});
