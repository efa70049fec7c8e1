/**
 * The work that every implementation of the speed proof does: after each message it folds the top
 * of the book into a sum; every 64 messages it moves four quotes, and takes what brings its
 * position back when that is too large. `speed-loop.cpp` and `speed-naive.ts` do the same.
 */

import type { Lots, Ticks } from '../../src/domain/money.ts';
import type { FeeRates } from '../../src/exchange-accounts/fee-schedule.ts';
import type { Book } from '../../src/market/book/book.ts';
import type { RestingBlock } from '../../src/market/flow/flow-block.ts';
import type { FlowCursor } from '../../src/market/flow/flow-cursor.ts';
import type { ModelEvent } from '../../src/replay-exchange/fill-models/fill-event.ts';
import type { OwnOrder } from '../../src/replay-exchange/fill-models/own-order.ts';
import { ReplayMarket } from '../../src/replay-exchange/fill-models/replay-market.ts';
import { orderHistoryOf } from '../support/encoded-history.ts';
import { flowMarket } from './speed-flow.ts';

/** What must be equal; amounts in ticks × lots and in units of the fee scale. */
export type SpeedSums = {
  readonly messages: number;
  readonly tops: number;
  readonly makerFills: number;
  readonly takerFills: number;
  readonly position: number;
  readonly ahead: number;
  readonly cash: string;
  readonly feeBase: string;
  readonly feeCounter: string;
};

export const speedRates = { maker: '0.0002', taker: '0.001' } as const;
export const quoteVolume = 10_000;
export const quoteDistance = 5;
export const quoteEvery = 64;
export const positionMax = 100_000;
export const positionHard = 60_000;
/** How far from the touch a taker's price is. */
export const takeReach = 1_000;

/** The flow begins with nothing. */
export const emptyBook: RestingBlock = {
  bids: 0,
  status: 0,
  slots: new Uint32Array(0),
  prices: new Float64Array(0),
  volumes: new Float64Array(0),
};

type Quote = { readonly order: OwnOrder; readonly price: number; left: number };

export class SpeedQuoter {
  readonly model: ReplayMarket;
  readonly book: Book;
  #messages = 0;
  #untilQuote = quoteEvery;
  #topChanges = -1;
  #bid = 0;
  #ask = 0;
  #top = 0;
  #tops = 0;
  #makerFills = 0;
  #takerFills = 0;
  #position = 0;
  #ahead = 0;
  #cash = 0n;
  #feeBase = 0n;
  #feeCounter = 0n;
  #accepted: OwnOrder | undefined;
  #atMicros = 0;
  /** Bid, lower bid, ask, higher ask. */
  readonly #quotes: (Quote | undefined)[] = [undefined, undefined, undefined, undefined];

  constructor(rates: FeeRates = speedRates) {
    this.model = new ReplayMarket({
      market: flowMarket,
      data: { kind: 'orders' },
      rates,
      listener: (event) => this.#hear(event),
    });
    const orders = orderHistoryOf(this.model);
    orders.start(emptyBook);
    this.book = orders.book;
  }

  /** To be called after each message, with its last row. */
  onMessage(row: Pick<FlowCursor, 'atMicros'>): void {
    if (this.book.topChanges !== this.#topChanges) this.#read();
    this.#tops = (Math.imul(this.#tops, 31) + this.#top) | 0;
    this.#messages++;
    if (--this.#untilQuote > 0) return;
    this.#untilQuote = quoteEvery;
    if (this.#bid === 0 || this.#ask === 0) return;
    this.#atMicros = row.atMicros;
    this.#quote(this.#bid, this.#ask);
  }

  #read(): void {
    const { book } = this;
    this.#topChanges = book.topChanges;
    this.#bid = book.bestPrice('BID') ?? 0;
    this.#ask = book.bestPrice('ASK') ?? 0;
    const volumes = 5 * book.bestVolume('BID') + 7 * book.bestVolume('ASK');
    this.#top = (this.#bid + 3 * this.#ask + volumes) | 0;
  }

  get sums(): SpeedSums {
    return {
      messages: this.#messages,
      tops: this.#tops >>> 0,
      makerFills: this.#makerFills,
      takerFills: this.#takerFills,
      position: this.#position,
      ahead: this.#ahead,
      cash: String(this.#cash),
      feeBase: String(this.#feeBase),
      feeCounter: String(this.#feeCounter),
    };
  }

  #quote(bid: number, ask: number): void {
    const isFar = Math.abs(this.#position) > positionHard;
    const wanted = [bid, bid - quoteDistance, ask, ask + quoteDistance];
    for (let index = 0; index < wanted.length; index++) {
      const quote = this.#quotes[index];
      if (quote === undefined) continue;
      if (!isFar && quote.price === wanted[index] && quote.left === quoteVolume) continue;
      this.model.cancel(quote.order, this.#atMicros);
      this.#quotes[index] = undefined;
    }
    if (this.#position > positionHard) this.#take('ASK', bid - takeReach);
    else if (this.#position < -positionHard) this.#take('BID', ask + takeReach);
    for (let index = 0; index < wanted.length; index++) {
      const price = wanted[index] as number;
      if (this.#quotes[index] !== undefined) continue;
      const isBid = index < 2;
      if (isBid ? this.#position >= positionMax : this.#position <= -positionMax) continue;
      this.#place(isBid ? 'BID' : 'ASK', price, quoteVolume, 'GTC');
      const order = this.#accepted;
      if (order !== undefined) this.#quotes[index] = { order, price, left: quoteVolume };
    }
  }

  #take(side: 'BID' | 'ASK', price: number): void {
    this.#place(side, price, Math.abs(this.#position), 'IOC');
  }

  #place(side: 'BID' | 'ASK', price: number, volume: number, timeInForce: 'GTC' | 'IOC'): void {
    this.model.place(
      {
        clientOrderId: '',
        side,
        price: price as Ticks,
        volume: volume as Lots,
        timeInForce,
        postOnly: false,
      },
      this.#atMicros,
    );
  }

  #hear(event: ModelEvent): void {
    if (event.kind === 'accepted') this.#accepted = event.order;
    else if (event.kind === 'filled') {
      const isBid = event.order.side === 'BID';
      this.#position += isBid ? event.base : -event.base;
      this.#cash += isBid ? -event.counter : event.counter;
      this.#feeBase += event.feeBase;
      this.#feeCounter += event.feeCounter;
      this.#ahead += event.volumeAhead;
      if (!event.isMaker) {
        this.#takerFills++;
        return;
      }
      this.#makerFills++;
      const index = this.#quotes.findIndex((quote) => quote?.order === event.order);
      const quote = this.#quotes[index];
      if (quote === undefined) return;
      quote.left -= event.base;
      if (quote.left === 0) this.#quotes[index] = undefined;
    }
  }
}
