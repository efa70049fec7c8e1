/** The meaning of each key of a bot's limits. The other keys are in `key-descriptions.ts`. */
import type { Descriptions } from './key-description.ts';

/** The keys of a breaker. */
function breakerAt(path: string): Descriptions {
  const lasting =
    'refuse and cancel end when the count falls again; reduce and halt last until a person resumes.';
  return {
    [`${path}.max`]: { meaning: 'The breaker trips above this count.', example: '5' },
    [`${path}.within`]: { meaning: 'The time in which they are counted.', example: '"60s"' },
    [`${path}.action`]: { meaning: lasting, example: 'halt' },
  };
}

export const limitDescriptions: Descriptions = {
  limits: {
    meaning:
      'The limits that the gate checks. An order that no limit covers is refused. ' +
      '`learner` makes them from the budgets of the strategies, for demo, paper and backtests.',
    example: 'learner',
  },
  'limits.account': {
    meaning: 'Limits over all strategies and pairs.',
    example: '{ ordersOpenMax: 10, … }',
  },
  'limits.account.openNotionalMax': {
    meaning:
      'Value of all open orders, by counter currency. Orders in an unknown state count as open.',
    example: '{ ZAR: "50000" }',
  },
  'limits.account.openNotionalMax.<currency>': {
    meaning: 'The limit in this currency.',
    example: '"50000"',
  },
  'limits.account.turnoverDayMax': {
    meaning: 'Value traded in a UTC day, as if every open order filled.',
    example: '{ ZAR: "200000" }',
  },
  'limits.account.turnoverDayMax.<currency>': {
    meaning: 'The limit in this currency.',
    example: '"200000"',
  },
  'limits.account.lossDayMax': {
    meaning: 'Loss in a UTC day. Once it is reached, only orders that reduce a position pass.',
    example: '{ ZAR: "1500" }',
  },
  'limits.account.lossDayMax.<currency>': {
    meaning: 'The limit in this currency.',
    example: '"1500"',
  },
  'limits.account.ordersOpenMax': { meaning: 'Open orders at once.', example: '10' },
  'limits.account.ordersPerMinuteMax': {
    meaning: 'New orders in any 60 seconds.',
    example: '60',
  },
  'limits.pairs': {
    meaning: 'Limits of each pair. Orders of any other pair are refused.',
    example: '{ XBTZAR: { … } }',
  },
  'limits.pairs.<pair>': {
    meaning: 'Limits of this pair.',
    example: '{ orderBaseMax: "0.02", … }',
  },
  'limits.pairs.<pair>.orderBaseMax': {
    meaning: 'Volume of one order, in the base currency.',
    example: '"0.02"',
  },
  'limits.pairs.<pair>.positionBaseMax': {
    meaning: 'Position in the base currency, including open orders.',
    example: '"0.05"',
  },
  'limits.pairs.<pair>.collar': {
    meaning:
      'The largest distance of a price from the mid and from the median trade price of the last minute.',
    example: '"2%"',
  },
  'limits.pairs.<pair>.bookAgeMax': {
    meaning: 'The longest time without a message from the exchange. After it, orders are refused.',
    example: '"3s"',
  },
  'limits.account.drawdownMax': {
    meaning: 'The largest fall of the profit from its highest point.',
    example: '{ ZAR: "1500" }',
    absent: 'lossDayMax (required in live)',
  },
  'limits.account.drawdownMax.<currency>': {
    meaning: 'The limit in this currency.',
    example: '"1500"',
  },
  'limits.account.onLoss': {
    meaning:
      'The action at lossDayMax or drawdownMax. An order that only reduces a position passes, except after halt.',
    example: 'halt',
    absent: 'refuse (required in live)',
  },
  'limits.account.collarBudgetMax': {
    meaning: 'Distance from the mid times volume, summed over the orders of five minutes.',
    example: '{ ZAR: "1500" }',
    absent: 'openNotionalMax (required in live)',
  },
  'limits.account.collarBudgetMax.<currency>': {
    meaning: 'The limit in this currency.',
    example: '"1500"',
  },
  'limits.account.approveAbove': {
    meaning: 'An order of a higher value needs the approval of a person.',
    example: '{ ZAR: "1500" }',
    absent: 'openNotionalMax (required in live)',
  },
  'limits.account.approveAbove.<currency>': {
    meaning: 'The limit in this currency.',
    example: '"1500"',
  },
  'limits.account.feeBuffer': {
    meaning:
      'Share of the value of a bid that stays free for a fee beside it. The fee of an ask is taken from what it receives.',
    example: '"1%"',
    absent: '1 % (required in live)',
  },
  'limits.account.ordersPerSecondMax': {
    meaning: 'New orders in any second.',
    example: '10',
    absent: '20 (required in live)',
  },
  'limits.account.intentAgeMax': {
    meaning: 'The longest time from an intent to place an order until the gate checks it.',
    example: '"10s"',
    absent: '10 s (required in live)',
  },
  'limits.account.orderAgeMax': {
    meaning: 'The longest time that an order may rest. Then it is cancelled.',
    example: '"1h"',
    absent: '24 h (required in live)',
  },
  'limits.eachStrategy': {
    meaning: 'Limits of each strategy alone.',
    example: '{ ordersPerSecondMax: 6, … }',
    absent: 'the values of its keys below (required in live)',
  },
  'limits.eachStrategy.openNotionalMax': {
    meaning: 'Value of the open orders of the strategy.',
    example: '{ ZAR: "1500" }',
    absent: 'the limit of the account (required in live)',
  },
  'limits.eachStrategy.openNotionalMax.<currency>': {
    meaning: 'The limit in this currency.',
    example: '"1500"',
  },
  'limits.eachStrategy.ordersPerSecondMax': {
    meaning: 'New orders in any second.',
    example: '6',
    absent: '10 (required in live)',
  },
  'limits.eachStrategy.ordersPerMinuteMax': {
    meaning: 'New orders in any 60 seconds.',
    example: '120',
    absent: 'the limit of the account (required in live)',
  },
  'limits.eachStrategy.cancelShareMax': {
    meaning: 'Cancels for each order of the last hour.',
    example: '"200%"',
    absent: '200 % (required in live)',
  },
  'limits.eachStrategy.ordersPerFillMax': {
    meaning: 'Orders for each fill of the last hour.',
    example: '2000',
    absent: '5000 (required in live)',
  },
  'limits.eachStrategy.identical': {
    meaning: 'Identical orders that may be open at once and were placed within this time.',
    example: '{ max: 1, within: "2s" }',
    absent: '1 within 2 s (required in live)',
  },
  'limits.eachStrategy.identical.max': {
    meaning: 'The number of identical orders.',
    example: '1',
  },
  'limits.eachStrategy.identical.within': {
    meaning: 'The time in which they were placed.',
    example: '"2s"',
  },
  'limits.eachStrategy.fills': {
    meaning: 'A breaker that counts fills of the strategy.',
    example: '{ max: 1000, within: "10m", action: halt }',
    absent: 'more than 1000 within 10 minutes halt (required in live)',
  },
  'limits.eachStrategy.rejections': {
    meaning:
      'A breaker that counts orders of the strategy that the exchange rejected. ' +
      'A post-only order that would have traded counts if the last order of its level was rejected for that, too.',
    example: '{ max: 5, within: "60s", action: halt }',
    absent: 'more than 5 within 1 minute halt (required in live)',
  },
  'limits.eachStrategy.refusals': {
    meaning: 'A breaker that counts orders of the strategy that the gate refused.',
    example: '{ max: 300, within: "60s", action: halt }',
    absent: 'more than 600 within 1 minute halt (required in live)',
  },
  'limits.eachStrategy.losingTrades': {
    meaning:
      'After more losing trades in a row on a pair, the strategy opens no position there for a time.',
    example: '{ max: 20, coolDown: "60s" }',
    absent: '50, then 1 minute (required in live)',
  },
  'limits.eachStrategy.losingTrades.max': {
    meaning: 'The number of losing trades in a row.',
    example: '20',
  },
  'limits.eachStrategy.losingTrades.coolDown': {
    meaning: 'How long it opens no position on the pair.',
    example: '"60s"',
  },
  'limits.pairs.<pair>.slippageMax': {
    meaning: 'The largest distance of the average price of a taker order from the mid.',
    example: '"1%"',
    absent: 'collar (required in live)',
  },
  'limits.pairs.<pair>.depthShareMax': {
    meaning: "The largest share of the other side's best 100 levels that one taker order may take.",
    example: '"10%"',
    absent: '10 % (required in live)',
  },
  ...breakerAt('limits.eachStrategy.fills'),
  ...breakerAt('limits.eachStrategy.rejections'),
  ...breakerAt('limits.eachStrategy.refusals'),
};
