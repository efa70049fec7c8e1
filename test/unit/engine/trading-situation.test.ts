/** Why a strategy does not trade: one cause at a time, by precedence, with what ends it. */
import { expect, test } from 'vitest';
import { type TradingBlockKind, tradingBlockKinds } from '../../../src/domain/trading-block.ts';
import { blockOf, type TradingSituation } from '../../../src/engine/trading/trading-situation.ts';

const nowMs = 1_000_000;
const trades: TradingSituation = {
  ...{ pair: 'XBTZAR', nowMs, stopping: undefined, ended: undefined, missing: undefined },
  ...{ closed: [], standstillMs: undefined, throttledUntilMs: 0, clockSkewMs: undefined },
  ...{ book: undefined, unreconciled: undefined, status: 'ACTIVE', isPostOnly: true },
  ...{
    feed: undefined,
    unknown: [],
    waiting: [],
    coolUntilMs: 0,
    refused: [],
    rejected: [],
    only: undefined,
    idle: undefined,
  },
  ...{ wantsOrders: true, askedMs: nowMs - 60_000, hasAsked: true },
};
const refused = { what: 'ask', codes: ['ORDER_SIZE'], text: 'ORDER_SIZE (2, allowed 1 XBT)' };
const closed = { scope: 'bot', reason: 'news', atMs: 5 };

const causes: Readonly<Record<TradingBlockKind, Partial<TradingSituation>>> = {
  stopping: { stopping: 'SIGINT' },
  'strategy-ended': { ended: 'threw: a mistake' },
  halted: { closed: [{ ...closed, state: 'HALTED' }] },
  standstill: { standstillMs: 12_000 },
  throttled: { throttledUntilMs: nowMs + 1 },
  clock: { clockSkewMs: -3_000 },
  'not-started': { missing: ['a trade on XBTZAR within the last 1m'] },
  book: { book: 'its stream is silent' },
  'not-reconciled': { unreconciled: 'the ledger cannot be read' },
  'market-closed': { status: 'DISABLED' },
  'unknown-order': { unknown: ['BID 0.01 at 1000000'] },
  'call-limit': { waiting: ['BID 0.01 at 1000000'] },
  'cool-down': { coolUntilMs: nowMs + 1 },
  approval: { refused: [{ ...refused, token: '0123456789abcdef' }] },
  reducing: { closed: [{ ...closed, state: 'REDUCING' }] },
  refused: { refused: [refused] },
  rejected: { rejected: ['bid'] },
  feed: { feed: 'feed reference is stale: no value for 30s: HTTP 500', wantsOrders: false },
  idle: { idle: 'the spread is too small', wantsOrders: false },
  'no-request': { wantsOrders: false, hasAsked: false },
};

test('a strategy that wants orders and may place them is not blocked', () => {
  expect(blockOf(trades)).toBeUndefined();
  for (const status of ['POST_ONLY', 'SUSPENDED'] as const) {
    expect(blockOf({ ...trades, status })).toBeUndefined();
    expect(blockOf({ ...trades, status, isPostOnly: false })?.kind).toBe('market-closed');
  }
  expect(blockOf({ ...trades, wantsOrders: false, askedMs: nowMs - 9_999 })).toBeUndefined();
});

test('what a strategy says while it has orders is not why it does not trade', () => {
  expect(blockOf({ ...trades, idle: 'keeps the grid' })).toBeUndefined();
});

test.each(tradingBlockKinds)('%s is named, with its reason and what ends it', (kind) => {
  const block = blockOf({ ...trades, ...causes[kind] });
  expect(block?.kind).toBe(kind);
  for (const value of Object.values(causes[kind]).flat())
    if (typeof value === 'string') expect(block?.reason).toContain(value);
  expect(block?.ends).toMatch(/^(?:by itself,|when|with) /u);
});

test.each(tradingBlockKinds.slice(1).map((kind, at) => [tradingBlockKinds[at], kind] as const))(
  '%s comes before %s',
  (first, second) => {
    // Where both causes are entries of one list, the first one replaces the second.
    const [a, b] = [causes[first as TradingBlockKind], causes[second]];
    const both = { ...trades, ...b, ...a };
    expect(blockOf(both)?.kind).toBe(first);
  },
);

test('a refusal and a rejection say which orders they keep away, other causes keep all away', () => {
  const kept = tradingBlockKinds.filter(
    (kind) => blockOf({ ...trades, ...causes[kind], only: 'ASK' })?.only === 'ASK',
  );
  expect(kept).toEqual(['approval', 'refused', 'rejected']);
});

test('a halt and a missing approval name the command that ends them', () => {
  const remedyOf = (kind: TradingBlockKind) => blockOf({ ...trades, ...causes[kind] })?.remedy;
  expect(remedyOf('halted')).toEqual({ command: 'resume', scope: 'bot' });
  expect(remedyOf('approval')).toEqual({ command: 'approve', token: '0123456789abcdef' });
  expect(remedyOf('book')).toBeUndefined();
});
