/**
 * The meaning of each key of a settings file. `millrace config explain` and `docs/configuration.md`
 * are generated from it and from the declarations that read the files. A test fails if a key has no
 * entry here, or an entry has no key.
 */
import type { Descriptions } from './key-description.ts';
import { limitDescriptions } from './limit-descriptions.ts';
import { profileDescriptions } from './profile-descriptions.ts';

export type SettingsKind = 'bot' | 'egress' | 'venue' | 'profile';

const bot: Descriptions = {
  version: { meaning: 'The version of this format.', example: '1' },
  bot: {
    meaning: "The bot's name. Its client order ids begin with a code made from it.",
    example: 'desk',
  },
  mode: {
    meaning:
      'demo trades on a simulated exchange on this machine, paper simulates orders against live market data, live trades with real money.',
    example: 'demo',
  },
  venue: {
    meaning: 'The exchange: the name of a file in config/venues, which has its addresses.',
    example: 'simulator',
    absent: 'demo uses the simulator; the other modes require it',
  },
  store: {
    meaning: 'The database of all orders and fills, relative to this file. `--home` moves it.',
    example: 'data/desk.sqlite',
    absent:
      "`<bot>.sqlite` in the folder `.millrace` of the file's project, the nearest folder with a `package.json`",
  },
  namespace: {
    meaning:
      'The code that begins every client order id. The bot treats every order on the account that begins with it as its own.',
    example: 'deskdesk',
    absent: 'made from the name of the bot',
  },
  accounts: {
    meaning: 'The account that the bot uses for each currency.',
    example: '{ XBT: "11", ZAR: "13" }',
    absent: 'demo uses the first account of each currency; paper has its own; live requires it',
  },
  'accounts.<currency>': { meaning: 'The id of the account.', example: '"11"' },
  live: {
    meaning: 'Settings that live trading needs in addition to the mode and the flag.',
    example: '{ keyFingerprint: "0123456789abcdef" }',
    absent: 'live trading is refused',
  },
  'live.keyFingerprint': {
    meaning: 'The only API key that may trade, by the fingerprint that `millrace keycheck` prints.',
    example: '"0123456789abcdef"',
  },
  keep: {
    meaning: 'How much of the data of a long run is kept.',
    absent: 'the values of its keys below',
    example: '{ journals: "2GB", rows: "400d" }',
  },
  'keep.journals': {
    meaning: 'The size of all journals of the bot together. The oldest are deleted.',
    absent: '2GB',
    example: '"2GB"',
  },
  'keep.rows': {
    meaning:
      'Rows about orders that were settled longer ago move to an archive next to the database; "all" keeps them.',
    absent: '400d',
    example: '"400d"',
  },
  paper: {
    meaning: 'The paper account: its balances, its fees, and the latency to the exchange.',
    example: '{ balances: { XBT: "1", ZAR: "1000000" } }',
    absent: 'mode paper is refused; the other modes ignore it',
  },
  'paper.balances': {
    meaning:
      'The balances of the paper account at its first start, in each currency of each pair. A currency that is added later starts with its amount then.',
    example: '{ XBT: "1", ZAR: "1000000" }',
  },
  'paper.balances.<currency>': { meaning: 'The amount of this currency.', example: '"1000000"' },
  'paper.fees': {
    meaning: 'The fees of the paper account, for every pair.',
    example: '{ maker: "5bps", taker: "10bps" }',
    absent: "the fees of the key's account, pair by pair",
  },
  'paper.fees.maker': { meaning: 'For maker orders.', example: '"5bps"' },
  'paper.fees.taker': { meaning: 'For taker orders.', example: '"10bps"' },
  'paper.latencies': {
    meaning:
      'The latency to the exchange: fixed, drawn between bounds, or drawn from measurements.',
    example: '{ feed: "50ms", request: "50ms", answer: { from: "20ms", to: "80ms" } }',
    absent: 'the values of its keys below',
  },
  'paper.latencies.feed': {
    meaning:
      'The latency of the market stream. The live stream already has it, so orders reach the market later by as much instead.',
    absent: '50ms',
    example: '"50ms"',
  },
  'paper.latencies.request': {
    meaning: 'From the bot to the exchange.',
    absent: '50ms',
    example: '"50ms"',
  },
  'paper.latencies.answer': {
    meaning:
      'From the exchange to the bot. An answer never arrives before the stream could show it.',
    absent: '50ms',
    example: '"50ms"',
  },
  egress: {
    meaning:
      'The file with absolute caps on orders, relative to this file. No limit in this file can exceed them.',
    example: 'egress.yaml',
    absent:
      'the caps of the preset that `limits` names; without one, demo sends orders without caps, and live trading is refused',
  },
  backtest: {
    meaning:
      'The scenario of `millrace backtest`: its recording, fees, latencies and balances, with the strategies and limits of this file.',
    example: 'first',
    absent: '`millrace backtest` needs the name of a scenario',
  },
  feeds: {
    meaning:
      'Series of numbers from outside of the exchange, by name. A strategy sees those that it lists.',
    example: '{ reference: { http: "https://api.example.com/price", every: "5s", ageMax: "30s" } }',
    absent: 'strategies see only the exchange',
  },
  'feeds.<feed>': {
    meaning: 'One feed: its place is one of `http`, `websocket` and `file`.',
    example: '{ file: reference.csv, every: "1s", ageMax: "1m" }',
  },
  'feeds.<feed>.http': {
    meaning: `An address that is read every so often, without redirects. Secrets in it are names of environment variables: \${MILLRACE_FEED_…}.`,
    example: '"https://api.example.com/price?symbol=XBTZAR"',
    absent: 'it has another place',
  },
  'feeds.<feed>.websocket': {
    meaning: 'An address that sends messages. It is opened again when it ends.',
    example: '"wss://stream.example.com/prices"',
    absent: 'it has another place',
  },
  'feeds.<feed>.file': {
    meaning:
      'A file, from the folder of this file, whose last line is read whenever the file changes: a table (.csv), or JSON.',
    example: 'reference.csv',
    absent: 'it has another place',
  },
  'feeds.<feed>.headers': {
    meaning: 'Headers of the requests. Secrets are written as in `http`.',
    example: `{ Authorization: "Bearer \${MILLRACE_FEED_TOKEN}" }`,
    absent: 'no headers of its own',
  },
  'feeds.<feed>.headers.<header>': { meaning: 'The value of this header.', example: '"abc"' },
  'feeds.<feed>.subscribe': {
    meaning: 'What is sent once a websocket is open.',
    example: '\'{"op":"subscribe","channel":"ticker"}\'',
    absent: 'nothing is sent',
  },
  'feeds.<feed>.value': {
    meaning: 'Where the number is in a message or a line; in a table, its column.',
    example: 'data.price',
    absent: 'the message is a number, or has it as `value`',
  },
  'feeds.<feed>.values': {
    meaning: 'Several numbers by name, instead of `value`.',
    example: '{ bid: data.bid, ask: data.ask }',
    absent: 'the feed has one number',
  },
  'feeds.<feed>.values.<name>': { meaning: 'Where this number is.', example: 'data.bid' },
  'feeds.<feed>.time': {
    meaning:
      "Where the source's own time is. A message that is older than the last one, older than `ageMax` or from the future is left out.",
    example: 'data.timestamp',
    absent: 'only the time of receipt counts',
  },
  'feeds.<feed>.every': {
    meaning:
      'How often an address or a file is read, and how often a websocket gives a value at most: the last one.',
    example: '"5s"',
  },
  'feeds.<feed>.ageMax': {
    meaning: 'How old the last value may be. After that the feed is stale and has no value.',
    example: '"30s"',
  },
  'feeds.<feed>.sizeMax': {
    meaning: 'The largest message or line that is read.',
    example: '"64kB"',
    absent: '64kB',
  },
  'feeds.<feed>.min': {
    meaning: 'A message with a number below this is left out.',
    example: '"100000"',
    absent: 'any number is taken',
  },
  'feeds.<feed>.max': {
    meaning: 'A message with a number above this is left out.',
    example: '"10000000"',
    absent: 'any number is taken',
  },
  'feeds.<feed>.unchangedMax': {
    meaning: 'A source that gives the same numbers for longer is no longer believed.',
    example: '"10m"',
    absent: 'it may repeat itself',
  },
  capture: {
    meaning: 'How much of the received market streams is kept, in captures/ of the home folder.',
    example: '{ days: 7, megabytes: 1024 }',
    absent: '{ days: 7, megabytes: 1024 }',
  },
  'capture.days': {
    meaning: 'Files that are older, in days, are deleted. 0 keeps nothing.',
    example: '7',
  },
  'capture.megabytes': {
    meaning: 'The total size in MiB. The oldest files are deleted.',
    example: '1024',
  },
  dashboard: {
    meaning:
      'The live page of the bot and its API: `on`, or where they are served. Its address is printed at the start.',
    example: 'on',
    absent: 'no page is served',
  },
  'dashboard.port': {
    meaning: 'The port. If it is taken, no page is served, and a notice says so.',
    example: '7410',
    absent: '7410, or a free port if that is taken',
  },
  'dashboard.listen': {
    meaning:
      'The address to listen at. In a container it is "0.0.0.0", published to 127.0.0.1 of the machine.',
    example: '"0.0.0.0"',
    absent: '"127.0.0.1": only this machine',
  },
  'dashboard.hosts': {
    meaning:
      'Further names by which a browser may open the page. Needed if `listen` lets other machines in, or a container publishes another port.',
    example: '["localhost:8080"]',
    absent: 'no others',
  },
  packages: {
    meaning:
      'The npm packages that plugins may import besides millrace, rxjs, zod and decimal.js. They are part of the hash of the plugin.',
    example: '[trading-signals]',
    absent: 'plugins import no others',
  },
  strategies: {
    meaning: 'The strategies by id. Orders, position and state belong to the id.',
    example: '{ mm-xbt: { … } }',
  },
  'strategies.<id>': { meaning: 'One strategy.', example: '{ plugin: simple-mm, … }' },
  'strategies.<id>.plugin': {
    meaning:
      'Its code: a shipped plugin by name, a path from this file that begins with ./ or ../, or an installed package.',
    example: './strategy.ts',
  },
  'strategies.<id>.pairs': {
    meaning: 'The markets it trades.',
    example: '[XBTZAR]',
    absent: 'it trades none, and only watches (refused without watch)',
  },
  'strategies.<id>.watch': {
    meaning:
      'The markets that it only watches: it sees prices, trades and candles, and orders on them are refused. They need no limits, budget, account or caps.',
    example: '[ETHZAR]',
    absent: 'no others',
  },
  'strategies.<id>.parameters': {
    meaning: "The plugin's own parameters; its README lists them.",
    example: '{ halfSpread: "20bps" }',
  },
  'strategies.<id>.budget': {
    meaning:
      'The amount of each currency that the strategy may use. Its open orders and its position together never use more than this and what it has earned.',
    example: '{ ZAR: "20000", XBT: "0.05" }',
    absent: 'nothing, so it may only watch (refused with pairs)',
  },
  'strategies.<id>.budget.<currency>': {
    meaning: 'The amount of this currency.',
    example: '"20000"',
  },
  'strategies.<id>.allow': {
    meaning: 'The kinds of orders that it may place. Each order is checked against it.',
    example: '{ sides: [BID, ASK], types: [limit], timeInForce: [GTC], postOnly: required }',
    absent:
      '{ sides: [BID, ASK], types: [limit], timeInForce: [GTC], postOnly: required } (required in live)',
  },
  'strategies.<id>.allow.sides': { meaning: 'BID buys, ASK sells.', example: '[BID, ASK]' },
  'strategies.<id>.allow.types': {
    meaning:
      'The types of order: `limit`, `stop-limit` for orders with a stop, and `market`, which also needs ' +
      'IOC in `timeInForce`.',
    example: '[limit]',
  },
  'strategies.<id>.allow.timeInForce': {
    meaning:
      'GTC rests until it is cancelled, IOC cancels what does not fill at once, FOK fills completely or not at all.',
    example: '[GTC]',
  },
  'strategies.<id>.allow.postOnly': {
    meaning:
      'Whether orders must, may or must not be post-only. A post-only order never trades on arrival.',
    example: 'required',
  },
  'strategies.<id>.onRestart': {
    meaning: 'Whether a start adopts or cancels the open orders of the last run.',
    example: 'adopt',
  },
  'strategies.<id>.onStop': {
    meaning: 'Whether a stop cancels the open orders or leaves them.',
    example: 'cancel',
  },
  'strategies.<id>.onMove': {
    meaning:
      'Whether the new order of a moved quote leaves together with the cancel of the old one, if all limits hold for both, or after the old one has ended.',
    example: 'overlap',
  },
  'strategies.<id>.onUnusableBook': {
    meaning: 'What happens to quotes while there is no usable order book.',
    example: '{ withdrawAfter: "10s" }',
    absent: '{ withdrawAfter: "10s" }',
  },
  'strategies.<id>.onUnusableBook.withdrawAfter': {
    meaning: 'Quotes are cancelled after this time without a usable order book.',
    example: '"10s"',
  },
  'strategies.<id>.feeds': {
    meaning: 'The feeds that the strategy sees, by their names under `feeds`.',
    example: '[reference]',
    absent: 'it sees only the exchange',
  },
  approved: {
    meaning:
      'The versions of settings and strategies that may trade; `millrace checks` prints them.',
    example: '{ settings: ["0123456789abcdef"], strategies: ["0123456789abcdef"] }',
    absent: 'every version may trade (required in live)',
  },
  'approved.settings': {
    meaning: 'Hashes of permissions, budgets, limits and accounts.',
    example: '["0123456789abcdef"]',
  },
  'approved.strategies': {
    meaning: 'SHA-256 of plugins: of their own files and of the packages that they use.',
    example: '["0123456789abcdef"]',
  },
  'approved.packages': {
    meaning: 'The packages of these plugins, so that a start can name the one that has changed.',
    example: '["trading-signals@7.0.0 0123456789abcdef"]',
    absent: 'a change of a package is refused, and not named',
  },
  ...limitDescriptions,
};

