/**
 * Random history for tests of fill models: rows of a first-in-first-out market with a few prices,
 * which matches its own orders correctly and does not know ours.
 */
import type { Side } from '../../src/domain/market.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import type { OrderFlowRow } from '../../src/market/flow/order-flow-row.ts';
import type { SeededRandom } from './seeded-random.ts';

type Resting = {
  readonly id: string;
  readonly side: Side;
  readonly price: number;
  volume: number;
};

export class RandomOrderFlow {
  readonly #random: SeededRandom;
  readonly #hasResizes: boolean;
  #resting: Resting[] = [];
  #number = 0;
  #sequence = 0;

  /** Without resizes no order becomes smaller in its place. */
  constructor(random: SeededRandom, options: { readonly hasResizes?: boolean } = {}) {
    this.#random = random;
    this.#hasResizes = options.hasResizes ?? true;
  }

  /** Returns the rows of one action: a cancel, or an order with its trades and what rests of it. */
  next(): OrderFlowRow[] {
    const random = this.#random;
    if (this.#resting.length > 0 && random.fraction() < 0.3) return [this.#cancelRow()];
    const side: Side = random.fraction() < 0.5 ? 'BID' : 'ASK';
    const price = random.integer(95, 105);
    const id = `h${++this.#number}`;
    const rows: OrderFlowRow[] = [];
    let left = random.integer(1, 20);
    for (
      let maker = this.#maker(side, price);
      maker && left > 0;
      maker = this.#maker(side, price)
    ) {
      const volume = Math.min(left, maker.volume);
      left -= volume;
      maker.volume -= volume;
      this.#resting = this.#resting.filter((order) => order.volume > 0);
      rows.push({
        ...this.#place(),
        kind: 'trade',
        makerId: maker.id,
        takerId: id,
        makerSide: maker.side,
        price: maker.price as Ticks,
        volume: volume as Lots,
      });
    }
    if (left > 0) {
      this.#resting.push({ id, side, price, volume: left });
      const placed = { id, side, price: price as Ticks, volume: left as Lots };
      rows.push({ ...this.#place(), kind: 'create', ...placed });
    }
    return rows;
  }

  #cancelRow(): OrderFlowRow {
    const order = this.#random.pick(this.#resting);
    if (this.#hasResizes && order.volume > 1 && this.#random.fraction() < 0.3) {
      order.volume = this.#random.integer(1, order.volume - 1);
      return { ...this.#place(), kind: 'resize', id: order.id, volume: order.volume as Lots };
    }
    this.#resting = this.#resting.filter((other) => other !== order);
    return { ...this.#place(), kind: 'delete', id: order.id };
  }

  /** Returns the order that an incoming one trades with first, if any. */
  #maker(takerSide: Side, price: number): Resting | undefined {
    const met = this.#resting.filter((order) =>
      order.side === takerSide
        ? false
        : takerSide === 'BID'
          ? order.price <= price
          : order.price >= price,
    );
    const better = takerSide === 'BID' ? 1 : -1;
    return met.sort((a, b) => (a.price - b.price) * better)[0];
  }

  #place() {
    const sequence = ++this.#sequence;
    return { sequence, atMicros: sequence * 1_000, endsMessage: true };
  }
}
