/** What each key of a bot's limits means; the rest stands in `key-descriptions.ts`. */
import type { Descriptions } from './key-description.ts';

/** The keys of a breaker. */
function breakerAt(path: string): Descriptions {
  const lasting =
    'refuse and cancel end by themselves; reduce and halt stay until a person resumes.';
  return {
    [`${path}.max`]: { meaning: 'More than these trip it.', example: '5' },
    [`${path}.within`]: { meaning: 'The span, at most an hour.', example: '"60s"' },
    [`${path}.action`]: { meaning: lasting, example: 'halt' },
  };
}

export const limitDescriptions: Descriptions = {
  limits: {
    meaning: 'What the gate lets through. Whatever has no limit here is refused.',
    example: '{ account: { … }, pairs: { … } }',
  },
  'limits.account': {
    meaning: 'Limits over all strategies and pairs.',
    example: '{ ordersOpenMax: 10, … }',
  },
  'limits.account.openNotionalMax': {
    meaning: 'Value of all open orders, by the currency of the prices. Unknown orders count.',
    example: '{ ZAR: "50000" }',
  },
  'limits.account.openNotionalMax.<currency>': {
    meaning: 'The most in this currency.',
    example: '"50000"',
  },
  'limits.account.turnoverDayMax': {
    meaning: 'Value traded in a UTC day, if every open order fills.',
    example: '{ ZAR: "200000" }',
  },
  'limits.account.turnoverDayMax.<currency>': {
    meaning: 'The most in this currency.',
    example: '"200000"',
  },
  'limits.account.lossDayMax': {
    meaning:
      "Loss of a UTC day's trades at which orders stop, but those that only reduce a position.",
    example: '{ ZAR: "1500" }',
  },
  'limits.account.lossDayMax.<currency>': {
    meaning: 'The most in this currency.',
    example: '"1500"',
  },
  'limits.account.ordersOpenMax': { meaning: 'Open orders at once.', example: '10' },
  'limits.account.ordersPerMinuteMax': {
    meaning: 'New orders in any 60 seconds.',
    example: '60',
  },
  'limits.pairs': {
    meaning: 'Limits of each pair. A pair that is not named takes no order.',
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
    meaning: 'Position in the base currency, open orders included.',
    example: '"0.05"',
  },
  'limits.pairs.<pair>.collar': {
    meaning:
      'The furthest a price may be from the mid and from the median trade of the last minute.',
    example: '"2%"',
  },
  'limits.pairs.<pair>.bookAgeMax': {
    meaning: 'No orders when the exchange was silent for longer.',
    example: '"3s"',
  },
  'limits.account.drawdownMax': {
    meaning: 'The most that profit may fall from its highest point.',
    example: '{ ZAR: "1500" }',
    absent: 'as lossDayMax (live: it must be said)',
  },
  'limits.account.drawdownMax.<currency>': {
    meaning: 'The most in this currency.',
    example: '"1500"',
  },
  'limits.account.onLoss': {
    meaning:
      'What is done at a limit of losses. An order that only reduces a position passes, except after halt.',
    example: 'halt',
    absent: 'refuse (live: it must be said)',
  },
  'limits.account.collarBudgetMax': {
    meaning: 'Distance from the mid times volume, of all orders of five minutes.',
    example: '{ ZAR: "1500" }',
    absent: 'as openNotionalMax (live: it must be said)',
  },
  'limits.account.collarBudgetMax.<currency>': {
    meaning: 'The most in this currency.',
    example: '"1500"',
  },
  'limits.account.approveAbove': {
    meaning: 'An order of more value needs the approval of a person.',
    example: '{ ZAR: "1500" }',
    absent: 'as openNotionalMax (live: it must be said)',
  },
  'limits.account.approveAbove.<currency>': {
    meaning: 'The most in this currency.',
    example: '"1500"',
  },
  'limits.account.feeBuffer': {
    meaning: 'Share of what an order pays that is kept free for its fee.',
    example: '"1%"',
    absent: '1 % (live: it must be said)',
  },
  'limits.account.ordersPerSecondMax': {
    meaning: 'New orders in any second.',
    example: '10',
    absent: '20 (live: it must be said)',
  },
  'limits.account.intentAgeMax': {
    meaning: 'From the wish for an order by key to its judgement.',
    example: '"10s"',
    absent: '10 s (live: it must be said)',
  },
  'limits.account.orderAgeMax': {
    meaning: 'An order that rests for longer is cancelled.',
    example: '"1h"',
    absent: '24 h (live: it must be said)',
  },
  'limits.eachStrategy': {
    meaning: 'Limits of each strategy alone.',
    example: '{ ordersPerSecondMax: 6, … }',
    absent: 'what its keys say (live: it must be said)',
  },
  'limits.eachStrategy.openNotionalMax': {
    meaning: 'Value of the orders of the strategy that are not executed.',
    example: '{ ZAR: "1500" }',
    absent: 'as that of the account (live: it must be said)',
  },
  'limits.eachStrategy.openNotionalMax.<currency>': {
    meaning: 'The most in this currency.',
    example: '"1500"',
  },
  'limits.eachStrategy.ordersPerSecondMax': {
    meaning: 'New orders in any second.',
    example: '6',
    absent: '10 (live: it must be said)',
  },
  'limits.eachStrategy.ordersPerMinuteMax': {
    meaning: 'New orders in any 60 seconds.',
    example: '120',
    absent: 'as that of the account (live: it must be said)',
  },
  'limits.eachStrategy.cancelShareMax': {
    meaning: 'Cancels for each order of the last hour.',
    example: '"200%"',
    absent: '200 % (live: it must be said)',
  },
  'limits.eachStrategy.ordersPerFillMax': {
    meaning: 'Orders for each fill of the last hour.',
    example: '2000',
    absent: '5000 (live: it must be said)',
  },
  'limits.eachStrategy.identical': {
    meaning: 'Orders alike that may rest and were placed within the span.',
    example: '{ max: 1, within: "2s" }',
    absent: '1 within 2 s (live: it must be said)',
  },
  'limits.eachStrategy.identical.max': {
    meaning: 'So many.',
    example: '1',
  },
  'limits.eachStrategy.identical.within': {
    meaning: 'The span.',
    example: '"2s"',
  },
  'limits.eachStrategy.fills': {
    meaning: 'A strategy with more fills within the span trips.',
    example: '{ max: 1000, within: "10m", action: halt }',
    absent: '1000 within 10 minutes halt (live: it must be said)',
  },
  'limits.eachStrategy.rejections': {
    meaning: 'A strategy with more orders that the exchange rejected trips.',
    example: '{ max: 5, within: "60s", action: halt }',
    absent: '5 within a minute halt (live: it must be said)',
  },
  'limits.eachStrategy.refusals': {
    meaning: 'A strategy with more orders that the gate refused trips.',
    example: '{ max: 300, within: "60s", action: halt }',
    absent: '600 within a minute halt (live: it must be said)',
  },
  'limits.eachStrategy.losingTrades': {
    meaning:
      'After more losing trades in a row on a pair the strategy opens nothing there for a while.',
    example: '{ max: 20, coolDown: "60s" }',
    absent: '50, and a minute (live: it must be said)',
  },
  'limits.eachStrategy.losingTrades.max': {
    meaning: 'So many in a row.',
    example: '20',
  },
  'limits.eachStrategy.losingTrades.coolDown': {
    meaning: 'How long it rests.',
    example: '"60s"',
  },
  'limits.pairs.<pair>.slippageMax': {
    meaning: 'The furthest that the average price of a taker may be from the mid.',
    example: '"1%"',
    absent: 'as collar (live: it must be said)',
  },
  'limits.pairs.<pair>.depthShareMax': {
    meaning: 'The most of the best 100 levels of the other side that one taker may want.',
    example: '"10%"',
    absent: '10 % (live: it must be said)',
  },
  ...breakerAt('limits.eachStrategy.fills'),
  ...breakerAt('limits.eachStrategy.rejections'),
  ...breakerAt('limits.eachStrategy.refusals'),
};
