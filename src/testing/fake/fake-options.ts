/** What a test gives to `fakeContext`: a market, an account and a script of events. */
import type { GivenRules } from '../../domain/market-rules.ts';

/**
 * Events in RxJS's marble notation, and what each letter stands for. One character is one second,
 * or one candle: `-` waits, `a` happens, `(ab)` happens together, and ` 30s ` (with spaces around
 * it; also `ms` and `m`) waits that long after the second of the character before.
 *
 *     top: ['a 29s b', { a: { bid: '999', ask: '1001' }, b: { bid: '998', ask: '1000' } }]
 */
export type Marbles<Value> = readonly [
  diagram: string,
  values?: Readonly<Record<string, Value>> | undefined,
];

/**
 * The best prices, as decimal text; a side that is left out has no orders. The volumes are "1"
 * unless given. `unusable` is a book that cannot be used, as after a break in its stream.
 */
export type TopValue =
  | 'unusable'
  | {
      readonly bid?: string;
      readonly ask?: string;
      readonly bidVolume?: string;
      readonly askVolume?: string;
    };

/** A trade of the market. Unless given, its volume is "1", and a buyer was its taker. */
export type TradeValue = {
  readonly price: string;
  readonly volume?: string;
  readonly side?: 'BID' | 'ASK';
};

/** A candle. Unless given, the other prices are those that `close` needs, and the volume is "1". */
export type CandleValue = {
  readonly close: string;
  readonly open?: string;
  readonly high?: string;
  readonly low?: string;
  readonly volume?: string;
};

/**
 * A fill of an open order of the strategy, named by its level in the quote or by its key; neither
 * is needed if only one is open. Unless given, it is all that is left of the order, at its price.
 */
export type FillValue = {
  readonly level?: string;
  readonly key?: string;
  readonly price?: string;
  readonly volume?: string;
};

/** A refusal of the gate, which the strategy sees in `refusal$`. */
export type RefusalValue = {
  readonly key: string;
  readonly codes: readonly string[];
  readonly observed?: string;
  readonly limit?: string;
};

/** One pair. Amounts are decimal text. */
export type FakeMarketOptions = {
  /** Default: XBTZAR. */
  readonly pair?: string;
  /**
   * Rules of the pair that differ from these: base XBT and counter ZAR (or the first three letters
   * of the pair and the others), whole prices from "1" to "1000000000" (`priceScale: 0`), and
   * volumes from "0.0001" to "1000" (`volumeScale: 6`).
   */
  readonly rules?: GivenRules;
  /** The strategy's position at the start, in the base currency. Default: "0". */
  readonly position?: string;
  /** The average price of that position. Default: not known. */
  readonly averagePrice?: string;
  /** The candles before the start, oldest first, of `candleInterval` or what `warmUp` asks for. */
  readonly history?: readonly CandleValue[];
  /** The best prices. An event replaces both sides. */
  readonly top?: Marbles<TopValue>;
  readonly trades?: Marbles<TradeValue>;
  /** One character is one candle, from the start of the run. It has no trades of its own. */
  readonly candles?: Marbles<CandleValue>;
  readonly fills?: Marbles<FillValue>;
  readonly refusals?: Marbles<RefusalValue>;
};

/** What a feed says: its number, several numbers by name, or that it is too old. */
export type FeedGiven = string | Readonly<Record<string, string>> | 'stale';

export type FakeContextOptions = FakeMarketOptions & {
  /** The plugin's parameters, as the settings give them. Default: none. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** What an operator sets while the strategy runs, as `millrace set` would: parameters as text. */
  readonly set?: Marbles<Readonly<Record<string, string>>>;
  /** What each feed of the strategy says, by its name: `{ reference: ['a', { a: '1000' }] }`. */
  readonly feeds?: Readonly<Record<string, Marbles<FeedGiven>>>;
  /** Several pairs, instead of the members that describe one; none if it only watches. */
  readonly pairs?: readonly FakeMarketOptions[];
  /** The pairs that it only watches. */
  readonly watch?: readonly (Omit<
    FakeMarketOptions,
    'position' | 'averagePrice' | 'fills' | 'refusals'
  > & { readonly pair: string })[];
  /** What the strategy may use, by currency. Default: "1000000" of each currency of its pairs. */
  readonly budget?: Readonly<Record<string, string>>;
  /** What new orders may use at the start, by currency. Default: the budget. */
  readonly available?: Readonly<Record<string, string>>;
  /** Fees of the account as fractions, for the pair's rules; fills are free. Default: 0. */
  readonly fees?: { readonly maker: number; readonly taker: number };
  /** The state of the last run's `remember`. Default: the plugin's first state. */
  readonly state?: unknown;
  /** What the last run remembered in slots; of a part, as `part/name`. Default: nothing. */
  readonly slots?: Readonly<Record<string, unknown>>;
  /** The length of a candle, such as "60s" or "1h". Default: what `warmUp` asks for, or "60s". */
  readonly candleInterval?: string;
  /** How long the run lasts, such as "10m". Default: until the last diagram ends. */
  readonly for?: string;
  /** The time of the start, in ISO 8601. Default: "2026-01-05T06:00:00Z". */
  readonly start?: string;
};
