/**
 * Each check by a table: what is wrong with the order or the facts, and exactly which refusals the
 * whole gate then returns. The gate without that check lets the order pass, so each row also shows
 * that its check is needed.
 */
import { describe, expect, test } from 'vitest';
import { approvalTokenOf } from '../../../src/risk/approvals.ts';
import { checkInputOf, type Refusal } from '../../../src/risk/check.ts';
import { type CheckEntry, checkTable } from '../../../src/risk/check-table.ts';
import { refusalsBy } from '../../../src/risk/gate.ts';
import { createGateFacts } from '../../../src/risk/gate-facts.ts';
import { gateLimitsOf } from '../../../src/risk/gate-limits.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { fillAs, heldAs } from '../../support/named-holds.ts';
import { accountCases } from './account-cases.ts';
import {
  goodAsk,
  goodBid,
  holdOrder,
  lots,
  market,
  nowMs,
  openFacts,
  pairFacts,
  setBalances,
  settings,
  ticks,
} from './open-gate.ts';
import { orderCases, taker } from './order-cases.ts';
import { rateCases } from './rate-cases.ts';
import { account, approved, type Case, fillOf, live, reducing } from './spoilt-case.ts';
import { stateCases } from './state-cases.ts';

function refusals(
  table: readonly CheckEntry[],
  given: Omit<Case, 'title' | 'expected'>,
): readonly Refusal[] {
  const facts = openFacts();
  given.spoil?.(facts);
  const order = { ...goodBid, ...given.order };
  return refusalsBy(table, checkInputOf(order, facts, gateLimitsOf(given.settings ?? settings)));
}

const cases = [...stateCases, ...orderCases, ...accountCases, ...rateCases];

const without = (...positions: number[]) =>
  checkTable.filter((entry) => !positions.includes(entry.position));

test('an order passes when nothing is wrong, on either side', () => {
  expect(refusals(checkTable, { position: 0 })).toEqual([]);
  expect(refusals(checkTable, { position: 0, order: goodAsk })).toEqual([]);
});

describe.each(checkTable.map((entry) => [entry.position, entry] as const))(
  'check %i',
  (position, entry) => {
    const own = cases.filter((given) => given.position === position);

    test('has cases, and only the codes that its row in the table lists', () => {
      expect(own.length).toBeGreaterThan(0);
      const alone = own.filter(({ alsoBy }) => alsoBy === undefined);
      const codes = new Set(
        alone.flatMap(({ expected }) => expected.map((line) => line.split('|')[0])),
      );
      expect([...codes].sort()).toEqual([...entry.codes].sort());
    });

    test.each(own.map((given) => [given.title, given] as const))('refuses %s', (_title, given) => {
      const lines = refusals(checkTable, given).map(({ code, observed, limit, unit }) =>
        [code, observed, limit, unit].join('|'),
      );
      expect(lines).toEqual(given.expected);
    });

    test.each(own.map((given) => [given.title, given] as const))(
      'is the only one that refuses %s',
      (_title, given) => {
        expect(refusals(without(position, ...(given.alsoBy ?? [])), given)).toEqual([]);
      },
    );
  },
);

