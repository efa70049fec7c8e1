/**
 * Each check by a table: what is spoilt, and exactly what the whole gate then says. The gate without the
 * check that says it lets the order pass, so each row also shows that its check is needed.
 */
import { describe, expect, test } from 'vitest';
import { questionOf, type Refusal } from '../../../src/risk/check.ts';
import { type CheckEntry, checkTable } from '../../../src/risk/check-table.ts';
import { Exposure } from '../../../src/risk/exposure.ts';
import { refusalsBy } from '../../../src/risk/gate.ts';
import { createGateFacts, type GateFacts } from '../../../src/risk/gate-facts.ts';
import { type GateSettings, gateLimitsOf } from '../../../src/risk/gate-limits.ts';
import type { Proposal } from '../../../src/risk/proposal.ts';
import {
  goodAsk,
  goodBid,
  holdOrder,
  limits,
  lots,
  market,
  nowMs,
  openFacts,
  pairFacts,
  setBalances,
  settings,
  ticks,
} from './open-gate.ts';

type Case = {
  readonly title: string;
  readonly position: number;
  readonly order?: Partial<Proposal>;
  readonly settings?: GateSettings;
  readonly spoil?: (facts: GateFacts) => void;
  /** Each refusal as `CODE observed limit unit`, with `|` between. */
  readonly told: readonly string[];
};

const account = (changed: Partial<typeof limits.account>): GateSettings => ({
  ...settings,
  limits: { ...limits, account: { ...limits.account, ...changed } },
});
const pairLimit = (
  changed: Partial<NonNullable<(typeof limits.pairs)['XBTZAR']>>,
): GateSettings => {
  const pair = limits.pairs['XBTZAR'];
  if (pair === undefined) throw new Error('no limits of XBTZAR');
  return { ...settings, limits: { ...limits, pairs: { XBTZAR: { ...pair, ...changed } } } };
};
const budget = (amounts: Record<string, string>): GateSettings => ({
  ...settings,
  strategies: settings.strategies.map((strategy) => ({ ...strategy, budget: amounts })),
});
const fillOf = (changed: object) => ({
  key: 'f1',
  holdId: 'h1',
  strategyId: 'other',
  pair: 'XBTZAR',
  side: 'BID' as const,
  volume: lots(100),
  value: 10_000_000_000,
  feeBase: '0',
  feeCounter: '0',
  timeMs: nowMs,
  ...changed,
});
const reducing = (facts: GateFacts) => {
  facts.tradingState.global = 'REDUCING';
};

