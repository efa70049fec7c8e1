/**
 * The slow obvious book: queues as arrays, prices sorted anew whenever one appears. What the fast
 * book is checked against; it shares no code with it.
 */
import type { Side } from '../../src/domain/market.ts';

export type SlowOrder = {
  readonly id: string;
  readonly side: Side;
  readonly price: number;
  volume: number;
};

export type SlowLevel = {
  readonly price: number;
  readonly volume: number;
  /** Ids and volumes in queue order. */
  readonly queue: readonly (readonly [string, number])[];
};

export class SlowBook {
  readonly orders = new Map<string, SlowOrder>();
  readonly #queues = {
    BID: new Map<number, SlowOrder[]>(),
    ASK: new Map<number, SlowOrder[]>(),
  };
  /** Best first. */
  readonly #prices: Record<Side, number[]> = { BID: [], ASK: [] };

  create(id: string, side: Side, price: number, volume: number): void {
    if (this.orders.has(id)) throw new Error(`duplicate ${id}`);
    const order = { id, side, price, volume };
    this.orders.set(id, order);
    const queue = this.#queues[side].get(price);
    if (queue !== undefined) {
      queue.push(order);
      return;
    }
    this.#queues[side].set(price, [order]);
    this.#prices[side].push(price);
    this.#prices[side].sort((a, b) => (side === 'BID' ? b - a : a - b));
  }

  reduce(id: string, volume: number): void {
    const order = this.#order(id);
    if (volume > order.volume) throw new Error(`too much for ${id}`);
    order.volume -= volume;
    if (order.volume === 0) this.remove(id);
  }

  remove(id: string): void {
    const { side, price } = this.#order(id);
    this.orders.delete(id);
    const queue = (this.#queues[side].get(price) ?? []).filter((order) => order.id !== id);
    this.#queues[side].set(price, queue);
    if (queue.length > 0) return;
    this.#queues[side].delete(price);
    this.#prices[side] = this.#prices[side].filter((other) => other !== price);
  }

  clear(): void {
    this.orders.clear();
    for (const side of ['BID', 'ASK'] as const) {
      this.#queues[side].clear();
      this.#prices[side] = [];
    }
  }

  /** The best price of a side, or undefined. */
  best(side: Side): number | undefined {
    return this.#prices[side][0];
  }

  /** The level at a price, empty if there is none. */
  level(side: Side, price: number): SlowLevel {
    const queue = this.#queues[side].get(price) ?? [];
    return {
      price,
      volume: queue.reduce((sum, order) => sum + order.volume, 0),
      queue: queue.map(({ id, volume }) => [id, volume] as const),
    };
  }

  /** All levels of a side, best first. */
  levels(side: Side): SlowLevel[] {
    return this.#prices[side].map((price) => this.level(side, price));
  }

  #order(id: string): SlowOrder {
    const order = this.orders.get(id);
    if (order === undefined) throw new Error(`unknown ${id}`);
    return order;
  }
}
