/** Works off a total as a share of what the market trades. */
import { lotsLeft, minLots } from '../../domain/ticks-and-lots.ts';
import {
  optionsOf,
  shareType,
  type TakeOptions,
  type TimeOptions,
  takeTypes,
  timeTypes,
  type WorkOptions,
  workTypes,
} from './executor-options.ts';
import { type ExecutorPart, executor } from './executor-part.ts';
import { MarketVolume } from './market-volume.ts';
import { kindOf, Work } from './work.ts';

/** A total that is worked off as a share of the market's volume, by IOC orders. */
export type PovOptions = WorkOptions &
  TakeOptions &
  TimeOptions & {
    /** Its share of the market's volume since its start, above 0 and below 1. */
    readonly rate: number;
  };

const types = { ...workTypes, ...takeTypes, ...timeTypes, rate: shareType };

/**
 * Returns an executor that works off a total as a share of what the market trades (percentage of
 * volume). Throws {@link RangeError} for an invalid option.
 */
export function pov(options: PovOptions): ExecutorPart {
  const own = optionsOf('pov', types, options);
  return executor(kindOf('pov', own), (desk) => {
    const { market, orders } = desk;
    const work = new Work('pov', desk, own);
    const volume = new MarketVolume(desk);
    return {
      progress: work.progress,
      listen: volume.trade$,
      next: () => {
        if (work.isComplete) return work.done();
        if (orders.hasLasted(own.duration)) return work.done('its time is over');
        const due = minLots(volume.share(own.rate), work.total);
        const lots = work.partOf(lotsLeft(due, work.filled));
        const wish =
          lots < market.rules.volumeMin
            ? work.nothing('waits for the volume of the market')
            : work.taking(lots, own.slip, 'its share of the volume');
        return { ...wish, remember: volume.remember() };
      },
    };
  });
}
