/** Works off a total evenly over a time. */
import type { Lots } from '../../domain/money.ts';
import { lotsLeft, lotsOf, minLots } from '../../domain/ticks-and-lots.ts';
import {
  countFrom,
  optionsOf,
  shareType,
  spanMs,
  type TakeOptions,
  takeTypes,
  type WorkOptions,
  workTypes,
} from './executor-options.ts';
import { type ExecutorPart, executor } from './executor-part.ts';
import { MarketVolume } from './market-volume.ts';
import { kindOf, Work } from './work.ts';

/** A total that is worked off evenly over a time, by IOC orders. */
export type TwapOptions = WorkOptions &
  TakeOptions & {
    /** How long it takes, in milliseconds; then it ends, whatever is left. */
    readonly duration: number;
    /** Into how many slices the total is divided, 1 to 10000: one is due at the start of each. */
    readonly slices: number;
    /** The most of the market's volume since its start that it trades, as a share. */
    readonly participation?: number;
  };

const types = {
  ...workTypes,
  ...takeTypes,
  duration: spanMs,
  slices: countFrom(1, 10_000),
  participation: shareType.optional(),
};

/**
 * Returns an executor that works off a total evenly over a time, at the prices of the market.
 * Throws {@link RangeError} for an invalid option.
 */
export function twap(options: TwapOptions): ExecutorPart {
  const own = optionsOf('twap', types, options);
  const { duration, slices, participation, slip } = own;
  return executor(kindOf('twap', own), (desk) => {
    const { part, market, orders } = desk;
    const work = new Work('twap', desk, own);
    const { volumeMin } = market.rules;
    // Exact, also where a slice is no whole number of lots.
    const dueAfter = (slice: number): Lots => {
      const rest = work.total % slices;
      return lotsOf(((work.total - rest) / slices) * slice + Math.floor((rest * slice) / slices));
    };
    if (dueAfter(1) < volumeMin)
      throw new RangeError(
        `twap: slices must be at most ${Math.floor(work.total / volumeMin)}, so that each has ` +
          `${market.amountOf(volumeMin)} ${market.base}, the smallest order, was ${slices}`,
      );
    const volume = participation === undefined ? undefined : new MarketVolume(desk);
    return {
      ...{ progress: work.progress, ...(volume && { listen: volume.trade$ }) },
      next: () => {
        if (work.isComplete) return work.done();
        if (orders.hasLasted(duration)) return work.done('its time is over');
        const elapsedMs = part.nowMs() - orders.startedMs;
        const slice = Math.min(Math.floor((elapsedMs * slices) / duration) + 1, slices);
        const due = dueAfter(slice);
        const most = participation === undefined ? due : (volume?.share(participation) ?? due);
        const lots = work.partOf(lotsLeft(minLots(due, most), work.filled));
        const remember = volume?.remember() ?? [];
        if (lots < volumeMin)
          return {
            ...work.nothing(
              most < due ? 'waits for the volume of the market' : 'waits for the next slice',
            ),
            remember,
          };
        return { ...work.taking(lots, slip, `slice ${slice} of ${slices}`), remember };
      },
    };
  });
}
