/**
 * The child orders of an executor. They belong to lines: a line is one task, worked off by one
 * order after the other.
 *
 * Invariants: a line never has two orders that may fill, and a lost order holds it until the bot
 * knows what became of it. What a line has filled is read from the booked fills of its orders, so a
 * partial fill, a refusal and a restart change nothing in how it is counted.
 */
import { z } from 'zod';
import type { Intent } from '../../domain/intent.ts';
import type { Side } from '../../domain/market.ts';
import { Decimal, decimalOf, type Lots, type Ticks } from '../../domain/money.ts';
import { isFinal } from '../../domain/order.ts';
import { lotsLeft, lotsOf, minLots, noLots } from '../../domain/ticks-and-lots.ts';
import type { Context, MarketContext } from '../contract.ts';
import { cancel, place } from '../intents/builders.ts';
import type { OwnOrder } from '../own-views.ts';
import type { Slot } from '../parts/slot.ts';

/** An order that a line should have now. */
export type WantedOrder = {
  readonly side: Side;
  readonly price: Ticks;
  /** The most that it may fill. */
  readonly volume: Lots;
  /** `taking` orders are IOC, `resting` ones post-only. */
  readonly by: 'taking' | 'resting';
  /** Whether it may only reduce the strategy's position. */
  readonly reduceOnly?: boolean | undefined;
  /** How many ticks a resting order may be off before it is moved; 0 unless given. */
  readonly tolerance?: number;
};

export type LineTotal = {
  readonly volume: Lots;
  /** In the counter currency, before fees. */
  readonly value: Decimal;
  /** How many orders it has had. */
  readonly orders: number;
};

const lineType = z.strictObject({
  /** The number of its next order, and of the oldest one that `volume` and `value` lack. */
  next: z.int(),
  first: z.int(),
  volume: z.int(),
  value: z.string(),
});
type Line = z.infer<typeof lineType>;

const keptType = z.strictObject({
  /** What must stay the same over restarts. */
  about: z.string(),
  startedMs: z.number(),
  /** The mid at the start, in ticks; 0 if there was none. */
  arrival: z.number(),
  lines: z.record(z.string(), lineType),
});
type Kept = z.infer<typeof keptType>;

const unused: Line = { next: 1, first: 1, volume: 0, value: '0' };
/** The fills of so many orders of a line are looked up, those of older ones are only a sum. */
const lookedUp = 8;
const retryMs = { least: 1_000, most: 60_000 } as const;

export class ChildOrders {
  readonly #market: MarketContext;
  readonly #nowMs: () => number;
  readonly #kept: Slot<Kept>;
  /** Until when a line waits, and how many of its orders in a row were refused or rejected. */
  readonly #waits = new Map<string, { readonly untilMs: number; readonly count: number }>();
  readonly #problems = new Map<string, string>();

  /** `about` says what the orders are for; RangeError if an earlier run had others. */
  constructor(
    part: Pick<Context<unknown, unknown>, 'slot' | 'nowMs'>,
    market: MarketContext,
    { executor, about }: { readonly executor: string; readonly about: string },
  ) {
    this.#market = market;
    this.#nowMs = part.nowMs;
    const startedMs = part.nowMs();
    const initial = { about, startedMs, arrival: market.mid ?? 0, lines: {} };
    this.#kept = part.slot('orders', keptType, initial);
    const { about: before } = this.#kept.value;
    if (before !== about)
      throw new RangeError(
        `${executor}: it has begun with ${before} and cannot go on with ${about}: let it finish ` +
          'with the old parameters, or begin again with start --again',
      );
  }

  get startedMs(): number {
    return this.#kept.value.startedMs;
  }

  /** Whether `ms` have passed since the beginning; never without a time. */
  hasLasted(ms: number | undefined): boolean {
    return ms !== undefined && this.#nowMs() >= this.startedMs + ms;
  }

  get arrival(): number {
    return this.#kept.value.arrival;
  }

  /** Whether it goes on with what an earlier run has begun. */
  get isResumed(): boolean {
    return this.startedMs !== this.#nowMs() || Object.keys(this.#kept.value.lines).length > 0;
  }

  /** Returns the intent that stores the beginning. */
  begin(): Intent {
    return this.#kept.remember(this.#kept.value);
  }

  /** Returns what the orders of a line have filled so far. */
  total(name: string): LineTotal {
    const { next, first, volume, value } = this.#lineOf(name);
    return this.#sum(name, [first, next], { volume: lotsOf(volume), value: decimalOf(value) });
  }

  filled(name: string): Lots {
    return this.total(name).volume;
  }

