/** The report of a day: its content, the use of each limit, and how it is stored. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { dailyReportLines, dailyReportOf, dayMs } from '../../../src/audit/daily-report.ts';
import { keepReports } from '../../../src/bot/report-files.ts';
import type { StoreRecord } from '../../../src/domain/records.ts';
import { completeLimits } from '../../../src/settings/complete-limits.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { fill, order } from '../store/store-samples.ts';

const startMs = Date.parse('2026-11-20T00:00:00Z');

const limits = completeLimits({
  account: {
    openNotionalMax: { ZAR: '1000' },
    turnoverDayMax: { ZAR: '100000' },
    lossDayMax: { ZAR: '500' },
    ordersOpenMax: 10,
    ordersPerMinuteMax: 60,
  },
  pairs: {
    XBTZAR: { orderBaseMax: '0.01', positionBaseMax: '0.05', collar: '0.05', bookAgeMsMax: 10_000 },
  },
});

function decision(
  atMs: number,
  inputs: object,
  codes: readonly string[] = [],
): Extract<StoreRecord, { kind: 'decision' }> {
  return {
    kind: 'decision',
    atMs,
    strategyId: 'mm',
    pair: 'XBTZAR',
    key: `k${atMs}`,
    intentId: undefined,
    verdict: codes.length === 0 ? 'approved' : 'refused',
    refusals: JSON.stringify(codes.map((code) => ({ code }))),
    inputs: JSON.stringify(inputs),
    limitsHash: 'h',
  };
}

function storeOf(...records: StoreRecord[]): MemoryStore {
  const store = new MemoryStore();
  store.commit(
    [{ kind: 'limits', atMs: 0, hash: 'h', limits: JSON.stringify({ limits }) }, ...records],
    1,
  );
  return store;
}

describe('the report of a day', () => {
  test('counts the decisions of its day, and none of the day before or after', () => {
    const { reports } = storeOf(
      decision(startMs - 1, {}),
      decision(startMs, {}),
      decision(startMs + 5, {}, ['FUNDS', 'POSITION']),
      decision(startMs + 6, {}, ['FUNDS']),
      decision(startMs + dayMs, {}, ['FUNDS']),
      { kind: 'incident', incident: { atMs: startMs + 7, code: 'LEDGER_GAP', text: 'row 3' } },
      { kind: 'incident', incident: { atMs: startMs + dayMs, code: 'LATER', text: '' } },
      order(1),
      fill('7', { intentId: 1, strategyId: 'mm', tradedMs: startMs + 1, base: '0.01' }),
      fill('8', { intentId: 1, strategyId: 'mm', tradedMs: startMs + 2, base: '0.02' }),
      fill('9', { intentId: 1, strategyId: 'mm', tradedMs: startMs - 2, base: '5' }),
    );
    const report = dailyReportOf(reports, startMs);
    expect(report).toMatchObject({
      day: '2026-11-20',
      orders: { approved: 1, refused: 2 },
      refusals: [
        { strategyId: 'mm', code: 'FUNDS', count: 2 },
        { strategyId: 'mm', code: 'POSITION', count: 1 },
      ],
      fills: [{ strategyId: 'mm', pair: 'XBTZAR', count: 2, base: '0.03' }],
    });
    expect(report.incidents.map(({ code }) => code)).toEqual(['LEDGER_GAP']);
    expect(dailyReportLines(report).join('\n')).toContain('incident   00:00:00 LEDGER_GAP: row 3');
  });

  test('has every incident and halt of its day, whatever happened later', () => {
    const later = Array.from({ length: 150 }, (_, index): StoreRecord => {
      const incident = { atMs: startMs + dayMs + index, code: 'LATER', text: '' };
      return { kind: 'incident', incident };
    });
    const enter = (atMs: number, state: 'HALTED' | 'ACTIVE'): StoreRecord => {
      return { kind: 'trading-state', atMs, scope: 'bot', state, reason: 'a test' };
    };
    const { reports } = storeOf(
      { kind: 'incident', incident: { atMs: startMs, code: 'EARLY', text: '' } },
      ...later,
      enter(startMs + 1, 'HALTED'),
      enter(startMs + 2, 'ACTIVE'),
      enter(startMs + dayMs, 'HALTED'),
    );
    const { incidents, states } = dailyReportOf(reports, startMs);
    expect(incidents.map(({ code }) => code)).toEqual(['EARLY']);
    expect(states.map(({ text }) => text)).toEqual([
      'bot is HALTED: a test',
      'bot is ACTIVE: a test',
    ]);
  });

  test('has the highest use of each limit, for both sides of a position', () => {
    const { reports } = storeOf(
      decision(startMs, { open: ['100', '750'], orders: 3, pairPosition: ['-0.04', '0', '0.01'] }),
      decision(startMs + 1, { open: ['100', '200'], orders: 9, lossDay: '-20' }),
      decision(startMs + 2, { open: ['0', '1250'], pairPosition: ['0', '0', '0.02'] }, ['FUNDS']),
    );
    const used = new Map(
      dailyReportOf(reports, startMs).limits.map((use) => [use.limit, use] as const),
    );
    expect(used.get('limits.account.openNotionalMax')).toMatchObject({
      most: '1250',
      allowed: '1000',
      share: 1.25,
      unit: 'ZAR',
    });
    expect(used.get('limits.account.ordersOpenMax')).toMatchObject({ most: '9', share: 0.9 });
    expect(used.get('limits.pairs.XBTZAR.positionBaseMax')).toMatchObject({
      most: '0.04',
      share: 0.8,
      unit: 'XBT',
    });
    // A profit uses nothing of a loss limit.
    expect(used.get('limits.account.lossDayMax')).toMatchObject({ most: '0', share: 0 });
  });
});

describe('the reports of a bot', () => {
  const home = mkdtempSync(join(tmpdir(), 'millrace-reports-'));
  afterAll(() => rmSync(home, { recursive: true }));

  test('are written once, after the end of a day, and the oldest are removed', () => {
    const folder = join(home, 'reports');
    mkdirSync(folder);
    for (let old = 0; old < 400; old++) {
      const day = new Date(Date.parse('2020-01-01T00:00:00Z') + old * dayMs).toISOString();
      writeFileSync(join(folder, `desk-${day.slice(0, 10)}.json`), '{}');
    }
    writeFileSync(join(folder, 'other-2019-01-01.json'), '{}');
    const time = new ManualTime();
    time.nowMicros = (startMs + dayMs - 1) * 1000;
    const told: string[] = [];
    const { reports } = storeOf(decision(startMs, {}));
    const { clock, timers } = time;
    keepReports({
      ...{ home, bot: 'desk', reports, clock, timers },
      onWritten: (path) => told.push(path),
      onProblem: (text) => told.push(text),
    });
    time.fire();
    expect(told).toEqual([]);
    time.nowMicros = (startMs + dayMs + 6 * 60_000) * 1000;
    time.fire();
    time.fire();
    expect(told).toEqual([join(folder, 'desk-2026-11-20.json')]);
    const [path = ''] = told;
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      bot: 'desk',
      orders: { approved: 1, refused: 0 },
    });
    const names = readdirSync(folder);
    expect(names).toHaveLength(401);
    expect(names).not.toContain('desk-2020-01-01.json');
    expect(names).toContain('other-2019-01-01.json');
  });

  test('are written later if no bot ran at the end of a day', () => {
    const late = mkdtempSync(join(home, 'late-'));
    const time = new ManualTime();
    time.nowMicros = (startMs + dayMs + 3_600_000) * 1000;
    const told: string[] = [];
    const { reports } = storeOf(decision(startMs, {}));
    const { clock, timers } = time;
    const options = { home: late, bot: 'desk', reports, clock, timers };
    const onWritten = (path: string) => void told.push(path);
    const begin = () => keepReports({ ...options, onWritten, onProblem: onWritten });
    const run = (): void => {
      const cancel = begin();
      time.fire();
      time.fire();
      cancel();
    };
    run();
    expect(told).toEqual([join(late, 'reports', 'desk-2026-11-20.json')]);
    // The next run does not write it again, nor a report of a day without decisions.
    run();
    time.nowMicros += 5 * dayMs * 1000;
    run();
    expect(told).toHaveLength(1);
  });

  test('that cannot be written give a notice, and the bot goes on', () => {
    const time = new ManualTime();
    time.nowMicros = startMs * 1000;
    const told: string[] = [];
    const blocked = join(home, 'file');
    writeFileSync(blocked, '');
    const { clock, timers } = time;
    keepReports({
      ...{ home: blocked, bot: 'desk', reports: storeOf().reports, clock, timers },
      onWritten: (path) => told.push(path),
      onProblem: (text) => told.push(text),
    });
    time.nowMicros += 2 * dayMs * 1000;
    time.fire();
    expect(told).toEqual([expect.stringContaining('the report of 2026-11-20 cannot be written: ')]);
  });
});
