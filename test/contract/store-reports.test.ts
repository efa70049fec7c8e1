/** The queries for status, reports and explanations, in both stores. */
import { describe, expect, test } from 'vitest';
import type { LedgerRow, StoreRecord } from '../../src/domain/records.ts';
import { fill, fillRow, ledger, order, orderRow } from '../unit/store/store-samples.ts';
import { storeWith, subjects } from './store-subjects.ts';

const judged = { inputs: '{"mid2":2000000}', limitsHash: 'c0ffee' };

describe.each(Object.entries(subjects))('%s', (_name, subject) => {
  test('an idle reason is stored when it changes, not when it is repeated', () => {
    const idle = (pair: string, reason: string, atMs: number): StoreRecord => ({
      kind: 'idle',
      strategyId: 'mm',
      pair,
      reason,
      atMs,
    });
    const store = storeWith(subject, [
      idle('XBTZAR', 'spread', 1),
      idle('XBTZAR', 'spread', 2),
      idle('ETHZAR', 'spread', 3),
      idle('XBTZAR', 'book', 4),
      idle('XBTZAR', 'book', 5),
    ]);
    expect(store.reports.idleReasons()).toEqual([
      { strategyId: 'mm', pair: 'ETHZAR', reason: 'spread', atMs: 3 },
      { strategyId: 'mm', pair: 'XBTZAR', reason: 'book', atMs: 4 },
    ]);
  });

  test('prices over time are those of a pair and a span, oldest first', () => {
    const sample = (pair: string, atMs: number): StoreRecord => ({
      ...{ kind: 'market-sample', pair, atMs, bid: '100.5', ask: `10${atMs}` },
    });
    const store = storeWith(subject, [
      sample('XBTZAR', 1),
      sample('ETHZAR', 2),
      sample('XBTZAR', 3),
      sample('XBTZAR', 5),
    ]);
    expect([...store.reports.marketSamples('XBTZAR', 1, 5)]).toEqual([
      { pair: 'XBTZAR', atMs: 1, bid: '100.5', ask: '101' },
      { pair: 'XBTZAR', atMs: 3, bid: '100.5', ask: '103' },
    ]);
  });

  test('the mids around fills become known one after the other, and add up', () => {
    const later = { mid1s: undefined, mid10s: undefined, mid60s: undefined, mid300s: undefined };
    const mids = (sequence: string, spread: string | undefined, mid1s?: string): StoreRecord => {
      const key = { pair: 'XBTZAR', sequence, orderId: 'BX1', strategyId: 'mm' };
      return { kind: 'fill-mids', row: { ...key, ...later, mid: '999', spread, mid1s } };
    };
    const store = storeWith(
      subject,
      [order(1), fill('5'), fill('6', { tradedMs: fillRow('6').tradedMs + 1 }), fill('7')],
      [mids('5', '0.125'), mids('6', '-1'), mids('7', undefined)],
      [mids('5', '0.125', '998.5')],
    );
    const { tradedMs } = fillRow('5');
    const found = [...store.reports.fillsWithMids('XBTZAR', tradedMs, tradedMs + 1)];
    expect(found).toEqual([
      { ...fillRow('5'), ...later, mid: '999', spread: '0.125', mid1s: '998.5' },
      { ...fillRow('7'), ...later, mid: '999', spread: undefined },
    ]);
    expect(store.reports.fillSpreads()).toEqual([
      { strategyId: 'mm', pair: 'XBTZAR', fills: 2, spread: '-0.875' },
    ]);
  });

  test('commands of operators are returned newest first, page by page', () => {
    const command = (reason: string, scope?: string): StoreRecord => ({
      ...{ kind: 'operator-command', atMs: 9, askedBy: 'page ana', command: 'halt', scope, reason },
      ...{ outcome: 'done', text: 'halted' },
    });
    const store = storeWith(subject, [command('a', 'bot'), command('b'), command('c')]);
    const pageOf = (countMax: number, beforeId?: number) =>
      store.reports.operatorCommands(countMax, beforeId).map(({ id, reason }) => [id, reason]);
    expect(pageOf(2)).toEqual([
      [3, 'c'],
      [2, 'b'],
    ]);
    expect(pageOf(9, 2)).toEqual([[1, 'a']]);
    expect(store.reports.operatorCommands(1, 2)).toEqual([
      {
        ...{ id: 1, atMs: 9, askedBy: 'page ana', command: 'halt', scope: 'bot', reason: 'a' },
        ...{ outcome: 'done', text: 'halted' },
      },
    ]);
  });

  test('the newest quotes are returned oldest first, up to the requested number', () => {
    const store = storeWith(
      subject,
      [1, 2, 3, 4, 5].map((id) => order(id, id === 3 ? {} : { level: 'near' })),
    );
    const recent = (countMax: number) =>
      store.reports.recentQuotes(countMax).map(({ intentId }) => intentId);
    expect(recent(2)).toEqual([4, 5]);
    expect(recent(3)).toEqual([2, 4, 5]);
    expect(recent(9)).toEqual([1, 2, 4, 5]);
  });

  test('the history of an order has all its records, in order', () => {
    const attempt = {
      kind: 'attempt',
      intentId: 1,
      number: 1,
      atMs: 2,
      timestampMs: 2,
      ttlMs: 9,
    } as const;
    const outcome = { intentId: 1, number: 1, atMs: 3, outcome: 'unknown', detail: 'timeout' };
    const decision = { atMs: 1, strategyId: 'mm', pair: 'XBTZAR', key: 'k1', intentId: 1 } as const;
    const evidence = (state: 'sending' | 'unknown') =>
      ({ kind: 'evidence', intentId: 1, atMs: 2, state, proof: 'seen' }) as const;
    // Within a batch, a record may come before the record that it refers to.
    const store = storeWith(subject, [
      evidence('sending'),
      { kind: 'outcome', ...outcome },
      attempt,
      { kind: 'decision', ...decision, verdict: 'approved', refusals: '[]', ...judged },
      evidence('unknown'),
      fill('5'),
      order(1),
      order(2),
    ]);
    const history = store.reports.historyOf(1);
    expect(history?.order).toEqual(orderRow(1));
    expect(history?.evidence.map((row) => row.state)).toEqual(['sending', 'unknown']);
    expect(history?.attempts).toEqual([
      { intentId: 1, number: 1, atMs: 2, timestampMs: 2, ttlMs: 9 },
    ]);
    expect(history?.outcomes).toEqual([outcome]);
    expect(history?.decisions).toEqual([
      { ...decision, verdict: 'approved', refusals: '[]', ...judged },
    ]);
    expect(history?.fills).toEqual([{ ...fillRow('5'), witnesses: [] }]);
    expect(store.reports.historyOf(3)).toBeUndefined();
  });

  test('flows without a trade, and flows of trades on other pairs', () => {
    const row = (rowIndex: number, balanceDelta: string, pair?: string): StoreRecord =>
      ledger(rowIndex, { balanceDelta, ...(pair && { pair, sequence: String(rowIndex) }) });
    const { reports } = storeWith(subject, [
      row(1, '5'),
      row(2, '-0.25', 'XBTZAR'),
      row(3, '-0.5', 'ETHXBT'),
    ]);
    const sums = (pairs?: readonly string[]) => reports.otherFlows(pairs).map(({ sum }) => sum);
    expect(sums()).toEqual(['5']);
    expect(sums(['XBTZAR', 'ETHXBT'])).toEqual(['5']);
    expect(sums(['XBTZAR'])).toEqual(['4.5']);
  });

  test('a day is found among many decisions, also if the clock was set back', () => {
    const dayMs = 86_400_000;
    const refuse = (atMs: number): StoreRecord => ({
      kind: 'decision',
      atMs,
      strategyId: 'mm',
      pair: 'XBTZAR',
      key: `r${atMs}`,
      intentId: undefined,
      verdict: 'refused',
      refusals: '[]',
      ...judged,
    });
    const times = Array.from({ length: 400 }, (_, index) => (index + 1) * (dayMs / 10));
    // In the middle, the clock is set back by three hours.
    const shifted = times.map((ms, index) => (index < 205 ? ms : ms - dayMs / 8));
    const { reports } = storeWith(subject, shifted.map(refuse));
    for (const day of [0, 1, 20, 21, 39, 41]) {
      const [fromMs, toMs] = [day * dayMs, (day + 1) * dayMs];
      const found = [...reports.decisionsBetween(fromMs, toMs)].map(({ atMs }) => atMs);
      expect(found, `day ${day}`).toEqual(shifted.filter((ms) => ms >= fromMs && ms < toMs));
    }
  });

  test('status figures: orders by state, fills, incidents, refusals', () => {
    const refuse = (atMs: number, ...codes: string[]): StoreRecord => ({
      kind: 'decision',
      atMs,
      strategyId: 'mm',
      pair: 'XBTZAR',
      key: `r${atMs}`,
      intentId: undefined,
      verdict: 'refused',
      refusals: JSON.stringify(codes.map((code) => ({ code, observed: '2', limit: '1' }))),
      ...judged,
    });
    const incident = (code: string, atMs: number): StoreRecord => ({
      kind: 'incident',
      incident: { atMs, code, text: `${code} at ${atMs}` },
    });
    const { reports } = storeWith(subject, [
      order(1),
      order(2),
      order(3, { state: 'filled' }),
      fill('1', { tradedMs: 100 }),
      fill('2', { tradedMs: 200 }),
      refuse(10, 'COLLAR'),
      refuse(20, 'COLLAR', 'BOOK_STALE'),
      refuse(30, 'COLLAR'),
      incident('LEDGER_GAP', 1),
      incident('STORE_SLOW', 2),
      incident('LEDGER_GAP', 3),
    ]);
    expect(reports.orderCounts()).toEqual({ open: 2, filled: 1 });
    expect(reports.orders().map((row) => row.intentId)).toEqual([1, 2, 3]);
    expect(reports.recentOrders(2).map((row) => row.intentId)).toEqual([2, 3]);
    const { strategyId, pair, createdMs } = orderRow(3);
    expect(reports.lastPlaced()).toEqual([{ strategyId, pair, atMs: createdMs }]);
    expect(reports.fillCount()).toBe(2);
    expect(reports.fills(200).map((row) => row.sequence)).toEqual(['2']);
    expect(reports.recentFills('XBTZAR', 1).map((row) => row.sequence)).toEqual(['2']);
    expect(reports.recentFills('XBTZAR', 5).map((row) => row.sequence)).toEqual(['1', '2']);
    expect(reports.recentFills('ETHZAR', 5)).toEqual([]);
    expect(reports.refusalCounts(20)).toEqual([
      { strategyId: 'mm', code: 'COLLAR', count: 2, lastMs: 30 },
      { strategyId: 'mm', code: 'BOOK_STALE', count: 1, lastMs: 20 },
    ]);
    expect(reports.incidents(2).map((row) => row.atMs)).toEqual([3, 2]);
    expect(reports.incidentCounts()).toEqual([
      { code: 'LEDGER_GAP', count: 2 },
      { code: 'STORE_SLOW', count: 1 },
    ]);
  });

  test('ledger rows are sorted by account and number, and found by their trade', () => {
    // Two sequences that are equal as JavaScript numbers.
    const trade = { pair: 'XBTZAR', sequence: '9007199254740993' };
    const neighbour = { pair: 'XBTZAR', sequence: '9007199254740992' };
    const { reports } = storeWith(subject, [
      ledger(10, { accountId: '13', ...trade }),
      ledger(9, { accountId: '13', ...neighbour }),
      ledger(2, { ...trade }),
      ledger(1),
      ledger(3, { ...trade, pair: 'ETHZAR' }),
    ]);
    const keysOf = (rows: readonly LedgerRow[]) =>
      rows.map(({ accountId, rowIndex }) => `${accountId}/${rowIndex}`);
    expect(keysOf(reports.ledger())).toEqual(['11/1', '11/2', '11/3', '13/9', '13/10']);
    expect(keysOf(reports.ledgerOfTrade(trade))).toEqual(['11/2', '13/10']);
    expect(keysOf(reports.ledgerOfTrade(neighbour))).toEqual(['13/9']);
  });

  test('refused decisions are returned newest first, up to the requested number', () => {
    const decide = (atMs: number, verdict: 'approved' | 'refused'): StoreRecord => ({
      kind: 'decision',
      atMs,
      strategyId: 'mm',
      pair: 'XBTZAR',
      key: `at${atMs}`,
      intentId: undefined,
      verdict,
      refusals: '[]',
      ...judged,
    });
    const { reports } = storeWith(subject, [
      decide(1, 'refused'),
      decide(2, 'refused'),
      decide(3, 'approved'),
      decide(4, 'refused'),
    ]);
    const keysSince = (sinceMs: number, countMax: number) =>
      reports.refused(sinceMs, countMax).map(({ key }) => key);
    expect(keysSince(0, 9)).toEqual(['at4', 'at2', 'at1']);
    expect(keysSince(2, 9)).toEqual(['at4', 'at2']);
    expect(keysSince(0, 1)).toEqual(['at4']);
    const between = [...reports.decisionsBetween(2, 4)].map(({ key }) => key);
    expect(between).toEqual(['at2', 'at3']);
  });

  test('a version of the limits is found by its hash', () => {
    const limits = { kind: 'limits', atMs: 1, hash: 'a', limits: '{"limits":{}}' } as const;
    const { reports } = storeWith(subject, [limits]);
    expect(reports.limitsVersion('a')).toBe('{"limits":{}}');
    expect(reports.limitsVersion('b')).toBeUndefined();
  });
});
