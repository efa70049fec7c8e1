/** Enters at once, adds as the price moves against it, and leaves at a profit or at its stop. */
import { z } from 'zod';
import type { Side } from '../../domain/market.ts';
import { Decimal, type Lots, type Ticks } from '../../domain/money.ts';
import { lotsLeft, lotsOf, noLots, ticksOf } from '../../domain/ticks-and-lots.ts';
import type { MarketContext } from '../contract.ts';
import type { Slot } from '../parts/slot.ts';
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
    /** The loss on it at which all is closed; no stop unless given. */
    readonly stopLoss?: number;
  };

const types = {
  ...{ ...placeTypes, ...takeTypes, ...timeTypes, size: amountText, safetySize: amountText },
  side: z.enum(['BID', 'ASK']).meta({ allowed: 'BID or ASK' }).default('BID'),
  safetyOrders: countFrom(0, 20),
  growth: z.number().min(1).max(10).meta({ allowed: 'a number from 1 to 10' }).default(1),
  step: shareType,
  takeProfit: shareType,
  stopLoss: shareType.optional(),
};

/** The lines that enter, and those that leave. */
const isEntry = (line: string): boolean => line === 'entry' || line.startsWith('safety');
const exits = ['exit', 'stop'] as const;

/**
 * Returns an executor that enters with an IOC order, has post-only safety orders at worse prices,
 * and a post-only exit at a profit on the average price of all that has filled. With `stopLoss` it
 * closes all by IOC orders at that loss. It ends when everything is closed, by itself or by others.
 * Throws {@link RangeError} for an invalid option.
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
  /** The side that closes it. */
  readonly #way: Side;
  readonly #size: Lots;
  /** `away` is the share of the entry's price at which the order rests. */
  readonly #safety: readonly {
    readonly line: string;
    readonly volume: Lots;
    readonly away: number;
  }[];
  readonly #stopped: Slot<boolean>;

  constructor({ part, market, orders }: Desk, own: Options) {
    this.#market = market;
    this.#orders = orders;
    this.#own = own;
    this.#sign = own.side === 'BID' ? 1 : -1;
    this.#way = own.side === 'BID' ? 'ASK' : 'BID';
    this.#stopped = part.slot('stopped', z.boolean(), false);
    this.#size = volumeIn(market, 'dca: size', own.size);
    const first = volumeIn(market, 'dca: safetySize', own.safetySize);
    this.#safety = Array.from({ length: own.safetyOrders }, (_, at) => ({
      line: `safety${at + 1}`,
      volume: lotsOf(Math.floor(first * own.growth ** at)),
      away: 1 - this.#sign * own.step * (at + 1),
    }));
  }

  progress(): Readonly<Record<string, Decimal>> {
    return {
      entered: this.#market.amountOf(this.#volume(this.#entries())),
      held: this.#market.amountOf(this.#held()),
    };
  }

  next(): Wish {
    const [orders, market, { side, slip }] = [this.#orders, this.#market, this.#own];
    if (orders.hasLasted(this.#own.duration)) return this.#result('its time is over');
    const found = takingPrice(market, side, slip);
    const closing = takingPrice(market, this.#way, slip);
    if (found === undefined || closing === undefined) return { why: 'the book is unusable' };
    const isLeaving = this.#stopped.value || this.#volume(exits) > noLots;
    const left = isLeaving ? noLots : lotsLeft(this.#size, orders.filled('entry'));
    if (this.#volume(this.#entries()) === noLots) {
      const entry = { side, price: found.price, volume: left, by: 'taking' } as const;
      return { orders: { entry }, why: 'enters' };
    }
    const end = this.#endWith(left);
    if (end !== undefined) return this.#result(end);
    if (this.#isAtStop(closing.best)) return this.#close(closing.price);
    const wanted = {
      ...this.#safetyOrders(this.#average(['entry'])),
      ...this.#enterAndLeave(left, found),
    };
    return { orders: wanted, why: 'waits for the exit' };
  }

  /** Also safety orders of an earlier run, which had more of them. */
  #entries(): readonly string[] {
    return this.#orders.names.filter(isEntry);
  }

  #volume(lines: readonly string[]): Lots {
    return lotsOf(lines.reduce((sum, line) => sum + this.#orders.filled(line), 0));
  }

  /** What its own fills and their fees have left, towards its side. */
  #held(): Lots {
    const nets = [
      ...this.#entries().map((line) => this.#orders.net(line, this.#own.side)),
      ...exits.map((line) => this.#orders.net(line, this.#way)),
    ];
    const net = nets.reduce((sum, one) => sum.plus(one)).times(this.#sign);
    return net.isNegative() ? noLots : this.#market.nearestLot(net, 'down');
  }

  /** The average price of some lines, in ticks. */
  #average(lines: readonly string[]): number {
    const values = lines.map((line) => this.#orders.total(line).value);
    const value = values.reduce((sum, one) => sum.plus(one), new Decimal(0));
    return inTicks(this.#market, value.div(this.#market.amountOf(this.#volume(lines))));
  }

  #safetyOrders(entry: number): Readonly<Record<string, WantedOrder>> {
    const [market, { side }] = [this.#market, this.#own];
    const { bid = 0, ask = Number.MAX_SAFE_INTEGER } = market.top ?? {};
    const found = this.#safety.flatMap(({ line, volume, away }) => {
      const left = lotsLeft(volume, this.#orders.filled(line));
      if (left < market.rules.volumeMin) return [];
      // What the market has passed rests at the best price, and stays there.
      const wanted = entry * away;
      const resting = this.#orders.orderOf(line)?.terms.price;
      const isBetter = resting !== undefined && this.#sign * (wanted - resting) >= 0;
      const price = isBetter
        ? resting
        : side === 'BID'
          ? market.round(Math.min(wanted, ask - 1), 'down')
          : market.round(Math.max(wanted, bid + 1), 'up');
      return [[line, { side, price, volume: left, by: 'resting' }] as const];
    });
    return Object.fromEntries(found);
  }

  #exit(): WantedOrder {
    const [market, { side, takeProfit }] = [this.#market, this.#own];
    const { bid = 0, ask = Number.MAX_SAFE_INTEGER } = market.top ?? {};
    const target = this.#average(this.#entries()) * (1 + this.#sign * takeProfit);
    // One that rests already stays: the market has passed it, or is about to.
    const resting = this.#orders.orderOf('exit')?.terms.price;
    const price =
      side === 'BID'
        ? market.round(Math.max(target, Math.min(bid + 1, resting ?? bid + 1)), 'up')
        : market.round(Math.min(target, Math.max(ask - 1, resting ?? ask - 1)), 'down');
    return { side: this.#way, price, volume: this.#held(), by: 'resting', reduceOnly: true };
  }

  /** Without an exit it enters; beside one it enters only at prices that do not trade with it. */
  #enterAndLeave(
    left: Lots,
    { best, price }: { readonly best: Ticks; readonly price: Ticks },
  ): Readonly<Record<string, WantedOrder>> {
    const sign = this.#sign;
    const resting = this.#orders.orderOf('exit')?.terms.price;
    const enter = { side: this.#own.side, volume: left, by: 'taking' } as const;
    if (left < this.#market.rules.volumeMin) return { exit: this.#exit() };
    if (resting === undefined)
      return this.#orders.problemOf('entry') === undefined
        ? { entry: { ...enter, price } }
        : { exit: this.#exit() };
    const isCrossing = sign * (resting - best) <= 0;
    const most = sign * (resting - price) > 0 ? price : ticksOf(resting - sign);
    return { ...(isCrossing ? {} : { entry: { ...enter, price: most } }), exit: this.#exit() };
  }

  /** Whether the price at which it could close has lost too much, now or before. */
  #isAtStop(price: Ticks): boolean {
    const { stopLoss } = this.#own;
    if (this.#stopped.value || stopLoss === undefined) return this.#stopped.value;
    return this.#sign * (price / this.#average(this.#entries()) - 1) <= -stopLoss;
  }

  /** What rests ends first: until then the position leaves no room for it. */
  #close(price: Ticks): Wish {
    const stop = { side: this.#way, price, volume: this.#held(), by: 'taking' } as const;
    return {
      orders: { stop: { ...stop, reduceOnly: true } },
      why: 'the stop-loss is reached',
      remember: this.#stopped.value ? [] : [this.#stopped.remember(true)],
    };
  }

  /** Why nothing is left to do; undefined while there is. `left` is what the entry lacks. */
  #endWith(left: Lots): string | undefined {
    const { rules, position } = this.#market;
    if (this.#held() >= rules.volumeMin) {
      const isGone = this.#sign * position.base < rules.volumeMin;
      return isGone ? 'its position was closed by others' : undefined;
    }
    if (this.#volume(exits) > noLots) return 'all is closed';
    const mayAdd = this.#safety.some(
      ({ line, volume }) => lotsLeft(volume, this.#orders.filled(line)) >= rules.volumeMin,
    );
    return left < rules.volumeMin && !mayAdd ? 'it has too little to close' : undefined;
  }

  #result(why: string): Wish {
    const market = this.#market;
    const entered = market.amountOf(this.#volume(this.#entries()));
    const held = market.amountOf(this.#held());
    return { isDone: true, why: `${why}: entered with ${entered} ${market.base}, holds ${held}` };
  }
}
