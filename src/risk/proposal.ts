/** An order that a strategy wants to place, with all terms that the gate judges. */
import type { LimitOrder } from '../domain/limit-order.ts';

export type Proposal = LimitOrder & {
  readonly strategyId: string;
  /** The order may only reduce the strategy's position. */
  readonly reduceOnly: boolean;
  /** When the strategy asked for it, by our clock. */
  readonly createdMs: number;
};
