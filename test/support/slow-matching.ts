/**
 * Price-time matching with stop orders, as simple and slow as possible: one list of resting orders,
 * sorted again for each trade, and one list of waiting orders. It shares no code with the
 * simulator.
 */
export type SlowOrder = {
  readonly name: string;
  readonly side: 'BID' | 'ASK';
  readonly price: number;
  readonly volume: number;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
  readonly postOnly?: boolean;
  readonly stop?: { readonly direction: 'ABOVE' | 'BELOW'; readonly price: number } | undefined;
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
  #waiting: SlowOrder[] = [];
  #arrivals = 0;

  /** Names of the resting orders. */
  get names(): string[] {
    return this.#resting.map((order) => order.name).sort();
  }

  /** Names of the stop orders that wait for their trigger. */
  get waitingNames(): string[] {
    return this.#waiting.map((order) => order.name).sort();
  }

  place(order: SlowOrder): void {
    const last = this.trades.at(-1);
    if (order.stop !== undefined && !(last !== undefined && reaches(last.price, order.stop))) {
      this.#waiting.push(order);
      return;
    }
    // The oldest orders go first; orders that their trades trigger come after them.
    for (let due = [order]; due.length > 0; ) {
      const next = due.shift() as SlowOrder;
      const before = this.trades.length;
      this.#enter(next);
      const prices = this.trades.slice(before).map((trade) => trade.price);
      const isDue = ({ stop }: SlowOrder) =>
        stop !== undefined && prices.some((price) => reaches(price, stop));
      due = [...due, ...this.#waiting.filter(isDue)];
      this.#waiting = this.#waiting.filter((one) => !isDue(one));
    }
  }

  cancel(name: string): void {
    this.#resting = this.#resting.filter((one) => one.name !== name);
    this.#waiting = this.#waiting.filter((one) => one.name !== name);
  }

  #enter(order: SlowOrder): void {
    this.#arrivals += 1;
    const taker: Resting = { ...order, left: order.volume, arrival: this.#arrivals };
    const makers = this.#makersFor(taker);
    if (order.postOnly === true && makers.length > 0) return;
    const fillable = makers.reduce((sum, maker) => sum + maker.left, 0);
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

  #makersFor(taker: Resting): Resting[] {
    const isBid = taker.side === 'BID';
    return this.#resting
      .filter((one) => one.side !== taker.side)
      .filter((one) => (isBid ? one.price <= taker.price : one.price >= taker.price))
      .sort((a, b) => (isBid ? a.price - b.price : b.price - a.price) || a.arrival - b.arrival);
  }
}

function reaches(price: number, stop: NonNullable<SlowOrder['stop']>): boolean {
  return stop.direction === 'ABOVE' ? price >= stop.price : price <= stop.price;
}
