/** One order in a run and in its backtest, and the reported cause of the difference. */
import { describe, expect, test } from 'vitest';
import { compareRuns } from '../../../src/backtest/compare/compare-runs.ts';
import type { RunOrder } from '../../../src/backtest/compare/run-book.ts';
import type { FillRow, OrderRow } from '../../../src/domain/records.ts';

describe('an order ended differently in the backtest because', () => {
  const row: OrderRow = {
    ...{ intentId: 1, strategyId: 'mm', key: 'k', level: 'bid', pair: 'XBTZAR', side: 'BID' },
    ...{ price: '100', volume: '1', timeInForce: 'GTC', postOnly: true, attempts: 1 },
    ...{ baseAccountId: '1', counterAccountId: '2', clientOrderId: 'c', reason: '' },
    ...{ createdMs: 1_000, validUntilMs: 9_000, state: 'filled', orderId: 'BX1' },
    ...{ lastTimestampMs: 1_000, lastTtlMs: 1_000, ambiguous: false, completedMs: 5_000 },
    ...{ cancelRequestedMs: undefined, base: '1', counter: '100', feeBase: '0', feeCounter: '0' },
  } as OrderRow;
  const fill: FillRow = {
    ...{
      pair: 'XBTZAR',
      sequence: '1',
      orderId: 'BX1',
      intentId: 1,
      strategyId: 'mm',
      side: 'BID',
    },
    ...{ price: '100', volume: '1', base: '1', counter: '100', feeBase: '0.1', feeCounter: '0' },
    ...{ tradedMs: 4_000, maker: true },
  } as FillRow;
  const order = (part: Partial<OrderRow>, fills: readonly Partial<FillRow>[]): RunOrder => ({
    row: { ...row, ...part },
    fills: fills.map((one) => ({ ...fill, ...one })),
  });
  const run = order({}, [{}]);
  const cancelled = { state: 'cancelled', completedMs: 9_000 } as const;
  const withoutId = { orderId: undefined, base: '0', counter: '0' } as const;

  test.each([
    ['it was gone before the fill', 'latency', { ...cancelled, completedMs: 3_000 }, []],
    ['it took instead of resting', 'latency', {}, [{ maker: false, counter: '99' }]],
    ['it stood further behind', 'queue', cancelled, []],
    ['it filled twice as much', 'missed-fill', { volume: '1' }, [{}, { base: '1' }]],
    ['it pays other fees', 'fees', {}, [{ feeBase: '0.2' }]],
    ['it was refused', 'refused', { orderId: undefined, state: 'rejected' }, []],
    ['it was decided on another book', 'price', { price: '99' }, [{}]],
  ] as const)('%s: %s', (_, cause, part, fills) => {
    const comparison = compareRuns([run], [order(part as Partial<OrderRow>, fills)], 1_000);
    expect(comparison.matched).toBe(1);
    expect(comparison.differences.map((one) => one.cause)).toEqual([cause]);
  });

  test('it took the same volume at another price slightly earlier: latency, no missing fill', () => {
    const took = (counter: string, tradedMs: number) =>
      order({ postOnly: false }, [{ maker: false, counter, tradedMs }]);
    for (const [ours, theirs] of [
      [took('100', 4_002), took('99', 4_001)],
      [took('99', 4_001), took('100', 4_002)],
    ] as const) {
      const { differences } = compareRuns([ours], [theirs], 1_000);
      expect(differences.map(({ cause }) => cause)).toEqual(['latency']);
    }
  });

  test('it had another queue place, and its partial fills round differently: queue', () => {
    const parts = [
      { base: '0.5', counter: '50' },
      { base: '0.5', counter: '50.01' },
    ];
    const { differences } = compareRuns([run], [order({}, parts)], 1_000);
    expect(differences.map(({ cause }) => cause)).toEqual(['queue']);
  });

  test.each([
    ['unsent', 'placed', 'not-placed'],
    ['absent', 'placed', 'not-placed'],
    ['unsent', 'rejected', 'refused'],
    ['rejected', 'placed', 'refused'],
    ['sending', 'placed', 'latency'],
    ['unsent', 'unsent', undefined],
    ['rejected', 'rejected', undefined],
  ] as const)('its state was %s in one and %s in the other: %s', (ours, theirs, cause) => {
    const ended = (state: 'placed' | OrderRow['state']) =>
      order(state === 'placed' ? cancelled : { ...withoutId, state }, []);
    for (const [one, other] of [
      [ended(ours), ended(theirs)],
      [ended(theirs), ended(ours)],
    ] as const) {
      const { differences } = compareRuns([one], [other], 1_000);
      expect(differences.map((difference) => difference.cause)).toEqual(
        cause === undefined ? [] : [cause],
      );
    }
  });

  test('an order too far away in time, or at another level, does not correspond', () => {
    for (const part of [{ createdMs: 2_001 }, { level: 'ask' }, { side: 'ASK' }] as const) {
      const { causes, matched } = compareRuns([run], [order(part, [{}])], 1_000);
      expect({ matched, run: causes['only-in-run'], backtest: causes['only-in-backtest'] }).toEqual(
        { matched: 0, run: 1, backtest: 1 },
      );
    }
  });

  test('of two candidates, the one at the same price corresponds', () => {
    const near = order({ intentId: 2, price: '99', createdMs: 1_001 }, []);
    const same = order({ intentId: 3, createdMs: 1_500 }, [{}]);
    const { differences, matched } = compareRuns([run], [near, same], 1_000);
    expect(matched).toBe(1);
    expect(differences.map((one) => [one.cause, one.backtest?.intentId])).toEqual([
      ['only-in-backtest', 2],
    ]);
  });
});
