/** Works off a total at a price, of which only a part is shown. */
import { ticksOf } from '../../domain/ticks-and-lots.ts';
import {
  amountText,
  optionsOf,
  type TimeOptions,
  timeTypes,
  type WorkOptions,
  workTypes,
} from './executor-options.ts';
import { type ExecutorPart, executor } from './executor-part.ts';
import { kindOf, volumeIn, Work } from './work.ts';

/** A total that rests at its limit, as one post-only order after the other. */
export type IcebergOptions = Omit<WorkOptions, 'limit'> &
  TimeOptions & {
    /** Its price, in the counter currency, as decimal text. */
    readonly limit: string;
    /** The volume that is shown, in the base currency, as decimal text. */
    readonly display: string;
  };

const types = { ...workTypes, ...timeTypes, limit: amountText, display: amountText };

/**
 * Returns an executor that keeps one post-only order of the displayed volume at a price, until the
 * total has been filled. Throws {@link RangeError} for an invalid option.
 */
export function iceberg(options: IcebergOptions): ExecutorPart {
  const own = optionsOf('iceberg', types, options);
  return executor(kindOf('iceberg', own), (desk) => {
    const { market, orders } = desk;
    const work = new Work('iceberg', desk, own);
    const display = volumeIn(market, 'iceberg: display', own.display);
    return {
      progress: work.progress,
      next: () => {
        if (work.isComplete) return work.done();
        if (orders.hasLasted(own.duration)) return work.done('its time is over');
        const { bid, ask } = market.top ?? {};
        if (bid === undefined || ask === undefined) return { why: 'the book is unusable' };
        // Never at a price that would take: the limit decides as soon as it would not. What rests
        // already stays: the market has passed it, or is about to.
        const resting = work.order?.terms.price;
        const price =
          own.side === 'BID'
            ? ticksOf(Math.max(ask - 1, resting ?? 0))
            : ticksOf(Math.min(bid + 1, resting ?? bid + 1));
        return work.resting(price, work.piece(display), 'shows a part');
      },
    };
  });
}