const egress: Descriptions = {
  version: { meaning: 'The version of this format.', example: '1' },
  ordersPerMinuteMax: {
    meaning: 'Orders that the bot may send in any 60 seconds. One more stops all sending.',
    example: '120',
  },
  pairs: {
    meaning: 'The pairs whose orders may be sent. Orders of any other pair are not sent.',
    example: '{ XBTZAR: { … } }',
  },
  'pairs.<pair>': {
    meaning: 'Caps on one order of this pair.',
    example: '{ volumeMax: "0.05", valueMax: "100000" }',
  },
  'pairs.<pair>.volumeMax': { meaning: 'Volume, in the base currency.', example: '"0.05"' },
  'pairs.<pair>.valueMax': {
    meaning: 'Price times volume, in the counter currency.',
    example: '"100000"',
  },
};

const venue: Descriptions = {
  version: { meaning: 'The version of this format.', example: '1' },
  baseUrl: { meaning: 'The base address of requests.', example: 'http://127.0.0.1:7400' },
  streamUrl: { meaning: 'The base address of the streams.', example: 'ws://127.0.0.1:7400' },
  paths: {
    meaning: "Paths of operations that the exchange's documents do not give.",
    example: '{ markets: /api/exchange/1/markets }',
    absent: 'the paths that `millrace interface` lists',
  },
  'paths.<operation>': {
    meaning: 'The whole path, relative to the base address.',
    example: '/api/exchange/1/markets',
  },
  userStreamPath: { meaning: 'The path of the user stream.', example: '/api/1/userstream' },
};

export const keyDescriptions: Readonly<Record<SettingsKind, Descriptions>> = {
  ...{ bot, egress, venue },
  profile: profileDescriptions,
};
