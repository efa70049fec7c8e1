/** Works off a total at the best price of its own side, and follows it. */
import type { Side } from '../../domain/market.ts';
import type { Ticks } from '../../domain/money.ts';
import { lotsLeft } from '../../domain/ticks-and-lots.ts';
import type { MarketContext } from '../contract.ts';
import type { OwnOrder } from '../own-views.ts';
import {
  countFrom,
  optionsOf,
  type TimeOptions,
  timeTypes,
  type WorkOptions,
  workTypes,
} from './executor-options.ts';
import { type ExecutorPart, executor } from './executor-part.ts';
import { kindOf, Work } from './work.ts';

/** The best price of a side, without its own order. */
function bestOf(
  { book, top }: MarketContext,
  side: Side,
  order: OwnOrder | undefined,
): Ticks | undefined {
  const best = side === 'BID' ? top?.bid : top?.ask;
  if (best === undefined || order?.terms.price !== best) return best;
  // Where it is alone, the book shows just what is left of it.
  const isAlone = book.volumeAt(side, best) === lotsLeft(order.terms.volume, order.filled);
  return isAlone ? (book.levels(side, 2)[1]?.price ?? best) : best;
}

/** A total that rests at the best price of its own side, as one post-only order that follows it. */
export type ChaseOptions = WorkOptions &
  TimeOptions & {
    /** How many ticks the best price may be away before the order follows; 0 unless given. */
    readonly tolerance?: number;
  };

const types = { ...workTypes, ...timeTypes, tolerance: countFrom(0, 1_000_000).optional() };

/**
 * Returns an executor that keeps one post-only order at the best price of its own side, and follows
 * it up to the limit. Throws {@link RangeError} for an invalid option.
 */
export function chase(options: ChaseOptions): ExecutorPart {
  const own = optionsOf('chase', types, options);
  return executor(kindOf('chase', own), (desk) => {
    const { market, orders } = desk;
    const work = new Work('chase', desk, own);
    return {
      progress: work.progress,
      next: () => {
        if (work.isComplete) return work.done();
        if (orders.hasLasted(own.duration)) return work.done('its time is over');
        const best = bestOf(market, own.side, work.order);
        if (best === undefined) return { why: 'the book is unusable' };
        return work.resting(best, work.left, 'follows the best price', own.tolerance);
      },
    };
  });
}
