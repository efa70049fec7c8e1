/** Totals of our trades, which are not kept themselves. */

import { type Amount, amountOfOrder, powerOfTen } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import type { ReplayTrade } from '../../replay-exchange/account/replay-order.ts';
import { type Leg, type RoundTrip, RoundTrips } from './round-trips.ts';

export class TradeSums {
  count = 0;
  maker = 0;
  /** The largest volume ahead of one of our orders when it was filled, in lots. */
  aheadAtFillMax = 0;
  /** In the counter currency. */
  fees: Amount = 0n;
  /** The value of all trades, before fees. */
  turnover: Amount = 0n;
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
    const value = amountOfOrder(trade.price, trade.volume, this.#market);
    this.fees += fee;
    this.turnover += value;
    this.#matched.add(legOf(trade, { value, fee, atMs }));
  }

  /** Completes the totals; no trades follow. */
  end(): void {
    this.#matched.end();
  }

  #inCounter(base: Amount, price: number): Amount {
    if (base === 0n) return 0n;
    return (base * BigInt(price)) / powerOfTen(this.#market.priceScale);
  }
}

/** The fee raises the cost of a buy and lowers the proceeds of a sale. */
function legOf(
  { order, volume }: ReplayTrade,
  { value, fee, atMs }: { readonly value: Amount; readonly fee: Amount; readonly atMs: number },
): Leg {
  const worth = order.side === 'BID' ? value + fee : value - fee;
  return { order, atMs, side: order.side, volume, worth };
}

/** Totals of round trips, which are not kept themselves. */
export class TripSums {
  count = 0;
  wins = 0;
  gained: Amount = 0n;
  /** The total of all losses, as a positive amount. */
  lost: Amount = 0n;
  best: Amount | undefined;
  worst: Amount | undefined;
  winsInRowMax = 0;
  lossesInRowMax = 0;
  /** The total over all round trips. */
  heldSeconds = 0;
  #winsInRow = 0;
  #lossesInRow = 0;

  add({ profit, openedMs, closedMs }: RoundTrip): void {
    this.count++;
    this.heldSeconds += (closedMs - openedMs) / 1000;
    if (this.best === undefined || profit > this.best) this.best = profit;
    if (this.worst === undefined || profit < this.worst) this.worst = profit;
    this.#winsInRow = profit > 0n ? this.#winsInRow + 1 : 0;
    this.#lossesInRow = profit < 0n ? this.#lossesInRow + 1 : 0;
    this.winsInRowMax = Math.max(this.winsInRowMax, this.#winsInRow);
    this.lossesInRowMax = Math.max(this.lossesInRowMax, this.#lossesInRow);
    if (profit > 0n) {
      this.wins++;
      this.gained += profit;
    } else this.lost -= profit;
  }
}
