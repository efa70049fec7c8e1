/**
 * Price-time matching in the slowest and plainest way: one list of resting orders, sorted anew for
 * each trade. It shares no code with the simulator.
 */
export type SlowOrder = {
  readonly name: string;
  readonly side: 'BID' | 'ASK';
  readonly price: number;
  readonly volume: number;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
};

export type SlowTrade = {
  readonly maker: string;
  readonly taker: string;
  readonly price: number;
  readonly volume: number;
};

type Resting = SlowOrder & { left: number; readonly arrival: number };

export class SlowMatching {
  readonly trades: SlowTrade[] = [];
  #resting: Resting[] = [];
  #arrivals = 0;

  /** Names of the resting orders. */
  get names(): string[] {
    return this.#resting.map((order) => order.name).sort();
  }

  place(order: SlowOrder): void {
    this.#arrivals += 1;
    const taker: Resting = { ...order, left: order.volume, arrival: this.#arrivals };
    const fillable = this.#makersFor(taker).reduce((sum, maker) => sum + maker.left, 0);
    if (order.timeInForce === 'FOK' && fillable < order.volume) return;
    for (;;) {
      const maker = this.#makersFor(taker)[0];
      if (maker === undefined || taker.left === 0) break;
      const volume = Math.min(maker.left, taker.left);
      maker.left -= volume;
      taker.left -= volume;
      this.trades.push({ maker: maker.name, taker: taker.name, price: maker.price, volume });
      this.#resting = this.#resting.filter((one) => one.left > 0);
    }
    if (taker.left > 0 && order.timeInForce === 'GTC') this.#resting.push(taker);
  }

  cancel(name: string): void {
    this.#resting = this.#resting.filter((one) => one.name !== name);
  }

  #makersFor(taker: Resting): Resting[] {
    const isBid = taker.side === 'BID';
    return this.#resting
      .filter((one) => one.side !== taker.side)
      .filter((one) => (isBid ? one.price <= taker.price : one.price >= taker.price))
      .sort((a, b) => (isBid ? a.price - b.price : b.price - a.price) || a.arrival - b.arrival);
  }
}