// biome-ignore format: a table reads best with few lines per case.
const cases: readonly Case[] = [
  { position: 1, title: 'halted', told: ['TRADING_STATE|HALTED|ACTIVE or REDUCING|global state'],
    spoil: (facts) => { facts.tradingState.global = 'HALTED'; } },
  { position: 1, title: 'the strategy halted', told: ['TRADING_STATE|HALTED|ACTIVE or REDUCING|strategy state'],
    spoil: (facts) => { facts.tradingState.strategies.set('mm', 'HALTED'); } },
  { position: 1, title: 'the pair not known to be on', told: ['TRADING_STATE|missing|ACTIVE or REDUCING|pair state'],
    spoil: (facts) => { facts.tradingState.pairs.clear(); } },

  { position: 2, title: 'a demo that reaches the exchange', told: ['ENVIRONMENT|demo to exchange|demo to simulator|destination'],
    spoil: (facts) => { facts.environment = { ...facts.environment, ordersGoTo: 'exchange' }; } },
  { position: 2, title: 'paper that reaches the simulator', told: ['ENVIRONMENT|paper to simulator|paper to tape|destination'],
    spoil: (facts) => { facts.environment = { ...facts.environment, mode: 'paper' }; } },
  { position: 2, title: 'live without the flag', told: ['ENVIRONMENT|absent|given|live flag'],
    spoil: (facts) => { facts.environment = { mode: 'live', ordersGoTo: 'exchange', liveFlag: false, keyFingerprint: 'k', keyFingerprintAllowed: 'k' }; } },
  { position: 2, title: 'live with another key', told: ['ENVIRONMENT|k|other|key fingerprint'],
    spoil: (facts) => { facts.environment = { mode: 'live', ordersGoTo: 'exchange', liveFlag: true, keyFingerprint: 'k', keyFingerprintAllowed: 'other' }; } },
  { position: 2, title: 'live with no key named', told: ['ENVIRONMENT|missing|missing|key fingerprint'],
    spoil: (facts) => { facts.environment = { mode: 'live', ordersGoTo: 'exchange', liveFlag: true, keyFingerprint: undefined, keyFingerprintAllowed: undefined }; } },

  { position: 4, title: 'not reconciled', told: ['NOT_RECONCILED|no|yes|reconciled'],
    spoil: (facts) => { facts.health.reconciled = false; } },
  { position: 4, title: 'a store that forgets', told: ['STORE_NOT_DURABLE|no|yes|durable store'],
    spoil: (facts) => { facts.health.storeDurable = false; } },
  { position: 4, title: 'no lock', told: ['LOCK_NOT_HELD|no|yes|lock held'],
    spoil: (facts) => { facts.health.lockHeld = false; } },
  { position: 4, title: 'a clock behind', told: ['CLOCK_SKEW|-2001|2000|ms'],
    spoil: (facts) => { facts.health.clockSkewMs = -2_001; } },
  { position: 4, title: 'a clock never compared', told: ['CLOCK_SKEW|missing|2000|ms'],
    spoil: (facts) => { facts.health.clockSkewMs = undefined; } },
  { position: 4, title: 'many unknown orders', told: ['UNKNOWN_ORDERS|6|5|orders'],
    spoil: (facts) => { facts.health.unknownOrders = 6; } },
  { position: 4, title: 'unknown orders on the pair', told: ['UNKNOWN_ORDERS|3|2|orders of the pair'],
    spoil: (facts) => { pairFacts(facts).unknownOrders = 3; } },

  { position: 5, title: 'a side that is not allowed', told: ['NOT_PERMITTED|BID|ASK|side'],
    settings: { ...settings, strategies: settings.strategies.map((s) => ({ ...s, allow: { ...s.allow, sides: ['ASK'] } })) } },
  { position: 5, title: 'a pair that is not the strategy\'s', told: ['NOT_PERMITTED|XBTZAR|ETHZAR|pair'],
    settings: { ...settings, strategies: settings.strategies.map((s) => ({ ...s, pairs: ['ETHZAR'] })) } },
  { position: 5, title: 'a time in force that is not allowed', order: { timeInForce: 'IOC', postOnly: false }, told: ['NOT_PERMITTED|IOC|GTC|timeInForce', 'NOT_PERMITTED|false|required|postOnly'] },
  { position: 5, title: 'a taker where only makers may', order: { postOnly: false }, told: ['NOT_PERMITTED|false|required|postOnly'] },
  { position: 5, title: 'a maker where none may', told: ['NOT_PERMITTED|true|never|postOnly'],
    settings: { ...settings, strategies: settings.strategies.map((s) => ({ ...s, allow: { ...s.allow, postOnly: 'never' } })) } },
  { position: 5, title: 'another account', order: { baseAccountId: '12' }, told: ['NOT_PERMITTED|12|11|XBT account'] },
  { position: 5, title: 'an account that nobody named', told: ['NOT_PERMITTED|13|missing|ZAR account'],
    settings: { ...settings, accounts: { XBT: '11' } } },

  { position: 6, title: 'post-only that must fill at once', order: { strategyId: 'other', timeInForce: 'FOK' }, told: ['FORM|post-only FOK|post-only GTC|timeInForce'] },
  { position: 6, title: 'a price below the market\'s', told: ['PRICE_RANGE|1000000.00|1000000.01 to 10000000.00|ZAR'],
    spoil: (facts) => { pairFacts(facts).market = { ...market, priceMin: ticks(100_000_001) }; } },
  { position: 6, title: 'a volume below the market\'s', order: { volume: lots(4) }, told: ['VOLUME_RANGE|0.0004|0.0005 to 100.0000|XBT'] },
  { position: 6, title: 'a volume above the market\'s', told: ['VOLUME_RANGE|0.0100|0.0005 to 0.0099|XBT'],
    spoil: (facts) => { pairFacts(facts).market = { ...market, volumeMax: lots(99) }; } },

  { position: 7, title: 'a suspended market', told: ['MARKET_STATUS|SUSPENDED|ACTIVE or POST_ONLY|status'],
    spoil: (facts) => { pairFacts(facts).status = 'SUSPENDED'; } },
  { position: 7, title: 'a taker in a post-only market', order: { strategyId: 'other', postOnly: false }, told: ['MARKET_STATUS|POST_ONLY|ACTIVE|status'],
    spoil: (facts) => { pairFacts(facts).status = 'POST_ONLY'; } },
  { position: 7, title: 'a market of unknown status', told: ['MARKET_STATUS|missing|ACTIVE or POST_ONLY|status'],
    spoil: (facts) => { pairFacts(facts).status = undefined; } },

  { position: 8, title: 'too much in one order', order: { volume: lots(301) }, told: ['ORDER_VOLUME|0.0301|0.03|XBT'] },
  { position: 8, title: 'an ask worth more than the budget', order: { side: 'ASK' }, told: ['ORDER_VALUE|10000|9999.99|ZAR'],
    settings: budget({ ZAR: '9999.99', XBT: '0.08' }) },

  { position: 9, title: 'an unusable book', told: ['BOOK_UNUSABLE|no|yes|usable book'],
    spoil: (facts) => { pairFacts(facts).bookUsable = false; } },
  { position: 9, title: 'a stale book', told: ['BOOK_STALE|3001|3000|ms'],
    spoil: (facts) => { pairFacts(facts).bookAgeMs = 3_001; } },
  { position: 9, title: 'no trade for a minute', told: ['TRADES_STALE|60001|60000|ms'],
    spoil: (facts) => { pairFacts(facts).tradeMedianAgeMs = 60_001; } },
  { position: 9, title: 'no trade ever', told: ['TRADES_STALE|missing|60000|ms', 'COLLAR_TRADES|missing|0.02|share of reference'],
    spoil: (facts) => { Object.assign(pairFacts(facts), { tradeMedian: undefined, tradeMedianAgeMs: undefined }); } },
  { position: 9, title: 'no mid', told: ['COLLAR_MID|missing|0.02|share of reference'],
    spoil: (facts) => { pairFacts(facts).mid2 = undefined; } },
  { position: 9, title: 'one tick too far below both', order: { price: ticks(97_999_999) }, told: ['COLLAR_MID|0.02000001|0.02|share of reference', 'COLLAR_TRADES|0.02000001|0.02|share of reference'] },
  { position: 9, title: 'one tick too far above both', order: { price: ticks(102_000_001) }, told: ['COLLAR_MID|0.02000001|0.02|share of reference', 'COLLAR_TRADES|0.02000001|0.02|share of reference'] },
  { position: 9, title: 'a mid that ran away from the trades', told: ['COLLAR_MID|0.024390243902439025|0.02|share of reference'],
    spoil: (facts) => { pairFacts(facts).mid2 = 205_000_000; } },
  { position: 9, title: 'trades that ran away from the mid', told: ['COLLAR_TRADES|0.024390243902439025|0.02|share of reference'],
    spoil: (facts) => { pairFacts(facts).tradeMedian = ticks(102_500_000); } },

  { position: 14, title: 'a first bid while reducing', told: ['REDUCE_ONLY|0.01|0|XBT'], spoil: reducing },
  { position: 14, title: 'a first ask while the pair is reducing', order: { side: 'ASK' }, told: ['REDUCE_ONLY|-0.01|0|XBT'],
    spoil: (facts) => { facts.tradingState.pairs.set('XBTZAR', 'REDUCING'); } },
  { position: 14, title: 'an ask that overshoots with those open', order: { side: 'ASK' }, told: ['REDUCE_ONLY|-0.005|0|XBT'],
    spoil: (facts) => {
      facts.tradingState.strategies.set('mm', 'REDUCING');
      facts.exposure.setPosition('mm', 'XBTZAR', { base: '0.02', counter: '0' });
      holdOrder(facts, 'h1', { side: 'ASK', volume: lots(150) });
    } },

  { position: 15, title: 'a bid on top of what all strategies bought', told: ['POSITION|0.055|0.05|XBT'],
    spoil: (facts) => { facts.exposure.setPosition('other', 'XBTZAR', { base: '0.045', counter: '0' }); } },
  { position: 15, title: 'an ask on top of what all strategies sold', order: { side: 'ASK' }, told: ['POSITION|0.055|0.05|XBT'],
    spoil: (facts) => { facts.exposure.setPosition('other', 'XBTZAR', { base: '-0.045', counter: '0' }); } },
  { position: 15, title: 'a bid on top of open bids', told: ['POSITION|0.055|0.05|XBT'],
    settings: account({ openNotionalMax: { ZAR: '100000' } }),
    spoil: (facts) => { holdOrder(facts, 'h1', { strategyId: 'other', volume: lots(450) }); } },
  { position: 15, title: 'a bid for more than the budget of the base', told: ['BUDGET|0.01|0.005|XBT'],
    settings: budget({ ZAR: '60000', XBT: '0.005' }) },
  { position: 15, title: 'an ask for more than the budget of the base', order: { side: 'ASK' }, told: ['BUDGET|0.01|0.005|XBT'],
    settings: budget({ ZAR: '60000', XBT: '0.005' }) },
  { position: 15, title: 'a bid for more than is left of the budget', told: ['BUDGET|65000|60000|ZAR'],
    spoil: (facts) => { facts.exposure.setPosition('mm', 'XBTZAR', { base: '0', counter: '-55000' }); } },
  { position: 15, title: 'a pair without a position limit', told: ['POSITION|0.01|missing|XBT'],
    settings: pairLimit({ positionBaseMax: 'much' }) },

  { position: 16, title: 'a bid that leaves nothing for its fee', told: ['FUNDS|10100|10099.99|ZAR'],
    spoil: (facts) => { setBalances(facts, { ZAR: '10099.99' }); } },
  { position: 16, title: 'an ask that leaves nothing for its fee', order: { side: 'ASK' }, told: ['FUNDS|0.0101|0.0100999|XBT'],
    spoil: (facts) => { setBalances(facts, { XBT: '0.0100999' }); } },
  { position: 16, title: 'a bid that another order has spent', told: ['FUNDS|10100|5000|ZAR'],
    spoil: (facts) => {
      setBalances(facts, { ZAR: '15000' });
      holdOrder(facts, 'h1', { strategyId: 'other' });
    } },
  { position: 16, title: 'a bid before any balance', told: ['FUNDS|10100|missing|ZAR'],
    spoil: (facts) => { Object.assign(facts, { exposure: new Exposure([market]) }); } },

  { position: 17, title: 'too much open, over all strategies', told: ['OPEN_NOTIONAL|55000|50000|ZAR'],
    spoil: (facts) => { holdOrder(facts, 'h1', { strategyId: 'other', side: 'ASK', volume: lots(450) }); } },
  { position: 17, title: 'too much traded if all of it fills', told: ['TURNOVER_DAY|30000|29999|ZAR'],
    settings: account({ turnoverDayMax: { ZAR: '29999' } }),
    spoil: (facts) => {
      facts.exposure.fill(fillOf({}));
      facts.exposure.fill(fillOf({ key: 'f2', side: 'ASK' }));
    } },
  { position: 17, title: 'a currency without limits', told: ['OPEN_NOTIONAL|10000|missing|ZAR', 'TURNOVER_DAY|10000|missing|ZAR'],
    settings: account({ openNotionalMax: { EUR: '1000000' }, turnoverDayMax: {} }) },

  { position: 18, title: 'a sixth order', told: ['ORDERS_OPEN|6|5|orders'],
    spoil: (facts) => { for (const id of 'abcde') holdOrder(facts, id, { side: 'ASK', volume: lots(5) }); } },

  { position: 19, title: 'a third order within a minute', told: ['ORDERS_PER_MINUTE|3|2|orders'],
    settings: account({ ordersPerMinuteMax: 2 }),
    spoil: (facts) => {
      for (const id of 'ab') {
        holdOrder(facts, id, {});
        facts.exposure.release(id);
      }
      facts.nowMs += 59_999;
    } },

  { position: 22, title: 'a day that lost what it may', told: ['LOSS_DAY|1500|1500|ZAR'],
    spoil: (facts) => { facts.exposure.fill(fillOf({ value: 11_500_000_000 })); } },
  { position: 22, title: 'a loss by fees alone', told: ['LOSS_DAY|1500.5|1500|ZAR'],
    spoil: (facts) => { facts.exposure.fill(fillOf({ feeCounter: '1500.5' })); } },
  { position: 22, title: 'a currency without a loss limit', told: ['LOSS_DAY|0|missing|ZAR'],
    settings: account({ lossDayMax: {} }) },
];

