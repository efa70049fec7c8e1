/** What each check of the gate says about a stop-limit order. */
import { describe, expect, test } from 'vitest';
import { refusalText } from '../../../src/domain/refusal-text.ts';
import { approvalTokenOf } from '../../../src/risk/approvals.ts';
import { Gate } from '../../../src/risk/gate.ts';
import type { GateFacts } from '../../../src/risk/gate-facts.ts';
import type { GateSettings } from '../../../src/risk/gate-limits.ts';
import type { Proposal } from '../../../src/risk/proposal.ts';
import {
  goodAsk,
  goodBid,
  holdOrder,
  lots,
  market,
  openFacts,
  pairFacts,
  stopSettings,
  ticks,
} from './open-gate.ts';

const permitting: GateSettings = {
  ...stopSettings,
  strategies: stopSettings.strategies.map((one) => ({
    ...one,
    allow: { ...one.allow, postOnly: 'allowed' },
  })),
};

/** Buys at 1,040,100 once the last trade, which was at 1,000,000, is at 1,040,000 or above. */
const stopBid: Proposal = {
  ...{ ...goodBid, postOnly: false, price: ticks(104_010_000) },
  stop: { direction: 'ABOVE', price: ticks(104_000_000) },
};
/** Sells at 959,900 once the last trade is at 960,000 or below. */
const stopAsk: Proposal = {
  ...{ ...goodAsk, postOnly: false, price: ticks(95_990_000) },
  stop: { direction: 'BELOW', price: ticks(96_000_000) },
};

function refusals(order: Proposal, facts: GateFacts = openFacts(), by = permitting) {
  const verdict = new Gate(by).judge(order, facts);
  return verdict.kind === 'approved' ? [] : verdict.refusals;
}

const codes = (...given: Parameters<typeof refusals>) => refusals(...given).map(({ code }) => code);

const texts = (...given: Parameters<typeof refusals>) =>
  refusals(...given).map((one) => refusalText(one, { strategyId: 'mm', pair: 'XBTZAR' }));

test('both pass, although their prices are farther from the mid than the collar', () => {
  expect(codes(stopBid)).toEqual([]);
  expect(codes(stopAsk)).toEqual([]);
  const { stop: _, ...limit } = stopBid;
  expect(codes(limit)).toContain('COLLAR_MID');
});

test('they need their type in the settings, and the refusal says which line allows it', () => {
  const [text] = texts(stopBid, openFacts(), {
    ...permitting,
    strategies: permitting.strategies.map((one) => ({
      ...one,
      allow: { ...one.allow, types: ['limit'] },
    })),
  });
  expect(text).toBe(
    'NOT_PERMITTED: type stop-limit is not allowed: strategies.mm.allow.types is limit; to allow it, set it to [limit, stop-limit]',
  );
});

describe('a stop price', () => {
  test.each<[string, Proposal, string]>([
    [
      'below the last trade, of an order that waits for a rise',
      { ...stopBid, stop: { direction: 'ABOVE', price: ticks(99_999_999) } },
      'the stop price is 999999.99 ZAR, but must be above the last trade at 1000000.00 ZAR',
    ],
    [
      'at the last trade',
      { ...stopBid, stop: { direction: 'ABOVE', price: ticks(100_000_000) } },
      'the stop price is 1000000.00 ZAR, but must be above the last trade at 1000000.00 ZAR',
    ],
    [
      'above the last trade, of an order that waits for a fall',
      { ...stopAsk, stop: { direction: 'BELOW', price: ticks(100_000_001) } },
      'the stop price is 1000000.01 ZAR, but must be below the last trade at 1000000.00 ZAR',
    ],
    [
      "outside the market's range",
      { ...stopBid, stop: { direction: 'ABOVE', price: ticks(1_000_000_001) } },
      'the stop price is 10000000.01 ZAR, but must be 1000.00 to 10000000.00 ZAR',
    ],
    [
      'that is no whole number',
      { ...stopBid, stop: { direction: 'ABOVE', price: ticks(Number.NaN) } },
      'the stop price is NaN ZAR, but must be 1000.00 to 10000000.00 ZAR',
    ],
  ])('%s is refused with both prices', (_name, order, text) => {
    expect(texts(order)).toContain(`STOP_PRICE: ${text}`);
  });

  test('counts by the newest of the recent trades', () => {
    const facts = openFacts();
    pairFacts(facts).recentTrades = {
      ...{ lowest: 1, highest: 1, heldMedian: ticks(100_000_000), last: ticks(104_000_000) },
    };
    expect(texts(stopBid, facts)).toEqual([
      'STOP_PRICE: the stop price is 1040000.00 ZAR, but must be above the last trade at 1040000.00 ZAR',
    ]);
  });

  test('is refused while the last trade is not known', () => {
    const facts = openFacts();
    Object.assign(pairFacts(facts), { tradeMedian: undefined, tradeMedianAgeMs: undefined });
    expect(texts(stopBid, facts)).toContain(
      'STOP_PRICE: the stop price is 1040000.00 ZAR, but the last trade is not known',
    );
  });
});

test('its limit price has to be near its stop price', () => {
  expect(texts({ ...stopBid, price: ticks(106_081_000) })).toEqual([
    "COLLAR_STOP: the limit price's relative distance from the stop price is 0.020009615384615385, but the limit is 0.02 (limits.pairs.XBTZAR.collar)",
  ]);
});

test('it needs a book that can be used, as every order', () => {
  const facts = openFacts();
  pairFacts(facts).bookUsable = false;
  expect(codes(stopBid, facts)).toContain('BOOK_UNUSABLE');
});

test('its whole volume counts as a share of the book as it is now', () => {
  expect(codes({ ...stopBid, volume: lots(301) })).toContain('DEPTH_SHARE');
});

test('it counts in full, at its limit price, while it waits', () => {
  const { exposure } = openFacts();
  const hold = exposure.hold({ ...stopBid, isAwaiting: true }, 0);
  expect(exposure.openNotional('ZAR')).toBe(10_401_000_000_000_000_000_000n);
  expect(exposure.position('mm', 'XBTZAR').highest).toBe(10_000_000_000_000_000n);
  exposure.release(hold);
  expect(exposure.openNotional('ZAR')).toBe(0n);
});

test('it meets none of our orders before its trigger, and does from then on', () => {
  const facts = openFacts();
  holdOrder(facts, 'bid', { side: 'BID', price: ticks(96_500_000) });
  expect(codes(stopAsk, facts)).toEqual([]);
  const hold = facts.exposure.hold({ ...stopAsk, isAwaiting: true }, facts.nowMs);
  const bid = { ...goodBid, price: ticks(99_000_000) };
  expect(codes(bid, facts)).toEqual([]);
  facts.exposure.trigger(hold);
  expect(codes(bid, facts)).toEqual(['SELF_TRADE']);
  facts.exposure.release(hold);
  expect(codes(bid, facts)).toEqual([]);
});

test('an approval is bound to the stop', () => {
  const tokens = [
    stopBid,
    { ...stopBid, stop: undefined },
    { ...stopBid, stop: { direction: 'ABOVE', price: ticks(104_000_001) } as const },
    { ...stopBid, stop: { direction: 'BELOW', price: ticks(104_000_000) } as const },
  ].map((order) => approvalTokenOf(order, market));
  expect(new Set(tokens).size).toBe(4);
});
