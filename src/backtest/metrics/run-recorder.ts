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
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { TimeSpan, TimeSpans } from '../../market/flow/time-spans.ts';
import type { AccountMarket } from '../../replay-exchange/account/account-market.ts';
import type { AccountChange } from '../../replay-exchange/account/account-snapshot.ts';
import type { ReplayTrade } from '../../replay-exchange/account/replay-order.ts';
import { DaySums } from './day-sums.ts';
import { FillLog } from './fill-log.ts';
import { InventoryTrack } from './inventory-track.ts';
import { Lasting } from './lasting.ts';
import { MinuteSums } from './minute-sums.ts';
import { OrderSums } from './order-sums.ts';
import { type Drawdown, ProfitTrack } from './profit-track.ts';
import { TradeSums } from './trade-sums.ts';

const samplesMax = 3_000;
const minuteMicros = 60_000_000;

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
  readonly days: DaySums;
  readonly inventory: InventoryTrack;
  /** Profit at the end of each minute that was recorded, for ratios. */
  readonly minutes = new MinuteSums();
  /** The account's base and counter currency at the start. */
  readonly startBase: Amount;
  readonly startCounter: Amount;
  /** The value of the base currency at the first mid; undefined before that. */
  startBaseWorth: Amount | undefined;
  /** Twice the first and the last known mid, in ticks; undefined before the first. */
  firstMid2: number | undefined;
  lastMid2: number | undefined;
  #samples: Sample[] = [];
  readonly #accountMarket: AccountMarket;
  readonly #track: ProfitTrack;
  readonly #bidQuoted = new Lasting();
  readonly #askQuoted = new Lasting();
  readonly #bothQuoted = new Lasting();
  readonly #bidAtTouch = new Lasting();
  readonly #askAtTouch = new Lasting();
  readonly #startMicros: number;
  // Not an integer at first, so that V8 never changes how it stores the field: in a run of weeks
  // it leaves the range of V8's small integers, and all code of the recorder was compiled again.
  // Without an initial value, each write would allocate a number.
  #spacingMicros = 0.5;
  #nextSampleMicros = 0.5;
  #nextMinuteMicros = 0.5;
  #lastMicros = 0.5;
  /** Trades since the last update. */
  #newTrades: ReplayTrade[] = [];
  #topChanges = -1;
  /** Whether our orders may have changed since the last update. */
  #hasNewOrders = false;
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
    this.log = new FillLog(accountMarket.market, accountMarket.replay.history.unwatched);
    this.trades = new TradeSums(accountMarket.market);
    this.days = new DaySums(startMicros);
    this.inventory = new InventoryTrack(startMicros);
    this.startBase = balanceOf(accountMarket, accountMarket.market.base);
    this.startCounter = balanceOf(accountMarket, accountMarket.market.counter);
    this.#startMicros = startMicros;
    this.#lastMicros = startMicros;
    this.#spacingMicros = 1_000_000;
    this.#nextSampleMicros = startMicros;
    this.#nextMinuteMicros = startMicros + minuteMicros;
    this.#readPrices();
    this.#readQuotes();
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

  /** Gained since the start, in the base currency. */
  get position(): Amount {
    return this.#track.position;
  }

  get drawdown(): Drawdown {
    return this.#track.drawdown;
  }

  /** Returns `base` at twice the mid `mid2` in ticks, in the counter currency. */
  worthOf(base: Amount, mid2: number): Amount {
    return this.#track.worthOf(base, mid2);
  }

  /** How long the worst drawdown lasted, without the times that nobody recorded. */
  get drawdownSeconds(): number {
    const { peakMs, lowMs } = this.drawdown;
    return this.unwatched.outside(peakMs * 1_000, lowMs * 1_000) / 1e6;
  }

  /** The times that nobody recorded. All shares and ratios of time leave them out. */
  get unwatched(): TimeSpans {
    return this.#accountMarket.replay.history.unwatched;
  }

  get span(): TimeSpan {
    return { fromMicros: this.#startMicros, toMicros: this.#lastMicros };
  }

  get watchedMicros(): number {
    return this.unwatched.outside(this.#startMicros, this.#lastMicros);
  }

  get bothQuotedMicros(): number {
    return this.#bothQuoted.until(this.#watched(this.#lastMicros));
  }

  get presence(): Readonly<Record<Side, Presence>> {
    const atMicros = this.#watched(this.#lastMicros);
    const until = (state: Lasting): number => state.until(atMicros);
    return {
      BID: { quoted: until(this.#bidQuoted), atTouch: until(this.#bidAtTouch) },
      ASK: { quoted: until(this.#askQuoted), atTouch: until(this.#askAtTouch) },
    };
  }

  /**
   * To be called after each applied row of history. Returns whether anything may have changed.
   */
  noteRow(row: Pick<FlowCursor, 'atMicros' | 'endsMessage'>): boolean {
    // Between the rows of one message the book is in a state that never existed.
    this.#isWithinMessage = !row.endsMessage;
    return row.endsMessage && this.#note(row.atMicros);
  }

  /** To be called when our orders may have changed between two rows. See {@link noteRow}. */
  noteOrders(atMicros: number): boolean {
    return !this.#isWithinMessage && !this.#isFinished && this.#note(atMicros);
  }

  /** Takes the last sample and the orders that are still open, and stops recording. */
  finish(atMicros: number): void {
    this.#moveTo(atMicros);
    this.#pass(atMicros, this.#mid2());
    this.#sample(atMicros);
    this.#endDay(atMicros);
    this.trades.end();
    for (const order of this.#accountMarket.orders.values())
      if (order.status === 'PENDING') this.orders.add(order);
    this.#isFinished = true;
  }

  #noteChange(change: AccountChange): void {
    if (this.#isFinished) return;
    this.#hasNewOrders = true;
    if (change.kind === 'trade') this.#newTrades.push(change.trade);
    else if (change.kind === 'order' && change.order.status === 'COMPLETE')
      this.orders.add(change.order);
  }

  #note(atMicros: number): boolean {
    const { topChanges } = this.#accountMarket.replay.history.book;
    const isUnchanged = topChanges === this.#topChanges && !this.#hasNewOrders;
    if (isUnchanged && atMicros < this.#nextSampleMicros) return false;
    this.#moveTo(atMicros);
    return true;
  }

  #moveTo(atMicros: number): void {
    if (atMicros > this.#lastMicros) this.#lastMicros = atMicros;
    const mid2Before = this.#mid2();
    const isMoved = this.#readPrices();
    const hasTraded = this.#newTrades.length > 0;
    // While the mid and the position stay, there is nothing to value.
    if (isMoved || hasTraded) this.#pass(atMicros, mid2Before);
    if (hasTraded) this.#takeTrades(mid2Before);
    if (isMoved || this.#hasNewOrders) this.#readQuotes();
    if (this.#mid2() !== mid2Before || this.#hasTraded) this.#value(atMicros);
    if (atMicros >= this.#nextSampleMicros) this.#sample(atMicros);
  }

  /** A clock that stands still while nobody records. */
  #watched(atMicros: number): number {
    return atMicros - this.unwatched.before(atMicros);
  }

  #mid2(): number | undefined {
    return this.#bid === undefined || this.#ask === undefined ? undefined : this.#bid + this.#ask;
  }

  /** Notes that twice the mid was `mid2` and profit the same until now, when they may change. */
  #pass(atMicros: number, mid2: number | undefined): void {
    this.log.pass(Math.floor(atMicros / 1000), mid2);
    const watchedMicros = this.#watched(atMicros);
    const valuedAt = mid2 ?? this.lastMid2;
    if (valuedAt !== undefined) this.inventory.pass(watchedMicros, valuedAt);
    while (this.days.endMicros <= atMicros) this.#endDay(this.days.endMicros);
    while (this.#nextMinuteMicros <= watchedMicros) {
      this.minutes.add(this.#track.takeChange());
      this.#nextMinuteMicros += minuteMicros;
    }
  }

  #endDay(atMicros: number): void {
    const { trades } = this;
    this.days.end({
      fills: trades.count,
      turnover: trades.turnover,
      fees: trades.fees,
      profit: this.profit,
      position: this.position,
      watchedMicros: this.unwatched.outside(this.#startMicros, atMicros),
    });
  }

  /** `mid2` is twice the mid just before the trades. */
  #takeTrades(mid2: number | undefined): void {
    for (const trade of this.#newTrades) {
      this.log.add(trade, mid2);
      this.trades.add(trade, this.#watched(trade.timeMs * 1_000) / 1_000);
    }
    this.#newTrades = [];
    this.inventory.hold(this.#accountMarket.gained.base);
    this.#hasTraded = true;
  }

  /** Reads the best prices of the book; returns whether one has changed. */
  #readPrices(): boolean {
    const { book } = this.#accountMarket.replay.history;
    const bid = book.bestPrice('BID');
    const ask = book.bestPrice('ASK');
    this.#topChanges = book.topChanges;
    if (bid === this.#bid && ask === this.#ask) return false;
    this.#bid = bid;
    this.#ask = ask;
    return true;
  }

  /**
   * Reads the prices of our quotes, and compares them with those of the book. After a bar, an order
   * that waited for it may rest, which no change of the account reports.
   */
  #readQuotes(): void {
    const { replay } = this.#accountMarket;
    const atMicros = this.#watched(this.#lastMicros);
    const bid = replay.bestOwnPrice('BID');
    const ask = replay.bestOwnPrice('ASK');
    const hadQuote = this.#ownBid !== undefined || this.#ownAsk !== undefined;
    this.#ownBid = bid;
    this.#ownAsk = ask;
    this.#hasNewOrders = false;
    // Without a quote, before and now, nothing changes below.
    if (!hadQuote && bid === undefined && ask === undefined) return;
    const hasBid = bid !== undefined;
    const hasAsk = ask !== undefined;
    this.#bidQuoted.set(hasBid, atMicros);
    this.#askQuoted.set(hasAsk, atMicros);
    this.#bothQuoted.set(hasBid && hasAsk, atMicros);
    this.#bidAtTouch.set(hasBid && (this.#bid === undefined || bid >= this.#bid), atMicros);
    this.#askAtTouch.set(hasAsk && (this.#ask === undefined || ask <= this.#ask), atMicros);
  }

  #value(atMicros: number): void {
    this.lastMid2 = this.#mid2() ?? this.lastMid2;
    const mid2 = this.lastMid2;
    if (mid2 === undefined) return;
    this.firstMid2 ??= mid2;
    this.startBaseWorth ??= this.worthOf(this.startBase, mid2);
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
