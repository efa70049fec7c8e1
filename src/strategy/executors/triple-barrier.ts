/** Closes the position of a strategy at a loss, at a profit, or after a time. */
import { z } from 'zod';
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { lotsOf } from '../../domain/ticks-and-lots.ts';
import {
  optionsOf,
  type PlaceOptions,
  placeTypes,
  shareType,
  spanMs,
  type TakeOptions,
  takeTypes,
} from './executor-options.ts';
import { type ExecutorPart, executor, type Wish } from './executor-part.ts';
import { inTicks, takingPrice } from './work.ts';

/** Barriers around the strategy's position on a pair; at least one of them. */
export type TripleBarrierOptions = PlaceOptions &
  TakeOptions & {
    /** The loss, as a share of the position's average price, at which it is closed. */
    readonly stopLoss?: number;
    /** The profit at which it is closed, by a post-only order that waits there. */
    readonly takeProfit?: number;
    /** Closes it when its profit has been `activation` or more and is `delta` below its best. */
    readonly trailing?: { readonly activation: number; readonly delta: number };
    /** After how many milliseconds it is closed. */
    readonly timeLimit?: number;
    /** How many milliseconds it waits for a position; then it ends. For ever unless given. */
    readonly waitLimit?: number;
  };

const barrierTypes = {
  stopLoss: shareType.optional(),
  takeProfit: z
    .number()
    .gt(0)
    .meta({ allowed: 'a share above 0, such as 0.01 for 1 %' })
    .optional(),
  trailing: z
    .strictObject({ activation: z.number().min(0), delta: shareType })
    .meta({ allowed: '{ activation, delta }, shares from 0 and above 0' })
    .optional(),
  timeLimit: spanMs.optional(),
};
const types = {
  ...{ ...placeTypes, ...takeTypes, ...barrierTypes, waitLimit: spanMs.optional() },
};

const watchType = z.strictObject({
  /** Which order closes it; empty while nothing is held. */
  side: z.enum(['', 'BID', 'ASK']),
  sinceMs: z.number(),
  /** The price that the shares are of, and the best one to close at; in ticks, 0 for none. */
  entry: z.number(),
  bestPrice: z.number(),
  /** The barrier that was hit, empty for none. */
  hit: z.string(),
});
type Watch = z.infer<typeof watchType>;

const nothingHeld: Watch = { side: '', sinceMs: 0, entry: 0, bestPrice: 0, hit: '' };
/** A better price is remembered in steps of this share. */
const bestStep = 0.000_1;

/**
 * Returns an executor that closes the strategy's position on a pair, whichever side it is on, when
 * one of its barriers is reached. It waits while nothing is held, and ends when what was held is
 * closed. Throws {@link RangeError} for an invalid option, and without a barrier.
 */
export function tripleBarrier(options: TripleBarrierOptions): ExecutorPart {
  const own = optionsOf('tripleBarrier', types, options);
  const names = Object.keys(barrierTypes) as (keyof typeof barrierTypes)[];
  if (names.every((name) => own[name] === undefined))
    throw new RangeError(`tripleBarrier: one of ${names.join(', ')} must be given`);
  const kind = { name: 'tripleBarrier', about: 'a position', pair: own.pair };
  return executor(kind, ({ part, market, orders }) => {
    const watch = part.slot('watch', watchType, nothingHeld);
    const volumeHeld = (): Lots => lotsOf(Math.abs(market.position.base));

    /** Returns what is to be known of the position when it can be closed at `price`. */
    function seen(side: Side, price: Ticks | undefined): Watch {
      const { averagePrice } = market.position;
      const isSame = watch.value.side === side;
      const before = isSame ? watch.value : { ...nothingHeld, side, sinceMs: part.nowMs() };
      // Without an average price its first fill is not booked yet; or an older version opened it.
      const first = market.holding.isZero() ? 0 : (market.mid ?? 0);
      const entry =
        averagePrice === undefined ? before.entry || first : inTicks(market, averagePrice);
      if (price === undefined || entry === 0) return { ...before, entry };
      const profitAt = (one: number) => (one / entry - 1) * (side === 'ASK' ? 1 : -1);
      const known = before.bestPrice === 0 ? entry : before.bestPrice;
      const isBetter = profitAt(price) > profitAt(known) + bestStep;
      const bestPrice = isBetter ? price : known;
      const hit = before.hit || barrierAt(profitAt(price), profitAt(bestPrice));
      return { ...before, entry, bestPrice, hit };
    }

    function barrierAt(profit: number, best: number): string {
      const { stopLoss, takeProfit, trailing } = own;
      if (stopLoss !== undefined && profit <= -stopLoss) return 'the stop-loss';
      if (takeProfit !== undefined && profit >= takeProfit) return 'the take-profit';
      const isTrailing = trailing !== undefined && best >= trailing.activation;
      return isTrailing && profit <= best - trailing.delta ? 'the trailing stop' : '';
    }

    function next(): Wish {
      const volume = volumeHeld();
      if (volume < market.rules.volumeMin) {
        if (watch.value.side === '') {
          const isDone = volume === 0 && orders.hasLasted(own.waitLimit);
          return { orders: {}, why: 'nothing is held', isDone };
        }
        const left = volume === 0 ? '' : `; ${market.amountOf(volume)} ${market.base} are left`;
        return { isDone: true, why: `closed by ${watch.value.hit || 'a fill'}${left}` };
      }
      const side = market.position.base > 0 ? 'ASK' : 'BID';
      const found = takingPrice(market, side, own.slip);
      let now = seen(side, found?.best);
      const isLate = own.timeLimit !== undefined && part.nowMs() >= now.sinceMs + own.timeLimit;
      if (isLate && now.hit === '') now = { ...now, hit: 'the time limit' };
      const isNew = JSON.stringify(now) !== JSON.stringify(watch.value);
      const remember = isNew ? [watch.remember(now)] : [];
      if (found === undefined) return { why: 'the book is unusable', remember };
      const exit = { side, volume, reduceOnly: true } as const;
      if (now.hit !== '') {
        const order = { ...exit, price: found.price, by: 'taking' } as const;
        return { orders: { exit: order }, why: `${now.hit} is reached`, remember };
      }
      const why = 'watches the position';
      if (own.takeProfit === undefined || now.entry === 0) return { orders: {}, why, remember };
      const target = now.entry * (1 + own.takeProfit * (side === 'ASK' ? 1 : -1));
      const price = market.round(target, side === 'ASK' ? 'up' : 'down');
      return { orders: { profit: { ...exit, price, by: 'resting' } }, why, remember };
    }

    return {
      next,
      progress: () => ({ held: market.amountOf(volumeHeld()) }),
    };
  });
}
