/** What the status shows of the past, from the store and the records of commits. */
import { expect, test } from 'vitest';
import { RunHistory } from '../../../../src/bot/status/run-history.ts';
import {
  type BalanceState,
  recentFillsMax,
  recentNoticesMax,
} from '../../../../src/domain/bot-status.ts';
import type { FillRow, LedgerRow, StoreRecord } from '../../../../src/domain/records.ts';
import { market } from '../../risk/open-gate.ts';
import { evidence, fill, fillRow, ledger, noonMs, order, refused } from './history-records.ts';

function historyOf(stored: { fills?: FillRow[]; ledger?: LedgerRow[] } = {}) {
  const seen: FillRow[] = [];
  const history = new RunHistory(
    new Map([[market.pair, market]]),
    { recentFills: () => stored.fills ?? [], ledgerLatest: () => stored.ledger ?? [] },
    (row) => seen.push(row),
  );
  const take = (...records: StoreRecord[]): void => {
    history.noteCommitted(records);
    history.catchUp();
  };
  return { history, take, seen };
}

test('the newest fills come first, those of the store before those of the run', () => {
  const { history, take, seen } = historyOf({ fills: [fillRow('1', { tradedMs: noonMs })] });
  take(fill('2', { tradedMs: noonMs + 2, feeBase: '0.1', feeCounter: '0.00' }));
  take(fill('3', { tradedMs: noonMs + 1, feeBase: '0.00', feeCounter: '5', side: 'ASK' }));
  expect(history.fills).toMatchObject([
    { tradedMs: noonMs + 2, fee: '0.1', feeCurrency: 'XBT' },
    { tradedMs: noonMs + 1, fee: '5', feeCurrency: 'ZAR', side: 'ASK' },
    { tradedMs: noonMs },
  ]);
  expect(seen.map(({ sequence }) => sequence)).toEqual(['2', '3']);
  for (let more = 0; more < 50; more++) take(fill(`${more + 10}`));
  expect(history.fills).toHaveLength(recentFillsMax);
});

test('refusals of the gate are counted by strategy and code, with the newest as a sentence', () => {
  const { history, take } = historyOf();
  take(refused('mm', ['POSITION'], noonMs), refused('other', ['POSITION'], noonMs));
  take(refused('mm', ['POSITION', 'BUDGET'], noonMs + 5));
  expect(history.refusals).toMatchObject([
    { strategyId: 'mm', code: 'POSITION', by: 'gate', count: 2, lastMs: noonMs + 5 },
    { strategyId: 'mm', code: 'BUDGET', count: 1 },
    { strategyId: 'other', code: 'POSITION', count: 1 },
  ]);
  expect(history.refusals[0]?.text).toMatch(/^POSITION: the worst-case position .* is 2 XBT/u);
});

test('rejections of the exchange are counted with its text, and belong to the strategy', () => {
  const { history, take } = historyOf();
  const text = 'refused: ErrInsufficientBalance';
  take(order(1, { state: 'rejected', strategyId: 'mm' }), evidence(1, 'rejected', text));
  take(order(2, { state: 'open' }), evidence(2, 'open', 'its answer'));
  expect(history.refusals).toMatchObject([
    { strategyId: 'mm', code: text, by: 'exchange', count: 1, text },
  ]);
});

test('texts with a number in each do not fill the memory', () => {
  const { history, take } = historyOf();
  for (let one = 0; one < 500; one++)
    take(order(one, { state: 'rejected' }), evidence(one, 'rejected', `no ${one}`));
  expect(history.refusals.length).toBeLessThan(110);
  expect(history.refusals[0]).toMatchObject({ code: 'other', count: 400 });
});

test('the newest ledger row of each account is its balance', () => {
  const { history, take } = historyOf();
  take(ledger(4, { currency: 'XBT', balance: '2', available: '1.5' }));
  take(ledger(3, { currency: 'XBT', balance: '9', available: '9' }));
  const expected: readonly BalanceState[] = [{ currency: 'XBT', balance: '2', available: '1.5' }];
  expect(history.balances).toEqual(expected);
});

test('the newest notices come first, and no more than the status has', () => {
  const { history } = historyOf();
  for (let one = 0; one < 150; one++)
    history.noteNotice({ level: 'info', topic: 'print', text: `${one}` }, noonMs + one);
  expect(history.notices).toHaveLength(recentNoticesMax);
  expect(history.notices[0]).toEqual({
    ...{ level: 'info', topic: 'print', text: '149', atMs: noonMs + 149 },
  });
});
