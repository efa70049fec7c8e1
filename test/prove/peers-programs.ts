/**
 * The programs that are compared, what each of them runs, and what each does not do.
 *
 * Sources of what they do not do: hftbacktest's `l3_nopartialfillexchange.rs`, `queue.rs` and its
 * documentation of order fills; NautilusTrader's `add_venue` and its guide of backtesting;
 * backtesting.py's `Backtest`; vectorbt's `Portfolio.from_signals`.
 */
import { crossRule, makerRule } from './peers-scenarios.ts';

/** Pinned here and, with all they need, in `peers/requirements/`. */
export const peerPackages = {
  hftbacktest: '2.4.4',
  nautilus_trader: '1.231.0',
  backtesting: '0.6.6',
  vectorbt: '1.2.0',
} as const;

export type PeerPackage = keyof typeof peerPackages;
export type PeerWork = 'maker' | 'candles';

export type PeerProgram = {
  readonly name: string;
  readonly work: PeerWork;
  /** Undefined is Millrace itself. */
  readonly package: PeerPackage | undefined;
  /** In `peers/`, for a Python program. */
  readonly script: string;
  readonly rule: object;
  /** Whether a second run of a process is faster than its first, beside what is loaded. */
  readonly compiles: boolean;
  readonly lacks: readonly string[];
};

const hftLacks = [
  'no partial fills',
  'no fill when a trade passes an order that is alone at its price',
  'no limits of account or risk, no balances',
  'no records of decisions, orders or fills',
  'no user stream: one answer a request',
  'numbers are floats',
];

const nautilusLacks = [
  'no limits of loss or budget: it checks price, size, rate and balance',
  'no result file: records stay in memory',
];

function millrace(work: PeerWork, lacks: readonly string[]): PeerProgram {
  const script = 'peers-backtest.ts';
  return { name: 'millrace', work, package: undefined, script, rule: {}, compiles: true, lacks };
}

export const peerPrograms: readonly PeerProgram[] = [
  millrace('maker', []),
  {
    name: 'hftbacktest',
    work: 'maker',
    package: 'hftbacktest',
    script: 'maker_hftbacktest.py',
    rule: { ...makerRule, level: 3, depth: 'hash' },
    compiles: true,
    lacks: hftLacks,
  },
  {
    name: 'hftbacktest, vector book',
    work: 'maker',
    package: 'hftbacktest',
    script: 'maker_hftbacktest.py',
    rule: { ...makerRule, level: 3, depth: 'vector' },
    compiles: true,
    lacks: [...hftLacks, 'no orders outside of a range of prices that is given to it'],
  },
  {
    name: 'hftbacktest, level 2',
    work: 'maker',
    package: 'hftbacktest',
    script: 'maker_hftbacktest.py',
    rule: { ...makerRule, level: 2, depth: 'vector' },
    compiles: true,
    lacks: [
      'the place in the queue is estimated',
      ...hftLacks.filter((one) => !/alone/u.test(one)),
    ],
  },
  {
    name: 'nautilus_trader',
    work: 'maker',
    package: 'nautilus_trader',
    script: 'maker_nautilus.py',
    rule: makerRule,
    compiles: false,
    lacks: [
      'the place in the queue is a heuristic, and off unless asked for (here it is on)',
      'what an order took can be taken again by the next',
      ...nautilusLacks,
    ],
  },
  millrace('candles', ['no order book and no queue: candles have none']),
  {
    name: 'backtesting',
    work: 'candles',
    package: 'backtesting',
    script: 'candles_backtesting.py',
    rule: crossRule,
    compiles: false,
    lacks: [
      'fills at the open of the next candle: no latency, spread, volume or partial fills',
      'no checks but the margin, no records but trades',
      'numbers are floats',
    ],
  },
  {
    name: 'vectorbt',
    work: 'candles',
    package: 'vectorbt',
    script: 'candles_vectorbt.py',
    rule: crossRule,
    compiles: true,
    lacks: [
      'no strategy that decides: arrays of signals, computed at once',
      'fills at the close that the signal is made of: no latency, spread, volume or partial fills',
      'no checks but the cash, no records but orders',
      'numbers are floats',
    ],
  },
  {
    name: 'nautilus_trader',
    work: 'candles',
    package: 'nautilus_trader',
    script: 'candles_nautilus.py',
    rule: crossRule,
    compiles: false,
    lacks: ['four prices a candle as trades: no spread', ...nautilusLacks],
  },
];