describe('at the limit an order still passes', () => {
  const atLimit: readonly Omit<Case, 'expected' | 'position'>[] = [
    {
      title: 'clock skew',
      spoil: (facts) => {
        facts.health.clockSkewMs = 2_000;
      },
    },
    {
      title: 'delay of the event loop',
      spoil: (facts) => {
        facts.health.loopDelayMs = 500;
      },
    },
    {
      title: 'unknown orders',
      spoil: (facts) => {
        facts.health.unknownOrders = 5;
        pairFacts(facts).unknownOrders = 2;
      },
    },
    { title: 'volume of the market', order: { volume: lots(5) } },
    { title: 'volume of the order', order: { volume: lots(300) } },
    { title: 'collar below', order: { price: ticks(98_000_000) } },
    { title: 'collar above', order: { price: ticks(102_000_000) } },
    {
      title: 'age of the book',
      spoil: (facts) => {
        pairFacts(facts).bookAgeMs = 3_000;
      },
    },
    {
      title: 'position',
      spoil: (facts) => {
        facts.exposure.setPosition('other', 'XBTZAR', { base: '0.04', counter: '0' });
      },
    },
    {
      title: 'funds',
      spoil: (facts) => {
        setBalances(facts, { ZAR: '10100' });
      },
    },
    {
      title: 'open notional',
      spoil: (facts) => {
        holdOrder(facts, 'h1', { side: 'ASK', volume: lots(396), price: ticks(101_000_000) });
        expect(facts.exposure.openNotional('ZAR')).toBe(39_996n * 10n ** 18n);
      },
    },
    {
      title: 'a post-only market',
      spoil: (facts) => {
        pairFacts(facts).status = 'POST_ONLY';
      },
    },
    {
      title: 'orders per minute, once the minute is over',
      order: { createdMs: nowMs + 60_000 },
      settings: account({ ordersPerMinuteMax: 1 }),
      spoil: (facts) => {
        holdOrder(facts, 'h1', {});
        facts.exposure.release(heldAs(facts.exposure, 'h1'));
        facts.nowMs += 60_000;
      },
    },
    {
      title: 'a taker of a tenth of the depth',
      order: { ...taker, volume: lots(300) },
    },
    {
      title: 'identical orders, after a fill',
      spoil: (facts) => {
        holdOrder(facts, 'h1', {});
        fillAs(
          facts.exposure,
          fillOf({ key: 'f0', strategyId: 'mm', volume: lots(1), value: 1e8 }),
        );
      },
    },
    {
      title: 'identical orders, once the first is being cancelled',
      spoil: (facts) => {
        holdOrder(facts, 'h1', {});
        facts.exposure.withdraw(heldAs(facts.exposure, 'h1'), nowMs);
      },
    },
    {
      title: 'an order that a person approved',
      settings: account({ approveAbove: { ZAR: '9999' } }),
      spoil: (facts) => {
        facts.approvals.add(approvalTokenOf(goodBid, market), nowMs + 1);
      },
    },
    {
      title: 'reducing a long position',
      order: { side: 'ASK' },
      spoil: (facts) => {
        reducing(facts);
        facts.exposure.setPosition('mm', 'XBTZAR', { base: '0.01', counter: '0' });
      },
    },
    {
      title: 'reducing a short position',
      spoil: (facts) => {
        reducing(facts);
        facts.exposure.setPosition('mm', 'XBTZAR', { base: '-0.01', counter: '0' });
      },
    },
    {
      title: 'live, when all agree',
      spoil: (facts) => {
        facts.environment = live;
        facts.strategyHashes.set('mm', 'abc');
      },
      settings: approved(),
    },
    {
      title: 'a limit that yesterday used up',
      settings: account({ turnoverDayMax: { ZAR: '10000' } }),
      spoil: (facts) => {
        fillAs(facts.exposure, fillOf({ timeMs: nowMs - 86_400_000 }));
      },
    },
  ];
  test.each(atLimit.map((given) => [given.title, given] as const))('%s', (_title, given) => {
    expect(refusals(checkTable, { ...given, position: 0 })).toEqual([]);
  });
});

describe('a missing value refuses', () => {
  const codesOf = (given: Omit<Case, 'title' | 'expected' | 'position'>) =>
    new Set(refusals(checkTable, { ...given, position: 0 }).map(({ code }) => code));

  test('without a limits section every limit refuses', () => {
    const codes = codesOf({ settings: { ...settings, limits: undefined } });
    expect([...codes].sort()).toEqual(
      [
        ['AGE', 'APPROVAL', 'BOOK_STALE', 'CANCEL_SHARE', 'COLLAR_BUDGET', 'COLLAR_MID'],
        ['COLLAR_TRADES', 'DRAWDOWN', 'DUPLICATE', 'FUNDS', 'LOSS_DAY', 'OPEN_NOTIONAL'],
        ['ORDERS_OPEN', 'ORDERS_PER_FILL', 'ORDERS_PER_MINUTE', 'ORDERS_PER_SECOND'],
        ['ORDER_VOLUME', 'POSITION', 'REFUSALS', 'REJECTIONS', 'REPEATED_FILLS'],
        ['STRATEGY_PER_MINUTE', 'STRATEGY_PER_SECOND', 'TURNOVER_DAY', 'UNEXECUTED'],
      ].flat(),
    );
  });

  test('a pair without limits is refused, also one named like a member of Object', () => {
    for (const pair of ['ETHZAR', 'constructor', '__proto__', '']) {
      expect(codesOf({ order: { pair } })).toContain('ORDER_VOLUME');
    }
  });

  test('a strategy that is not known is refused', () => {
    expect(codesOf({ order: { strategyId: 'toString' } })).toContain('NOT_PERMITTED');
  });

  test('facts that the engine has not filled in refuse every order', () => {
    const codes = codesOf({
      spoil: (facts) => {
        const { environment, exposure } = facts;
        Object.assign(facts, createGateFacts(environment, exposure, [market], lunoProfile));
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

  test('scales of more than 18 decimals are refused', () => {
    const codes = codesOf({
      spoil: (facts) => {
        pairFacts(facts).market = { ...market, priceScale: 15, volumeScale: 4 };
      },
    });
    expect(codes).toContain('FORM');
  });
});

test('a product beyond 2^53 is exact: 10^-18 above the limit is refused', () => {
  const order = { price: ticks(100_000_001), volume: lots(299) };
  const value = '29900.000299';
  const exact = account({ openNotionalMax: { ZAR: value } });
  expect(refusals(checkTable, { position: 0, order, settings: exact })).toEqual([]);
  const less = account({ openNotionalMax: { ZAR: '29900.000298999999999999' } });
  expect(
    refusals(checkTable, { position: 0, order, settings: less }).map(({ code }) => code),
  ).toEqual(['OPEN_NOTIONAL']);
});
