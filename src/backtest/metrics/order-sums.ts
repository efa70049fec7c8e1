/** Totals of orders, added as each order ends; the orders are not kept. */
import type { ReplayOrder } from '../../replay-exchange/account/replay-order.ts';
import { EvenSample } from './even-sample.ts';

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

/** The largest multiple of each group; a last group has the orders beyond them all. */
const multiples = [0, 1, 3, 10, 30, 100] as const;

export type PlaceSums = {
  /** The largest multiple of the group; undefined for the last one. */
  readonly upTo: number | undefined;
  orders: number;
  /** Orders with at least one fill. */
  filled: number;
  /** In lots. */
  placedVolume: number;
  filledVolume: number;
};

/**
 * How many orders were filled, by their place in the queue when they came to rest: the volume
 * ahead of an order as a multiple of its own volume.
 */
export class RestingPlaces {
  readonly groups: readonly PlaceSums[] = [...multiples, undefined].map((upTo) => ({
    ...{ upTo, orders: 0, filled: 0, placedVolume: 0, filledVolume: 0 },
  }));

  /** Adds an order that has ended; `ahead` is the volume ahead of it when it came to rest. */
  add({ volume, filled }: Pick<ReplayOrder, 'volume' | 'filled'>, ahead: number): void {
    let index = 0;
    while (index < multiples.length && ahead > (multiples[index] as number) * volume) index++;
    const group = this.groups[index] as PlaceSums;
    group.orders++;
    if (filled > 0) group.filled++;
    group.placedVolume += volume;
    group.filledVolume += filled;
  }
}
