/**
 * The layout of `src` as data: the layer of each folder, and what it may import of ours, of
 * packages and of Node. `test/structure.test.ts` applies it, and fails for a rule that no import
 * uses.
 */

type PlaceRule = {
  /** It imports only from lower layers. */
  readonly layer: number;
  /** Places whose values it imports; types of them, too. */
  readonly imports: readonly string[];
  /** Places of which it imports types only: the ports that it implements or is given. */
  readonly types?: readonly string[];
  /** Single files of other places whose values it imports. */
  readonly files?: readonly string[];
  /**
   * Its subfolders, lowest first: each imports only from earlier lists, and those in one list do
   * not import each other. `.` stands for the files directly in the folder. A subfolder that is in
   * no list neither imports the others nor is imported by them.
   */
  readonly inner?: readonly (readonly string[])[];
};

export type Layout = {
  /**
   * Each folder of `src`, and each file directly in it; of `src/venues` the folders and files of
   * each venue. A place always imports its own files.
   */
  readonly places: Readonly<Record<string, PlaceRule>>;
  /** Folders whose files do not import each other. */
  readonly apart: readonly string[];
  /** Each package that we depend on, and the places (or `strategies`) that import it. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
  /** Where a package is imported as types only, since those are gone when the program runs. */
  readonly packageTypes: Readonly<Record<string, readonly string[]>>;
  /** Node's own modules that only some places may import; all others are free. */
  readonly builtins: Readonly<Record<string, readonly string[]>>;
};

const places: Layout['places'] = {
  // These start Millrace: `check-node.mjs` in the clone, before anything is installed, and `bin.mjs`
  // in the package.
  'bot-flags.mjs': { layer: 1, imports: [] },
  'node-problem.mjs': { layer: 1, imports: [] },
  'installed.mjs': { layer: 2, imports: ['node-problem.mjs'] },
  'run-script.mjs': { layer: 2, imports: ['bot-flags.mjs'] },
  'install.mjs': { layer: 3, imports: ['installed.mjs', 'node-problem.mjs'] },
  'launch.mjs': { layer: 4, imports: ['install.mjs', 'installed.mjs', 'run-script.mjs'] },
  'check-node.mjs': { layer: 5, imports: ['launch.mjs', 'node-problem.mjs'] },
  'bin.mjs': { layer: 4, imports: ['node-problem.mjs', 'run-script.mjs'] },

  domain: { layer: 0, imports: [] },

  // Data only: the rules of the exchanges that a backtest can name.
  'venues/profiles.ts': { layer: 1, imports: [], types: ['domain'] },

  venue: { layer: 2, imports: ['domain'] },
  'venues/luno/api': { layer: 2, imports: ['domain', 'venues/profiles.ts'] },
  market: { layer: 2, imports: ['domain'], inner: [['flow'], ['book'], ['feed']] },
  risk: { layer: 2, imports: ['domain'] },
  runtime: { layer: 2, imports: ['domain'] },
  settings: { layer: 2, imports: ['domain', 'venues/profiles.ts'] },

  control: { layer: 3, imports: ['domain', 'runtime'] },
  'exchange-accounts': { layer: 3, imports: ['domain'], types: ['market'] },
  execution: { layer: 3, imports: ['domain', 'venue', 'risk'] },
  recording: {
    layer: 3,
    imports: ['domain', 'market', 'runtime'],
    types: ['venue'],
    inner: [['file'], ['capture', 'export', 'import'], ['.']],
  },
  store: { layer: 3, imports: ['domain', 'runtime'], inner: [['migrations'], ['.']] },
  strategy: {
    layer: 3,
    imports: ['domain'],
    // The host declares whose code it enters, and takes what it prints: both reach nothing.
    files: [
      ...['src/runtime/line-console.ts', 'src/runtime/running-code.ts'],
      ...['src/runtime/paths.ts', 'src/runtime/strip-types.ts'],
      ...['src/settings/likely-value.ts', 'src/settings/nearest-word.ts'],
    ],
  },
  terminal: { layer: 3, imports: ['domain', 'runtime'] },

  feeds: { layer: 3, imports: ['domain', 'runtime'] },

  engine: {
    layer: 4,
    imports: ['domain', 'execution', 'market', 'risk', 'strategy'],
    types: ['runtime', 'venue'],
    // A seeded generator is a pure function of its seed; the ambient one is not for the engine.
    files: ['src/runtime/seeded-random.ts'],
  },
  'venues/luno/adapter': {
    layer: 4,
    imports: ['domain', 'venue', 'venues/luno/api', 'venues/profiles.ts'],
  },
  'venues/luno/simulator': {
    layer: 4,
    imports: ['domain', 'exchange-accounts', 'venues/luno/api', 'market', 'runtime'],
    inner: [['core'], ['money', 'participants', 'trading'], ['wallet'], ['world'], ['server']],
  },

  'venues/luno/client': {
    layer: 5,
    imports: ['domain', 'venues/luno/adapter', 'venues/luno/api', 'runtime'],
    types: ['venue'],
  },
  'replay-exchange': {
    layer: 5,
    imports: ['domain', 'exchange-accounts', 'market', 'runtime'],
    types: ['engine', 'venue'],
  },

  // The auditor checks the bot, so it shares no engine with it and reads only types of the gate.
  audit: {
    layer: 6,
    imports: ['domain', 'execution', 'venue'],
    types: ['risk', 'store'],
  },
  paper: {
    layer: 6,
    imports: ['domain', 'market', 'recording', 'replay-exchange', 'runtime'],
    types: ['engine', 'venue'],
  },
  'venues/luno': {
    layer: 6,
    imports: ['venues/luno/adapter', 'venues/luno/client', 'venues/luno/simulator'],
    types: ['domain', 'runtime', 'venue'],
  },
  'venues/luno/reference': { layer: 3, imports: ['venues/luno/api'] },

  // The list of venues.
  'venues.ts': {
    layer: 7,
    imports: ['domain', 'venues/luno', 'venues/luno/adapter', 'venues/luno/client'],
    types: ['venue'],
  },

  backtest: {
    layer: 7,
    imports: [
      ...['domain', 'engine', 'exchange-accounts', 'execution', 'market', 'paper', 'recording'],
      ...['replay-exchange', 'risk', 'store', 'strategy'],
    ],
    files: ['src/runtime/running-code.ts'],
    inner: [['coarse'], ['metrics'], ['run'], ['check', 'report'], ['compare']],
  },

  // The server of the live page runs beside the bot and knows it only by its socket and database.
  dashboard: {
    layer: 7,
    imports: ['audit', 'control', 'domain', 'execution', 'runtime', 'store'],
    files: ['src/settings/pair-currencies.ts'],
    inner: [['access', 'api', 'http'], ['history'], ['bots'], ['server'], ['.']],
  },

  bot: {
    layer: 8,
    imports: [
      ...['audit', 'backtest', 'control', 'dashboard', 'domain', 'engine', 'execution', 'feeds'],
      ...[
        'paper',
        'recording',
        'risk',
        'runtime',
        'settings',
        'store',
        'strategy',
        'terminal',
        'venue',
      ],
      'venues.ts',
    ],
    types: ['market', 'replay-exchange'],
  },

  cli: {
    layer: 9,
    imports: [
      ...['audit', 'backtest', 'bot', 'control', 'dashboard', 'domain', 'feeds'],
      ...[
        'exchange-accounts',
        'venues/luno/api',
        'venues/luno/reference',
        'execution',
        'recording',
        'risk',
        'runtime',
        'settings',
        'venues/luno/simulator',
      ],
      ...['store', 'strategy', 'terminal', 'venues.ts'],
    ],
    types: ['engine', 'paper', 'venue'],
    inner: [['.', 'projects', 'reference'], ['debug', 'dev'], ['commands'], ['declarations']],
  },

  // What users' tests import. It is above the bot, since nothing of the bot may use it.
  testing: {
    layer: 10,
    imports: [
      ...[
        'backtest',
        'domain',
        'venues/luno/api',
        'recording',
        'runtime',
        'settings',
        'venues/luno/simulator',
      ],
      ...['strategy', 'terminal'],
    ],
    files: [
      'src/cli/find-scenario.ts',
      // A strategy in a test sees its profit and totals by the arithmetic of a bot.
      ...['src/engine/account/strategy-account.ts', 'src/risk/average-cost.ts'],
      ...['src/execution/fills/positions.ts', 'src/execution/orders/sums.ts'],
    ],
    inner: [['.'], ['fake', 'play']],
  },

  // It runs in a browser, which gets it as the bundle of `npm run page`: of ours it imports types.
  page: {
    layer: 10,
    imports: [],
    types: ['backtest', 'bot', 'dashboard', 'domain'],
    inner: [['format'], ['browser'], ['chart', 'components'], ['backtest', 'debug', 'live'], ['.']],
  },

  'index.ts': { layer: 10, imports: ['domain', 'strategy'] },
  'testing.ts': { layer: 11, imports: ['testing'], types: ['venues/luno/simulator'] },
  'main.ts': { layer: 10, imports: ['cli', 'terminal'] },
};

