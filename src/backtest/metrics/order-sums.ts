/** Totals of orders, added as each order ends; the orders are not kept. */
import type { ReplayOrder } from '../../replay-exchange/account/replay-order.ts';
import { EvenSample } from './even-sample.ts';
import { RestingPlaces } from './resting-places.ts';

/** Above this number of orders, quartiles are computed from an even sample. */
const aheadKeptMax = 65_536;

export class OrderSums {
  count = 0;
  /** Orders with at least one fill. */
  filled = 0;
  /** Orders that were cancelled without a fill. */
  cancelled = 0;
  /** In lots. */
  placedVolume = 0;
  filledVolume = 0;
  /** The volume ahead of each order in the queue when it came to rest, in lots. */
  readonly aheadAtRest = new EvenSample<number>(aheadKeptMax);
  /** Of orders that came to rest: how many were filled, by their place. */
  readonly places = new RestingPlaces();

  add(order: ReplayOrder): void {
    this.count++;
    if (order.filled > 0) this.filled++;
    if (order.cancelledMs > 0 && order.filled === 0) this.cancelled++;
    this.placedVolume += order.volume;
    this.filledVolume += order.filled;
    if (order.aheadAtRest === undefined) return;
    this.aheadAtRest.add(order.aheadAtRest);
    this.places.add(order, order.aheadAtRest);
  }
}
