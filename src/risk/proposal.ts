/** An order that somebody wishes to place, with everything the gate judges. */
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
  /** It must not do more than reduce the strategy's position. */
  readonly reduceOnly: boolean;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
  /** When it was wished, our time. */
  readonly createdMs: number;
};
