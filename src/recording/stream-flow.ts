/**
 * One market stream as items of order flow, message by message, as a capture has it or as it comes.
 *
 *     awaiting ──snapshot──▶ live ──closed, dropped, out of sequence──▶ awaiting (a gap)
 *
 * Items have the exchange's time, which is in milliseconds; when each reached us is kept as its
 * delay.
 */
import type { BookOrder, BookSnapshot, BookUpdate } from '../domain/book-message.ts';
import { DecodeError } from '../domain/errors.ts';
import { type Market, parseLots, parseTicks, type Side } from '../domain/market.ts';
import { type Lots, parseDecimal, type Ticks } from '../domain/money.ts';
import type { MarketMessage } from '../interface/market-stream.ts';
import { marketStatusOf } from '../market/market-status.ts';
import type { FlowItem, FlowRow, RestingOrder } from './flow-item.ts';

type BookMessage = Extract<MarketMessage, { kind: 'snapshot' | 'update' }>;

type RowPlace = {
  readonly atMicros: number;
  readonly sequence: number;
  readonly endsMessage: boolean;
};

const delayMicrosMax = 2 ** 31 - 1;

export class StreamFlow {
  /** Updates that came while no book was known. */
  framesBeforeBook = 0;
  readonly #market: Market;
  readonly #onWarning: (message: string) => void;
  #items: FlowItem[] = [];
  #last: bigint | undefined;
  #lastMicros = 0;
  /** A file has begun; only the same book at its beginning says that nothing is missing. */
  #isUnconfirmed = false;

  constructor(market: Market, onWarning: (message: string) => void) {
    this.#market = market;
    this.#onWarning = onWarning;
  }

  /** Returns the items since the last call. */
  taken(): readonly FlowItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  /** What comes next may not follow: only the known book, said again, shows that it does. */
  doubt(): void {
    this.#isUnconfirmed = true;
  }

  /** Something other than a book came first: what was in doubt is lost. */
  settleDoubt(): void {
    if (this.#isUnconfirmed) this.lose();
  }

  /** The stream has ended or cannot be followed: a gap until the next snapshot. */
  lose(): void {
    this.#isUnconfirmed = false;
    if (this.#last === undefined) return;
    this.#last = undefined;
    this.#items.push({ kind: 'gap', atMicros: this.#lastMicros });
  }

  /**
   * Takes the next message, which reached us at `receivedMicros`. Throws {@link DecodeError} for
   * amounts that do not fit the market.
   */
  take(message: BookMessage, receivedMicros: number): void {
    if (message.kind === 'snapshot') this.#takeSnapshot(message.snapshot, receivedMicros);
    else this.#takeUpdate(message.update, receivedMicros);
  }

  #takeSnapshot(snapshot: BookSnapshot, receivedMicros: number): void {
    const sequence = BigInt(snapshot.sequence);
    const isKnown = this.#last === sequence;
    if (this.#isUnconfirmed && !isKnown) this.lose();
    this.#isUnconfirmed = false;
    // The same book said again changes nothing.
    if (isKnown) return;
    if (this.#last !== undefined) this.lose();
    this.#last = sequence;
    const orders = [
      ...snapshot.bids.map((order) => this.#order(order, 'BID', receivedMicros)),
      ...snapshot.asks.map((order) => this.#order(order, 'ASK', receivedMicros)),
    ];
    const status = marketStatusOf(snapshot.status);
    this.#items.push({
      ...this.#timeOf(snapshot.timestamp, receivedMicros),
      kind: 'snapshot',
      status,
      orders,
    });
  }

  #takeUpdate(update: BookUpdate, receivedMicros: number): void {
    if (this.#last !== undefined && BigInt(update.sequence) !== this.#last + 1n) {
      this.#onWarning(`out of sequence: ${update.sequence} after ${this.#last}; a gap`);
      this.lose();
    }
    if (this.#last === undefined) {
      this.framesBeforeBook++;
      return;
    }
    this.#last = BigInt(update.sequence);
    const time = this.#timeOf(update.timestamp, receivedMicros);
    const rows = this.#rowsOf(update, { ...time, sequence: 0, endsMessage: false }, receivedMicros);
    const { status } = update;
    const last = rows.pop();
    this.#items.push(...rows);
    if (last !== undefined) this.#items.push({ ...last, endsMessage: status === undefined });
    if (status !== undefined)
      this.#items.push({ ...time, kind: 'status', status: marketStatusOf(status) });
  }

  /** Returns the rows of one message; none of them ends it yet. */
  #rowsOf(update: BookUpdate, place: RowPlace, receivedMicros: number): FlowRow[] {
    const rows: FlowRow[] = update.trades.map((trade) => {
      const volume = this.#lots(trade.base, receivedMicros);
      const price = this.#priceOf(trade, receivedMicros);
      const { makerOrderId: makerId, takerOrderId: takerId } = trade;
      return { ...place, kind: 'trade', makerId, takerId, makerSide: undefined, price, volume };
    });
    const { create, delete: gone } = update;
    if (create !== undefined) {
      const order = this.#order({ ...create, id: create.orderId }, create.side, receivedMicros);
      rows.push({ ...place, kind: 'create', ...order });
    }
    if (gone !== undefined) rows.push({ ...place, kind: 'delete', id: gone.orderId });
    return rows;
  }

  /** A trade tells two amounts; its price is the one that is nearest to their ratio. */
  #priceOf(trade: BookUpdate['trades'][number], receivedMicros: number): Ticks {
    const base = parseDecimal(trade.base);
    const ratio = parseDecimal(trade.counter)?.div(base ?? 1);
    if (base === undefined || ratio === undefined)
      throw new DecodeError(
        `frame at ${receivedMicros}: amounts of trade ${trade.sequence} must be decimals`,
      );
    const text = ratio.toFixed(this.#market.priceScale);
    return parseTicks(text, this.#market) ?? (0 as Ticks);
  }

  #order({ id, price, volume }: BookOrder, side: Side, receivedMicros: number): RestingOrder {
    const ticks = parseTicks(price, this.#market);
    if (ticks === undefined)
      throw new DecodeError(`frame at ${receivedMicros}: price of ${id} does not fit: "${price}"`);
    return { id, side, price: ticks, volume: this.#lots(volume, receivedMicros) };
  }

  #lots(text: string, receivedMicros: number): Lots {
    const volume = parseLots(text, this.#market);
    if (volume === undefined || volume <= 0)
      throw new DecodeError(`frame at ${receivedMicros}: volume does not fit: "${text}"`);
    return volume;
  }

  #timeOf(exchangeMs: number, receivedMicros: number) {
    const atMicros = exchangeMs * 1_000;
    this.#lastMicros = Math.max(this.#lastMicros, atMicros);
    const delayMicros = receivedMicros - atMicros;
    return Math.abs(delayMicros) <= delayMicrosMax ? { atMicros, delayMicros } : { atMicros };
  }
}
