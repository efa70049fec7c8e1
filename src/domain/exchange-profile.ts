/**
 * The rules of an exchange that the data of its markets do not show, as data. The adapter of a
 * venue has a profile. A backtest runs under the one that its scenario chooses or derives.
 */
import type { OrderType, TimeInForce } from './bot-settings.ts';
import type { FeeRates, Latency } from './trading-conditions.ts';

/**
 * Kinds of calls, in the order in which they are served. `lookup`: resolves an order whose outcome
 * is unknown; `order`: a new order; `move`: the replacement of an order of a quote.
 */
export type CallClass = 'cancel' | 'lookup' | 'read' | 'order' | 'move';

/** A bot needs this many calls a minute for its own reads and a few orders. */
export const callsPerMinuteMin = 60;

export type CallRules = {
  /** How many calls the exchange allows in any 60 seconds, of all classes together. */
  readonly perMinute: number;
  /** How many of them each class leaves to the others; absent: a fixed share of the limit. */
  readonly leave?: Readonly<Record<CallClass, number>>;
};

export type ExchangeProfile = {
  /** As settings name it, for people. */
  readonly name: string;
  readonly calls: CallRules | 'unlimited';
  readonly fees: {
    /** The currency of the market in which the fee of a fill is taken. */
    readonly takenIn: 'received' | 'base' | 'counter';
    /** Where neither the exchange nor a scenario names the rates; a negative one is a rebate. */
    readonly rates?: FeeRates;
  };
  /** Which orders it takes. */
  readonly orders: {
    readonly types: readonly OrderType[];
    readonly timesInForce: readonly TimeInForce[];
    readonly postOnly: boolean;
  };
  /** What keeps an order that is sent twice from becoming two. */
  readonly placing: {
    /** It refuses an id that an order has or had; otherwise only one that an open order has. */
    readonly idsLast: boolean;
    /** The longest id that it takes, in characters. */
    readonly idLengthMax: number;
    /**
     * The shortest and the longest time to live that it takes. It refuses an order that arrives
     * after its own. `none`: it knows no time to live.
     */
    readonly ttlMs: { readonly min: number; readonly max: number } | 'none';
  };
  readonly checks: {
    /**
     * How old the newest trade may be for an order to be judged by its price, in milliseconds.
     * `never`: an order needs no trade; if there are recent ones, it must be near their median.
     */
    readonly tradeAgeMsMax: number | 'never';
  };
  /** For scenarios that give none. */
  readonly latencies?: {
    readonly feed: Latency;
    readonly request: Latency;
    readonly answer: Latency;
  };
};
