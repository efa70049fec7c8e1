/** The story of an order, and why a bot does not trade, from small stores of both kinds. */

import { describe, expect, test } from 'vitest';
import { orderStoryOf, storyLines } from '../../../src/audit/order-story.ts';
import { idleAnswerOf, idleLines } from '../../../src/cli/commands/why-command.ts';
import type { StoreRecord } from '../../../src/domain/records.ts';
import { storeWith, subjects } from '../../contract/store-subjects.ts';
import { workspace } from '../../support/package-root.ts';
import { fill, ledger, noonMs, order, proof } from '../store/store-samples.ts';

const place = { config: '/etc/b.yaml', home: '/h', workspace };
const runState = 'running';
const resume = (only: string): string =>
  `npm run --silent millrace -- resume /etc/b.yaml${only} --reason 'resumed by hand' --home /h`;

const trade = { pair: 'XBTZAR', sequence: '9007199254740993' };

/** An order that got no answer to its first request, was accepted at the second, and filled. */
const records: StoreRecord[] = [
  order(1, { state: 'filled', base: '0.001', counter: '1000', cancelRequestedMs: noonMs + 50 }),
  {
    kind: 'decision',
    atMs: noonMs,
    strategyId: 'mm',
    pair: 'XBTZAR',
    key: 'k1',
    intentId: 1,
    verdict: 'approved',
    refusals: '[]',
    inputs: JSON.stringify({
      states: ['ACTIVE', 'ACTIVE', null],
      ...{ reconciled: true, skewMs: -3, loopDelayMs: 0, unknown: [0, 1], ageMs: 0 },
      ...{ status: 'ACTIVE', book: 120, mid2: 2000001, median: 1000100, medianAgeMs: 2_500 },
      ...{ strayed: '12.5', strayedWithinMs: 300_000, facing: 1002000 },
      position: ['0.005', '0.01', '0.02'],
      pairPosition: ['0.01', '0.01', '0.01'],
      flowBase: ['0.005', '0.01', '0.02'],
      flowCounter: ['-20000', '-10000', '-5000'],
      ...{ free: '9000', open: ['10000', '20000'], turnoverDay: '10000', orders: 2 },
      ...{ rate: [1, 12, 0, 5], lossDay: '-0.5', drawdown: '3', losses: 0 },
    }),
    limitsHash: 'c0ffee',
  },
  { kind: 'evidence', intentId: 1, atMs: noonMs, state: 'waiting', proof: 'approved' },
  { kind: 'attempt', intentId: 1, number: 1, atMs: noonMs, timestampMs: noonMs - 5, ttlMs: 2000 },
  { kind: 'evidence', intentId: 1, atMs: noonMs, state: 'sending', proof: 'attempt 1' },
  {
    kind: 'outcome',
    intentId: 1,
    number: 1,
    atMs: noonMs + 30,
    outcome: 'unknown',
    detail: 'timeout',
  },
  { kind: 'evidence', intentId: 1, atMs: noonMs + 30, state: 'unknown', proof: 'no answer' },
  { kind: 'evidence', intentId: 1, atMs: noonMs + 30, state: 'sending', proof: 'attempt 2' },
  {
    kind: 'attempt',
    intentId: 1,
    number: 2,
    atMs: noonMs + 30,
    timestampMs: noonMs + 25,
    ttlMs: 2000,
  },
  {
    kind: 'outcome',
    intentId: 1,
    number: 2,
    atMs: noonMs + 40,
    outcome: 'accepted',
    detail: 'BX1',
  },
  { kind: 'evidence', intentId: 1, atMs: noonMs + 40, state: 'open', proof: 'order BX1' },
  fill(trade.sequence, { tradedMs: noonMs + 45 }),
  { kind: 'witness', ...trade, orderId: 'BX1', witness: 'list-of-trades' },
  proof(trade.sequence),
  ledger(1, { ...trade, timestampMs: noonMs + 45, balanceDelta: '0.000999' }),
  ledger(2, { pair: 'XBTZAR', sequence: '9007199254740992', timestampMs: noonMs + 45 }),
  { kind: 'evidence', intentId: 1, atMs: noonMs + 60, state: 'filled', proof: 'fills add up' },
  order(2),
];

