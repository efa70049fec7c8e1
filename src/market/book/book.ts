/**
 * The order-by-order book of one market: every resting order in its queue, by slot.
 *
 *     price ladder ──▶ level ──▶ first order ⇄ … ⇄ last order     (arrival numbers ascend)
 *
 * The same class serves live trading, the simulator and the replay exchange. It works in integers
 * only: ticks and lots. It has no order ids ({@link IdentifiedBook} adds them), accepts crossed
 * prices, and a change that it refuses leaves it as it was.
 *
 * Invariants: a level's volume is the sum of its orders' volumes and a safe integer; volumes are
 * positive; within a level arrival numbers ascend; the best price is right after every call.
 */
import type { Side } from '../../domain/market.ts';
import type { BookLevel } from '../../domain/market-view.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { addLots, noLots } from '../../domain/ticks-and-lots.ts';
import { BookCopy } from './book-copy.ts';
import { askLevel, BookMemory, recordField } from './book-memory.ts';
import {
  checkPrice,
  checkVolume,
  refuseFree,
  refuseSlot,
  refuseTotal,
  refuseVolume,
  slotLimit,
} from './book-values.ts';
import { PriceLadder } from './price-ladder.ts';
import { SlotPool } from './slot-pool.ts';

export type BookOptions = {
  /** Each side finds a level within `2^windowBits` ticks around its best price by its index. */
  readonly windowBits?: number;
  /** Capacity for orders at the start; it doubles as needed. */
  readonly ordersExpected?: number;
};

// The fields of an order in the floats of its record. Floats are plain numbers; reading a price or
// a volume casts it to its type without a check, since this happens for each row of history.
// Constants of this module are compiled into the code; imported constants are looked up each time.
// The methods that run for each row of history have the numbers instead: V8 inlines by the length
// of the bytecode, in which a name takes eight bytes.
const { orderVolume: orderVolumeAt, arrival: arrivalAt } = recordField;
const { price: priceAt, levelVolume: levelVolumeAt, flags: flagsAt } = recordField;

// Flags of a level: it is an ask level; it is the best of its side. The last flag is added to the
// count of top changes, without a branch. Comparing the level with the best one of its side would
// make the processor guess the side.
const askFlag = askLevel;
const bestFlag = 2;

const noMemory = new BookMemory(1, 1);
const noLadder = new PriceLadder(0);

export class Book {
  // Fields begin with a value of their type, as in `BookMemory`.
  readonly #memory: BookMemory = noMemory;
  readonly #bids: PriceLadder = noLadder;
  readonly #asks: PriceLadder = noLadder;
  #nextArrival = 1;
  #topChanges = 0;
  /** Set if the book itself chooses the slots. */
  #slots: SlotPool | undefined;

  constructor(options: BookOptions = {}) {
    this.#memory = new BookMemory(Math.max(2, options.ordersExpected ?? 1024));
    this.#bids = new PriceLadder(options.windowBits ?? 16);
    this.#asks = new PriceLadder(options.windowBits ?? 16);
  }

  get size(): number {
    return this.#memory.orders;
  }

  /** A counter that changes whenever the best price of a side, or its volume, may have changed. */
  get topChanges(): number {
    return this.#topChanges;
  }

  /** The arrival number that the next order will get. */
  get nextArrival(): number {
    return this.#nextArrival;
  }

  /**
   * Adds an order at the back of its level's queue and returns its slot, a positive integer that
   * another order may get after this one has left the book. Throws {@link BookError} if the price
   * is not an integer within ±2^52 or the volume is not a positive safe integer.
   */
  create(side: Side, price: Ticks, volume: Lots): number {
    this.#slots ??= new SlotPool();
    const slot = this.#slots.next;
    this.createAt(slot, side, price, volume);
    this.#slots.take();
    return slot;
  }

  /**
   * Like {@link create}, but in a slot that the caller chooses: a recording identifies its orders
   * by slot. A book is filled with this method or with `create`, never with both. Also throws
   * {@link BookError} if the slot is not a positive integer below 2^26 or already holds an order.
   */
  createAt(slot: number, side: Side, price: Ticks, volume: Lots): void {
    if (!this.#memory.isFree(slot)) {
      this.#createInNewSlot(slot, side, price, volume);
      return;
    }
    if ((price | 0) !== price) checkPrice(price);
    if ((volume | 0) !== volume || volume <= 0) checkVolume(volume);
    const isBid = side === 'BID';
    const level = (isBid ? this.#bids : this.#asks).levelAt(isBid ? 0 - price : price);
    if (level === 0) this.#append(slot, this.#createLevel(side, price), volume);
    else this.#append(slot, level, volume);
  }

  #createInNewSlot(slot: number, side: Side, price: Ticks, volume: Lots): void {
    if ((slot | 0) !== slot || slot <= 0 || slot >= slotLimit || !this.#memory.claim(slot))
      refuseSlot(slot);
    this.createAt(slot, side, price, volume);
  }

  /** Puts a new order at the back of a level's queue. */
  #append(slot: number, level: number, volume: Lots): void {
    const memory = this.#memory;
    const { ints, floats } = memory;
    const at = (level << 2) | 3;
    const total = (floats[at] as number) + volume;
    if (total > Number.MAX_SAFE_INTEGER) refuseTotal(this.priceOfLevel(level));
    floats[at] = total;
    const record = memory.slotsStart + slot;
    floats[(record << 2) | 2] = volume;
    floats[(record << 2) | 3] = this.#nextArrival++;
    memory.append(record, level);
    this.#topChanges += (ints[(level << 3) | 2] as number) >> 1;
  }

