/** One of our orders. It is not in history's book, but may have a place in its queues. */
import type { TimeInForce } from '../../domain/bot-settings.ts';
import type { StopCondition } from '../../domain/limit-order.ts';
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { minLots, noLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import { productOf } from '../../exchange-accounts/fee-schedule.ts';
import { lotsFor } from '../../exchange-accounts/market-sweep.ts';
import { orderIdOf } from '../account/order-ids.ts';

export type OrderTerms = {
  /** Empty if the order has no client order id. */
  readonly clientOrderId: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly timeInForce: TimeInForce;
  readonly stop?: StopCondition | undefined;
  /** What a market buy may spend, in ticks × lots; undefined for other orders. */
  readonly money?: bigint | undefined;
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
  /** What is left to spend; undefined if only the volume bounds the order. */
  money: bigint | undefined;
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
    this.money = terms.money;
  }

  /** Returns how much it would take at a price. */
  wantedAt(price: Ticks): Lots {
    return this.money === undefined
      ? this.remaining
      : minLots(this.remaining, lotsFor(this.money, price));
  }

  /** Takes a trade off what is left of it; a buy that cannot pay another lot is done. */
  reduce(volume: Lots, price: Ticks): void {
    this.remaining = subtractLots(this.remaining, volume);
    if (this.money === undefined) return;
    this.money -= productOf(price, volume);
    if (this.money < BigInt(price)) this.remaining = noLots;
  }

  /** The exchange's id, created on each read. */
  get orderId(): string {
    return orderIdOf(this.number);
  }
}
