/** What each check of the gate says about a market order. */
import { describe, expect, test } from 'vitest';
import { countedTermsOf } from '../../../src/domain/market-order.ts';
import type { MarketTerms } from '../../../src/domain/order.ts';
import { refusalText } from '../../../src/domain/refusal-text.ts';
import { Book } from '../../../src/market/book/book.ts';
import { approvalTokenOf } from '../../../src/risk/approvals.ts';
import { Gate } from '../../../src/risk/gate.ts';
import type { GateFacts } from '../../../src/risk/gate-facts.ts';
import type { GateSettings } from '../../../src/risk/gate-limits.ts';
import { marketPriceOf } from '../../../src/risk/market-price.ts';
import type { Proposal } from '../../../src/risk/proposal.ts';
import { shareOf } from '../../../src/risk/share.ts';
import {
  goodBid,
  holdOrder,
  lots,
  market,
  openFacts,
  pairFacts,
  setBalances,
  settings,
  ticks,
} from './open-gate.ts';

const permitting: GateSettings = {
  ...settings,
  strategies: settings.strategies.map((one) => ({
    ...one,
    allow: { ...one.allow, types: ['limit', 'market'], timeInForce: ['IOC'], postOnly: 'never' },
  })),
};

const collar = shareOf('0.02');
const price = (side: 'BID' | 'ASK', mid2 = 200_000_000) => {
  const at = marketPriceOf(side, mid2, collar, market);
  if (at === undefined) throw new Error('no price');
  return at;
};
const orderOf = (terms: MarketTerms): Proposal => ({
  ...goodBid,
  ...countedTermsOf(terms, price(terms.side), market),
});
const buy = orderOf({ type: 'market', side: 'BID', spend: '10000' });
const sale = orderOf({ type: 'market', side: 'ASK', volume: lots(100) });

function refusals(order: Proposal, facts: GateFacts = openFacts(), by = permitting) {
  const verdict = new Gate(by).judge(order, facts);
  return verdict.kind === 'approved' ? [] : verdict.refusals;
}

const codes = (...given: Parameters<typeof refusals>) => refusals(...given).map(({ code }) => code);

const texts = (...given: Parameters<typeof refusals>) =>
  refusals(...given).map((one) => refusalText(one, { strategyId: 'mm', pair: 'XBTZAR' }));

test("a market order counts at the collar's edge that is worst for it", () => {
  expect([price('BID'), price('ASK')]).toEqual([98_000_000, 102_000_000]);
  // Rounded away from the mid, and within the range of the market.
  expect([price('BID', 200_000_001), price('ASK', 200_000_001)]).toEqual([98_000_000, 102_000_001]);
  expect(price('BID', 150_000)).toBe(market.priceMin);
  expect(price('ASK', 2_000_000_000)).toBe(market.priceMax);
  expect(marketPriceOf('BID', undefined, collar, market)).toBeUndefined();
  expect(marketPriceOf('BID', 200_000_000, shareOf(undefined), market)).toBeUndefined();
});

test('a buy counts for all that its money may buy there, a sale for its volume', () => {
  expect(buy).toMatchObject({ price: 98_000_000, volume: 103, pays: '10000', timeInForce: 'IOC' });
  expect(sale).toMatchObject({ price: 102_000_000, volume: 100, pays: '0.0100' });
});

test('both pass', () => {
  expect(codes(buy)).toEqual([]);
  expect(codes(sale)).toEqual([]);
});

test('they need their type in the settings, and the refusal says which line allows it', () => {
  const [text] = texts(buy, openFacts(), {
    ...permitting,
    strategies: permitting.strategies.map((one) => ({
      ...one,
      allow: { ...one.allow, types: ['limit'] },
    })),
  });
  expect(text).toBe(
    'NOT_PERMITTED: type market is not allowed: strategies.mm.allow.types is limit; to allow it, set it to [limit, market]',
  );
});

