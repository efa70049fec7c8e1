/**
 * What each key of a settings file means, in one place: `millrace config explain` and
 * `docs/configuration.md` are made of it and of the declarations that read the files, which say
 * what is allowed and what is required. A key without its entry here, and an entry without its key,
 * fail a test.
 */

export type SettingsKind = 'bot' | 'egress' | 'venue';

export type KeyDescription = {
  /** A sentence or two, with the unit where the value itself has none. */
  readonly meaning: string;
  readonly example: string;
  /** What stands or happens when an optional key is left out, where its default does not say so. */
  readonly absent?: string;
};

type Descriptions = Readonly<Record<string, KeyDescription>>;

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

const bot: Descriptions = {
  version: { meaning: 'The version of this format.', example: '1' },
  bot: {
    meaning: "The bot's name; client order ids begin with a code made from it.",
    example: 'desk',
  },
  mode: {
    meaning:
      'demo trades on a simulated exchange on this machine, paper pretends on real prices, live trades with real money.',
    example: 'demo',
  },
  venue: {
    meaning: 'Where the exchange is: the name of a file in config/venues.',
    example: 'simulator',
  },
  store: {
    meaning: 'The database; every order and fill is in it. `--home` moves it.',
    example: 'data/desk.sqlite',
  },
  namespace: {
    meaning:
      'The code that begins every client order id. All orders on the account that begin with it are taken for this bot.',
    example: 'deskdesk',
    absent: 'made from the name of the bot',
  },
  accounts: {
    meaning: 'The account of each currency that the bot trades from.',
    example: '{ XBT: "11", ZAR: "13" }',
    absent: 'the demo takes the first account of each currency; paper and live need it',
  },
  'accounts.<currency>': { meaning: 'The id of the account.', example: '"11"' },
  live: {
    meaning: 'What live trading needs besides the mode and the flag.',
    example: '{ keyFingerprint: "0123456789abcdef" }',
    absent: 'live trading is refused',
  },
  'live.keyFingerprint': {
    meaning: 'The only API key that may trade, by the fingerprint that `millrace run` prints.',
    example: '"0123456789abcdef"',
  },
  egress: {
    meaning:
      'The file with absolute caps on what leaves, beside this one: a second opinion that no limit here can widen.',
    example: 'egress.yaml',
    absent: 'the demo sends without caps; live trading is refused',
  },
  strategies: {
    meaning: 'The strategies by id. Orders, position and state follow the id.',
    example: '{ mm-xbt: { … } }',
  },
  'strategies.<id>': { meaning: 'One strategy.', example: '{ plugin: simple-mm, … }' },
  'strategies.<id>.plugin': {
    meaning: 'The folder in strategies/ that has its code.',
    example: 'simple-mm',
  },
  'strategies.<id>.pairs': { meaning: 'The markets it trades.', example: '[XBTZAR]' },
  'strategies.<id>.parameters': {
    meaning: "The plugin's own parameters; its README says which.",
    example: '{ halfSpread: "20bps" }',
  },
  'strategies.<id>.budget': {
    meaning:
      'What the strategy begins with, as far as the gate is concerned. Orders and position together never use more.',
    example: '{ ZAR: "20000", XBT: "0.05" }',
  },
  'strategies.<id>.budget.<currency>': {
    meaning: 'The amount of this currency.',
    example: '"20000"',
  },
  'strategies.<id>.allow': {
    meaning: 'What its orders may be; each intent is checked against it.',
    example: '{ sides: [BID, ASK], types: [limit], timeInForce: [GTC], postOnly: required }',
  },
  'strategies.<id>.allow.sides': { meaning: 'BID buys, ASK sells.', example: '[BID, ASK]' },
  'strategies.<id>.allow.types': { meaning: 'The types of order.', example: '[limit]' },
  'strategies.<id>.allow.timeInForce': {
    meaning:
      'GTC rests until it is cancelled, IOC takes what is there and goes, FOK takes all or nothing.',
    example: '[GTC]',
  },
  'strategies.<id>.allow.postOnly': {
    meaning: 'Whether orders must, may or must not be post-only, which never trade on arrival.',
    example: 'required',
  },
  'strategies.<id>.onRestart': {
    meaning: 'What happens at a start to the orders of the last run.',
    example: 'adopt',
  },
  'strategies.<id>.onStop': {
    meaning: 'What happens at the end of a run to the orders that stand.',
    example: 'cancel',
  },
  'strategies.<id>.onUnusableBook': {
    meaning: 'What happens to quotes while the prices cannot be trusted.',
    example: '{ withdrawAfter: "10s" }',
    absent: '{ withdrawAfter: "10s" }',
  },
  'strategies.<id>.onUnusableBook.withdrawAfter': {
    meaning: 'Quotes are withdrawn after so long without a usable book.',
    example: '"10s"',
  },
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
    meaning: "Loss of a UTC day's trades at which orders stop.",
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
  approved: {
    meaning: 'The versions that may trade; `millrace checks` prints them.',
    example: '{ settings: ["0123456789abcdef"], strategies: ["0123456789abcdef"] }',
    absent: 'every version may trade (live: it must be said)',
  },
  'approved.settings': {
    meaning: 'Hashes of permissions, budgets, limits and accounts.',
    example: '["0123456789abcdef"]',
  },
  'approved.strategies': {
    meaning: 'SHA-256 of plugin files.',
    example: '["0123456789abcdef"]',
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
    meaning: 'What is done at a limit of losses.',
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
    meaning: 'After more losing trades in a row on a pair the strategy rests there.',
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

const egress: Descriptions = {
  version: { meaning: 'The version of this format.', example: '1' },
  ordersPerMinuteMax: {
    meaning: 'Orders of the bot that leave in any 60 seconds; one more stops all sending.',
    example: '120',
  },
  pairs: {
    meaning: 'The pairs whose orders may leave. One that is not named lets none leave.',
    example: '{ XBTZAR: { … } }',
  },
  'pairs.<pair>': {
    meaning: 'Caps on one order of this pair.',
    example: '{ volumeMax: "0.05", valueMax: "100000" }',
  },
  'pairs.<pair>.volumeMax': { meaning: 'Volume, in the base currency.', example: '"0.05"' },
  'pairs.<pair>.valueMax': {
    meaning: 'Price times volume, in the currency of the prices.',
    example: '"100000"',
  },
};

const venue: Descriptions = {
  version: { meaning: 'The version of this format.', example: '1' },
  baseUrl: { meaning: 'Where requests go.', example: 'http://127.0.0.1:7400' },
  streamUrl: { meaning: 'Where the streams are.', example: 'ws://127.0.0.1:7400' },
  paths: {
    meaning: "Paths of operations that the exchange's documents do not show.",
    example: '{ markets: /api/exchange/1/markets }',
    absent: 'the paths that `millrace interface` lists',
  },
  'paths.<operation>': {
    meaning: 'The whole path below the base address.',
    example: '/api/exchange/1/markets',
  },
  userStreamPath: { meaning: 'The path of the user stream.', example: '/api/1/userstream' },
};

export const keyDescriptions: Readonly<Record<SettingsKind, Descriptions>> = { bot, egress, venue };
