/** The account's exposure: checks 14 to 17. */
import { Exposure } from '../../../src/risk/exposure.ts';
import { fillAs } from '../../support/named-holds.ts';
import { holdOrder, lots, market, setBalances, ticks } from './open-gate.ts';
import { account, budget, type Case, fillOf, pairLimit, reducing } from './spoilt-case.ts';

/** An ask far enough away not to trade with a good bid. */
const farAsk = { side: 'ASK', price: ticks(101_000_000) } as const;

export const accountCases: readonly Case[] = [
  {
    position: 14,
    title: 'a first bid while reducing',
    expected: ['REDUCE_ONLY|0.01|0|XBT'],
    spoil: reducing,
  },
  {
    position: 14,
    title: 'a first ask while the pair is reducing',
    order: { side: 'ASK' },
    expected: ['REDUCE_ONLY|-0.01|0|XBT'],
    spoil: (facts) => {
      facts.tradingState.pairs.set('XBTZAR', 'REDUCING');
    },
  },
  {
    position: 14,
    title: 'an ask that passes zero together with the open asks',
    order: { side: 'ASK' },
    expected: ['REDUCE_ONLY|-0.005|0|XBT'],
    spoil: (facts) => {
      facts.tradingState.strategies.set('mm', 'REDUCING');
      facts.exposure.setPosition('mm', 'XBTZAR', { base: '0.02', counter: '0' });
      holdOrder(facts, 'h1', { side: 'ASK', volume: lots(150) });
    },
  },
  {
    position: 14,
    title: 'a reduce-only ask that passes zero by one lot',
    order: { side: 'ASK', reduceOnly: true, volume: lots(101) },
    expected: ['REDUCE_ONLY|-0.0001|0|XBT'],
    spoil: (facts) => {
      facts.exposure.setPosition('mm', 'XBTZAR', { base: '0.01', counter: '0' });
      facts.exposure.setPosition('other', 'XBTZAR', { base: '0.02', counter: '0' });
    },
  },

  {
    position: 15,
    title: 'a bid on top of what all strategies bought',
    expected: ['POSITION|0.055|0.05|XBT'],
    spoil: (facts) => {
      facts.exposure.setPosition('other', 'XBTZAR', { base: '0.045', counter: '0' });
    },
  },
  {
    position: 15,
    title: 'an ask on top of what all strategies sold',
    order: { side: 'ASK' },
    expected: ['POSITION|0.055|0.05|XBT'],
    spoil: (facts) => {
      facts.exposure.setPosition('other', 'XBTZAR', { base: '-0.045', counter: '0' });
    },
  },
  {
    position: 15,
    title: 'a bid on top of open bids',
    expected: ['POSITION|0.055|0.05|XBT'],
    settings: account({ openNotionalMax: { ZAR: '100000' } }),
    spoil: (facts) => {
      holdOrder(facts, 'h1', { strategyId: 'other', volume: lots(450) });
    },
  },
  {
    position: 15,
    title: 'a bid for more than the budget of the base',
    expected: ['BUDGET|0.01|0.005|XBT'],
    settings: budget({ ZAR: '60000', XBT: '0.005' }),
  },
  {
    position: 15,
    title: 'an ask for more than the budget of the base',
    order: { side: 'ASK' },
    expected: ['BUDGET|0.01|0.005|XBT'],
    settings: budget({ ZAR: '60000', XBT: '0.005' }),
  },
  {
    position: 15,
    title: 'a bid for more than the rest of the budget',
    expected: ['BUDGET|65000|60000|ZAR'],
    spoil: (facts) => {
      facts.exposure.setPosition('mm', 'XBTZAR', { base: '0', counter: '-55000' });
    },
  },
  {
    position: 15,
    title: 'a pair without a position limit',
    expected: ['POSITION|0.01|missing|XBT'],
    settings: pairLimit({ positionBaseMax: 'much' }),
  },

  {
    position: 16,
    title: 'a bid that leaves nothing for its fee',
    expected: ['FUNDS|10100|10099.99|ZAR'],
    spoil: (facts) => {
      setBalances(facts, { ZAR: '10099.99' });
    },
  },
  {
    position: 16,
    title: 'an ask for more than the account has',
    order: { side: 'ASK' },
    expected: ['FUNDS|0.01|0.0099|XBT'],
    spoil: (facts) => {
      setBalances(facts, { XBT: '0.0099' });
    },
  },
  {
    position: 16,
    title: 'a bid for funds that another order holds',
    expected: ['FUNDS|10100|5000|ZAR'],
    spoil: (facts) => {
      setBalances(facts, { ZAR: '15000' });
      holdOrder(facts, 'h1', { strategyId: 'other' });
    },
  },
  {
    position: 16,
    title: 'a bid before any balance',
    expected: ['FUNDS|10100|missing|ZAR'],
    spoil: (facts) => {
      Object.assign(facts, { exposure: new Exposure([market]) });
    },
  },

  {
    position: 17,
    title: 'too much open value, over all strategies',
    expected: ['OPEN_NOTIONAL|55450|50000|ZAR'],
    spoil: (facts) => {
      holdOrder(facts, 'h1', { ...farAsk, strategyId: 'other', volume: lots(450) });
    },
  },
  {
    position: 17,
    title: 'too much turnover if all open orders fill',
    expected: ['TURNOVER_DAY|30000|29999|ZAR'],
    settings: account({ turnoverDayMax: { ZAR: '29999' } }),
    spoil: (facts) => {
      fillAs(facts.exposure, fillOf({}));
      fillAs(facts.exposure, fillOf({ key: 'f2', side: 'ASK' }));
    },
  },
  {
    position: 17,
    title: 'a currency without limits',
    expected: ['OPEN_NOTIONAL|10000|missing|ZAR', 'TURNOVER_DAY|10000|missing|ZAR'],
    settings: account({ openNotionalMax: { EUR: '1000000' }, turnoverDayMax: {} }),
  },
];
