/**
 * A seeded order flow for measurements: a real matching book with some 20,000 resting orders, so
 * that every row fits. Half of the messages create an order, two fifths delete one, a tenth trade.
 *
 * Prices follow a power law from the touch, a few are absurd; most deletes are of recent orders;
 * volumes are log-normal and often round; buyers and sellers take turns in being the stronger ones.
 */
import type { Lots, Ticks } from '../../src/domain/money.ts';
import { Book } from '../../src/market/book/book.ts';
import { rowKind } from '../../src/market/flow/flow-block.ts';
import { createSeededRandom } from '../../src/runtime/seeded-random.ts';

/** Of XBTZAR at two million a coin: whole rand, volumes in millionths. */
export const flowMarket = {
  pair: 'XBTZAR',
  base: 'XBT',
  counter: 'ZAR',
  priceScale: 0,
  volumeScale: 6,
  feeScale: 8,
  priceMin: 1 as Ticks,
  priceMax: 100_000_000 as Ticks,
  volumeMin: 1 as Lots,
  volumeMax: 1e12 as Lots,
  status: 'ACTIVE',
} as const;

export const flowStartMicros = 1_700_000_000_000_000;

/** One row, overwritten by the next call. */
export type SpeedRow = {
  kind: number;
  slot: number;
  /** The order's number, from 1; never used again, unlike its slot. */
  order: number;
  isAsk: boolean;
  price: number;
  volume: number;
  endsMessage: boolean;
};

const tradesMax = 40;
const recentSize = 4_096;
const startPrice = 1_900_000;

export class SpeedFlow {
  /** When the message that {@link SpeedFlow.next} made came. */
  atMicros = flowStartMicros;
  readonly #random: () => number;
  readonly #liveAim: number;
  readonly #book = new Book();
  /** The slots in use, in any order, and where each of them stands there. */
  readonly #live: number[] = [];
  readonly #placeOf: number[] = [];
  readonly #orderOf: number[] = [];
  readonly #recentSlots = new Int32Array(recentSize);
  readonly #recentOrders = new Int32Array(recentSize);
  #orders = 0;
  #trend = 0;
  #messages = 0;
  readonly #rows: SpeedRow[] = Array.from({ length: tradesMax + 1 }, emptyRow);
  #count = 0;

  /** `liveAim`: about how many orders rest; the first as many messages only create. */
  constructor({ seed, liveAim }: { readonly seed: number; readonly liveAim: number }) {
    const random = createSeededRandom(seed);
    this.#random = () => random.next();
    this.#liveAim = liveAim;
  }

  /** Makes the next message and hands each of its rows to `take`. */
  next(take: (row: SpeedRow, atMicros: number) => void): void {
    this.#count = 0;
    if (this.#messages++ < this.#liveAim) this.#create();
    else this.#act();
    for (let index = 0; index < this.#count; index++) {
      const row = this.#rows[index] as SpeedRow;
      row.endsMessage = index === this.#count - 1;
      take(row, this.atMicros);
    }
  }

  #act(): void {
    const random = this.#random;
    this.atMicros += 1_000 * Math.floor(-20 * Math.log(1 - random()));
    if (random() < 1 / 30_000) this.#trend = Math.floor(random() * 3) - 1;
    const { size } = this.#book;
    const isOneSided = this.#book.bestOrder('BID') === 0 || this.#book.bestOrder('ASK') === 0;
    if (random() < 0.1 && !isOneSided) {
      this.#trade();
      return;
    }
    const wish = 0.5 + (2 * (this.#liveAim - size)) / this.#liveAim;
    if (size < 10 || random() < Math.min(0.95, Math.max(0.05, wish))) this.#create();
    else this.#delete(this.#chosen());
  }

  #create(): void {
    const isAsk = this.#random() < 0.5;
    this.#rest(isAsk, this.#priceFor(isAsk), this.#volume());
  }

  #rest(isAsk: boolean, price: number, volume: number): void {
    const slot = this.#book.create(isAsk ? 'ASK' : 'BID', price as Ticks, volume as Lots);
    const order = ++this.#orders;
    this.#orderOf[slot] = order;
    this.#placeOf[slot] = this.#live.length;
    this.#live.push(slot);
    this.#recentSlots[order % recentSize] = slot;
    this.#recentOrders[order % recentSize] = order;
    this.#put({ kind: rowKind.create, slot, order, isAsk, price, volume });
  }

