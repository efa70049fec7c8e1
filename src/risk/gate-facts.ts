/**
 * What the gate looks at besides the order. The engine keeps one per bot and changes it in place.
 *
 * Invariant: what is undefined or absent denies. {@link createGateFacts} starts with everything
 * closed.
 */
import type { Mode } from '../domain/bot-settings.ts';
import type { Market, MarketStatus, Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import { Approvals } from './approvals.ts';
import type { Exposure } from './exposure.ts';

/** REDUCING lets only orders pass that bring the strategy's worst-case position nearer to zero. */
export type TradingState = 'ACTIVE' | 'REDUCING' | 'HALTED';

/**
 * Where orders go, as found out from the addresses and the key, independently of the mode's name.
 */
export type Environment = {
  readonly mode: Mode | 'backtest';
  /** `simulator` for an address on loopback, `tape` when nothing leaves the process. */
  readonly ordersGoTo: 'simulator' | 'tape' | 'exchange';
  /** Whether the command line said `--live`. */
  readonly liveFlag: boolean;
  /** Fingerprint of the key in use; undefined when there is none, as with a tape. */
  readonly keyFingerprint: string | undefined;
  /** The fingerprint that the settings allow for live trading. */
  readonly keyFingerprintAllowed: string | undefined;
};

export type Health = {
  /** The account's orders, fills and balances agree with the exchange's. */
  reconciled: boolean;
  /** The database said that it survives a power cut. */
  storeDurable: boolean;
  /** This process alone has the database. */
  lockHeld: boolean;
  /** Our clock less the exchange's, in milliseconds; undefined until it is measured. */
  clockSkewMs: number | undefined;
  /** How long events wait for the loop, in milliseconds; 0 while that is not worth telling. */
  loopDelayMs: number | undefined;
  /** Orders whose outcome is unknown, on all pairs. */
  unknownOrders: number;
};

/** A book as far as a taker is concerned. */
export type DepthBook = {
  bestPrice(side: Side): Ticks | undefined;
  /** The next price that is worse than `price`. */
  priceAfter(side: Side, price: Ticks): Ticks | undefined;
  volumeAt(side: Side, price: Ticks): Lots;
};

/** Prices of the trades of the last 60 s, of which there is at least one, in ticks. */
export type RecentTrades = {
  /** Bounds of the prices, known at once. */
  readonly lowest: number;
  readonly highest: number;
  /** Worked out when it is asked for. */
  readonly heldMedian: Ticks | undefined;
};

export type PairFacts = {
  market: Market;
  /** As last told by any source; it may be newer than `market.status`. */
  status: MarketStatus | undefined;
  /** Orders on this pair whose outcome is unknown. */
  unknownOrders: number;
  bookUsable: boolean;
  book: DepthBook | undefined;
  /** Time since the stream last said anything about this book, by our clock. */
  bookAgeMs: number | undefined;
  /** Best bid + best ask in ticks, that is, the mid in half ticks. */
  mid2: number | undefined;
  recentTrades: RecentTrades | undefined;
  /**
   * Where there are no recent trades, what stands for their median: at start, before a trade was
   * seen, the engine may put the ticker's last trade here, with the ticker's age as its age.
   */
  tradeMedian: Ticks | undefined;
  /** Age of the newest trade in the median, or of the ticker it was seeded from. */
  tradeMedianAgeMs: number | undefined;
};

export type GateFacts = {
  nowMs: number;
  readonly tradingState: {
    global: TradingState | undefined;
    readonly strategies: Map<string, TradingState>;
    readonly pairs: Map<string, TradingState>;
  };
  environment: Environment;
  readonly health: Health;
  readonly pairs: Map<string, PairFacts>;
  /** SHA-256 of each strategy's plugin, by strategy id. */
  readonly strategyHashes: Map<string, string>;
  readonly approvals: Approvals;
  readonly exposure: Exposure;
};

/** Returns the median price of recent trades, or what stands for it. */
export function tradeMedianOf({ recentTrades, tradeMedian }: PairFacts): Ticks | undefined {
  return recentTrades === undefined ? tradeMedian : recentTrades.heldMedian;
}

/** Returns facts that deny everything until the engine has filled them. */
export function createGateFacts(
  environment: Environment,
  exposure: Exposure,
  markets: readonly Market[],
): GateFacts {
  const pairs = markets.map((market): [string, PairFacts] => [
    market.pair,
    {
      market,
      status: undefined,
      unknownOrders: 0,
      bookUsable: false,
      book: undefined,
      bookAgeMs: undefined,
      mid2: undefined,
      recentTrades: undefined,
      tradeMedian: undefined,
      tradeMedianAgeMs: undefined,
    },
  ]);
  return {
    nowMs: Number.NaN,
    tradingState: { global: undefined, strategies: new Map(), pairs: new Map() },
    environment,
    health: {
      reconciled: false,
      storeDurable: false,
      lockHeld: false,
      clockSkewMs: undefined,
      loopDelayMs: undefined,
      unknownOrders: 0,
    },
    pairs: new Map(pairs),
    strategyHashes: new Map(),
    approvals: new Approvals(),
    exposure,
  };
}