describe.each(Object.entries(subjects))('%s', (_name, subject) => {
  test('the events of an order are in order of time, a cause before its effects', () => {
    const { reports } = storeWith(subject, records);
    const story = orderStoryOf(reports, 1);
    expect(story?.timeline.map(({ kind, text }) => `${kind} ${text.split(/[:,]/u)[0]}`)).toEqual([
      'intent mm asks for BID 0.01000000 XBTZAR at 1000000',
      'decision the gate approved it',
      'state waiting',
      'attempt attempt 1 sent',
      'state sending',
      'outcome attempt 1',
      'state unknown',
      'attempt attempt 2 sent',
      'state sending',
      'outcome attempt 2',
      'state open',
      `fill trade ${trade.sequence}`,
      'ledger row 1 of account 11',
      'cancel cancel requested',
      'state filled',
    ]);
  });

  test('the story has the fills, fees, witnesses and exactly the ledger rows of its trades', () => {
    const { reports } = storeWith(subject, records);
    const story = orderStoryOf(reports, 1);
    expect(story?.sums).toEqual({
      base: '0.001',
      counter: '1000',
      feeBase: '0.000001',
      feeCounter: '0',
    });
    expect(story?.fills.map(({ witnesses }) => witnesses)).toEqual([['list-of-trades', 'ledger']]);
    // The other row's sequence is one less; as JavaScript numbers they would be equal.
    expect(story?.ledger.map(({ rowIndex }) => rowIndex)).toEqual([1]);
    const text = storyLines(story as NonNullable<typeof story>).join('\n');
    expect(text).toContain('timestamp 2026-03-03T11:59:59.995Z, ttl 2000 ms');
    expect(text).toContain('fees 0.00000100 and 0, reported by list-of-trades, ledger');
    expect(text).toContain('XBT 0.000999, balance 1.5');
  });

  test('the values that the gate judged by are lines with units, without JSON', () => {
    const { reports } = storeWith(subject, [
      ...records,
      ledger(3, { accountId: '13', currency: 'ZAR' }),
    ]);
    const story = orderStoryOf(reports, 1);
    const lines = storyLines(story as NonNullable<typeof story>);
    const at = lines.findIndex((line) => line.includes(' decision '));
    expect(lines[at]).toMatch(/decision the gate approved it, limits c0ffee$/u);
    expect(lines.slice(at + 1, at + 11)).toEqual([
      '    states      bot ACTIVE, strategy ACTIVE, XBTZAR not known',
      '    market      ACTIVE, the book is 120ms old, mid 1000000.5 ZAR, median of trades 1000100 ZAR (the newest 2.5s ago), own best ASK 1002000 ZAR',
      '    exchange    reconciled, our clock is 3ms behind, events waited 0ms, the order waited 0ms, orders with an unknown outcome: 0 on XBTZAR, 1 in all',
      '    position    0.01 XBT (0.005 to 0.02 with the open orders)',
      '    of all      0.01 XBT',
      '    gained      0.01 XBT (0.005 to 0.02 with the open orders), -10000 ZAR (-20000 to -5000 with the open orders)',
      '    available   9000 ZAR',
      '    open orders 2 in all, worth 10000 ZAR of the strategy, 20000 ZAR in all, approved within 5m away from the mid by 12.5 ZAR',
      '    new orders  in a second 1 (of the strategy 0), in a minute 12 (5)',
      '    today       turnover 10000 ZAR, gain 0.5 ZAR, drawdown since the highest profit 3 ZAR, losing trades in a row: 0',
    ]);
    expect(lines.join('')).not.toContain('{');
  });

  test('a story says that explanations are missing, as a kill may lose the last ones', () => {
    const missing = 'Some of what explains this order is missing.';
    const said = (intentId: number, stored: StoreRecord[]): boolean => {
      const story = orderStoryOf(storeWith(subject, stored).reports, intentId);
      return storyLines(story as NonNullable<typeof story>)
        .join('\n')
        .includes(missing);
    };
    expect(said(1, records)).toBe(false);
    const lost = (kind: string, state?: string): StoreRecord[] =>
      records.filter((one) => one.kind !== kind || ('state' in one && one.state !== state));
    expect(said(1, lost('decision'))).toBe(true);
    expect(said(1, lost('evidence', 'filled'))).toBe(true);
    // A later run may find the order and prove its state, but not how the request ended.
    expect(said(1, lost('outcome'))).toBe(true);
    const sending = [order(1, { state: 'sending' }), ...records.slice(1, 9)];
    expect(said(1, sending)).toBe(false);
  });

  test('an intent that is not in the store has no story', () => {
    expect(orderStoryOf(storeWith(subject, records).reports, 3)).toBeUndefined();
  });

  test('why nothing is traded: halts, refusals with their figures, and idle reasons', () => {
    const refusal = { code: 'COLLAR', observed: '0.031', limit: '0.02', unit: 'of the mid' };
    const refuse = (atMs: number, reason = refusal): StoreRecord => ({
      kind: 'decision',
      atMs,
      strategyId: 'mm',
      pair: 'XBTZAR',
      key: `k${atMs}`,
      intentId: undefined,
      verdict: 'refused',
      refusals: JSON.stringify([reason]),
      inputs: '{}',
      limitsHash: 'c0ffee',
    });
    const idle = (pair: string, atMs: number): StoreRecord => ({
      kind: 'idle',
      strategyId: 'mm',
      pair,
      atMs,
      reason: `no prices of ${pair}`,
    });
    const { reports } = storeWith(subject, [
      order(1),
      refuse(noonMs - 10),
      refuse(noonMs + 10),
      refuse(noonMs + 20),
      idle('XBTZAR', noonMs - 1),
      idle('ETHZAR', noonMs + 1),
      { kind: 'trading-state', atMs: 5, scope: 'bot', state: 'HALTED', reason: 'a test' },
      { kind: 'trading-state', atMs: 6, scope: 'pair:XBTZAR', state: 'HALTED', reason: 'was' },
      { kind: 'trading-state', atMs: 7, scope: 'pair:XBTZAR', state: 'ACTIVE', reason: 'is not' },
      {
        kind: 'trading-state',
        atMs: 8,
        scope: 'strategy:mm',
        state: 'REDUCING',
        reason: 'was long',
      },
    ]);
    const answer = idleAnswerOf(reports, noonMs, noonMs + 3_600_000);
    expect(answer.refusals).toEqual([
      { strategyId: 'mm', code: 'COLLAR', count: 2, lastMs: noonMs + 20 },
    ]);
    expect(answer.lastRefused.map(({ atMs }) => atMs)).toEqual([noonMs + 20, noonMs + 10]);
    // The order was placed after the first reason and before the second.
    expect(answer.idle.map(({ pair, isOver }) => [pair, isOver])).toEqual([
      ['ETHZAR', false],
      ['XBTZAR', true],
    ]);
    expect(answer.blocking).toBe('bot is HALTED: a test');
    expect(answer.refusalsOverTime).toEqual({
      hour: { COLLAR: 2 },
      day: { COLLAR: 3 },
      ever: { COLLAR: 3 },
    });
    expect(idleLines({ ...answer, runState, isRunning: false, waits: [] }, place)[0]).toBe(
      'now        bot is HALTED: a test',
    );
    const lines = idleLines({ ...answer, runState, isRunning: false, waits: [] }, place).filter(
      (line) => !/^(?:run|now|counts) /u.test(line),
    );
    expect(lines.join()).not.toContain('millrace -- approve');
    const unit = 'ZAR without approval 0123456789abcdef';
    const asking = refuse(1, { code: 'APPROVAL', observed: '2', limit: '1', unit });
    const asked = idleAnswerOf(storeWith(subject, [asking]).reports, 0, 2);
    expect(idleLines({ ...asked, runState, isRunning: false, waits: [] }, place).join()).toContain(
      'millrace -- approve /etc/b.yaml 0123456789abcdef --reason ',
    );
    expect(lines.slice(0, 4)).toEqual([
      `state      bot has been HALTED since 1970-01-01T00:00:00.005Z: a test; to resume it: ${resume('')}`,
      `state      strategy:mm has been REDUCING since 1970-01-01T00:00:00.008Z: was long; to resume it: ${resume(' --strategy mm')}`,
      'refusals   2 times COLLAR, mm, last 2026-03-03T12:00:00.020Z',
      `  2026-03-03T12:00:00.020Z mm XBTZAR k${noonMs + 20}: the gate refused it: ` +
        'COLLAR: the observed value is 0.031 of the mid, but the limit is 0.02 of the mid',
    ]);
  });
});
