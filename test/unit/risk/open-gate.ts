/** Settings, facts and an order that pass the gate; each test breaks one of them. */
import { amountOf } from '../../../src/domain/amount.ts';
import { orderTypes } from '../../../src/domain/bot-settings.ts';
import type { Limits } from '../../../src/domain/declared-limits.ts';
import type { Market } from '../../../src/domain/market.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { Book } from '../../../src/market/book/book.ts';
import { Exposure } from '../../../src/risk/exposure.ts';
import { createGateFacts, type GateFacts, type PairFacts } from '../../../src/risk/gate-facts.ts';
import type { GateSettings } from '../../../src/risk/gate-limits.ts';
import type { Proposal } from '../../../src/risk/proposal.ts';
import { completeLimits } from '../../../src/settings/complete-limits.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { holdAs } from '../../support/named-holds.ts';

export const nowMs = 1_750_000_000_000;

export const lots = (count: number) => count as Lots;
export const ticks = (count: number) => count as Ticks;

/** Ticks of 0.01 ZAR, lots of 0.0001 XBT. */
export const market: Market = {
  pair: 'XBTZAR',
  base: 'XBT',
  counter: 'ZAR',
  priceScale: 2,
  volumeScale: 4,
  feeScale: 8,
  priceMin: ticks(100_000),
  priceMax: ticks(1_000_000_000),
  volumeMin: lots(5),
  volumeMax: lots(1_000_000),
  status: 'ACTIVE',
};

/** A bid for 0.01 XBT at 1,000,000 ZAR: 10,000 ZAR. */
export const goodBid: Proposal = {
  strategyId: 'mm',
  pair: 'XBTZAR',
  side: 'BID',
  price: ticks(100_000_000),
  volume: lots(100),
  timeInForce: 'GTC',
  postOnly: true,
  reduceOnly: false,
  baseAccountId: '11',
  counterAccountId: '13',
  createdMs: nowMs,
};

export const goodAsk: Proposal = { ...goodBid, side: 'ASK' };

export const limits: Limits = completeLimits({
  account: {
    openNotionalMax: { ZAR: '50000' },
    turnoverDayMax: { ZAR: '200000' },
    lossDayMax: { ZAR: '1500' },
    drawdownMax: { ZAR: '3000' },
    ordersOpenMax: 5,
    ordersPerMinuteMax: 10,
  },
  pairs: {
    XBTZAR: { orderBaseMax: '0.03', positionBaseMax: '0.05', collar: '0.02', bookAgeMsMax: 3_000 },
  },
});

export const settings: GateSettings = {
  strategies: [
    {
      id: 'mm',
      pairs: ['XBTZAR'],
      budget: { ZAR: '60000', XBT: '0.08' },
      allow: {
        sides: ['BID', 'ASK'],
        types: ['limit'],
        timeInForce: ['GTC'],
        postOnly: 'required',
      },
    },
    {
      id: 'other',
      pairs: ['XBTZAR'],
      budget: { ZAR: '60000', XBT: '0.08' },
      allow: {
        sides: ['BID', 'ASK'],
        types: ['limit'],
        timeInForce: ['GTC', 'IOC', 'FOK'],
        postOnly: 'allowed',
      },
    },
  ],
  limits,
  accounts: { XBT: '11', ZAR: '13' },
};

/** As {@link settings}, with stop-limit orders allowed. */
export const stopSettings: GateSettings = {
  ...settings,
  strategies: settings.strategies.map((one) => ({
    ...one,
    allow: { ...one.allow, types: ['limit', 'stop-limit'] },
  })),
};

/** As {@link settings}, with every order allowed. */
export const anyOrders: GateSettings = {
  ...settings,
  strategies: settings.strategies.map((one) => ({
    ...one,
    allow: {
      ...{ sides: ['BID', 'ASK'], types: orderTypes, timeInForce: ['GTC', 'IOC', 'FOK'] },
      postOnly: 'allowed',
    },
  })),
};

/**
 * Returns facts under which {@link goodBid} and {@link goodAsk} pass: no open orders and large
 * balances.
 */
export function openFacts(): GateFacts {
  const exposure = new Exposure([market]);
  const environment = {
    mode: 'demo',
    ordersGoTo: 'simulator',
    liveFlag: false,
    keyFingerprint: 'abc',
    keyFingerprintAllowed: undefined,
  } as const;
  const facts = createGateFacts(environment, exposure, [market], lunoProfile);
  facts.nowMs = nowMs;
  facts.tradingState.global = 'ACTIVE';
  facts.tradingState.pairs.set('XBTZAR', 'ACTIVE');
  for (const { id } of settings.strategies) facts.tradingState.strategies.set(id, 'ACTIVE');
  Object.assign(facts.health, {
    reconciled: true,
    storeDurable: true,
    lockHeld: true,
    clockSkewMs: 12,
    loopDelayMs: 0,
  });
  const open: Partial<PairFacts> = {
    status: 'ACTIVE',
    bookUsable: true,
    book: deepBook(),
    bookAgeMs: 40,
    mid2: 200_000_000,
    tradeMedian: ticks(100_000_000),
    tradeMedianAgeMs: 900,
  };
  Object.assign(pairFacts(facts), open);
  setBalances(facts, { XBT: '1', ZAR: '1000000' });
  return facts;
}

/** Three levels of 0.1 XBT on each side, the best ones a tick from the mid. */
export function deepBook(): Book {
  const book = new Book();
  for (const away of [1, 2, 3]) {
    book.create('BID', ticks(100_000_000 - away), lots(1_000));
    book.create('ASK', ticks(100_000_000 + away), lots(1_000));
  }
  return book;
}

export function pairFacts(facts: GateFacts): PairFacts {
  const pair = facts.pairs.get('XBTZAR');
  if (pair === undefined) throw new Error('the facts have no XBTZAR');
  return pair;
}

/** Sets balance and available to the same amounts, as of now. */
export function setBalances(facts: GateFacts, amounts: Readonly<Record<string, string>>): void {
  const mark = facts.exposure.funds.mark();
  for (const [currency, amount] of Object.entries(amounts)) {
    facts.exposure.funds.setBalance(currency, {
      askedMs: 0,
      balance: amountOf(amount),
      available: amountOf(amount),
      mark,
    });
  }
}

/** Holds another order of `volume` lots, as if it were approved. */
export function holdOrder(
  facts: GateFacts,
  id: string,
  order: Partial<Pick<Proposal, 'strategyId' | 'side' | 'price' | 'volume'>>,
): void {
  holdAs(facts.exposure, id, { ...goodBid, ...order }, facts.nowMs);
}
