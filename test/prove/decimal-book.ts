/**
 * The usual book of a trading bot, to measure against: orders in a Map by id, prices and volumes as
 * decimal.js values, levels in a Map by price with a sorted list of prices. Written to be good of
 * its kind: the list is searched by bisection and touched only when a level comes or goes.
 */
import type { Side } from '../../src/domain/market.ts';
import { Decimal } from '../../src/domain/money.ts';

type DecimalOrder = { readonly side: Side; readonly level: DecimalLevel; volume: Decimal };

type DecimalLevel = {
  readonly text: string;
  readonly price: Decimal;
  readonly orders: Map<string, DecimalOrder>;
  volume: Decimal;
};

export class DecimalBook {
  readonly #orders = new Map<string, DecimalOrder>();
  readonly #byPrice = {
    BID: new Map<string, DecimalLevel>(),
    ASK: new Map<string, DecimalLevel>(),
  };
  /** Best first. */
  readonly #levels: Record<Side, DecimalLevel[]> = { BID: [], ASK: [] };

  create(id: string, side: Side, price: string, volume: string): void {
    let level = this.#byPrice[side].get(price);
    if (level === undefined) {
      level = { text: price, price: new Decimal(price), orders: new Map(), volume: new Decimal(0) };
      this.#byPrice[side].set(price, level);
      this.#levels[side].splice(this.#indexOf(side, level.price), 0, level);
    }
    const order = { side, level, volume: new Decimal(volume) };
    this.#orders.set(id, order);
    level.orders.set(id, order);
    level.volume = level.volume.plus(order.volume);
  }

  remove(id: string): void {
    const order = this.#orders.get(id);
    if (order === undefined) throw new Error(`unknown ${id}`);
    order.level.volume = order.level.volume.minus(order.volume);
    this.#drop(id, order);
  }

  reduce(id: string, volume: string): void {
    const order = this.#orders.get(id);
    if (order === undefined) throw new Error(`unknown ${id}`);
    const amount = new Decimal(volume);
    order.volume = order.volume.minus(amount);
    order.level.volume = order.level.volume.minus(amount);
    if (order.volume.isZero()) this.#drop(id, order);
  }

  best(side: Side): DecimalLevel | undefined {
    return this.#levels[side][0];
  }

  #drop(id: string, order: DecimalOrder): void {
    const { side, level } = order;
    this.#orders.delete(id);
    level.orders.delete(id);
    if (level.orders.size > 0) return;
    this.#byPrice[side].delete(level.text);
    this.#levels[side].splice(this.#indexOf(side, level.price), 1);
  }

  /** Returns where a price stands or belongs. */
  #indexOf(side: Side, price: Decimal): number {
    const levels = this.#levels[side];
    let from = 0;
    let to = levels.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const order = (levels[middle] as DecimalLevel).price.cmp(price);
      if (side === 'BID' ? order > 0 : order < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