  /** The lines that have an order that may fill. */
  get openLines(): readonly string[] {
    return [...new Set(this.#open().map(({ key }) => lineOfKey(key)))];
  }

  /** Why the order of a line was not placed; undefined if it was, or none is wanted. */
  problemOf(name: string): string | undefined {
    return this.#problems.get(name);
  }

  /** The order of a line that may still fill. */
  orderOf(name: string): OwnOrder | undefined {
    return this.#open().find(({ key }) => lineOfKey(key) === name);
  }

  /** Returns what brings the order of a line nearer to `wanted`: a cancel, an order, or nothing. */
  want(name: string, wanted: WantedOrder | undefined, why: string): readonly Intent[] {
    const market = this.#market;
    const order = this.orderOf(name);
    if (wanted === undefined) this.#problems.delete(name);
    if (order !== undefined) {
      const isLeft = order.cancelling || order.state === 'pending';
      if (isLeft || order.terms.timeInForce === 'IOC' || isAsWanted(order, wanted)) return [];
      return [cancel(market, order.key, why)];
    }
    if (wanted === undefined || (this.#waits.get(name)?.untilMs ?? 0) > this.#nowMs()) return [];
    const { side, price } = wanted;
    const { volumeMin, volumeMax } = market.rules;
    const size = minLots(this.#allowed(wanted), volumeMax);
    const room = size < volumeMin ? undefined : market.room(side, price, size);
    if (room === undefined || room.volume < volumeMin) {
      this.#problems.set(name, room?.why ?? 'the position leaves too little to order');
      return [];
    }
    this.#problems.delete(name);
    // An IOC order that finds nothing must not be followed by the next one in the same moment.
    if (wanted.by === 'taking') this.#wait(name, retryMs.least, this.#waits.get(name)?.count ?? 0);
    const line = this.#folded(name);
    const { value: kept } = this.#kept;
    const lines = { ...kept.lines, [name]: { ...line, next: line.next + 1 } };
    const terms = {
      ...{ side, price, volume: room.volume },
      ...(wanted.by === 'taking' ? { timeInForce: 'IOC' as const } : { postOnly: true }),
    };
    const options = wanted.reduceOnly === true ? { reduceOnly: true } : {};
    return [
      this.#kept.remember({ ...kept, lines }),
      place(market, this.#keyOf(name, line.next), terms, why, options),
    ];
  }

  /** Waits before the next order of a line after a refusal, longer after each one in a row. */
  noteRefusal(key: string, codes: readonly string[]): void {
    if (this.#isOwn(key)) this.#fail(lineOfKey(key), codes.join(', '));
  }

  /** Does the same after a rejection. */
  noteOrder({ key, state, filled, terms }: OwnOrder): void {
    if (!this.#isOwn(key)) return;
    const isResting = state === 'open' && terms.timeInForce !== 'IOC';
    if (state === 'rejected') this.#fail(lineOfKey(key), 'the exchange rejects it');
    else if (filled > 0 || isResting) this.#waits.delete(lineOfKey(key));
  }

  #fail(name: string, problem: string): void {
    const count = (this.#waits.get(name)?.count ?? 0) + 1;
    this.#wait(name, Math.min(retryMs.least * 2 ** count, retryMs.most), count);
    this.#problems.set(name, problem);
  }

  #wait(name: string, ms: number, count: number): void {
    this.#waits.set(name, { untilMs: this.#nowMs() + ms, count });
  }

  #open(): readonly OwnOrder[] {
    return this.#market.orders.filter(
      ({ key, state }) => this.#isOwn(key) && (state === 'pending' || !isFinal(state)),
    );
  }

  /** An exit takes no more than what is left of the position when all other exits have filled. */
  #allowed({ side, volume, reduceOnly }: WantedOrder): Lots {
    if (reduceOnly !== true) return volume;
    const { highest, lowest } = this.#market.position;
    return minLots(volume, lotsLeft(side === 'ASK' ? lowest : lotsOf(-highest), noLots));
  }

  #lineOf(name: string): Line {
    return this.#kept.value.lines[name] ?? unused;
  }

  /** Returns the line with older orders in its sums. */
  #folded(name: string): Line {
    const line = this.#lineOf(name);
    const first = Math.max(line.first, line.next - lookedUp);
    const start = { volume: lotsOf(line.volume), value: decimalOf(line.value) };
    const { volume, value } = this.#sum(name, [line.first, first], start);
    return { ...line, first, volume, value: value.toFixed() };
  }

  #sum(
    name: string,
    [from, to]: readonly [from: number, to: number],
    start: { readonly volume: Lots; readonly value: Decimal },
  ): LineTotal {
    let volume: number = start.volume;
    let value: Decimal = start.value;
    for (let number = from; number < to; number++) {
      const traded = this.#market.filledOf(this.#keyOf(name, number));
      if (traded === undefined || traded.volume === 0) continue;
      volume += traded.volume;
      value = value.plus(traded.value);
    }
    return { volume: lotsOf(volume), value: new Decimal(value), orders: to - 1 };
  }

  /** A part that is opened again under its name has begun at another time. */
  #keyOf(line: string, number: number): string {
    return `${this.#prefix()}${line}.${number}`;
  }

  #isOwn(key: string): boolean {
    return key.startsWith(this.#prefix());
  }

  #prefix(): string {
    return `${this.startedMs.toString(36)}.`;
  }
}

function lineOfKey(key: string): string {
  return key.split('.')[1] ?? '';
}

function isAsWanted({ terms, filled }: OwnOrder, wanted: WantedOrder | undefined): boolean {
  if (wanted === undefined || wanted.by === 'taking' || terms.side !== wanted.side) return false;
  return (
    Math.abs(terms.price - wanted.price) <= (wanted.tolerance ?? 0) &&
    terms.volume - filled <= wanted.volume
  );
}
