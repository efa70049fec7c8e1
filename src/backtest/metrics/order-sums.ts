/** What orders add up to as they end, without keeping them. */
import type { ReplayOrder } from '../../replay-exchange/account/replay-order.ts';
import { EvenSample } from './even-sample.ts';

/** Of more orders than this, quartiles are those of an even sample. */
const aheadKeptMax = 65_536;

export class OrderSums {
  count = 0;
  /** Orders with any fill. */
  filled = 0;
  /** Orders that were cancelled without a fill. */
  cancelled = 0;
  /** In lots. */
  placedVolume = 0;
  filledVolume = 0;
  /** What stood before an order when it came to rest, in lots. */
  readonly aheadAtRest = new EvenSample<number>(aheadKeptMax);

  add(order: ReplayOrder): void {
    this.count++;
    if (order.filled > 0) this.filled++;
    if (order.cancelledMs > 0 && order.filled === 0) this.cancelled++;
    this.placedVolume += order.volume;
    this.filledVolume += order.filled;
    if (order.aheadAtRest !== undefined) this.aheadAtRest.add(order.aheadAtRest);
  }
}
