/** An order that a strategy wants to place, with all terms that the gate judges. */
import type { TimeInForce } from '../domain/bot-settings.ts';
import type { Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';

export type Proposal = {
  readonly strategyId: string;
  readonly pair: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** The order may only reduce the strategy's position. */
  readonly reduceOnly: boolean;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
  /** When the strategy asked for it, by our clock. */
  readonly createdMs: number;
};
