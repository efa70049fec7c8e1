/**
 * The facts that the gate checks an order against. The engine keeps one object per bot and updates
 * it in place.
 *
 * Invariant: an undefined or absent fact refuses orders. {@link createGateFacts} returns facts that
 * refuse every order.
 */
import type { Mode } from '../domain/bot-settings.ts';
import type { ExchangeProfile } from '../domain/exchange-profile.ts';
import type { Market, MarketStatus, Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import { Approvals } from './approvals.ts';
import type { Exposure } from './exposure.ts';

/** REDUCING passes only orders that bring the strategy's worst-case position nearer to zero. */
export type TradingState = 'ACTIVE' | 'REDUCING' | 'HALTED';

/** Where orders go, derived from the addresses and the key, independently of the mode. */
export type Environment = {
  readonly mode: Mode | 'backtest';
  /** `simulator` for a loopback address, `replay` when orders stay in this process. */
  readonly ordersGoTo: 'simulator' | 'replay' | 'exchange';
  /** Whether the command line has `--live`. */
  readonly liveFlag: boolean;
  /** Fingerprint of the API key in use; undefined without a key, as in paper and backtest. */
  readonly keyFingerprint: string | undefined;
  /** The fingerprint in the settings key `live.keyFingerprint`. */
  readonly keyFingerprintAllowed: string | undefined;
};

export type Health = {
  /** Our orders, fills and balances agree with the exchange's. */
  reconciled: boolean;
  /** The database is set to survive a power cut. */
  storeDurable: boolean;
  /** This process has the exclusive lock on the database. */
  lockHeld: boolean;
  /** Our clock minus the exchange's, in milliseconds; undefined until it is measured. */
  clockSkewMs: number | undefined;
  /** How long events wait for the event loop, in milliseconds; 0 while it is negligible. */
  loopDelayMs: number | undefined;
  /** Orders whose outcome is unknown, on all pairs. */
  unknownOrders: number;
};

/** What the depth check reads from an order book. */
export type DepthBook = {
  bestPrice(side: Side): Ticks | undefined;
  /** Returns the next price of the side that is worse than `price`. */
  priceAfter(side: Side, price: Ticks): Ticks | undefined;
  volumeAt(side: Side, price: Ticks): Lots;
};

/** Prices of the trades of the last minute or so, in ticks; there is at least one trade. */
export type RecentTrades = {
  /** Bounds of the prices, always up to date. */
  readonly lowest: number;
  readonly highest: number;
  /** The price of the newest; computed when it is read. */
  readonly last: Ticks | undefined;
  /** Computed when it is read. */
  readonly heldMedian: Ticks | undefined;
};

export type PairFacts = {
  market: Market;
  /** As last reported by any source; may be newer than `market.status`. */
  status: MarketStatus | undefined;
  /** Our orders on this pair whose outcome is unknown. */
  unknownOrders: number;
  bookUsable: boolean;
  book: DepthBook | undefined;
  /** Time since the stream's last message about this book, by our clock. */
  bookAgeMs: number | undefined;
  /** Best bid + best ask in ticks, which is the mid in half ticks. */
  mid2: number | undefined;
  recentTrades: RecentTrades | undefined;
  /**
   * Substitute for the median while there are no recent trades: at start, the engine may put the
   * ticker's last trade here, with the ticker's age as its age.
   */
  tradeMedian: Ticks | undefined;
  /** Age of the newest trade in the median, or of the ticker that replaces it. */
  tradeMedianAgeMs: number | undefined;
};

export type GateFacts = {
  nowMs: number;
  /** The rules of the exchange that decide whether an order may leave. */
  readonly exchange: Pick<ExchangeProfile, 'orders' | 'checks'>;
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

/** Returns the median price of recent trades, or its substitute. */
export function tradeMedianOf({ recentTrades, tradeMedian }: PairFacts): Ticks | undefined {
  return recentTrades === undefined ? tradeMedian : recentTrades.heldMedian;
}

/** Returns the price of the last trade, or of the ticker that replaces it. */
export function lastTradeOf({ recentTrades, tradeMedian }: PairFacts): Ticks | undefined {
  return recentTrades === undefined ? tradeMedian : recentTrades.last;
}

/** Returns facts that refuse every order until the engine has filled them in. */
export function createGateFacts(
  environment: Environment,
  exposure: Exposure,
  markets: readonly Market[],
  exchange: GateFacts['exchange'],
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
    exchange,
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
