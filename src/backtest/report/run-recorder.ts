/**
 * Watches a backtest at the exchange's side of the latencies: what the account is worth, where our
 * orders stand in the market, and every fill.
 *
 * It only looks. Samples are bounded: when there are too many, every second one is dropped and the
 * distance doubled. Worth is exact, in atoms of the counter currency; the worst drawdown is
 * followed at every change of the mid, not only at the samples.
 */
import type { Market } from '../../domain/market.ts';
import type { Ticks } from '../../domain/money.ts';
import type { OrderFlowRow } from '../../market/order-flow-row.ts';
import type { Atoms } from '../../tape/atoms.ts';
import type { TapeDesk } from '../../tape/tape-desk.ts';
import { FillLog } from './fill-log.ts';

const samplesMax = 3_000;
const minuteMicros = 60_000_000;

/** The state of the run at one moment. */
export type Sample = {
  readonly atMs: number;
  readonly bid: Ticks | undefined;
  readonly ask: Ticks | undefined;
  readonly ownBid: Ticks | undefined;
  readonly ownAsk: Ticks | undefined;
  /** Gained since the start, in atoms: base currency, and worth in the counter currency. */
  readonly position: Atoms;
  readonly profit: Atoms;
};

/** How long our best order of a side was in the market, in microseconds. */
export type Presence = { quoted: number; atTouch: number };

export class RunRecorder {
  readonly log = new FillLog();
  readonly presence = { BID: emptyPresence(), ASK: emptyPresence() };
  /** Profit at the end of each minute, for ratios. */
  readonly minutes: Atoms[] = [];
  readonly drawdown = { worst: 0n, peakMs: 0, lowMs: 0 };
  /** What the account was worth at the first mid; undefined if there never was one. */
  startWorth: Atoms | undefined;
  bothQuotedMicros = 0;
  watchedMicros = 0;
  #samples: Sample[] = [];
  readonly #desk: TapeDesk;
  readonly #market: Market;
  readonly #strategyOf: (clientOrderId: string) => string;
  readonly #startBase: Atoms;
  readonly #startCounter: Atoms;
  #spacingMicros = 1_000_000;
  #nextSampleMicros: number;
  #nextMinuteMicros: number;
  #lastMicros: number;
  #trades = 0;
  #topChanges = -1;
  #bid: Ticks | undefined;
  #ask: Ticks | undefined;
  #ownBid: Ticks | undefined;
  #ownAsk: Ticks | undefined;
  #profit = 0n;
  #peak = 0n;
  #peakMs: number;

  constructor(options: {
    readonly desk: TapeDesk;
    readonly startMicros: number;
    /** The strategy that placed an order. */
    readonly strategyOf: (clientOrderId: string) => string;
  }) {
    const { desk, startMicros } = options;
    this.#desk = desk;
    this.#market = desk.market;
    this.#strategyOf = options.strategyOf;
    this.#startBase = balanceOf(desk, desk.market.base);
    this.#startCounter = balanceOf(desk, desk.market.counter);
    this.#lastMicros = startMicros;
    this.#nextSampleMicros = startMicros;
    this.#nextMinuteMicros = startMicros + minuteMicros;
    this.#peakMs = Math.floor(startMicros / 1000);
    this.#look();
    this.#value(startMicros);
  }

  /** Samples in order of time. */
  get samples(): readonly Sample[] {
    return this.#samples;
  }