describe('the form', () => {
  test.each<[string, Proposal, string]>([
    ['of a buy that counts for less', { ...buy, volume: lots(102) }, 'FORM'],
    ['of a sale of another volume', { ...sale, volume: lots(99) }, 'FORM'],
    ['that may rest', { ...buy, timeInForce: 'GTC' }, 'FORM'],
    ['with a stop', { ...buy, stop: { direction: 'ABOVE', price: ticks(104_000_000) } }, 'FORM'],
    ['of a buy at a higher price', { ...buy, price: ticks(98_000_001) }, 'MARKET_PRICE'],
    ['of a sale at a lower price', { ...sale, price: ticks(101_999_999) }, 'MARKET_PRICE'],
  ])('%s is refused', (_name, order, code) => {
    expect(codes(order)).toContain(code);
  });

  test('of an amount with too many decimals is refused with how many it may have', () => {
    expect(texts(orderOf({ type: 'market', side: 'BID', spend: '10000.0000001' }))).toContain(
      'FORM: what the market order pays is 10000.0000001, but must be an amount of ZAR with at most 6 decimals',
    );
  });

  test('is judged again against the market as it is then', () => {
    const facts = openFacts();
    pairFacts(facts).mid2 = 199_000_000;
    expect(texts(buy, facts)).toContain(
      'MARKET_PRICE: the price at which the market order counts is 980000.00 ZAR, but must be at most 975100.00 ZAR',
    );
  });
});

test('a buy costs what it spends, to the last digit', () => {
  const facts = openFacts();
  // With one percent for the fee.
  setBalances(facts, { ZAR: '10100' });
  expect(codes(buy, facts)).toEqual([]);
  setBalances(facts, { ZAR: '10099.999999' });
  expect(codes(buy, facts)).toEqual(['FUNDS']);
});

test('a buy counts in the position for what it may buy at most', () => {
  const facts = openFacts();
  const hold = facts.exposure.hold(buy, facts.nowMs);
  expect(facts.exposure.position('mm', 'XBTZAR').highest).toBe(10_300_000_000_000_000n);
  facts.exposure.release(hold);
  expect(codes(orderOf({ type: 'market', side: 'BID', spend: '29400' }))).toEqual([]);
  expect(codes(orderOf({ type: 'market', side: 'BID', spend: '29400.000001' }))).toContain(
    'ORDER_VOLUME',
  );
});

test('it needs a book that can be used', () => {
  const facts = openFacts();
  pairFacts(facts).bookUsable = false;
  expect(codes(buy, facts)).toEqual(
    expect.arrayContaining(['BOOK_UNUSABLE', 'COLLAR_MID', 'SLIPPAGE']),
  );
});

test('the worst price that it would reach has to be within the collar', () => {
  const facts = openFacts();
  const { book } = pairFacts(facts);
  const thin: typeof book = {
    bestPrice: () => ticks(100_000_001),
    priceAfter: (_side, at) => (at === 100_000_001 ? ticks(103_000_000) : undefined),
    volumeAt: (_side, at) => lots(at === 100_000_001 ? 50 : 1_000),
  };
  pairFacts(facts).book = thin;
  expect(codes(buy, facts)).toEqual(['COLLAR_MID', 'COLLAR_TRADES']);
  pairFacts(facts).book = book;
  expect(codes(buy, facts)).toEqual([]);
});

test('more than a share of the book is refused', () => {
  expect(codes(orderOf({ type: 'market', side: 'ASK', volume: lots(301) }))).toContain(
    'DEPTH_SHARE',
  );
});

describe('an order of ours on the other side', () => {
  test('keeps a market order away at any price', () => {
    const facts = openFacts();
    holdOrder(facts, 'ask', { side: 'ASK', price: ticks(900_000_000), volume: lots(1) });
    expect(texts(buy, facts)).toEqual([
      'SELF_TRADE: a market order may trade with any order of this bot on the other side, which must end first',
    ]);
    expect(codes(sale, facts)).toEqual([]);
  });

  test.each(['BID', 'ASK'] as const)('is kept away by a market %s at any price', (side) => {
    const facts = openFacts();
    const held = side === 'BID' ? buy : sale;
    const hold = facts.exposure.hold(held, facts.nowMs);
    const limit = { ...goodBid, postOnly: false, timeInForce: 'IOC' } as const;
    const other = { ...limit, side: side === 'BID' ? 'ASK' : 'BID' } as const;
    expect(texts(other, facts)).toEqual([
      'SELF_TRADE: at 1000000.00 ZAR the order may trade with a market order of this bot, which must end first',
    ]);
    facts.exposure.release(hold);
    expect(codes(other, facts)).toEqual([]);
  });
});

