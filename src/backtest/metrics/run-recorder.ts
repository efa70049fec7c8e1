/**
 * Records one market of a backtest as the exchange sees it, before any latency: profit, the prices
 * of our quotes, and every fill.
 *
 * It only observes, and keeps sums. The number of samples is bounded: when there are too many,
 * every second sample is dropped and the spacing doubled. Values are exact, in the counter
 * currency; the worst drawdown is tracked at every change of the mid, not only at samples.
 */
import type { Amount } from '../../domain/amount.ts';
import type { Side } from '../../domain/market.ts';
import type { Ticks } from '../../domain/money.ts';
import type { OrderFlowRow } from '../../market/flow/order-flow-row.ts';
import type { AccountMarket } from '../../replay-exchange/account/account-market.ts';
import type { AccountChange } from '../../replay-exchange/account/account-snapshot.ts';
import type { ReplayTrade } from '../../replay-exchange/account/replay-order.ts';
import { FillLog } from './fill-log.ts';
import { MinuteSums } from './minute-sums.ts';
import { OrderSums } from './order-sums.ts';
import { type Drawdown, ProfitTrack } from './profit-track.ts';
import { TradeSums } from './trade-sums.ts';

const samplesMax = 3_000;
const minuteMicros = 60_000_000;

/** The states whose durations are added up. */
const watched = 0;
const bothQuoted = 1;
const bidQuoted = 2;
const askQuoted = 3;
const bidAtTouch = 4;
const askAtTouch = 5;
const states = 6;

/** The state of the run at one moment. */
export type Sample = {
  readonly atMs: number;
  readonly bid: Ticks | undefined;
  readonly ask: Ticks | undefined;
  readonly ownBid: Ticks | undefined;
  readonly ownAsk: Ticks | undefined;
  /** Gained since the start: base currency, and the total value in the counter currency. */
  readonly position: Amount;
  readonly profit: Amount;
};

/** How long our best order on a side was in the book, and at the touch, in microseconds. */
export type Presence = { readonly quoted: number; readonly atTouch: number };

export class RunRecorder {
  readonly log: FillLog;
  readonly trades: TradeSums;
  readonly orders = new OrderSums();
  /** Profit at the end of each minute, for ratios. */
  readonly minutes = new MinuteSums();
  /** The account's counter currency at the start. */
  readonly startCounter: Amount;
  /** The value of its base currency at the first mid; undefined before that. */
  startBaseWorth: Amount | undefined;
  /** Twice the last known mid, in ticks; undefined before the first. */
  lastMid2: number | undefined;
  #samples: Sample[] = [];
  readonly #accountMarket: AccountMarket;
  readonly #track: ProfitTrack;
  /** How long each state lasted, in microseconds; in an array, numbers take no new memory. */
  readonly #lasted = new Float64Array(states);
  readonly #startBase: Amount;
  // Not an integer at first, so that V8 never changes how it stores the field: in a run of weeks
  // it leaves the range of V8's small integers, and all code of the recorder was compiled again.
  #spacingMicros = 0.5;
  #nextSampleMicros: number;
  #nextMinuteMicros: number;
  #lastMicros: number;
  /** Trades since the last update. */
  #newTrades: ReplayTrade[] = [];
  #topChanges = -1;
  #isWithinMessage = false;
  #isFinished = false;
  #bid: Ticks | undefined;
  #ask: Ticks | undefined;
  #ownBid: Ticks | undefined;
  #ownAsk: Ticks | undefined;
  /** Whether there were trades that the profit does not include yet. */
  #hasTraded = false;

