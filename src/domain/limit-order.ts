/** The terms of a limit order, from the strategy that wants it to the venue that keeps it. */
import type { TimeInForce } from './bot-settings.ts';
import type { Side } from './market.ts';
import type { Lots, Ticks } from './money.ts';

export type LimitOrder = {
  readonly pair: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
};
