/**
 * Watches one market of a backtest at the exchange's side of the latencies: what trading there has
 * gained, where our orders stand, and every fill.
 *
 * It only looks, and keeps sums. Samples are bounded: when there are too many, every second one is
 * dropped and the distance doubled. Worth is exact, in atoms of the counter currency; the worst
 * drawdown is followed at every change of the mid, not only at the samples.
 */
import type { Amount } from '../../domain/amount.ts';
import type { Ticks } from '../../domain/money.ts';
import type { OrderFlowRow } from '../../market/flow/order-flow-row.ts';
import type { AccountMarket } from '../../replay-exchange/account/account-market.ts';
import type { AccountChange } from '../../replay-exchange/account/account-snapshot.ts';
import type { ReplayTrade } from '../../replay-exchange/account/replay-order.ts';
import { FillLog } from './fill-log.ts';
import { MinuteSums } from './minute-sums.ts';
import { OrderSums } from './order-sums.ts';
import { TradeSums } from './trade-sums.ts';

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
  readonly position: Amount;
  readonly profit: Amount;
};

/** How long our best order of a side was in the market, in microseconds. */
export type Presence = { quoted: number; atTouch: number };

export class RunRecorder {
  readonly log: FillLog;
  readonly trades: TradeSums;
  readonly orders = new OrderSums();
  readonly presence = { BID: emptyPresence(), ASK: emptyPresence() };
  /** Profit at the end of each minute, for ratios. */
  readonly minutes = new MinuteSums();
  readonly drawdown = { worst: 0n, peakMs: 0, lowMs: 0 };
  /** What the account had at the start. */
  readonly startCounter: Amount;
  /** What its base currency was worth at the first mid; undefined if there never was one. */
  startBaseWorth: Amount | undefined;
  /** Twice the last mid that there was, in ticks; undefined if there never was one. */
  lastMid2: number | undefined;
  bothQuotedMicros = 0;
  watchedMicros = 0;
  #samples: Sample[] = [];
  readonly #accountMarket: AccountMarket;
  /** Half ticks in one unit of the counter currency. */
  readonly #halfTicksPerUnit: bigint;
  readonly #startBase: Amount;
  #spacingMicros = 1_000_000;
  #nextSampleMicros: number;
  #nextMinuteMicros: number;
  #lastMicros: number;
  /** Trades since the last look. */
  #untaken: ReplayTrade[] = [];
  #topChanges = -1;
  #isWithinMessage = false;
  #isFinished = false;
  #bid: Ticks | undefined;
  #ask: Ticks | undefined;
  #ownBid: Ticks | undefined;
  #ownAsk: Ticks | undefined;
  #profit = 0n;
  #peak = 0n;
  #peakMs: number;

