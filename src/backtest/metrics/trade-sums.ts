/** Totals of our trades, which are not kept themselves. */
import { type Amount, amountOfOrder, powerOfTen } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import type { ReplayTrade } from '../../replay-exchange/account/replay-order.ts';
import { type Leg, RoundTrips } from './round-trips.ts';
import { TripSums } from './trip-sums.ts';

export class TradeSums {
  count = 0;
  maker = 0;
  /** The largest volume ahead of one of our orders when it was filled, in lots. */
  aheadAtFillMax = 0;
  /** In the counter currency. */
  fees: Amount = 0n;
  readonly trips = new TripSums();
  readonly #market: Market;
  readonly #matched = new RoundTrips((trip) => this.trips.add(trip));

  constructor(market: Market) {
    this.#market = market;
  }

  /** `atMs`: its time on a clock that stands still while nobody records. */
  add(trade: ReplayTrade, atMs: number): void {
    this.count++;
    if (trade.isMaker) this.maker++;
    this.aheadAtFillMax = Math.max(this.aheadAtFillMax, trade.aheadAtFill);
    const fee = trade.feeCounter + this.#inCounter(trade.feeBase, trade.price);
    this.fees += fee;
    this.#matched.add(this.#legOf(trade, fee, atMs));
  }

  /** Completes the totals; no trades follow. */
  end(): void {
    this.#matched.end();
  }

  /** The fee raises the cost of a buy and lowers the proceeds of a sale. */
  #legOf({ order, price, volume }: ReplayTrade, fee: Amount, atMs: number): Leg {
    const value = amountOfOrder(price, volume, this.#market);
    const worth = order.side === 'BID' ? value + fee : value - fee;
    return { order, atMs, side: order.side, volume, worth };
  }

  #inCounter(base: Amount, price: number): Amount {
    if (base === 0n) return 0n;
    return (base * BigInt(price)) / powerOfTen(this.#market.priceScale);
  }
}
