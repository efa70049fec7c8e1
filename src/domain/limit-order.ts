/**
 * The terms of a limit or stop-limit order, from the strategy that wants it to the venue that keeps
 * it.
 */
import type { TimeInForce } from './bot-settings.ts';
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
  readonly baseAccountId: string;
  readonly counterAccountId: string;
};

/** Returns where the last trade has to be for a stop, in words that a price follows. */
export function reachText(direction: StopCondition['direction']): string {
  return direction === 'ABOVE' ? 'at or above' : 'at or below';
}
