/**
 * A market: a pair with its rules, and conversions between its decimal strings and integers.
 *
 * Invariant: `price × volume` has at most `priceScale + volumeScale` decimals, so a value in the
 * counter currency is the integer product of ticks and lots.
 */
import { formatScaled, type Lots, parseScaled, type Ticks } from './money.ts';

/** `BID` buys, `ASK` sells: the exchange's names for the sides of orders. */
export type Side = 'BID' | 'ASK';

/**
 * Takers can trade only in an ACTIVE market; POST_ONLY and SUSPENDED accept post-only orders, the
 * others accept none. `UNKNOWN` includes statuses that are added later.
 */
export type MarketStatus = 'ACTIVE' | 'POST_ONLY' | 'SUSPENDED' | 'DISABLED' | 'UNKNOWN';

/** Whether a market of this status accepts orders that may take. */
export function acceptsTakers(status: MarketStatus | undefined): boolean {
  return status === 'ACTIVE';
}

/** Whether a market of this status accepts post-only orders. */
export function acceptsMakers(status: MarketStatus | undefined): boolean {
  return acceptsTakers(status) || status === 'POST_ONLY' || status === 'SUSPENDED';
}

/** The exchange's rules of one pair. Prices in ticks, volumes in lots. */
export type Market = {
  readonly pair: string;
  readonly base: string;
  readonly counter: string;
  /** Decimals of a price: one tick is `10^-priceScale` counter currency per base currency. */
  readonly priceScale: number;
  /** Decimals of a volume: one lot is `10^-volumeScale` base currency. */
  readonly volumeScale: number;
  /** Decimals of a fee, in either currency. */
  readonly feeScale: number;
  readonly priceMin: Ticks;
  readonly priceMax: Ticks;
  readonly volumeMin: Lots;
  readonly volumeMax: Lots;
  readonly status: MarketStatus;
};

export type Scales = Pick<Market, 'priceScale' | 'volumeScale'>;

/**
 * Returns `text` in ticks, or undefined if it is not a whole number of ticks. Does not check sign
 * and limits.
 */
export function parseTicks(text: string, market: Scales): Ticks | undefined {
  return parseScaled(text, market.priceScale) as Ticks | undefined;
}

/**
 * Returns `text` in lots, or undefined if it is not a whole number of lots. Does not check sign and
 * limits.
 */
export function parseLots(text: string, market: Scales): Lots | undefined {
  return parseScaled(text, market.volumeScale) as Lots | undefined;
}

/** Returns `price` as a decimal string in the counter currency. */
export function formatTicks(price: Ticks, market: Scales): string {
  return formatScaled(price, market.priceScale);
}

/** Returns `volume` as a decimal string in the base currency. */
export function formatLots(volume: Lots, market: Scales): string {
  return formatScaled(volume, market.volumeScale);
}

/** Returns `value` (ticks × lots) as a decimal string in the counter currency. */
export function formatValue(value: bigint | number, market: Scales): string {
  return formatScaled(value, market.priceScale + market.volumeScale);
}

export function opposite(side: Side): Side {
  return side === 'BID' ? 'ASK' : 'BID';
}