export const layout: Layout = {
  places,
  apart: ['src/cli/commands', 'src/cli/declarations', 'src/risk/checks'],
  packages: {
    '@noble/hashes': ['venues/luno/api'],
    '@preact/signals': ['page'],
    'better-sqlite3': ['store'],
    commander: ['cli', 'main.ts'],
    croner: ['strategy'],
    'decimal.js': ['domain'],
    'es-module-lexer': ['strategy'],
    'hyparquet-writer': ['recording'],
    'import-meta-resolve': ['strategy'],
    'lightweight-charts': ['page'],
    // Ourselves: a shipped strategy imports what a user's does.
    millrace: ['strategies'],
    'node-forge': ['venues/luno/simulator'],
    pino: ['runtime'],
    preact: ['page'],
    rxjs: ['strategy', 'strategies', 'testing'],
    vitest: ['testing'],
    undici: ['feeds', 'venues/luno/client'],
    uplot: ['page'],
    ws: ['feeds', 'venues/luno/client', 'venues/luno/simulator'],
    yaml: ['settings'],
    zod: ['dashboard', 'venues/luno/api', 'venues/luno/simulator', 'strategy', 'strategies'],
  },
  packageTypes: { zod: ['venues/luno/client', 'settings'] },
  builtins: {
    'node:dgram': [],
    'node:http': ['cli', 'dashboard', 'venues/luno/simulator'],
    'node:https': ['venues/luno/simulator'],
    'node:net': ['control', 'dashboard', 'venues/luno/simulator'],
    'node:sqlite': [],
    'node:timers': [],
    'node:timers/promises': [],
    'node:tls': [],
    'node:vm': [],
  },
};
