/**
 * What each key of a settings file means, in one place: `millrace config explain` and
 * `docs/configuration.md` are made of it and of the declarations that read the files, which say
 * what is allowed and what is required. A key without its entry here, and an entry without its key,
 * fail a test.
 */
import type { Descriptions } from './key-description.ts';
import { limitDescriptions } from './limit-descriptions.ts';

export type SettingsKind = 'bot' | 'egress' | 'venue';

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
    absent: 'the demo takes the first account of each currency, paper has its own; live needs it',
  },
  'accounts.<currency>': { meaning: 'The id of the account.', example: '"11"' },
  live: {
    meaning: 'What live trading needs besides the mode and the flag.',
    example: '{ keyFingerprint: "0123456789abcdef" }',
    absent: 'live trading is refused',
  },
  'live.keyFingerprint': {
    meaning: 'The only API key that may trade, by the fingerprint that `millrace keycheck` prints.',
    example: '"0123456789abcdef"',
  },
  keep: {
    meaning: 'How much of what a long run writes is kept.',
    absent: 'the values of its keys below',
    example: '{ journals: "2GB", rows: "400d" }',
  },
  'keep.journals': {
    meaning: 'All journals of the bot together; the oldest go.',
    absent: '2GB',
    example: '"2GB"',
  },
  'keep.rows': {
    meaning:
      'Rows that explain what has been settled for longer go to the archive beside the database; "all" keeps them.',
    absent: '400d',
    example: '"400d"',
  },
  paper: {
    meaning:
      'What mode paper pretends: the account, what it pays, and how far away the exchange is.',
    example: '{ balances: { XBT: "1", ZAR: "1000000" } }',
    absent: 'mode paper is refused; the other modes do not look at it',
  },
  'paper.balances': {
    meaning:
      'What the pretended account has at its first start, in each currency of each pair; a currency that comes later begins with its amount then.',
    example: '{ XBT: "1", ZAR: "1000000" }',
  },
  'paper.balances.<currency>': { meaning: 'The amount of this currency.', example: '"1000000"' },
  'paper.fees': {
    meaning: 'What the pretended account pays, for every pair.',
    example: '{ maker: "5bps", taker: "10bps" }',
    absent: "the fees of the key's account, pair by pair",
  },
  'paper.fees.maker': { meaning: 'For orders that rested.', example: '"5bps"' },
  'paper.fees.taker': { meaning: 'For orders that took.', example: '"10bps"' },
  'paper.latencies': {
    meaning: 'How far away the exchange is: fixed, between bounds, or drawn from measurements.',
    example: '{ feed: "50ms", request: "50ms", answer: { from: "20ms", to: "80ms" } }',
    absent: 'the values of its keys below',
  },
  'paper.latencies.feed': {
    meaning:
      "How late the market's stream reaches the bot. It has that by itself: an order meets the market as much later instead.",
    absent: '50ms',
    example: '"50ms"',
  },
  'paper.latencies.request': {
    meaning: 'From the bot to the exchange.',
    absent: '50ms',
    example: '"50ms"',
  },
  'paper.latencies.answer': {
    meaning: 'From the exchange to the bot. An answer never comes before the stream could show it.',
    absent: '50ms',
    example: '"50ms"',
  },
  egress: {
    meaning:
      'The file with absolute caps on what leaves, beside this one: a second opinion that no limit here can widen.',
    example: 'egress.yaml',
    absent: 'the demo sends without caps; live trading is refused',
  },
  capture: {
    meaning: 'How much of the market streams is kept, as received, in captures/ of the home.',
    example: '{ days: 7, megabytes: 1024 }',
    absent: '{ days: 7, megabytes: 1024 }',
  },
  'capture.days': {
    meaning: 'Files older than this are deleted; with 0 nothing is kept at all.',
    example: '7',
  },
  'capture.megabytes': {
    meaning: 'The oldest files are deleted beyond this.',
    example: '1024',
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
  ...limitDescriptions,
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
