/**
 * Ledger rows prove fills; an inconsistent ledger is detected; the exchange's clock; client order
 * ids.
 */
import { describe, expect, test } from 'vitest';
import { amountOf, formatAmount } from '../../../src/domain/amount.ts';
import { ledgerDeltaOf, TradeProofs } from '../../../src/execution/fills/trade-proofs.ts';
import {
  clientOrderIdOf,
  createIdentity,
  identityIn,
} from '../../../src/execution/orders/client-order-id.ts';
import { AccountLedger, type LedgerMove } from '../../../src/execution/reconcile/account-ledger.ts';
import { ExchangeClock } from '../../../src/execution/requests/exchange-clock.ts';
import { Exposure } from '../../../src/risk/exposure.ts';
import { createSeededRandom } from '../../../src/runtime/seeded-random.ts';

const sums = (base: string, counter: string, feeBase = '0', feeCounter = '0') => ({
  base: amountOf(base),
  counter: amountOf(counter),
  feeBase: amountOf(feeBase),
  feeCounter: amountOf(feeCounter),
});

describe('trade proofs', () => {
  const trade = { pair: 'XBTZAR', sequence: '9', tradedMs: 1_000 };
  const fill = (key: string, side: 'BID' | 'ASK', amounts = sums('2', '100', '0.01')) => ({
    ...trade,
    key,
    side,
    sums: amounts,
    isOwn: true,
    nowMs: 2_000,
  });
  const row = (isBase: boolean, delta: string) => ({
    ...trade,
    isBase,
    delta: amountOf(delta),
    nowMs: 3_000,
  });

  test.each([
    ['BID', sums('2', '100', '0.01', '0'), '1.99', '-100'],
    ['BID', sums('2', '100', '0', '0.5'), '2', '-100.5'],
    ['ASK', sums('2', '100', '0', '0.5'), '-2', '99.5'],
    ['ASK', sums('2', '100', '0.01', '0'), '-2.01', '100'],
  ] as const)('a %s changes the accounts by the rule (case %#)', (side, amounts, base, counter) => {
    const delta = ledgerDeltaOf(side, amounts);
    expect([formatAmount(delta.base), formatAmount(delta.counter)]).toEqual([base, counter]);
  });

  test('a fill is proven when both rows add up, in any order', () => {
    for (const order of ['fbc', 'bfc', 'bcf', 'cfb']) {
      const proofs = new TradeProofs(new Exposure([]).funds);
      const steps: Record<string, () => readonly string[]> = {
        f: () => proofs.addFill(fill('a', 'BID')),
        b: () => proofs.addRow(row(true, '1.99')),
        c: () => proofs.addRow(row(false, '-100')),
      };
      const proven = [...order].map((step) => steps[step]?.());
      expect(proven.flat()).toEqual(['a']);
      expect(proven.at(-1)).toEqual(['a']);
      expect(proofs.openCount).toBe(0);
    }
  });

  test('a difference in the last digit proves nothing, and becomes overdue', () => {
    const proofs = new TradeProofs(new Exposure([]).funds);
    proofs.addFill(fill('a', 'BID'));
    proofs.addRow(row(true, '1.990000000000000001'));
    expect(proofs.addRow(row(false, '-100'))).toEqual([]);
    expect(proofs.overdue(62_000, 60_000)).toEqual([]);
    expect(proofs.overdue(62_001, 60_000)).toEqual([expect.stringMatching(/^XBTZAR trade 9: /u)]);
  });

  test('trading with ourselves is proven with both fills and all four rows', () => {
    const proofs = new TradeProofs(new Exposure([]).funds);
    proofs.addFill(fill('bid', 'BID', sums('2', '100', '0.01')));
    proofs.addFill(fill('ask', 'ASK', sums('2', '100', '0', '0.5')));
    proofs.addRow(row(true, '1.99'));
    proofs.addRow(row(false, '-100'));
    proofs.addRow(row(true, '-2'));
    expect(proofs.addRow(row(false, '99.5'))).toEqual(['bid', 'ask']);
  });

  test('finds the oldest trade in the ledger that no fill explains', () => {
    const proofs = new TradeProofs(new Exposure([]).funds);
    expect(proofs.oldestUnexplainedMs('XBTZAR')).toBeUndefined();
    proofs.addFill({ ...fill('a', 'BID'), sequence: '1', tradedMs: 10 });
    expect(proofs.oldestUnexplainedMs('XBTZAR')).toBeUndefined();
    proofs.addRow({ ...row(true, '5'), sequence: '2', tradedMs: 700 });
    proofs.addRow({ ...row(true, '5'), sequence: '3', tradedMs: 500 });
    expect(proofs.oldestUnexplainedMs('XBTZAR')).toBe(500);
    expect(proofs.oldestUnexplainedMs('ETHXBT')).toBeUndefined();
  });
});