  #delete(slot: number): void {
    const order = this.#orderOf[slot] as number;
    const isAsk = this.#book.sideOf(slot) === 'ASK';
    this.#put({ kind: rowKind.delete, slot, order, isAsk, price: 0, volume: 0 });
    this.#book.remove(slot);
    this.#forget(slot);
  }

  /** Somebody takes from the book; what is left of his order, or a new one of his, may rest. */
  #trade(): void {
    const random = this.#random;
    const book = this.#book;
    const buys = random() < 0.5 + 0.4 * this.#trend;
    const side = buys ? 'ASK' : 'BID';
    const best = book.volumeOf(book.bestOrder(side));
    const kind = random();
    let left =
      kind < 0.45 ? best : kind < 0.75 ? Math.max(1, Math.floor(best * random())) : this.#volume();
    let price = 0;
    for (let trades = 0; left > 0 && trades < tradesMax; trades++) {
      const slot = book.bestOrder(side);
      if (slot === 0) break;
      price = book.priceOf(slot);
      const volume = Math.min(left, book.volumeOf(slot));
      const order = this.#orderOf[slot] as number;
      this.#put({ kind: rowKind.trade, slot, order, isAsk: buys, price, volume });
      left -= volume;
      if (book.reduce(slot, volume as Lots) === 0) this.#forget(slot);
    }
    if (left > 0 || random() < 0.15)
      this.#rest(!buys, this.#notCrossing(!buys, price), left > 0 ? left : this.#volume());
  }

  /** A recent order more often than any other; under a trend one of the side that gives way. */
  #chosen(): number {
    const random = this.#random;
    if (random() < 0.7)
      for (let attempt = 0; attempt < 24; attempt++) {
        const order = this.#orders - Math.floor(-400 * Math.log(1 - random()));
        const slot = this.#recentSlots[order % recentSize] as number;
        const isThat = order > 0 && this.#recentOrders[order % recentSize] === order;
        if (isThat && this.#orderOf[slot] === order) return slot;
      }
    if (this.#trend !== 0 && random() < 0.25) {
      const slot = this.#book.bestOrder(this.#trend > 0 ? 'ASK' : 'BID');
      if (slot !== 0) return slot;
    }
    return this.#live[Math.floor(random() * this.#live.length)] as number;
  }

  #priceFor(isAsk: boolean): number {
    const random = this.#random;
    const bid = this.#book.bestPrice('BID') ?? startPrice - 1;
    const ask = this.#book.bestPrice('ASK') ?? startPrice + 1;
    const choice = random();
    if (choice < 0.1 && ask - bid > 1) return bid + 1 + Math.floor(random() * (ask - bid - 1));
    if (choice > 0.995) return this.#notCrossing(isAsk, Math.floor(10 ** (random() * 8)));
    const far = 8 * ((1 - random()) ** (-1 / 0.6) - 1);
    const distance = Math.floor(far > 400_000 ? random() * 400_000 : far);
    return this.#notCrossing(isAsk, isAsk ? ask + distance : bid - distance);
  }

  #notCrossing(isAsk: boolean, price: number): number {
    const ask = this.#book.bestPrice('ASK') ?? Infinity;
    const bid = this.#book.bestPrice('BID') ?? 0;
    const allowed = isAsk ? Math.max(price, bid + 1) : Math.min(price, ask - 1);
    return Math.max(flowMarket.priceMin, Math.min(flowMarket.priceMax, allowed));
  }

  #volume(): number {
    const random = this.#random;
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    let volume = Math.floor(10_000 * Math.exp(1.6 * normal));
    if (random() < 0.35) {
      const step = volume > 100_000 ? 100_000 : volume > 10_000 ? 10_000 : 1_000;
      volume -= volume % step;
    }
    return Math.max(500, Math.min(200_000_000, volume));
  }

  #forget(slot: number): void {
    const place = this.#placeOf[slot] as number;
    const last = this.#live.pop() as number;
    if (last !== slot) {
      this.#live[place] = last;
      this.#placeOf[last] = place;
    }
    this.#orderOf[slot] = 0;
  }

  #put(row: Omit<SpeedRow, 'endsMessage'>): void {
    Object.assign(this.#rows[this.#count++] as SpeedRow, row);
  }
}

function emptyRow(): SpeedRow {
  return { kind: 0, slot: 0, order: 0, isAsk: false, price: 0, volume: 0, endsMessage: false };
}
