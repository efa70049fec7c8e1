/**
 * A slow, obvious queue model: one list of all orders by arrival, including ours, always searched
 * from the front. It shares no code with the queue fill model that it checks.
 */
import type { Side } from '../../src/domain/market.ts';

type Entry = {
  readonly id: string;
  readonly isOurs: boolean;
  readonly side: Side;
  readonly price: number;
  volume: number;
};

export type SlowFill = { readonly id: string; readonly price: number; readonly volume: number };

export class SlowQueueModel {
  readonly fills: SlowFill[] = [];
  #list: Entry[] = [];

  createHistory(id: string, side: Side, price: number, volume: number): void {
    const met = this.#ours(side === 'BID' ? 'ASK' : 'BID').filter((order) =>
      side === 'BID' ? order.price <= price : order.price >= price,
    );
    this.#share(met, volume);
    this.#list.push({ id, isOurs: false, side, price, volume });
  }

  placeOurs(id: string, side: Side, price: number, volume: number): void {
    this.#list.push({ id, isOurs: true, side, price, volume });
  }

  remove(id: string): void {
    this.#list = this.#list.filter((entry) => entry.id !== id);
  }

  /** An order of history gets smaller and keeps its place. */
  shrink(id: string, volume: number): void {
    const entry = this.#list.find((other) => other.id === id);
    if (entry === undefined) throw new Error(`unknown ${id}`);
    entry.volume = volume;
  }

  trade(makerId: string, volume: number): void {
    const position = this.#list.findIndex((entry) => entry.id === makerId);
    const maker = this.#list[position];
    if (maker === undefined) throw new Error(`unknown ${makerId}`);
    const before = this.#ours(maker.side).filter(
      (order) =>
        (maker.side === 'BID' ? order.price > maker.price : order.price < maker.price) ||
        (order.price === maker.price && this.#list.indexOf(order) < position),
    );
    this.#share(before, volume);
    maker.volume -= volume;
    this.#list = this.#list.filter((entry) => entry.volume > 0);
  }

  /** Our orders with their remaining volume and the volume ahead, by id. */
  ours(): Map<string, { left: number; ahead: number }> {
    const result = new Map<string, { left: number; ahead: number }>();
    this.#list.forEach((order, position) => {
      if (!order.isOurs) return;
      let ahead = 0;
      for (const entry of this.#list.slice(0, position))
        if (!entry.isOurs && entry.side === order.side && entry.price === order.price)
          ahead += entry.volume;
      result.set(order.id, { left: order.volume, ahead });
    });
    return result;
  }

  #ours(side: Side): Entry[] {
    const better = side === 'BID' ? -1 : 1;
    // Sorting is stable: at equal prices the earlier order stays first.
    return this.#list
      .filter((entry) => entry.isOurs && entry.side === side)
      .sort((a, b) => (a.price - b.price) * better);
  }

  #share(orders: readonly Entry[], volume: number): void {
    let left = volume;
    for (const order of orders) {
      const part = Math.min(left, order.volume);
      if (part === 0) break;
      order.volume -= part;
      left -= part;
      this.fills.push({ id: order.id, price: order.price, volume: part });
    }
    this.#list = this.#list.filter((entry) => entry.volume > 0);
  }
}