  has(slot: number): boolean {
    return this.#memory.levelIn(slot) !== 0;
  }

  /**
   * Reduces an order by `volume`; it keeps its place in the queue. Returns the remaining volume; at
   * 0 the order leaves the book. Throws {@link BookError} if the slot is free or the volume is not
   * between 1 and the order's volume.
   */
  reduce(slot: number, volume: Lots): Lots {
    const level = this.levelOf(slot);
    if ((volume | 0) !== volume || volume <= 0) checkVolume(volume);
    const { floats, slotsStart } = this.#memory;
    const place = ((slotsStart + slot) << 2) | 2;
    const before = floats[place] as Lots;
    const left = before - volume;
    if (left < 0) refuseVolume(volume, before);
    if (left === 0) this.#remove(slot, level, before);
    else {
      floats[place] = left;
      this.#reduceLevel(level, volume);
    }
    return left as Lots;
  }

  /** Removes an order. Throws {@link BookError} if the slot is free. */
  remove(slot: number): void {
    const level = this.levelOf(slot);
    const { floats, slotsStart } = this.#memory;
    this.#remove(slot, level, floats[((slotsStart + slot) << 2) | 2] as Lots);
  }

  /** Removes an order of a level, which has this volume left. */
  #remove(slot: number, level: number, volume: Lots): void {
    const isEmpty = this.#memory.unlink(slot);
    this.#reduceLevel(level, volume);
    if (isEmpty) this.#dropLevel(level);
    this.#slots?.giveBack(slot);
  }

  /** Reduces the level's total by a volume that an order loses. */
  #reduceLevel(level: number, volume: Lots): void {
    const { ints, floats } = this.#memory;
    const total = (level << 2) | 3;
    floats[total] = (floats[total] as number) - volume;
    this.#topChanges += (ints[(level << 3) | 2] as number) >> 1;
  }

  /** Returns a copy of the present orders, in the memory of `spare` if that is large enough. */
  copy(spare?: BookCopy): BookCopy {
    return new BookCopy(this.#memory.copy(spare?.memory));
  }

  /** Removes all orders. Arrival numbers continue. */
  clear(): void {
    this.#memory.clear();
    this.#slots?.clear();
    this.#bids.clear();
    this.#asks.clear();
    this.#topChanges++;
  }

  sideOf(slot: number): Side {
    return this.isAskLevel(this.levelOf(slot)) ? 'ASK' : 'BID';
  }

  priceOf(slot: number): Ticks {
    return this.priceOfLevel(this.levelOf(slot));
  }

  volumeOf(slot: number): Lots {
    return this.#floatOf(slot, orderVolumeAt) as Lots;
  }

  /** Returns the order's arrival number: within a level, a lower number is ahead in the queue. */
  arrivalOf(slot: number): number {
    return this.#floatOf(slot, arrivalAt);
  }

  /** Returns the best price of a side; undefined if the side is empty. */
  bestPrice(side: Side): Ticks | undefined {
    const level = this.#ladder(side).bestLevel;
    return level === 0 ? undefined : this.priceOfLevel(level);
  }

  /** Returns the volume at the best price of a side, 0 if the side is empty. */
  bestVolume(side: Side): Lots {
    const level = this.#ladder(side).bestLevel;
    return level === 0 ? noLots : this.#volumeOfLevel(level);
  }

  /** Returns the first slot in the queue at the best price of a side, or 0. */
  bestOrder(side: Side): number {
    const level = this.#ladder(side).bestLevel;
    return level === 0 ? 0 : this.#memory.firstIn(level);
  }

  /** Returns whether the best bid is at or above the best ask. */
  isCrossed(): boolean {
    // The key of a bid is its negated price.
    return (
      this.#bids.count > 0 && this.#asks.count > 0 && -this.#bids.bestKey >= this.#asks.bestKey
    );
  }

  volumeAt(side: Side, price: Ticks): Lots {
    const level = this.#ladder(side).levelAt(keyOf(side, price));
    return level === 0 ? noLots : this.#volumeOfLevel(level);
  }

  /** Returns the volume at a price of the orders that arrived before an arrival number. */
  volumeAhead(side: Side, price: Ticks, arrival: number): Lots {
    let volume = noLots;
    for (let slot = this.firstOrderAt(side, price); slot !== 0; slot = this.#memory.behind(slot)) {
      if (this.arrivalOf(slot) >= arrival) break;
      volume = addLots(volume, this.volumeOf(slot));
    }
    return volume;
  }

  /** Returns the first slot in the queue at a price, or 0. */
  firstOrderAt(side: Side, price: Ticks): number {
    const level = this.#ladder(side).levelAt(keyOf(side, price));
    return level === 0 ? 0 : this.#memory.firstIn(level);
  }

  /** Returns the slot behind `slot` in its queue, or 0. */
  orderBehind(slot: number): number {
    this.levelOf(slot);
    return this.#memory.behind(slot);
  }

  /** Yields the slots at a price in queue order. The book must not change in the meantime. */
  *ordersAt(side: Side, price: Ticks): Generator<number, void> {
    for (let slot = this.firstOrderAt(side, price); slot !== 0; slot = this.orderBehind(slot))
      yield slot;
  }

  /** Returns the next worse price of a side that has orders, or undefined. */
  priceAfter(side: Side, price: Ticks): Ticks | undefined {
    const ladder = this.#ladder(side);
    const key = ladder.keyAfter(keyOf(side, price));
    return key === Infinity ? undefined : this.priceOfLevel(ladder.levelAt(key));
  }

  /** Returns the levels of a side, best first, at most `levelsMax`. */
  levels(side: Side, levelsMax = Infinity): BookLevel[] {
    const ladder = this.#ladder(side);
    const levels: BookLevel[] = [];
    let key = ladder.bestKey;
    while (key !== Infinity && levels.length < levelsMax) {
      const level = ladder.levelAt(key);
      levels.push({ price: this.priceOfLevel(level), volume: this.#volumeOfLevel(level) });
      key = ladder.keyAfter(key);
    }
    return levels;
  }

  /**
   * Returns the level of an order, for {@link isAskLevel} and {@link priceOfLevel}. It is valid
   * until an order leaves the book. Throws {@link BookError} if the slot is free.
   */
  levelOf(slot: number): number {
    const level = this.#memory.levelIn(slot);
    if (level === 0) refuseFree(slot);
    return level;
  }

  isAskLevel(level: number): boolean {
    return (this.#flagsOf(level) & askFlag) !== 0;
  }

  priceOfLevel(level: number): Ticks {
    return this.#memory.floats[(level << 2) + priceAt] as Ticks;
  }

  #ladder(side: Side): PriceLadder {
    return side === 'BID' ? this.#bids : this.#asks;
  }

  #floatOf(slot: number, at: number): number {
    this.levelOf(slot);
    const { floats, slotsStart } = this.#memory;
    return floats[((slotsStart + slot) << 2) + at] as number;
  }

  #volumeOfLevel(level: number): Lots {
    return this.#memory.floats[(level << 2) + levelVolumeAt] as Lots;
  }

  #flagsOf(level: number): number {
    return this.#memory.ints[(level << 3) + flagsAt] as number;
  }

  #setFlags(level: number, flags: number): void {
    this.#memory.ints[(level << 3) + flagsAt] = flags;
  }

  #createLevel(side: Side, price: Ticks): number {
    const key = keyOf(side, price);
    const level = this.#memory.allocateLevel();
    const { ints, floats } = this.#memory;
    ints[(level << 3) + flagsAt] = side === 'BID' ? 0 : askFlag;
    floats[(level << 2) + priceAt] = price;
    floats[(level << 2) + levelVolumeAt] = 0;
    const ladder = this.#ladder(side);
    const best = ladder.bestLevel;
    ladder.insert(key, level);
    if (ladder.bestLevel === level) {
      if (best !== 0) this.#setFlags(best, this.#flagsOf(best) & ~bestFlag);
      this.#setFlags(level, this.#flagsOf(level) | bestFlag);
    }
    return level;
  }

  #dropLevel(level: number): void {
    const side = this.isAskLevel(level) ? 'ASK' : 'BID';
    const ladder = this.#ladder(side);
    ladder.delete(keyOf(side, this.priceOfLevel(level)));
    const best = ladder.bestLevel;
    if (best !== 0) this.#setFlags(best, this.#flagsOf(best) | bestFlag);
    this.#memory.releaseLevel(level);
  }
}

/** Returns the key of a price, or the price of a key. Never -0. */
function keyOf(side: Side, price: number): number {
  return side === 'BID' ? 0 - price : price;
}