  /** To be called after each row of history was applied. */
  noteRow(row: Pick<OrderFlowRow, 'atMicros' | 'endsMessage'>): void {
    // Within a message the book never existed as it stands.
    if (row.endsMessage && !this.#isStill(row.atMicros)) this.#moveTo(row.atMicros);
  }

  /** To be called when our orders may have changed between two rows. */
  noteOrders(atMicros: number): void {
    if (!this.#isStill(atMicros)) this.#moveTo(atMicros);
  }

  /** Takes the last sample. */
  finish(atMicros: number): void {
    this.#moveTo(atMicros);
    this.#sample(atMicros);
  }

  /** Whether all that is watched stands as before, so that the time may be counted later. */
  #isStill(atMicros: number): boolean {
    const { tape, trades } = this.#desk;
    return (
      atMicros < this.#nextSampleMicros &&
      tape.book.topChanges === this.#topChanges &&
      trades.length === this.#trades &&
      tape.bestOwnPrice('BID') === this.#ownBid &&
      tape.bestOwnPrice('ASK') === this.#ownAsk
    );
  }

  #moveTo(atMicros: number): void {
    this.#pass(atMicros);
    const tradesBefore = this.#trades;
    this.#takeTrades();
    const mid2Before = this.#mid2;
    this.#look();
    if (this.#mid2 !== mid2Before || this.#trades !== tradesBefore) this.#value(atMicros);
    if (atMicros >= this.#nextSampleMicros) this.#sample(atMicros);
  }

  get #mid2(): number | undefined {
    return this.#bid === undefined || this.#ask === undefined ? undefined : this.#bid + this.#ask;
  }

  /** What stood until now has stood for so long. */
  #pass(atMicros: number): void {
    this.log.pass(Math.floor(atMicros / 1000), this.#mid2);
    while (this.#nextMinuteMicros <= atMicros) {
      this.minutes.push(this.#profit);
      this.#nextMinuteMicros += minuteMicros;
    }
    const elapsed = atMicros - this.#lastMicros;
    this.#lastMicros = atMicros;
    if (elapsed <= 0) return;
    this.watchedMicros += elapsed;
    const [bid, ask] = [this.#ownBid, this.#ownAsk];
    if (bid !== undefined) {
      this.presence.BID.quoted += elapsed;
      if (this.#bid === undefined || bid >= this.#bid) this.presence.BID.atTouch += elapsed;
    }
    if (ask !== undefined) {
      this.presence.ASK.quoted += elapsed;
      if (this.#ask === undefined || ask <= this.#ask) this.presence.ASK.atTouch += elapsed;
    }
    if (bid !== undefined && ask !== undefined) this.bothQuotedMicros += elapsed;
  }

  #takeTrades(): void {
    const { trades } = this.#desk;
    for (; this.#trades < trades.length; this.#trades++) {
      const trade = trades[this.#trades];
      if (trade !== undefined)
        this.log.add(trade, this.#strategyOf(trade.order.clientOrderId), this.#mid2);
    }
  }

  #look(): void {
    const { tape } = this.#desk;
    this.#topChanges = tape.book.topChanges;
    this.#bid = tape.book.bestPrice('BID');
    this.#ask = tape.book.bestPrice('ASK');
    this.#ownBid = tape.bestOwnPrice('BID');
    this.#ownAsk = tape.bestOwnPrice('ASK');
  }

  #value(atMicros: number): void {
    const mid2 = this.#mid2;
    if (mid2 === undefined) return;
    const { base, counter, priceScale } = this.#market;
    const worthOf = (position: Atoms): Atoms =>
      (position * BigInt(mid2)) / (2n * 10n ** BigInt(priceScale));
    this.startWorth ??= this.#startCounter + worthOf(this.#startBase);
    const cash = balanceOf(this.#desk, counter) - this.#startCounter;
    this.#profit = cash + worthOf(balanceOf(this.#desk, base) - this.#startBase);
    if (this.#profit >= this.#peak) {
      this.#peak = this.#profit;
      this.#peakMs = Math.floor(atMicros / 1000);
    } else if (this.#peak - this.#profit > this.drawdown.worst) {
      this.drawdown.worst = this.#peak - this.#profit;
      this.drawdown.peakMs = this.#peakMs;
      this.drawdown.lowMs = Math.floor(atMicros / 1000);
    }
  }

  #sample(atMicros: number): void {
    this.#samples.push({
      atMs: Math.floor(atMicros / 1000),
      bid: this.#bid,
      ask: this.#ask,
      ownBid: this.#ownBid,
      ownAsk: this.#ownAsk,
      position: balanceOf(this.#desk, this.#market.base) - this.#startBase,
      profit: this.#profit,
    });
    if (this.#samples.length >= samplesMax) {
      this.#samples = this.#samples.filter((_, index) => index % 2 === 0);
      this.#spacingMicros *= 2;
    }
    this.#nextSampleMicros = atMicros + this.#spacingMicros;
  }
}

function emptyPresence(): Presence {
  return { quoted: 0, atTouch: 0 };
}

function balanceOf(desk: TapeDesk, currency: string): Atoms {
  return desk.accounts.get(currency)?.balance ?? 0n;
}