describe('an account ledger', () => {
  const move = (change: Partial<LedgerMove>): LedgerMove => ({
    ...{ row: 1, atMs: 5, currency: 'XBT', balance: amountOf('2'), delta: amountOf('2') },
    ...{ available: amountOf('2'), availableDelta: amountOf('2') },
    ...change,
  });
  const second = {
    row: 2,
    ...{ balance: amountOf('1.5'), delta: amountOf('-0.5') },
    ...{ available: amountOf('1.5'), availableDelta: amountOf('-0.5') },
  };

  test('RD15: requests row 1 first, since 0 would mean the newest', () => {
    expect(new AccountLedger('11', 'XBT', undefined).nextRow).toBe(1);
  });

  test('takes rows whose balances continue', () => {
    const ledger = new AccountLedger('11', 'XBT', undefined);
    expect(ledger.take(move({}))).toBeUndefined();
    expect([ledger.nextRow, ledger.balance]).toEqual([2, amountOf('2')]);
    expect(ledger.take(move(second))).toBeUndefined();
    expect([ledger.nextRow, ledger.balance]).toEqual([3, amountOf('1.5')]);
  });

  test('RD21: recognises a balance that it had since a row, and no other', () => {
    const ledger = new AccountLedger('11', 'XBT', undefined);
    ledger.take(move({}));
    const from = ledger.nextRow;
    expect(ledger.hadBalance(amountOf('2'), from)).toBe(true);
    expect(ledger.hadBalance(amountOf('999'), from)).toBe(false);
    ledger.take(move(second));
    expect(ledger.hadBalance(amountOf('2'), from)).toBe(true);
    expect(ledger.hadBalance(amountOf('1.50'), from)).toBe(true);
    expect(ledger.hadBalance(amountOf('999'), from)).toBe(false);
    // Requested after the second row, so the balance before that row is too old.
    expect(ledger.hadBalance(amountOf('2'), from + 1)).toBe(false);
  });

  test.each([
    ['a gap', { ...second, row: 3 }],
    ['a repeat', { ...second, row: 1 }],
    ['a wrong running balance', { ...second, balance: amountOf('1.4') }],
    ['a wrong running available', { ...second, available: amountOf('1.4') }],
    ['another currency', { ...second, currency: 'ETH' }],
  ])('RD18: detects %s and does not take the row', (_name, change) => {
    const ledger = new AccountLedger('11', 'XBT', undefined);
    ledger.take(move({}));
    expect(ledger.take(move(change))).toEqual(expect.any(String));
    expect([ledger.nextRow, ledger.balance]).toEqual([2, amountOf('2')]);
  });
});

describe("the exchange's clock", () => {
  test('is the highest lower bound of its recent stamps, carried on by ours', () => {
    const clock = new ExchangeClock();
    expect(clock.nowMs(5)).toBeUndefined();
    clock.observe(1_000, 2_000);
    clock.observe(1_400, 2_100);
    clock.observe(1_200, 2_200);
    expect([clock.offsetMs, clock.nowMs(3_000)]).toEqual([-700, 2_300]);
  });

  test('K3: is unknown after a step of ours, until a stamp arrives by the new one', () => {
    const clock = new ExchangeClock();
    clock.observe(1_000, 2_000);
    clock.forget();
    expect([clock.offsetMs, clock.nowMs(3_602_000)]).toEqual([undefined, undefined]);
    clock.observe(2_000, 3_603_000);
    expect(clock.nowMs(3_603_500)).toBe(2_500);
  });

  test('forgets an absurd stamp after 64 others', () => {
    const clock = new ExchangeClock();
    clock.observe(9_000_000, 0);
    for (let i = 0; i < 63; i++) clock.observe(i - 10, i);
    expect(clock.offsetMs).toBe(9_000_000);
    clock.observe(90, 100);
    expect(clock.offsetMs).toBe(-10);
  });
});

describe('a client order id', () => {
  const intent = {
    namespace: 'abcdefgh',
    identity: '',
    intentId: 46,
    createdMs: 1_700_000_000_000,
    pair: 'XBTZAR',
    side: 'BID',
    volume: '0.01',
    price: '1000000',
    timeInForce: 'GTC',
    postOnly: true,
  };

  test('is a pure function of the intent, in safe characters, short enough (A29 A30)', () => {
    const id = clientOrderIdOf(intent);
    expect(id).toBe(clientOrderIdOf({ ...intent }));
    expect(id).toMatch(/^b1-abcdefgh-1a-[a-z2-7]{12}$/u);
    expect(clientOrderIdOf({ ...intent, intentId: Number.MAX_SAFE_INTEGER }).length).toBeLessThan(
      65,
    );
  });

  test('S9: names the database that made it, after the number, and nothing of one without identity', () => {
    const identity = createIdentity(createSeededRandom(1));
    expect(identity).toMatch(/^[a-z2-7]{8}$/u);
    expect(createIdentity(createSeededRandom(2))).not.toBe(identity);
    const id = clientOrderIdOf({ ...intent, identity });
    expect(id.startsWith(`b1-abcdefgh-1a-${identity}-`)).toBe(true);
    expect(identityIn(id, 'abcdefgh')).toBe(identity);
    expect(identityIn(clientOrderIdOf(intent), 'abcdefgh')).toBe('');
    expect(clientOrderIdOf(intent)).toBe('b1-abcdefgh-1a-wwc7grvd3mex');
  });

  test.each(
    Object.entries({
      ...intent,
      identity: 'q7d2m4xb',
      postOnly: false,
      createdMs: 1,
      intentId: 47,
      pair: 'ETHXBT',
      side: 'ASK',
      volume: '0.011',
      price: '1000001',
      timeInForce: 'IOC',
      namespace: 'abcdefgi',
    }),
  )('is another one for another %s: a restored number never repeats an id (S9)', (name, value) => {
    expect(clientOrderIdOf({ ...intent, [name]: value })).not.toBe(clientOrderIdOf(intent));
  });
});
