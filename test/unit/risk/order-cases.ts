/** The order itself and its market: checks 5 to 13. */
import { Book } from '../../../src/market/book/book.ts';
import { heldAs } from '../../support/named-holds.ts';
import {
  anyOrders,
  holdOrder,
  lots,
  market,
  pairFacts,
  settings,
  stopSettings,
  ticks,
} from './open-gate.ts';
import { account, budget, type Case, pairLimit } from './spoilt-case.ts';

/** An order that crosses the book; its rest stays open. */
export const taker = { strategyId: 'other', postOnly: false, price: ticks(100_500_000) } as const;

export const orderCases: readonly Case[] = [
  {
    position: 5,
    title: 'a side that is not allowed',
    expected: ['NOT_PERMITTED|BID|ASK|side'],
    settings: {
      ...settings,
      strategies: settings.strategies.map((s) => ({ ...s, allow: { ...s.allow, sides: ['ASK'] } })),
    },
  },
  {
    position: 5,
    title: 'a pair that the strategy does not trade',
    expected: ['NOT_PERMITTED|XBTZAR|ETHZAR|pair'],
    settings: {
      ...settings,
      strategies: settings.strategies.map((s) => ({ ...s, pairs: ['ETHZAR'] })),
    },
  },
  {
    position: 5,
    title: 'a time in force that is not allowed',
    order: { timeInForce: 'IOC', postOnly: false },
    expected: ['NOT_PERMITTED|IOC|GTC|timeInForce', 'NOT_PERMITTED|false|required|postOnly'],
  },
  {
    position: 5,
    title: 'a taker order where post-only is required',
    order: { postOnly: false },
    expected: ['NOT_PERMITTED|false|required|postOnly'],
  },
  {
    position: 5,
    title: 'a post-only order where it is never allowed',
    expected: ['NOT_PERMITTED|true|never|postOnly'],
    settings: {
      ...settings,
      strategies: settings.strategies.map((s) => ({
        ...s,
        allow: { ...s.allow, postOnly: 'never' },
      })),
    },
  },
  {
    position: 5,
    title: 'another account',
    order: { baseAccountId: '12' },
    expected: ['NOT_PERMITTED|12|11|XBT account'],
  },
  {
    position: 5,
    title: 'an account for a currency without one',
    expected: ['NOT_PERMITTED|13|missing|ZAR account'],
    settings: { ...settings, accounts: { XBT: '11' } },
  },

  {
    position: 6,
    title: 'post-only that must fill at once',
    order: { strategyId: 'other', timeInForce: 'FOK' },
    expected: ['FORM|post-only FOK|post-only GTC|timeInForce'],
  },
  {
    position: 6,
    title: "a price below the market's range",
    expected: ['PRICE_RANGE|1000000.00|1000000.01 to 10000000.00|ZAR'],
    spoil: (facts) => {
      pairFacts(facts).market = { ...market, priceMin: ticks(100_000_001) };
    },
  },
  {
    position: 5,
    title: 'a stop-limit order that is not allowed',
    order: { stop: { direction: 'ABOVE', price: ticks(100_000_001) } },
    expected: ['NOT_PERMITTED|stop-limit|limit|type'],
  },
  {
    position: 6,
    title: 'a market order that counts for less than it may buy',
    order: {
      ...{ price: ticks(98_000_001), volume: lots(103), pays: '10000' },
      ...{ timeInForce: 'IOC', postOnly: false },
    },
    settings: anyOrders,
    expected: ['MARKET_PRICE|980000.01|at most 980000.00|ZAR'],
  },
  {
    position: 6,
    title: 'a stop price that the last trade has reached',
    order: { stop: { direction: 'ABOVE', price: ticks(100_000_000) } },
    settings: stopSettings,
    expected: ['STOP_PRICE|1000000.00|above the last trade at 1000000.00|ZAR'],
  },
  {
    position: 6,
    title: 'a stop without a direction',
    order: { stop: { direction: 'up' as 'ABOVE', price: ticks(99_999_999) } },
    settings: stopSettings,
    expected: ['FORM|up|ABOVE or BELOW|direction of the stop'],
  },
  {
    position: 9,
    title: 'a limit price far from its stop price',
    order: { stop: { direction: 'BELOW', price: ticks(98_000_000) } },
    settings: stopSettings,
    expected: ['COLLAR_STOP|0.020408163265306123|0.02|share of reference'],
  },
  {
    position: 6,
    title: "a volume below the market's range",
    order: { volume: lots(4) },
    expected: ['VOLUME_RANGE|0.0004|0.0005 to 100.0000|XBT'],
  },
  {
    position: 6,
    title: "a volume above the market's range",
    expected: ['VOLUME_RANGE|0.0100|0.0005 to 0.0099|XBT'],
    spoil: (facts) => {
      pairFacts(facts).market = { ...market, volumeMax: lots(99) };
    },
  },

  {
    position: 7,
    title: 'a disabled market',
    expected: ['MARKET_STATUS|DISABLED|ACTIVE, POST_ONLY or SUSPENDED|status'],
    spoil: (facts) => {
      pairFacts(facts).status = 'DISABLED';
    },
  },
  {
    position: 7,
    title: 'a taker in a suspended market',
    order: { strategyId: 'other', postOnly: false },
    expected: ['MARKET_STATUS|SUSPENDED|ACTIVE|status'],
    spoil: (facts) => {
      pairFacts(facts).status = 'SUSPENDED';
    },
  },
  {
    position: 7,
    title: 'a taker in a post-only market',
    order: { strategyId: 'other', postOnly: false },
    expected: ['MARKET_STATUS|POST_ONLY|ACTIVE|status'],
    spoil: (facts) => {
      pairFacts(facts).status = 'POST_ONLY';
    },
  },
  {
    position: 7,
    title: 'a market of unknown status',
    expected: ['MARKET_STATUS|missing|ACTIVE, POST_ONLY or SUSPENDED|status'],
    spoil: (facts) => {
      pairFacts(facts).status = undefined;
    },
  },

  {
    position: 8,
    title: 'too much in one order',
    order: { volume: lots(301) },
    expected: ['ORDER_VOLUME|0.0301|0.03|XBT'],
  },
  {
    position: 8,
    title: 'an ask worth more than the budget',
    order: { side: 'ASK' },
    expected: ['ORDER_VALUE|10000|9999.99|ZAR'],
    settings: budget({ ZAR: '9999.99', XBT: '0.08' }),
  },

  {
    position: 9,
    title: 'an unusable book',
    expected: ['BOOK_UNUSABLE|no|yes|usable book'],
    spoil: (facts) => {
      pairFacts(facts).bookUsable = false;
    },
  },
  {
    position: 9,
    title: 'a stale book',
    expected: ['BOOK_STALE|3001|3000|ms'],
    spoil: (facts) => {
      pairFacts(facts).bookAgeMs = 3_001;
    },
  },
  {
    position: 9,
    title: 'no trade for a minute',
    expected: ['TRADES_STALE|60001|60000|ms'],
    spoil: (facts) => {
      pairFacts(facts).tradeMedianAgeMs = 60_001;
    },
  },
  {
    position: 9,
    title: 'no trade ever',
    expected: ['TRADES_STALE|missing|60000|ms', 'COLLAR_TRADES|missing|0.02|share of reference'],
    spoil: (facts) => {
      Object.assign(pairFacts(facts), { tradeMedian: undefined, tradeMedianAgeMs: undefined });
    },
  },
  {
    position: 9,
    title: 'no mid',
    alsoBy: [10],
    expected: ['COLLAR_MID|missing|0.02|share of reference', 'COLLAR_BUDGET|missing|50000|ZAR'],
    spoil: (facts) => {
      pairFacts(facts).mid2 = undefined;
    },
  },
  {
    position: 9,
    title: 'one tick too far below both',
    order: { price: ticks(97_999_999) },
    expected: [
      'COLLAR_MID|0.02000001|0.02|share of reference',
      'COLLAR_TRADES|0.02000001|0.02|share of reference',
    ],
  },
  {
    position: 9,
    title: 'one tick too far above both',
    order: { price: ticks(102_000_001) },
    expected: [
      'COLLAR_MID|0.02000001|0.02|share of reference',
      'COLLAR_TRADES|0.02000001|0.02|share of reference',
    ],
  },
  {
    position: 9,
    title: 'a mid that moved away from the trades',
    expected: ['COLLAR_MID|0.024390243902439025|0.02|share of reference'],
    spoil: (facts) => {
      pairFacts(facts).mid2 = 205_000_000;
    },
  },
  {
    position: 9,
    title: 'trades that moved away from the mid',
    expected: ['COLLAR_TRADES|0.024390243902439025|0.02|share of reference'],
    spoil: (facts) => {
      pairFacts(facts).tradeMedian = ticks(102_500_000);
    },
  },

  {
    position: 10,
    title: 'orders whose small deviations add up',
    order: { price: ticks(99_000_000) },
    settings: account({ collarBudgetMax: { ZAR: '199' } }),
    expected: ['COLLAR_BUDGET|200|199|ZAR'],
    spoil: (facts) => {
      const order = { distance2: 2_000_000, volume: lots(100), atMs: facts.nowMs - 299_999 };
      facts.exposure.collars.add(market, order);
    },
  },
  {
    position: 10,
    title: 'a currency without a collar budget',
    settings: account({ collarBudgetMax: {} }),
    expected: ['COLLAR_BUDGET|0|missing|ZAR'],
  },

  {
    position: 11,
    title: 'a taker whose average price is far from the mid',
    order: { ...taker, volume: lots(200) },
    settings: pairLimit({ slippageMax: '0.00000001', depthShareMax: '1' }),
    expected: ['SLIPPAGE|0.000000017|0.00000001|share of mid'],
    spoil: (facts) => {
      const book = new Book();
      book.create('ASK', ticks(100_000_001), lots(120));
      book.create('ASK', ticks(100_000_002), lots(60));
      book.create('ASK', ticks(100_000_005), lots(1_000));
      pairFacts(facts).book = book;
    },
  },
  {
    position: 11,
    title: 'a taker of more than a tenth of the depth',
    order: { ...taker, volume: lots(100) },
    expected: ['DEPTH_SHARE|0.100100100100100101|0.1|share of the best 100 levels'],
    spoil: (facts) => {
      const book = new Book();
      book.create('ASK', ticks(100_000_001), lots(999));
      pairFacts(facts).book = book;
    },
  },
  {
    position: 11,
    title: 'a taker without a book',
    order: taker,
    expected: ['SLIPPAGE|missing|0.02|share of mid'],
    spoil: (facts) => {
      pairFacts(facts).book = undefined;
    },
  },

  {
    position: 12,
    title: 'the same order again',
    expected: ['DUPLICATE|2|1|orders alike'],
    spoil: (facts) => holdOrder(facts, 'h1', {}),
  },
  {
    position: 13,
    title: 'a bid at the price of an ask of another strategy',
    expected: ['SELF_TRADE|1000000.00|below 1000000.00|ZAR'],
    spoil: (facts) => holdOrder(facts, 'h1', { strategyId: 'other', side: 'ASK', volume: lots(5) }),
  },
  {
    position: 13,
    title: 'an ask at the price of a bid that is being cancelled',
    order: { side: 'ASK' },
    expected: ['SELF_TRADE|1000000.00|above 1000000.00|ZAR'],
    spoil: (facts) => {
      holdOrder(facts, 'h1', { volume: lots(5) });
      facts.exposure.withdraw(heldAs(facts.exposure, 'h1'), facts.nowMs);
    },
  },
];