function refusals(
  table: readonly CheckEntry[],
  given: Omit<Case, 'title' | 'told'>,
): readonly Refusal[] {
  const facts = openFacts();
  given.spoil?.(facts);
  const order = { ...goodBid, ...given.order };
  return refusalsBy(table, questionOf(order, facts, gateLimitsOf(given.settings ?? settings)));
}

const without = (position: number) => checkTable.filter((entry) => entry.position !== position);

test('an order passes when nothing is wrong, on either side', () => {
  expect(refusals(checkTable, { position: 0 })).toEqual([]);
  expect(refusals(checkTable, { position: 0, order: goodAsk })).toEqual([]);
});

describe.each(checkTable.map((entry) => [entry.position, entry] as const))(
  'check %i',
  (position, entry) => {
    const own = cases.filter((given) => given.position === position);

    test('has cases, and only codes that its row names', () => {
      expect(own.length).toBeGreaterThan(0);
      const codes = new Set(own.flatMap(({ told }) => told.map((line) => line.split('|')[0])));
      expect([...codes].sort()).toEqual([...entry.codes].sort());
    });

    test.each(own.map((given) => [given.title, given] as const))('refuses %s', (_title, given) => {
      const lines = refusals(checkTable, given).map(({ code, observed, limit, unit }) =>
        [code, observed, limit, unit].join('|'),
      );
      expect(lines).toEqual(given.told);
    });

    test.each(own.map((given) => [given.title, given] as const))(
      'is the only one that refuses %s',
      (_title, given) => {
        expect(refusals(without(position), given)).toEqual([]);
      },
    );
  },
);

