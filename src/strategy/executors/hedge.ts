/** Keeps an exposure within a band by trading against it on another pair. */

import { z } from 'zod';
import { Decimal } from '../../domain/money.ts';
import type { Context } from '../contract.ts';
import { describe } from '../json-value.ts';
import {
  amountText,
  optionsOf,
  type TakeOptions,
  type TimeOptions,
  takeTypes,
  timeTypes,
} from './executor-options.ts';
import { type ExecutorPart, executor, type Wish } from './executor-part.ts';
import { takingPrice } from './work.ts';

/** An exposure that is kept within a band. */
export type HedgeOptions = TakeOptions &
  TimeOptions & {
    /** One of the strategy's pairs, on which it trades. */
    readonly pair: string;
    /**
     * Returns what is to be hedged, in the base currency of the pair that the hedge trades, below 0
     * for short: of what the strategy holds on another pair, for example. What the hedge itself
     * trades must not be in it. Undefined while it is not known.
     */
    readonly exposure: (part: Context<unknown, unknown>) => Decimal | undefined;
    /** How far exposure and hedge together may be from 0, in the base currency, as decimal text. */
    readonly band: string;
  };

const types = {
  ...{ ...takeTypes, ...timeTypes, band: amountText },
  pair: z.string().meta({ allowed: 'the name of the pair that it trades' }),
  exposure: z
    .custom<HedgeOptions['exposure']>((value) => typeof value === 'function')
    .meta({ allowed: 'a function' }),
};

/**
 * Returns an executor that trades against an exposure, by IOC orders, whenever exposure and hedge
 * together are outside a band around 0, until they are 0. Throws {@link RangeError} for an invalid
 * option, and stops the strategy if `exposure` returns anything but a finite Decimal or undefined.
 */
export function hedge(options: HedgeOptions): ExecutorPart {
  const own = optionsOf('hedge', types, options);
  return executor({ name: 'hedge', about: 'a hedge', pair: own.pair }, (desk) => {
    const { part, market, orders } = desk;
    const band = market.amountOf(market.lots(own.band));
    /** What the hedge has bought, less what it has sold, after fees. */
    const hedged = (): Decimal => orders.net('buy', 'BID').plus(orders.net('sell', 'ASK'));

    function exposed(): Decimal | undefined {
      const exposure = own.exposure(part);
      if (exposure === undefined) return undefined;
      if (!Decimal.isDecimal(exposure) || !exposure.isFinite())
        throw new RangeError(
          `hedge: exposure must return a finite Decimal or undefined, was ${describe(exposure)}`,
        );
      return exposure.plus(hedged());
    }

    function next(): Wish {
      if (orders.hasLasted(own.duration))
        return { isDone: true, why: `hedged ${hedged()} ${market.base}: its time is over` };
      const open = exposed();
      if (open === undefined) return { orders: {}, why: 'the exposure is not known' };
      const volume = market.nearestLot(open.abs(), 'down');
      if (open.abs().lessThanOrEqualTo(band) || volume < market.rules.volumeMin)
        return { orders: {}, why: 'the exposure is within the band' };
      const side = open.isNegative() ? 'BID' : 'ASK';
      const found = takingPrice(market, side, own.slip);
      if (found === undefined) return { why: 'the book is unusable' };
      const line = side === 'BID' ? 'buy' : 'sell';
      // What the other line still has open may change the exposure.
      if (orders.openLines.some((one) => one !== line)) return { orders: {}, why: 'waits' };
      const order = { side, price: found.price, volume, by: 'taking' } as const;
      return { orders: { [line]: order }, why: 'the exposure is outside the band' };
    }

    return {
      next,
      progress: () => ({ hedged: hedged(), open: exposed() ?? hedged() }),
    };
  });
}
