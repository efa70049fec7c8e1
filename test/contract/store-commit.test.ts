/** A commit is stored as a whole or not at all, in both stores. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StoreError } from '../../src/domain/errors.ts';
import { nothingRestored, type Store, type StoreRecord } from '../../src/domain/records.ts';
import { MemoryStore } from '../support/memory-store.ts';
import {
  dayMs,
  fill,
  ledger,
  ledgerRow,
  noonMs,
  order,
  proof,
} from '../unit/store/store-samples.ts';
import { storeWith, subjects } from './store-subjects.ts';

describe.each(Object.entries(subjects))('%s', (_name, subject) => {
  test('an equal fill or ledger row written again changes nothing', () => {
    const store = storeWith(
      subject,
      [order(1), fill('1'), ledger(1)],
      [fill('1'), ledger(1), proof('1')],
    );
    expect(store.reports.fillCount()).toBe(1);
    expect(store.restore(noonMs)).toMatchObject({ unproven: [], ledger: [ledgerRow(1)] });
  });

  test('each change of an order is stored, whichever of its fields change', () => {
    const states: StoreRecord[] = [
      order(1, { state: 'sending', orderId: undefined }),
      order(1, { cancelRequestedMs: noonMs + 1 }),
      order(1, {
        cancelRequestedMs: noonMs + 1,
        base: '0.001',
        counter: '1000',
        feeBase: '0.00001',
      }),
      order(1, { level: 'bid', reason: 'another reason', validUntilMs: noonMs + 7 }),
      order(1, { level: 'bid', reason: 'another reason', validUntilMs: noonMs + 7, attempts: 2 }),
    ];
    for (const [index, state] of states.entries()) {
      const store = storeWith(subject, ...states.slice(0, index + 1).map((one) => [one]));
      expect(store.restore(noonMs).orders).toEqual([state.kind === 'order' && state.row]);
    }
  });

  const attempt = {
    kind: 'attempt',
    intentId: 1,
    number: 1,
    atMs: 1,
    timestampMs: 1,
    ttlMs: 1,
  } as const;
  const refused: Record<string, StoreRecord> = {
    'a used key': order(2, { key: 'k1' }),
    'a used client order id': order(2, { clientOrderId: 'test-1' }),
    'new terms': order(1, { price: '1000001' }),
    'the order id withdrawn': order(1, { orderId: undefined }),
    'a second attempt of one number': attempt,
    'an attempt of no order': { ...attempt, intentId: 99 },
    'an outcome of no attempt': {
      kind: 'outcome',
      intentId: 1,
      number: 2,
      atMs: 1,
      outcome: 'accepted',
      detail: '',
    },
    'evidence of no order': {
      kind: 'evidence',
      intentId: 99,
      atMs: 1,
      state: 'open',
      proof: '',
    },
    'a fill of no order': fill('2', { intentId: 99 }),
    'a fill that changed': fill('1', { base: '0.00100001' }),
    'a ledger row that changed': ledger(1, { balance: '9' }),
    'an amount with an exponent': order(2, { base: '1e-8' }),
    'an amount that is empty': fill('2', { counter: '' }),
    'a sequence beyond 64 bits': fill('9223372036854775808'),
    'a sequence with a leading zero': fill('01'),
    'a fraction of a millisecond': order(2, { createdMs: 0.5 }),
    'no number': ledger(Number.NaN),
    'refusals that are no JSON': {
      kind: 'decision',
      atMs: 1,
      strategyId: 'mm',
      pair: 'XBTZAR',
      key: 'k',
      intentId: undefined,
      verdict: 'refused',
      refusals: '{',
      inputs: '{}',
      limitsHash: 'c0',
    },
  };

  test.each(Object.entries(refused))('%s fails the whole commit, at any position', (_, bad) => {
    for (const place of [0, 1, 2, 3]) {
      const store = subject.create();
      store.commit([order(1), attempt, fill('1'), ledger(1)], 1);
      const before = store.restore(noonMs);
      const batch = [order(5), fill('50', { intentId: 5 }), proof('1')];
      batch.splice(place, 0, bad);
      expect(() => store.commit(batch, 2)).toThrow(StoreError);
      expect(store.restore(noonMs)).toEqual(before);
      expect(store.reports.orderCounts()).toEqual({ open: 1 });
    }
  });

  test('after a failed commit all others are refused, so that no record is missing', () => {
    const store = subject.create();
    expect(() => store.commit([fill('1', { intentId: 99 })], 1)).toThrow(StoreError);
    expect(() => store.commit([order(1)], 2)).toThrow(/failed before/u);
    expect(subject.reopen(store).restore(noonMs)).toEqual(nothingRestored);
  });

  const evidence: StoreRecord = {
    ...{ kind: 'evidence', intentId: 1, atMs: noonMs, state: 'open', proof: 'its answer' },
  };

  test('explanations are written under the number of the last commit', () => {
    const store = subject.create();
    store.commit([order(1)], 1);
    store.commit([], 3);
    store.explain([evidence]);
    expect(() => store.commit([order(2)], 3)).toThrow(/must be above 3/u);
    const again = subject.reopen(store);
    expect(again.reports.historyOf(1)?.evidence).toHaveLength(1);
    expect(again.reports.orderCounts()).toEqual({ open: 1 });
  });

  test('an explanation of an unknown order is refused, and every later commit', () => {
    const store = subject.create();
    expect(() => store.explain([evidence])).toThrow(StoreError);
    expect(() => store.commit([order(1)], 1)).toThrow(/failed before/u);
  });

  test('a commit number that does not rise is refused', () => {
    for (const number of [3, 2, 0, -1, 3.5, Number.NaN]) {
      const store = subject.create();
      store.commit([order(1)], 3);
      expect(() => store.commit([order(2)], number)).toThrow(StoreError);
      expect(store.reports.orderCounts()).toEqual({ open: 1 });
    }
  });
});

describe('both stores', () => {
  const small = fc.integer({ min: 1, max: 4 });
  const amount = fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }))
    .map(([whole, part]) => `${whole}.${part.toString().padStart(18, '0')}`);
  const record: fc.Arbitrary<StoreRecord> = fc.oneof(
    fc
      .tuple(
        small,
        fc.constantFrom('open', 'filled', 'unknown', 'absent'),
        fc.integer({ max: 3, min: 0 }),
      )
      .map(([id, state, days]) => order(id, { state, completedMs: noonMs - days * dayMs })),
    fc
      .tuple(small, small, amount, fc.integer({ max: 2, min: 0 }))
      .map(([sequence, id, base, days]) =>
        fill(`${sequence}`, {
          intentId: id,
          orderId: `BX${id}`,
          base,
          tradedMs: noonMs - days * dayMs,
          side: id % 2 === 0 ? 'BID' : 'ASK',
        }),
      ),
    fc.tuple(small, small).map(([sequence, id]) => proof(`${sequence}`, `BX${id}`)),
    fc
      .tuple(small, small, small)
      .map(([row, account, sequence]) =>
        ledger(row, { accountId: `${account}`, pair: 'XBTZAR', sequence: `${sequence}` }),
      ),
  );

  test('accept and refuse the same commits and restore the same state', () => {
    fc.assert(
      fc.property(fc.array(fc.array(record, { maxLength: 8 }), { maxLength: 8 }), (batches) => {
        const durable = subjects['SQLite store'].create();
        const memory = new MemoryStore();
        for (const [index, batch] of batches.entries()) {
          expect(accepts(durable, batch, index + 1)).toBe(accepts(memory, batch, index + 1));
        }
        expect(durable.restore(noonMs)).toEqual(memory.restore(noonMs));
        durable.close();
      }),
      { numRuns: 60 },
    );
  });

  function accepts(store: Store, batch: readonly StoreRecord[], commitNumber: number): boolean {
    try {
      store.commit(batch, commitNumber);
      return true;
    } catch (failure) {
      expect(failure).toBeInstanceOf(StoreError);
      return false;
    }
  }
});
