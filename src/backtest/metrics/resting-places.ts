/**
 * How many orders were filled, by their place in the queue when they came to rest: the volume
 * ahead of an order as a multiple of its own volume.
 */
import type { ReplayOrder } from '../../replay-exchange/account/replay-order.ts';

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
