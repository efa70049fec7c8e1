/**
 * The terms of a limit, stop-limit or market order, from the strategy that wants it to the venue
 * that keeps it.
 */
import type { OrderType, TimeInForce } from './bot-settings.ts';
import type { Side } from './market.ts';
import type { Lots, Ticks } from './money.ts';

/**
 * When a stop-limit order becomes its limit order: when the last trade is at or above the price, or
 * at or below it.
 */
export type StopCondition = { readonly direction: 'ABOVE' | 'BELOW'; readonly price: Ticks };

export type LimitOrder = {
  readonly pair: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** Undefined for a limit order. */
  readonly stop?: StopCondition | undefined;
  /**
   * Of a market order alone: what it pays, as decimal text, in the base currency for a sale and in
   * the counter currency for a buy. The other members are those of the order as which it counts.
   */
  readonly pays?: string | undefined;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
};

export function orderTypeOf({ stop, pays }: Pick<LimitOrder, 'stop' | 'pays'>): OrderType {
  if (pays !== undefined) return 'market';
  return stop === undefined ? 'limit' : 'stop-limit';
}

/** Returns where the last trade has to be for a stop, in words that a price follows. */
export function reachText(direction: StopCondition['direction']): string {
  return direction === 'ABOVE' ? 'at or above' : 'at or below';
}