test('the same payment on the same side is the same order, whatever it counts as by now', () => {
  const facts = openFacts();
  facts.exposure.hold(buy, facts.nowMs);
  facts.exposure.hold(sale, facts.nowMs);
  pairFacts(facts).mid2 = 200_000_100;
  const later = (terms: MarketTerms): Proposal => ({
    ...goodBid,
    ...countedTermsOf(terms, price(terms.side, 200_000_100), market),
  });
  const again = later({ type: 'market', side: 'BID', spend: '10000' });
  expect(again.price).not.toBe(buy.price);
  expect(codes(again, facts)).toContain('DUPLICATE');
  expect(codes(later({ type: 'market', side: 'ASK', volume: lots(100) }), facts)).toContain(
    'DUPLICATE',
  );
  const other = later({ type: 'market', side: 'BID', spend: '10000.01' });
  expect(codes(other, facts)).not.toContain('DUPLICATE');
  // A limit order of the terms as which it counts is another order.
  expect(codes({ ...buy, pays: undefined }, facts)).not.toContain('DUPLICATE');
});

test('an approval is bound to what it pays, not to the price at which it counts', () => {
  const tokenOf = (order: Proposal) => approvalTokenOf(order, market);
  const later = countedTermsOf(
    { type: 'market', side: 'BID', spend: '10000' },
    price('BID', 190_000_000),
    market,
  );
  expect(tokenOf({ ...buy, ...later })).toBe(tokenOf(buy));
  expect(tokenOf({ ...buy, pays: '10001' })).not.toBe(tokenOf(buy));
  expect(tokenOf({ ...buy, pays: undefined })).not.toBe(tokenOf(buy));
});

describe('judged again, while it is held', () => {
  /** What the gate says to the order that it approved, once `change` has happened. */
  function again(order: Proposal, change: (pair: ReturnType<typeof pairFacts>) => void) {
    const facts = openFacts();
    const gate = new Gate(permitting);
    expect(gate.judge(order, facts).kind).toBe('approved');
    facts.exposure.hold(order, facts.nowMs);
    change(pairFacts(facts));
    return gate.judgeAgain(order, facts);
  }

  test('it passes while nothing has changed', () => {
    expect([again(buy, () => {}), again(sale, () => {})]).toEqual([[], []]);
  });

  test('it is refused when the book is thinner than it was', () => {
    const thin = (rest: number) => (pair: ReturnType<typeof pairFacts>) => {
      pair.book = {
        bestPrice: () => ticks(100_000_001),
        priceAfter: (_side, at) => (at === 100_000_001 ? ticks(101_900_000) : undefined),
        volumeAt: (_side, at) => lots(at === 100_000_001 ? 1 : rest),
      };
    };
    expect(again(buy, thin(1_029))).toEqual([]);
    expect(again(buy, thin(1_028))).toEqual(['DEPTH_SHARE']);
    // The price of a limit order holds what it may pay.
    const limit = { ...goodBid, pays: undefined, postOnly: false, timeInForce: 'IOC' } as const;
    expect(again(limit, thin(200))).toEqual([]);
  });

  test('a move of the market passes until it trades beyond the price as which it counts', () => {
    const moved = (by: number) => (pair: ReturnType<typeof pairFacts>) => {
      pair.mid2 = 200_000_000 + 2 * by;
      const shifted = new Book();
      for (const away of [1, 2, 3]) {
        shifted.create('BID', ticks(100_000_000 + by - away), lots(1_000));
        shifted.create('ASK', ticks(100_000_000 + by + away), lots(1_000));
      }
      pair.book = shifted;
      pair.tradeMedian = ticks(100_000_000 + by);
    };
    expect([again(buy, moved(-1)), again(sale, moved(1))]).toEqual([[], []]);
    expect([again(buy, moved(-2_000_001)), again(sale, moved(2_000_001))]).toEqual([[], []]);
    expect(again(buy, moved(-2_000_002))).toEqual(['MARKET_PRICE']);
    expect(again(sale, moved(2_000_002))).toEqual(['MARKET_PRICE']);
  });
});