describe('at the limit an order still passes', () => {
  // biome-ignore format: a table reads best with few lines per case.
  const atLimit: readonly Omit<Case, 'told' | 'position'>[] = [
    { title: 'skew', spoil: (facts) => { facts.health.clockSkewMs = 2_000; } },
    { title: 'unknown orders', spoil: (facts) => { facts.health.unknownOrders = 5; pairFacts(facts).unknownOrders = 2; } },
    { title: 'volume of the market', order: { volume: lots(5) } },
    { title: 'volume of the order', order: { volume: lots(300) } },
    { title: 'collar below', order: { price: ticks(98_000_000) } },
    { title: 'collar above', order: { price: ticks(102_000_000) } },
    { title: 'age of the book', spoil: (facts) => { pairFacts(facts).bookAgeMs = 3_000; } },
    { title: 'position', spoil: (facts) => { facts.exposure.setPosition('other', 'XBTZAR', { base: '0.04', counter: '0' }); } },
    { title: 'funds', spoil: (facts) => { setBalances(facts, { ZAR: '10100' }); } },
    { title: 'open notional', spoil: (facts) => { holdOrder(facts, 'h1', { side: 'ASK', volume: lots(400) }); } },
    { title: 'a post-only market', spoil: (facts) => { pairFacts(facts).status = 'POST_ONLY'; } },
    { title: 'orders a minute, once it is over', settings: account({ ordersPerMinuteMax: 1 }),
      spoil: (facts) => { holdOrder(facts, 'h1', {}); facts.exposure.release('h1'); facts.nowMs += 60_000; } },
    { title: 'reducing, out of a long position', order: { side: 'ASK' },
      spoil: (facts) => { reducing(facts); facts.exposure.setPosition('mm', 'XBTZAR', { base: '0.01', counter: '0' }); } },
    { title: 'reducing, out of a short position',
      spoil: (facts) => { reducing(facts); facts.exposure.setPosition('mm', 'XBTZAR', { base: '-0.01', counter: '0' }); } },
    { title: 'live, when all agree',
      spoil: (facts) => { facts.environment = { mode: 'live', ordersGoTo: 'exchange', liveFlag: true, keyFingerprint: 'k', keyFingerprintAllowed: 'k' }; } },
    { title: 'a limit that yesterday used up', settings: account({ turnoverDayMax: { ZAR: '10000' } }),
      spoil: (facts) => { facts.exposure.fill(fillOf({ timeMs: nowMs - 86_400_000 })); } },
  ];
  test.each(atLimit.map((given) => [given.title, given] as const))('%s', (_title, given) => {
    expect(refusals(checkTable, { ...given, position: 0 })).toEqual([]);
  });
});

