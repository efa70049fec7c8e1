/**
 * The child orders of an executor. They belong to lines: a line is one task, worked off by one
 * order after the other.
 *
 * Invariants: a line never has two orders that may fill, and a lost order holds it until the bot
 * knows what became of it. What a line has filled is read from the booked fills of its orders, and
 * kept in the slot, since the bot forgets an order after many others. So a partial fill, a refusal,
 * a restart and the orders of other parts change nothing in how it is counted.
 */
import { z } from 'zod';
import type { Intent } from '../../domain/intent.ts';
import type { Side } from '../../domain/market.ts';
import { Decimal, decimalOf, type Lots, type Ticks } from '../../domain/money.ts';
import { isFinal } from '../../domain/order.ts';
import { lotsLeft, lotsOf, minLots, noLots } from '../../domain/ticks-and-lots.ts';
import type { Totals, Traded } from '../account/own-account.ts';
import type { Context, MarketContext } from '../contract.ts';
import { cancel, place } from '../intents/builders.ts';
import type { Fill, OwnOrder } from '../own-views.ts';
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
  /** The fees that were taken in the base currency. */
  readonly fee: Decimal;
  /** How many orders it has had. */
  readonly orders: number;
};

const sumsType = z.strictObject({ volume: z.int(), value: z.string(), fee: z.string() });
type Sums = z.infer<typeof sumsType>;
const lineType = sumsType.extend({
  /** The number of its next order, and of the oldest one that its own sums lack. */
  next: z.int(),
  first: z.int(),
  /** What orders from `first` on have traded, by number. */
  recent: z.record(z.string(), sumsType),
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

const unused: Line = { next: 1, first: 1, volume: 0, value: '0', fee: '0', recent: {} };
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
  /** The lines that differ from the slot. */
  #changes: Readonly<Record<string, Line>> = {};
  /** By line, the key of an order whose end has not been told yet. */
  readonly #untold = new Map<string, string>();
  /** Forgotten orders whose end has been told, with all that they have traded. */
  readonly #told = new Set<string>();
  /** By line, as of `#bookedTotals`, which is another object when a fill has been booked. */
  readonly #totals = new Map<string, LineTotal>();
  #bookedTotals: Totals | undefined;
  /** By line, as of `#orders`. */
  readonly #byLine = new Map<string, OwnOrder>();
  #orders: readonly OwnOrder[] | undefined;
  /** A part that is opened again under its name has begun at another time. */
  readonly #prefix: string;

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
    this.#prefix = `${this.startedMs.toString(36)}.`;
    const { about: before } = this.#kept.value;
    if (before !== about)
      throw new RangeError(
        `${executor}: it has begun with ${before} and cannot go on with ${about}: let it finish ` +
          'with the old parameters, or begin again with start --again',
      );
    for (const order of this.#open().values()) this.#noteState(order);
    for (const name of this.names) {
      const { first, next } = this.#lineOf(name);
      for (let number = first; number < next; number++) this.#lookUp(this.#keyOf(name, number));
    }
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

  /** Whether it has asked for orders, all of them in the millisecond in which it has begun. */
  get isFresh(): boolean {
    return this.startedMs === this.#nowMs() && this.names.length > 0;
  }

  /** The lines that have had orders. */
  get names(): readonly string[] {
    return Object.keys(this.#kept.value.lines);
  }

  /** Returns the intent that stores the beginning. */
  begin(): Intent {
    return this.#remember({});
  }

  /** Returns what stores the fills since the last time. */
  settle(): readonly Intent[] {
    return Object.keys(this.#changes).length === 0 ? [] : [this.#remember({})];
  }

  /** Returns what the orders of a line have filled so far. */
  total(name: string): LineTotal {
    const { totals } = this.#market;
    if (totals !== this.#bookedTotals) this.#totals.clear();
    this.#bookedTotals = totals;
    const known = this.#totals.get(name);
    if (known !== undefined) return known;
    const total = this.#sum(name, this.#lineOf(name).next);
    this.#totals.set(name, total);
    return total;
  }

  /** By how much a line of one side has changed the position, in the base currency. */
  net(name: string, side: Side): Decimal {
    const { volume, fee } = this.total(name);
    const amount = this.#market.amountOf(volume);
    return (side === 'BID' ? amount : amount.negated()).minus(fee);
  }

  filled(name: string): Lots {
    return this.total(name).volume;
  }

  /** The lines that have an order that may fill. */
  get openLines(): readonly string[] {
    return [...this.#open().keys()];
  }

  /** Why the order of a line was not placed; undefined if it was, or none is wanted. */
  problemOf(name: string): string | undefined {
    return this.#problems.get(name);
  }

  /** The order of a line that may still fill. */
  orderOf(name: string): OwnOrder | undefined {
    return this.#open().get(name);
  }

  /** Returns what brings the order of a line nearer to `wanted`: a cancel, an order, or nothing. */
  want(name: string, wanted: WantedOrder | undefined, why: string): readonly Intent[] {
    const market = this.#market;
    const order = this.orderOf(name);
    if (wanted === undefined) this.#problems.delete(name);
    if (order !== undefined) {
      const isLeft = order.cancelling || order.state === 'pending';
      if (isLeft || order.terms.timeInForce === 'IOC') return [];
      return this.#isAsWanted(order, wanted) ? [] : [cancel(market, order.key, why)];
    }
    if (this.#isForgotten(name)) return [];
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
    const terms = {
      ...{ side, price, volume: room.volume },
      ...(wanted.by === 'taking' ? { timeInForce: 'IOC' as const } : { postOnly: true }),
    };
    const options = wanted.reduceOnly === true ? { reduceOnly: true } : {};
    return [
      this.#remember({ [name]: { ...line, next: line.next + 1 } }),
      place(market, this.#keyOf(name, line.next), terms, why, options),
    ];
  }

  /** Waits before the next order of a line after a refusal, longer after each one in a row. */
  noteRefusal(key: string, codes: readonly string[]): void {
    if (this.#isOwn(key)) this.#fail(lineOfKey(key), codes.join(', '));
  }

  /** Does the same after a rejection, and notes what the order has traded. */
  noteOrder(order: OwnOrder): void {
    const { key, state, filled, terms, booked } = order;
    if (!this.#isOwn(key)) return;
    const name = lineOfKey(key);
    this.#noteState(order);
    if (booked !== undefined) this.#noteSums(key, sumsOf(booked));
    const isResting = state === 'open' && terms.timeInForce !== 'IOC';
    if (state === 'rejected') this.#fail(name, 'the exchange rejects it');
    else if (filled === terms.volume || isResting) this.#waits.delete(name);
    else if (filled > 0) this.#waits.set(name, { untilMs: 0, ...this.#waits.get(name), count: 0 });
  }

  /** Notes what a fill has changed. */
  noteFill({ key, booked, price, volume, fees }: Fill): void {
    if (!booked || !this.#isOwn(key) || this.#lookUp(key)) return;
    // An order that ended while the bot was down, and is too old for anything but its fills.
    if (this.#told.has(key) || this.#untold.get(lineOfKey(key)) === key) return;
    const before = this.#lineOf(lineOfKey(key)).recent[numberOfKey(key)];
    this.#noteSums(key, {
      volume: (before?.volume ?? 0) + volume,
      value: this.#market
        .valueOf(price, volume)
        .plus(before?.value ?? 0)
        .toFixed(),
      fee: fees.base.plus(before?.fee ?? 0).toFixed(),
    });
  }

  #fail(name: string, problem: string): void {
    const count = (this.#waits.get(name)?.count ?? 0) + 1;
    this.#wait(name, Math.min(retryMs.least * 2 ** count, retryMs.most), count);
    this.#problems.set(name, problem);
  }

  #wait(name: string, ms: number, count: number): void {
    this.#waits.set(name, { untilMs: this.#nowMs() + ms, count });
  }

  /** The orders that may still fill, by line. The list stays the same while nothing changes. */
  #open(): ReadonlyMap<string, OwnOrder> {
    const { orders } = this.#market;
    if (orders === this.#orders) return this.#byLine;
    this.#orders = orders;
    this.#byLine.clear();
    for (const order of orders)
      if (this.#isOwn(order.key) && (order.state === 'pending' || !isFinal(order.state)))
        this.#byLine.set(lineOfKey(order.key), order);
    return this.#byLine;
  }

  /** An exit takes no more than what is left of the position when all other exits have filled. */
  #allowed({ side, volume, reduceOnly }: WantedOrder): Lots {
    if (reduceOnly !== true) return volume;
    const { highest, lowest } = this.#market.position;
    return minLots(volume, lotsLeft(side === 'ASK' ? lowest : lotsOf(-highest), noLots));
  }

  /** Whether an order has ended that is forgotten, before its last fills have been told. */
  #isForgotten(name: string): boolean {
    const key = this.#untold.get(name);
    return key !== undefined && this.#market.filledOf(key) === undefined;
  }

  #noteState({ key, state }: OwnOrder): void {
    const name = lineOfKey(key);
    if (state !== 'pending' && !isFinal(state)) this.#untold.set(name, key);
    else if (this.#untold.get(name) === key) this.#untold.delete(name);
    if (isFinal(state) && this.#market.filledOf(key) === undefined) this.#told.add(key);
  }

  /** Notes what the bot knows of an order; false if that is nothing. */
  #lookUp(key: string): boolean {
    const traded = this.#market.filledOf(key);
    if (traded !== undefined) this.#noteSums(key, sumsOf(traded));
    return traded !== undefined;
  }

  /** Notes what an order has traded, unless that is known. */
  #noteSums(key: string, sums: Sums): void {
    const [name, number] = [lineOfKey(key), numberOfKey(key)];
    const line = this.#lineOf(name);
    // The number of an order, not money.
    const isOld = Number(number) < line.first;
    if (isOld || sums.volume <= (line.recent[number]?.volume ?? 0)) return;
    const recent = { ...line.recent, [number]: sums };
    this.#changes = { ...this.#changes, [name]: { ...line, recent } };
    this.#totals.delete(name);
  }

  #remember(lines: Readonly<Record<string, Line>>): Intent {
    const { value: kept } = this.#kept;
    const changes = { ...this.#changes, ...lines };
    this.#changes = {};
    for (const name of Object.keys(changes)) this.#totals.delete(name);
    return this.#kept.remember({ ...kept, lines: { ...kept.lines, ...changes } });
  }

  #lineOf(name: string): Line {
    return this.#changes[name] ?? this.#kept.value.lines[name] ?? unused;
  }

  /** Returns the line with older orders in its sums. */
  #folded(name: string): Line {
    const line = this.#lineOf(name);
    const first = Math.max(line.first, line.next - lookedUp);
    if (first === line.first) return line;
    const { volume, value, fee } = this.#sum(name, first);
    // The number of an order, not money.
    const recent = Object.entries(line.recent).filter(([number]) => Number(number) >= first);
    const sums = { volume, value: value.toFixed(), fee: fee.toFixed() };
    return { ...line, ...sums, first, recent: Object.fromEntries(recent) };
  }

  /** Returns what the orders of a line have traded before the one of a number. */
  #sum(name: string, to: number): LineTotal {
    const line = this.#lineOf(name);
    let { volume } = line;
    let value: Decimal = decimalOf(line.value);
    let fee: Decimal = decimalOf(line.fee);
    for (let number = line.first; number < to; number++) {
      const traded = this.#market.filledOf(this.#keyOf(name, number));
      const sums = traded === undefined ? line.recent[number] : sumsOf(traded);
      if (sums === undefined || sums.volume === 0) continue;
      volume += sums.volume;
      value = value.plus(sums.value);
      fee = fee.plus(sums.fee);
    }
    const exact = { value: new Decimal(value), fee: new Decimal(fee) };
    return { volume: lotsOf(volume), ...exact, orders: to - 1 };
  }

  #isAsWanted({ terms, filled }: OwnOrder, wanted: WantedOrder | undefined): boolean {
    if (wanted === undefined || wanted.by === 'taking' || terms.side !== wanted.side) return false;
    const { highest, lowest } = this.#market.position;
    const isBeyond = wanted.side === 'ASK' ? lowest < 0 : highest > 0;
    return (
      Math.abs(terms.price - wanted.price) <= (wanted.tolerance ?? 0) &&
      terms.volume - filled <= wanted.volume &&
      !(wanted.reduceOnly === true && isBeyond)
    );
  }

  #keyOf(line: string, number: number): string {
    return `${this.#prefix}${line}.${number}`;
  }

  #isOwn(key: string): boolean {
    return key.startsWith(this.#prefix);
  }
}

function lineOfKey(key: string): string {
  return key.split('.')[1] ?? '';
}

function numberOfKey(key: string): string {
  return key.split('.')[2] ?? '';
}

function sumsOf({ volume, value, fees }: Traded): Sums {
  return { volume, value: value.toFixed(), fee: fees.base.toFixed() };
}
