/** Enters at once, adds as the price moves against it, and leaves the whole at a profit. */
import { z } from 'zod';
import type { Side } from '../../domain/market.ts';
import type { Decimal, Lots } from '../../domain/money.ts';
import { lotsLeft, lotsOf, noLots } from '../../domain/ticks-and-lots.ts';
import type { MarketContext } from '../contract.ts';
import type { ChildOrders, WantedOrder } from './child-orders.ts';
import {
  amountText,
  countFrom,
  optionsOf,
  type PlaceOptions,
  placeTypes,
  shareType,
  type TakeOptions,
  type TimeOptions,
  takeTypes,
  timeTypes,
} from './executor-options.ts';
import { type Desk, type ExecutorPart, executor, type Plan, type Wish } from './executor-part.ts';
import { inTicks, takingPrice, volumeIn } from './work.ts';

/** An entry with safety orders. */
export type DcaOptions = PlaceOptions &
  TakeOptions &
  TimeOptions & {
    /** The side of the entry: `BID`, unless given, buys first and then sells. */
    readonly side?: Side;
    /** The volume of the entry, in the base currency, as decimal text. */
    readonly size: string;
    /** How many safety orders there are, 0 to 20. */
    readonly safetyOrders: number;
    /** The volume of the first one, in the base currency, as decimal text. */
    readonly safetySize: string;
    /** By how much each is larger than the one before it, from 1; 1 unless given. */
    readonly growth?: number;
    /** How far each is from the one before it, as a share of the entry's price. */
    readonly step: number;
    /** The profit on the average price at which all is closed, as a share of it. */
    readonly takeProfit: number;
  };

const types = {
  ...{ ...placeTypes, ...takeTypes, ...timeTypes, size: amountText, safetySize: amountText },
  side: z.enum(['BID', 'ASK']).meta({ allowed: 'BID or ASK' }).default('BID'),
  safetyOrders: countFrom(0, 20),
  growth: z.number().min(1).max(10).meta({ allowed: 'a number from 1 to 10' }).default(1),
  step: shareType,
  takeProfit: shareType,
};

/**
 * Returns an executor that enters with an IOC order, has post-only safety orders at worse prices,
 * and a post-only exit at a profit on the average price of all that has filled. It ends when that
 * has closed everything. Throws {@link RangeError} for an invalid option.
 */
export function dca(options: DcaOptions): ExecutorPart {
  const own = optionsOf('dca', types, options);
  const { side, safetyOrders, step } = own;
  if (step * safetyOrders >= 1)
    throw new RangeError(
      `dca: step must be below ${1 / safetyOrders} with ${safetyOrders} safety orders, was ${step}`,
    );
  return executor(
    { name: 'dca', about: `an entry by ${side}`, pair: own.pair },
    (desk) => new DcaPlan(desk, own),
  );
}

/** With what the defaults add. */
type Options = z.output<z.ZodObject<typeof types>>;

class DcaPlan implements Plan {
  readonly #market: MarketContext;
  readonly #orders: ChildOrders;
  readonly #own: Options;
  /** 1 for purchases, -1 for sales. */
  readonly #sign: 1 | -1;
  readonly #size: Lots;
  /** `away` is the share of the entry's price at which the order rests. */
  readonly #safety: readonly {
    readonly line: string;
    readonly volume: Lots;
    readonly away: number;
  }[];
  readonly #entries: readonly string[];

  constructor({ market, orders }: Desk, own: Options) {
    this.#market = market;
    this.#orders = orders;
    this.#own = own;
    this.#sign = own.side === 'BID' ? 1 : -1;
    this.#size = volumeIn(market, 'dca: size', own.size);
    const first = volumeIn(market, 'dca: safetySize', own.safetySize);
    this.#safety = Array.from({ length: own.safetyOrders }, (_, at) => ({
      line: `safety${at + 1}`,
      volume: lotsOf(Math.floor(first * own.growth ** at)),
      away: 1 - this.#sign * own.step * (at + 1),
    }));
    this.#entries = ['entry', ...this.#safety.map(({ line }) => line)];
  }

  progress(): Readonly<Record<string, Decimal>> {
    return {
      entered: this.#market.amountOf(this.#entered()),
      held: this.#market.amountOf(this.#held()),
    };
  }

  next(): Wish {
    const [orders, { side }, { volumeMin }] = [this.#orders, this.#own, this.#market.rules];
    if (orders.hasLasted(this.#own.duration)) return this.#result('its time is over');
    const found = takingPrice(this.#market, side, this.#own.slip);
    if (found === undefined) return { why: 'the book is unusable' };
    const isLeaving = orders.filled('exit') > noLots;
    if (isLeaving && this.#held() < volumeMin) return this.#result('all is closed');
    const left = isLeaving ? noLots : lotsLeft(this.#size, orders.filled('entry'));
    const order = { side, price: found.price, volume: left, by: 'taking' } as const;
    const entry = left < volumeMin ? {} : { entry: order };
    if (orders.filled('entry') === noLots) return { orders: entry, why: 'enters' };
    const wanted = this.#safetyOrders(this.#average(['entry']));
    return { orders: { ...entry, ...wanted, exit: this.#exit() }, why: 'waits for the exit' };
  }

  #entered(): Lots {
    return lotsOf(this.#entries.reduce((sum, line) => sum + this.#orders.filled(line), 0));
  }

  #held(): Lots {
    return lotsLeft(this.#entered(), this.#orders.filled('exit'));
  }

  /** The average price of some lines, in ticks. */
  #average(lines: readonly string[]): number {
    const totals = lines.map((line) => this.#orders.total(line));
    const volume = lotsOf(totals.reduce((sum, one) => sum + one.volume, 0));
    const [zero, ...values] = totals.map(({ value }) => value);
    const value = values.reduce((sum, one) => sum.plus(one), zero as Decimal);
    return inTicks(this.#market, value.div(this.#market.amountOf(volume)));
  }

  #safetyOrders(entry: number): Readonly<Record<string, WantedOrder>> {
    const [market, { side }] = [this.#market, this.#own];
    const { bid = 0, ask = Number.MAX_SAFE_INTEGER } = market.top ?? {};
    const found = this.#safety.flatMap(({ line, volume, away }) => {
      const left = lotsLeft(volume, this.#orders.filled(line));
      if (left < market.rules.volumeMin) return [];
      // What the market has passed already rests at the best price.
      const wanted = entry * away;
      const price =
        side === 'BID'
          ? market.round(Math.min(wanted, ask - 1), 'down')
          : market.round(Math.max(wanted, bid + 1), 'up');
      return [[line, { side, price, volume: left, by: 'resting' }] as const];
    });
    return Object.fromEntries(found);
  }

  #exit(): WantedOrder {
    const [market, { side, takeProfit }] = [this.#market, this.#own];
    const { bid = 0, ask = Number.MAX_SAFE_INTEGER } = market.top ?? {};
    const target = this.#average(this.#entries) * (1 + this.#sign * takeProfit);
    const price =
      side === 'BID'
        ? market.round(Math.max(target, bid + 1), 'up')
        : market.round(Math.min(target, ask - 1), 'down');
    const way = side === 'BID' ? 'ASK' : 'BID';
    return { side: way, price, volume: this.#held(), by: 'resting', reduceOnly: true };
  }

  #result(why: string): Wish {
    const market = this.#market;
    const [volume, left] = [market.amountOf(this.#entered()), market.amountOf(this.#held())];
    return { isDone: true, why: `${why}: entered with ${volume} ${market.base}, holds ${left}` };
  }
}
