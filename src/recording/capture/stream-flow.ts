/**
 * Turns the messages of one market stream into items of order flow, from a capture or live.
 *
 *     awaiting ──snapshot──▶ live ──closed, dropped, out of sequence──▶ awaiting (a gap)
 *
 * Items have the exchange's time, which is exact to a millisecond, and a delay: the time from then
 * to their receipt.
 */
import type {
  BookMessage,
  BookOrder,
  BookSnapshot,
  BookUpdate,
} from '../../domain/book-message.ts';
import { DecodeError } from '../../domain/errors.ts';
import { type Market, parseLots, parseTicks, type Side } from '../../domain/market.ts';
import { type Lots, parseDecimal, type Ticks } from '../../domain/money.ts';
import type { FlowItem, FlowRow, RestingOrder } from '../file/flow-item.ts';

type RowContent = FlowRow extends infer Row
  ? Row extends FlowRow
    ? Omit<Row, 'sequence' | 'atMicros' | 'endsMessage'>
    : never
  : never;

const delayMicrosMax = 2 ** 31 - 1;

export class StreamFlow {
  /** Number of updates received while no book was known. */
  framesBeforeBook = 0;
  readonly #market: Market;
  readonly #onWarning: (message: string) => void;
  #items: FlowItem[] = [];
  #last: bigint | undefined;
  #lastMicros = 0;
  /** Messages may be missing, unless the next entry repeats the known book. */
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

  /** Call it when messages may be missing, as between two files. */
  markUnconfirmed(): void {
    this.#isUnconfirmed = true;
  }

  /** Call it for each entry that is not a book: an unconfirmed stream is then lost. */
  loseUnconfirmed(): void {
    if (this.#isUnconfirmed) this.lose();
  }

  /** Call it when the stream has ended or is broken: there is a gap until the next snapshot. */
  lose(): void {
    this.#isUnconfirmed = false;
    if (this.#last === undefined) return;
    this.#last = undefined;
    this.#items.push({ kind: 'gap', atMicros: this.#lastMicros });
  }

  /**
   * Takes the next message, received at `receivedMicros`. Throws {@link DecodeError} for amounts
   * that do not fit the market and takes nothing of the message; the caller must then call
   * {@link lose}.
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
    // A repeated book changes nothing.
    if (isKnown) return;
    if (this.#last !== undefined) this.lose();
    const orders = [
      ...snapshot.bids.map((order) => this.#order(order, 'BID')),
      ...snapshot.asks.map((order) => this.#order(order, 'ASK')),
    ];
    const { status } = snapshot;
    this.#last = sequence;
    const time = this.#timeOf(snapshot.timestamp, receivedMicros);
    this.#items.push({ ...time, kind: 'snapshot', status, orders });
  }

  #takeUpdate(update: BookUpdate, receivedMicros: number): void {
    if (this.#last !== undefined && BigInt(update.sequence) !== this.#last + 1n) {
      this.#onWarning(`out of sequence: ${update.sequence} after ${this.#last}; recorded as a gap`);
      this.lose();
    }
    if (this.#last === undefined) {
      this.framesBeforeBook++;
      return;
    }
    const contents = this.#contentsOf(update);
    this.#last = BigInt(update.sequence);
    const time = this.#timeOf(update.timestamp, receivedMicros);
    const rows = contents.map(
      (content): FlowRow => ({
        ...content,
        ...time,
        sequence: 0,
        endsMessage: false,
      }),
    );
    const { status } = update;
    const last = rows.pop();
    this.#items.push(...rows);
    if (last !== undefined) this.#items.push({ ...last, endsMessage: status === undefined });
    if (status !== undefined) this.#items.push({ ...time, kind: 'status', status });
  }

  /** Returns the rows of one message, without sequence and time. */
  #contentsOf(update: BookUpdate): RowContent[] {
    const contents: RowContent[] = update.trades.map((trade) => {
      const [price, volume] = [this.#priceOf(trade), this.#lots(trade.base)];
      const { makerOrderId: makerId, takerOrderId: takerId } = trade;
      return { kind: 'trade', makerId, takerId, makerSide: undefined, price, volume };
    });
    const { create, delete: deleted } = update;
    if (create !== undefined)
      contents.push({
        kind: 'create',
        ...this.#order({ ...create, id: create.orderId }, create.side),
      });
    if (deleted !== undefined) contents.push({ kind: 'delete', id: deleted.orderId });
    return contents;
  }

  /** A trade message has two amounts and no price: returns the price nearest to their ratio. */
  #priceOf({ sequence, base, counter }: BookUpdate['trades'][number]): Ticks {
    const volume = parseDecimal(base);
    const ratio = volume?.isZero() ? undefined : parseDecimal(counter)?.div(volume ?? 1);
    const price = ratio && parseTicks(ratio.toFixed(this.#market.priceScale), this.#market);
    if (price === undefined)
      throw new DecodeError(
        `trade ${sequence}: the amounts "${base}" and "${counter}" give no price`,
      );
    return price;
  }

  #order({ id, price, volume }: BookOrder, side: Side): RestingOrder {
    const ticks = parseTicks(price, this.#market);
    if (ticks === undefined)
      throw new DecodeError(`price of ${id} does not fit ${this.#scale('price')}: "${price}"`);
    return { id, side, price: ticks, volume: this.#lots(volume) };
  }

  #lots(text: string): Lots {
    const volume = parseLots(text, this.#market);
    if (volume === undefined || volume <= 0)
      throw new DecodeError(`volume does not fit ${this.#scale('volume')}: "${text}"`);
    return volume;
  }

  #scale(name: 'price' | 'volume'): string {
    return `the market, which has ${this.#market[`${name}Scale`]} decimals`;
  }

  #timeOf(exchangeMs: number, receivedMicros: number) {
    const atMicros = exchangeMs * 1_000;
    this.#lastMicros = Math.max(this.#lastMicros, atMicros);
    const delayMicros = receivedMicros - atMicros;
    return Math.abs(delayMicros) <= delayMicrosMax ? { atMicros, delayMicros } : { atMicros };
  }
}