  constructor(accountMarket: AccountMarket, startMicros: number) {
    this.#accountMarket = accountMarket;
    this.#track = new ProfitTrack(accountMarket.market, Math.floor(startMicros / 1000));
    this.log = new FillLog(accountMarket.market);
    this.trades = new TradeSums(accountMarket.market);
    this.#startBase = balanceOf(accountMarket, accountMarket.market.base);
    this.startCounter = balanceOf(accountMarket, accountMarket.market.counter);
    this.#lastMicros = startMicros;
    this.#spacingMicros = 1_000_000;
    this.#nextSampleMicros = startMicros;
    this.#nextMinuteMicros = startMicros + minuteMicros;
    this.#readPrices();
    this.#value(startMicros);
    accountMarket.watch((change) => this.#noteChange(change));
  }

  /** The currency in which values are given. */
  get counter(): string {
    return this.#accountMarket.market.counter;
  }

  /** Samples, oldest first. */
  get samples(): readonly Sample[] {
    return this.#samples;
  }

  /** Profit since the start, in the counter currency. */
  get profit(): Amount {
    return this.#track.profit;
  }

  get drawdown(): Drawdown {
    return this.#track.drawdown;
  }

  get watchedMicros(): number {
    return this.#lasted[watched] as number;
  }

  get bothQuotedMicros(): number {
    return this.#lasted[bothQuoted] as number;
  }

  get presence(): Readonly<Record<Side, Presence>> {
    const lasted = (state: number): number => this.#lasted[state] as number;
    return {
      BID: { quoted: lasted(bidQuoted), atTouch: lasted(bidAtTouch) },
      ASK: { quoted: lasted(askQuoted), atTouch: lasted(askAtTouch) },
    };
  }

  /**
   * To be called after each applied row of history. Returns whether anything may have changed.
   */
  noteRow(row: Pick<OrderFlowRow, 'atMicros' | 'endsMessage'>): boolean {
    // Between the rows of one message the book is in a state that never existed.
    this.#isWithinMessage = !row.endsMessage;
    if (this.#isWithinMessage) return false;
    const isUnchanged = this.#isUnchanged(row);
    const { book } = this.#accountMarket.fillModel;
    const { topChanges } = book;
    if (isUnchanged && topChanges === this.#topChanges) return false;
    // Usually only volumes changed. While prices stay, the elapsed time may be counted later.
    if (isUnchanged && book.bestPrice('BID') === this.#bid && book.bestPrice('ASK') === this.#ask)
      this.#topChanges = topChanges;
    else this.#moveTo(row.atMicros);
    return true;
  }

  /** To be called when our orders may have changed between two rows. See {@link noteRow}. */
  noteOrders(atMicros: number): boolean {
    if (this.#isWithinMessage || this.#isFinished) return false;
    return this.noteRow({ atMicros, endsMessage: true });
  }

  /** Takes the last sample and the orders that are still open, and stops recording. */
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
    if (change.kind === 'trade') this.#newTrades.push(change.trade);
    else if (change.kind === 'order' && change.order.status === 'COMPLETE')
      this.orders.add(change.order);
  }

  /** Whether our quotes and trades are unchanged and no sample is due. */
  #isUnchanged({ atMicros }: Pick<OrderFlowRow, 'atMicros'>): boolean {
    const { fillModel } = this.#accountMarket;
    return (
      atMicros < this.#nextSampleMicros &&
      this.#newTrades.length === 0 &&
      fillModel.bestOwnPrice('BID') === this.#ownBid &&
      fillModel.bestOwnPrice('ASK') === this.#ownAsk
    );
  }

  #moveTo(atMicros: number): void {
    this.#pass(atMicros);
    this.#takeTrades();
    const mid2Before = this.#mid2();
    this.#readPrices();
    if (this.#mid2() !== mid2Before || this.#hasTraded) this.#value(atMicros);
    if (atMicros >= this.#nextSampleMicros) this.#sample(atMicros);
  }

  #mid2(): number | undefined {
    return this.#bid === undefined || this.#ask === undefined ? undefined : this.#bid + this.#ask;
  }

  /** Adds the time since the last update to the sums of the state that lasted until now. */
  #pass(atMicros: number): void {
    this.log.pass(Math.floor(atMicros / 1000), this.#mid2());
    while (this.#nextMinuteMicros <= atMicros) {
      this.minutes.add(this.#track.takeChange());
      this.#nextMinuteMicros += minuteMicros;
    }
    const elapsed = atMicros - this.#lastMicros;
    if (elapsed <= 0) return;
    this.#lastMicros = atMicros;
    const [bid, ask] = [this.#ownBid, this.#ownAsk];
    this.#count(watched, elapsed);
    if (bid !== undefined) {
      this.#count(bidQuoted, elapsed);
      if (this.#bid === undefined || bid >= this.#bid) this.#count(bidAtTouch, elapsed);
    }
    if (ask !== undefined) {
      this.#count(askQuoted, elapsed);
      if (this.#ask === undefined || ask <= this.#ask) this.#count(askAtTouch, elapsed);
    }
    if (bid !== undefined && ask !== undefined) this.#count(bothQuoted, elapsed);
  }

  #count(state: number, elapsed: number): void {
    this.#lasted[state] = (this.#lasted[state] as number) + elapsed;
  }

  #takeTrades(): void {
    if (this.#newTrades.length === 0) return;
    for (const trade of this.#newTrades) {
      this.log.add(trade, this.#mid2());
      this.trades.add(trade);
    }
    this.#newTrades = [];
    this.#hasTraded = true;
  }

  #readPrices(): void {
    const { fillModel } = this.#accountMarket;
    this.#topChanges = fillModel.book.topChanges;
    this.#bid = fillModel.book.bestPrice('BID');
    this.#ask = fillModel.book.bestPrice('ASK');
    this.#ownBid = fillModel.bestOwnPrice('BID');
    this.#ownAsk = fillModel.bestOwnPrice('ASK');
  }

  #value(atMicros: number): void {
    this.lastMid2 = this.#mid2() ?? this.lastMid2;
    const mid2 = this.lastMid2;
    if (mid2 === undefined) return;
    this.startBaseWorth ??= this.#track.worthOf(this.#startBase, mid2);
    if (this.#hasTraded) this.#track.hold(this.#accountMarket.gained);
    this.#hasTraded = false;
    this.#track.move(mid2, Math.floor(atMicros / 1000));
  }

  #sample(atMicros: number): void {
    // Thinning before adding always keeps the first sample and the newest.
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
      profit: this.profit,
    });
    this.#nextSampleMicros = atMicros + this.#spacingMicros;
  }
}

function balanceOf(accountMarket: AccountMarket, currency: string): Amount {
  return accountMarket.accounts.get(currency)?.balance ?? 0n;
}
