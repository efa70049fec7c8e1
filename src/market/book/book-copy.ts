/**
 * The orders of a book at one moment. A copy costs no more than copying the bytes of the book's
 * memory; the columns cost a hundred times as much, so they are made only when they are read.
 */
import type { RestingBlock } from '../flow/flow-block.ts';
import { askLevel, type BookMemory, recordField } from './book-memory.ts';

export class BookCopy {
  readonly memory: BookMemory;

  /** `memory`: a copy, which nobody changes. */
  constructor(memory: BookMemory) {
    this.memory = memory;
  }

  /** Returns the orders; the status is not known to a book. */
  resting(status: number): RestingBlock {
    const { bids, asks } = this.#levels();
    const bidSlots = bids.flatMap((level) => this.#slotsAt(level));
    const slots = Uint32Array.from([...bidSlots, ...asks.flatMap((level) => this.#slotsAt(level))]);
    return {
      bids: bidSlots.length,
      status,
      slots,
      prices: Float64Array.from(slots, (slot) => this.#priceOf(this.memory.levelIn(slot))),
      volumes: Float64Array.from(slots, (slot) => this.#volumeOf(slot)),
    };
  }

  /** Returns the levels of both sides, from the best price. */
  #levels(): { readonly bids: readonly number[]; readonly asks: readonly number[] } {
    const found = new Set<number>();
    for (let slot = 1; slot < this.memory.slotsEnd; slot++) found.add(this.memory.levelIn(slot));
    // Free slots have level 0.
    found.delete(0);
    const levels = [...found].sort((one, other) => this.#priceOf(one) - this.#priceOf(other));
    const isAsk = (level: number): boolean =>
      ((this.memory.ints[(level << 3) + recordField.flags] as number) & askLevel) !== 0;
    return { bids: levels.filter((level) => !isAsk(level)).reverse(), asks: levels.filter(isAsk) };
  }

  #slotsAt(level: number): number[] {
    const slots: number[] = [];
    for (let slot = this.memory.firstIn(level); slot !== 0; slot = this.memory.behind(slot))
      slots.push(slot);
    return slots;
  }

  #priceOf(level: number): number {
    return this.memory.floats[(level << 2) + recordField.price] as number;
  }

  #volumeOf(slot: number): number {
    const { floats, slotsStart } = this.memory;
    return floats[((slotsStart + slot) << 2) + recordField.orderVolume] as number;
  }
}
