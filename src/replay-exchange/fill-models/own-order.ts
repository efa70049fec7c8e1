/** One of our orders. It is not in history's book, but may have a place in its queues. */
import type { TimeInForce } from '../../domain/bot-settings.ts';
import type { StopCondition } from '../../domain/limit-order.ts';
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { orderIdOf } from '../account/order-ids.ts';

export type OrderTerms = {
  /** Empty if the order has no client order id. */
  readonly clientOrderId: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly timeInForce: TimeInForce;
  readonly stop?: StopCondition | undefined;
};

export class OwnOrder {
  /** The order's number in the account: 1, 2, … */
  readonly number: number;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly stop: StopCondition | undefined;
  /** When it came to the market: for a stop order, at its trigger. */
  createdMicros: number;
  /** Orders of history with a lower arrival number are ahead of it at its price. */
  arrival = 0;
  remaining: Lots;
  isResting = false;
  /** Whether it is a stop order before its trigger. */
  isAwaiting = false;

  constructor(
    number: number,
    terms: OrderTerms & { readonly postOnly: boolean },
    atMicros: number,
  ) {
    this.number = number;
    this.clientOrderId = terms.clientOrderId;
    this.side = terms.side;
    this.price = terms.price;
    this.volume = terms.volume;
    this.timeInForce = terms.timeInForce;
    this.postOnly = terms.postOnly;
    this.stop = terms.stop;
    this.createdMicros = atMicros;
    this.remaining = terms.volume;
  }

  /** The exchange's id, created on each read. */
  get orderId(): string {
    return orderIdOf(this.number);
  }
}