describe('what is missing denies', () => {
  const codesOf = (given: Omit<Case, 'title' | 'told' | 'position'>) =>
    new Set(refusals(checkTable, { ...given, position: 0 }).map(({ code }) => code));

  test('without a limits section every limit refuses', () => {
    const codes = codesOf({ settings: { ...settings, limits: undefined } });
    expect([...codes].sort()).toEqual(
      [
        ['BOOK_STALE', 'COLLAR_MID', 'COLLAR_TRADES', 'LOSS_DAY', 'OPEN_NOTIONAL', 'ORDERS_OPEN'],
        ['ORDERS_PER_MINUTE', 'ORDER_VOLUME', 'POSITION', 'TURNOVER_DAY'],
      ].flat(),
    );
  });

  test('a pair that is not named is refused, also one that is called like a member of Object', () => {
    for (const pair of ['ETHZAR', 'constructor', '__proto__', '']) {
      expect(codesOf({ order: { pair } })).toContain('ORDER_VOLUME');
    }
  });

  test('a strategy that is not known is refused', () => {
    expect(codesOf({ order: { strategyId: 'toString' } })).toContain('NOT_PERMITTED');
  });

  test('facts that the engine has not filled refuse', () => {
    const codes = codesOf({
      spoil: (facts) => {
        const { environment, exposure } = facts;
        Object.assign(facts, createGateFacts(environment, exposure, [market]));
      },
    });
    for (const code of ['TRADING_STATE', 'NOT_RECONCILED', 'CLOCK_SKEW', 'MARKET_STATUS']) {
      expect(codes).toContain(code);
    }
  });

  test.each([
    ['a fraction of a tick', { price: ticks(100_000_000.5) }],
    ['no number', { price: ticks(Number.NaN) }],
    ['an infinite volume', { volume: lots(Number.POSITIVE_INFINITY) }],
    ['a volume beyond 2^53', { volume: lots(2 ** 53) }],
    ['a negative volume', { volume: lots(-100) }],
    ['no volume', { volume: lots(0) }],
    ['a side from elsewhere', { side: 'BUY' as 'BID' }],
    ['a time in force from elsewhere', { timeInForce: 'GTD' as 'GTC' }],
    ['a flag that is none', { postOnly: undefined as unknown as boolean }],
  ])('%s is refused by its form, and nothing is thrown', (_title, order) => {
    expect(codesOf({ order })).toContain('FORM');
  });

  test('scales that do not fit the exact unit are refused', () => {
    const codes = codesOf({
      spoil: (facts) => {
        pairFacts(facts).market = { ...market, priceScale: 15, volumeScale: 4 };
      },
    });
    expect(codes).toContain('FORM');
  });
});

test('a product beyond 2^53 is exact: one atom above the limit is refused', () => {
  const order = { price: ticks(100_000_001), volume: lots(299) };
  const value = '29900.000299';
  const exact = account({ openNotionalMax: { ZAR: value } });
  expect(refusals(checkTable, { position: 0, order, settings: exact })).toEqual([]);
  const less = account({ openNotionalMax: { ZAR: '29900.000298999999999999' } });
  expect(
    refusals(checkTable, { position: 0, order, settings: less }).map(({ code }) => code),
  ).toEqual(['OPEN_NOTIONAL']);
});