  constructor(accountMarket: AccountMarket, startMicros: number) {
    this.#accountMarket = accountMarket;
    this.#halfTicksPerUnit = 2n * 10n ** BigInt(accountMarket.market.priceScale);
    this.log = new FillLog(accountMarket.market);
    this.trades = new TradeSums(accountMarket.market);
    this.#startBase = balanceOf(accountMarket, accountMarket.market.base);
    this.startCounter = balanceOf(accountMarket, accountMarket.market.counter);
    this.#lastMicros = startMicros;
    this.#nextSampleMicros = startMicros;
    this.#nextMinuteMicros = startMicros + minuteMicros;
    this.#peakMs = Math.floor(startMicros / 1000);
    this.#look();
    this.#value(startMicros);
    accountMarket.watch((change) => this.#noteChange(change));
  }

  /** The currency that all worth is told in. */
  get counter(): string {
    return this.#accountMarket.market.counter;
  }

  /** Samples in order of time. */
  get samples(): readonly Sample[] {
    return this.#samples;
  }

  /** Gained since the start, worth in the counter currency. */
  get profit(): Amount {
    return this.#profit;
  }

  /**
   * To be called after each row of history was applied; returns whether anything may have changed.
   */
  noteRow(row: Pick<OrderFlowRow, 'atMicros' | 'endsMessage'>): boolean {
    // Within a message the book never existed as it stands.
    this.#isWithinMessage = !row.endsMessage;
    if (this.#isWithinMessage) return false;
    const isStill = this.#isStill(row);
    const { book } = this.#accountMarket.fillModel;
    const { topChanges } = book;
    if (isStill && topChanges === this.#topChanges) return false;
    // Mostly only volumes are others; as long as prices stand, the time may be counted later.
    if (isStill && book.bestPrice('BID') === this.#bid && book.bestPrice('ASK') === this.#ask)
      this.#topChanges = topChanges;
    else this.#moveTo(row.atMicros);
    return true;
  }

  /** To be called when our orders may have changed between two rows; returns as {@link noteRow}. */
  noteOrders(atMicros: number): boolean {
    if (this.#isWithinMessage || this.#isFinished) return false;
    return this.noteRow({ atMicros, endsMessage: true });
  }

  /** Takes the last sample, and the orders that are still open; nothing is watched after it. */
  finish(atMicros: number): void {
    this.#moveTo(atMicros);
    this.#sample(atMicros);
    this.trades.end();
    for (const order of this.#accountMarket.orders.values())
      if (order.status === 'PENDING') this.orders.add(order);
    this.#isFinished = true;
  }

  #noteChange(change: AccountChange): void {
    if (this.#isFinished) return;
    if (change.kind === 'trade') this.#untaken.push(change.trade);
    else if (change.kind === 'order' && change.order.status === 'COMPLETE')
      this.orders.add(change.order);
  }

  /** Whether all that is watched of ours stands as before, and no sample is due. */
  #isStill({ atMicros }: Pick<OrderFlowRow, 'atMicros'>): boolean {
    const { fillModel } = this.#accountMarket;
    return (
      atMicros < this.#nextSampleMicros &&
      this.#untaken.length === 0 &&
      fillModel.bestOwnPrice('BID') === this.#ownBid &&
      fillModel.bestOwnPrice('ASK') === this.#ownAsk
    );
  }

  #moveTo(atMicros: number): void {
    this.#pass(atMicros);
    const hasTraded = this.#takeTrades();
    const mid2Before = this.#mid2;
    this.#look();
    if (this.#mid2 !== mid2Before || hasTraded) this.#value(atMicros);
    if (atMicros >= this.#nextSampleMicros) this.#sample(atMicros);
  }

  get #mid2(): number | undefined {
    return this.#bid === undefined || this.#ask === undefined ? undefined : this.#bid + this.#ask;
  }

  /** What stood until now has stood for so long. */
  #pass(atMicros: number): void {
    this.log.pass(Math.floor(atMicros / 1000), this.#mid2);
    while (this.#nextMinuteMicros <= atMicros) {
      this.minutes.add(this.#profit);
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

  /** Returns whether there were any. */
  #takeTrades(): boolean {
    if (this.#untaken.length === 0) return false;
    for (const trade of this.#untaken) {
      this.log.add(trade, this.#mid2);
      this.trades.add(trade);
    }
    this.#untaken = [];
    return true;
  }

  #look(): void {
    const { fillModel } = this.#accountMarket;
    this.#topChanges = fillModel.book.topChanges;
    this.#bid = fillModel.book.bestPrice('BID');
    this.#ask = fillModel.book.bestPrice('ASK');
    this.#ownBid = fillModel.bestOwnPrice('BID');
    this.#ownAsk = fillModel.bestOwnPrice('ASK');
  }

  #value(atMicros: number): void {
    this.lastMid2 = this.#mid2 ?? this.lastMid2;
    const mid2 = this.lastMid2;
    if (mid2 === undefined) return;
    this.startBaseWorth ??= this.#worthOf(this.#startBase, mid2);
    const { gained } = this.#accountMarket;
    this.#profit = gained.counter + this.#worthOf(gained.base, mid2);
    if (this.#profit >= this.#peak) {
      this.#peak = this.#profit;
      this.#peakMs = Math.floor(atMicros / 1000);
    } else if (this.#peak - this.#profit > this.drawdown.worst) {
      this.drawdown.worst = this.#peak - this.#profit;
      this.drawdown.peakMs = this.#peakMs;
      this.drawdown.lowMs = Math.floor(atMicros / 1000);
    }
  }

  #worthOf(position: Amount, mid2: number): Amount {
    return position === 0n ? 0n : (position * BigInt(mid2)) / this.#halfTicksPerUnit;
  }

  #sample(atMicros: number): void {
    // Before it is put in: the newest and the first always stay.
    if (this.#samples.length >= samplesMax) {
      this.#samples = this.#samples.filter((_, index) => index % 2 === 0);
      this.#spacingMicros *= 2;
    }
    this.#samples.push({
      atMs: Math.floor(atMicros / 1000),
      bid: this.#bid,
      ask: this.#ask,
      ownBid: this.#ownBid,
      ownAsk: this.#ownAsk,
      position: this.#accountMarket.gained.base,
      profit: this.#profit,
    });
    this.#nextSampleMicros = atMicros + this.#spacingMicros;
  }
}

function emptyPresence(): Presence {
  return { quoted: 0, atTouch: 0 };
}

function balanceOf(accountMarket: AccountMarket, currency: string): Amount {
  return accountMarket.accounts.get(currency)?.balance ?? 0n;
}
