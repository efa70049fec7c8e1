/** The gate as a whole: what it approves, and that nothing else can create an approved order. */
import { describe, expect, test } from 'vitest';
import { declaredLimits } from '../../../src/domain/declared-limits.ts';
import { InvariantError } from '../../../src/domain/errors.ts';
import { checkTable, outerControls } from '../../../src/risk/check-table.ts';
import { type Approved, assertApproved, Gate } from '../../../src/risk/gate.ts';
import type { GateFacts } from '../../../src/risk/gate-facts.ts';
import type { Proposal } from '../../../src/risk/proposal.ts';
import { goodAsk, goodBid, holdOrder, lots, openFacts, settings, ticks } from './open-gate.ts';
import { fillOf } from './spoilt-case.ts';

const gate = new Gate(settings);

function approve(): Approved {
  const verdict = gate.judge(goodBid, openFacts());
  if (verdict.kind !== 'approved') throw new Error(JSON.stringify(verdict));
  return verdict.approved;
}

test('an approved order is a frozen copy of the judged proposal', () => {
  const approved = approve();
  expect(approved).toEqual(goodBid);
  expect(approved).not.toBe(goodBid);
  expect(Object.isFrozen(approved)).toBe(true);
});

test('only an order from the gate is approved, not a cast or a changed copy', () => {
  const approved = approve();
  expect(() => assertApproved(approved)).not.toThrow();
  expect(() => assertApproved(goodBid as Approved)).toThrow(InvariantError);
  expect(() => assertApproved({ ...approved, volume: lots(1_000) })).toThrow(InvariantError);
});

test('a price that changes while it is read cannot pass one value and send another', () => {
  let reads = 0;
  const shifty = {
    ...goodBid,
    get price() {
      reads += 1;
      return goodBid.price;
    },
  };
  expect(gate.judge(shifty, openFacts()).kind).toBe('approved');
  expect(reads).toBe(1);
});

test('a refusal lists every check that failed, in the order of the table', () => {
  const facts = openFacts();
  facts.tradingState.global = 'HALTED';
  facts.health.reconciled = false;
  const verdict = gate.judge({ ...goodBid, volume: lots(4), postOnly: false }, facts);
  expect(verdict.kind === 'refused' && verdict.refusals.map(({ code }) => code)).toEqual([
    'TRADING_STATE',
    'NOT_RECONCILED',
    'NOT_PERMITTED',
    'VOLUME_RANGE',
  ]);
});

test('two intents of one event cannot use the same part of a limit: the first one is held', () => {
  const facts = openFacts();
  const kinds = ['a', 'b', 'c'].map((id, index) => {
    const price = ticks(100_000_000 - index);
    const verdict = gate.judge({ ...goodBid, price, volume: lots(200) }, facts);
    if (verdict.kind === 'approved') holdOrder(facts, id, { price, volume: lots(200) });
    return verdict.kind;
  });
  expect(kinds).toEqual(['approved', 'approved', 'refused']);
});

test('accounts that a start adds, and their order, do not change the version of the limits', () => {
  const turned = Object.fromEntries(Object.entries(settings.accounts).reverse());
  expect(Object.keys(turned).length).toBeGreaterThan(1);
  const { hash } = gate.limits;
  expect(new Gate({ ...settings, accounts: turned }).limits.hash).toBe(hash);
  // For an order of an earlier run on a pair that is no longer traded.
  const more = { DOGE: '99', ...settings.accounts };
  expect(new Gate({ ...settings, accounts: more }).limits.hash).toBe(hash);
  const [currency = ''] = Object.keys(turned);
  expect(new Gate({ ...settings, accounts: { ...turned, [currency]: '99' } }).limits.hash).not.toBe(
    hash,
  );
});

test('the table is in order, with one code for one meaning', () => {
  const positions = [...checkTable, ...outerControls].map(({ position }) => position);
  expect(positions).toEqual(Array.from({ length: 26 }, (_, index) => index + 1));
  const codes = checkTable.flatMap((entry) => entry.codes);
  expect(new Set(codes).size).toBe(codes.length);
});

test('each limit that declares a refusal is listed by the check that has its code', () => {
  for (const { path, refusals = {} } of Object.values(declaredLimits).flat())
    for (const code of Object.keys(refusals)) {
      const entry = checkTable.find(({ codes }) => codes.includes(code));
      expect(entry?.limits, `${path} ${code}`).toContain(path);
    }
});

describe('an order that only reduces a position', () => {
  const exit = { ...goodAsk, volume: lots(60) };

  /** Holds 0.01 XBT; a loss at the limit of the day, and every state that may come with it. */
  function losingFacts(state: 'ACTIVE' | 'REDUCING'): GateFacts {
    const facts = openFacts();
    facts.tradingState.global = state;
    facts.exposure.countDay(fillOf({ value: 15_000_000_000 }));
    facts.exposure.setPosition('mm', 'XBTZAR', { base: '0.01', counter: '-15000' });
    return facts;
  }

  const codesOf = (proposal: Proposal, facts: GateFacts): readonly string[] => {
    const verdict = gate.judge(proposal, facts);
    return verdict.kind === 'refused' ? verdict.refusals.map(({ code }) => code) : [];
  };

  test.each(['ACTIVE', 'REDUCING'] as const)('passes a reached loss limit while %s', (state) => {
    const facts = losingFacts(state);
    expect(codesOf({ ...goodBid, price: ticks(99_000_000) }, facts)).toContain('LOSS_DAY');
    expect(codesOf(exit, facts)).toEqual([]);
    // One lot more than the position opens a position on the other side.
    expect(codesOf({ ...exit, volume: lots(101) }, facts)).toContain('LOSS_DAY');
    holdOrder(facts, 'exit', { side: 'ASK', volume: lots(60) });
    expect(codesOf(exit, facts)).toContain('LOSS_DAY');
    expect(codesOf({ ...exit, volume: lots(40) }, facts)).toEqual([]);
  });

  test('is judged by every other check', () => {
    const facts = losingFacts('REDUCING');
    facts.tradingState.strategies.set('mm', 'HALTED');
    expect(codesOf({ ...exit, price: ticks(50_000_000), volume: lots(4) }, facts)).toEqual([
      ...['TRADING_STATE', 'VOLUME_RANGE', 'COLLAR_MID', 'COLLAR_TRADES'],
    ]);
  });

  test('may be sent again at a loss limit, while it is not larger than the position', () => {
    const facts = losingFacts('REDUCING');
    holdOrder(facts, 'exit', { side: 'ASK', volume: lots(100) });
    expect(gate.judgeAgain({ ...goodAsk, volume: lots(100) }, facts)).toEqual([]);
    holdOrder(facts, 'more', { side: 'ASK', volume: lots(1) });
    expect(gate.judgeAgain({ ...goodAsk, volume: lots(100) }, facts)).toEqual([
      ...['LOSS_DAY', 'REDUCE_ONLY'],
    ]);
  });
});
