/**
 * Converts a live market stream to order-by-order history for a fill model: the same rows to which
 * a capture of the stream compiles.
 *
 * Invariant: the book kept here equals the fill model's book, order by order.
 */
import type { BookMessage } from '../domain/book-message.ts';
import { DecodeError } from '../domain/errors.ts';
import type { Market, Side } from '../domain/market.ts';
import { subtractLots } from '../domain/ticks-and-lots.ts';
import { IdentifiedBook } from '../market/book/identified-book.ts';
import { applyFlowRow } from '../market/book/order-flow-book.ts';
import type { OrderFlowRow } from '../market/flow/order-flow-row.ts';
import { StreamFlow } from '../recording/capture/stream-flow.ts';
import { changesTo } from '../recording/file/book-changes.ts';
import type { FlowItem, FlowTrade, RestingOrder } from '../recording/file/flow-item.ts';
import type { FillModel } from '../replay-exchange/fill-models/fill-model.ts';

type RowWithoutPlace = OrderFlowRow extends infer Row
  ? Row extends OrderFlowRow
    ? Omit<Row, 'sequence' | 'atMicros' | 'endsMessage'>
    : never
  : never;

export type LiveFlowOptions = {
  readonly market: Market;
  readonly fillModel: Pick<FillModel, 'gaps' | 'status'>;
  /** Called with each row; the fill model must have applied it when this returns. */
  readonly offer: (row: OrderFlowRow) => void;
  readonly onWarning: (message: string) => void;
  /**
   * Our own orders in the stream, with their sides, when a run at a real exchange is replayed.
   * They are removed from history. Trades that filled them are offered to our replayed orders;
   * volume that they took is removed, so that nobody takes it a second time.
   */
  readonly own?: ReadonlyMap<string, Side> | undefined;
};

export class LiveFlow {
  readonly #options: LiveFlowOptions;
  readonly #flow: StreamFlow;
  readonly #history = new IdentifiedBook();
  readonly #own: ReadonlyMap<string, Side>;
  #rows = 0;
  /** The time of the last row, after which a gap begins. */
  #lastMicros = 0;

  constructor(options: LiveFlowOptions) {
    this.#options = options;
    this.#own = options.own ?? new Map();
    this.#flow = new StreamFlow(options.market, options.onWarning);
  }

  /** Takes the next message; `atMicros` is the exchange's time, which does not go back. */
  take(message: BookMessage, atMicros: number): void {
    try {
      this.#flow.take(message, atMicros);
    } catch (error) {
      // The bot's own book finds the same fault and reconnects the stream.
      if (!(error instanceof DecodeError)) throw error;
      this.#options.onWarning(`frame at ${atMicros}: ${error.message}`);
      this.#flow.lose();
    }
    this.#play(atMicros);
  }

  /** Notes that the stream has ended; a new stream begins with a snapshot. */
  lose(atMicros: number): void {
    this.#flow.lose();
    this.#play(atMicros);
  }

  #play(atMicros: number): void {
    for (const item of this.#flow.taken()) this.#playItem(item, atMicros);
  }

  #playItem(item: FlowItem, atMicros: number): void {
    const { fillModel } = this.#options;
    const { gaps } = fillModel;
    switch (item.kind) {
      case 'gap':
        gaps.begin(this.#lastMicros);
        return;
      case 'snapshot':
        this.#resync(item.orders, atMicros);
        fillModel.status = item.status;
        gaps.end(atMicros);
        return;
      case 'status':
        fillModel.status = item.status;
        return;
      case 'create':
      case 'delete':
      case 'resize':
        if (!this.#own.has(item.id)) this.#offer(item, atMicros);
        return;
      case 'trade':
        this.#playTrade(item, atMicros);
        return;
      case 'bare-trade':
      case 'candle':
    }
  }

  #playTrade(trade: FlowTrade, atMicros: number): void {
    const { makerId, takerId = '', volume } = trade;
    const ownSide = this.#own.get(makerId);
    if (ownSide !== undefined) {
      const { price } = trade;
      this.#offer({ kind: 'create', id: makerId, side: ownSide, price, volume }, atMicros);
    }
    const slot = this.#history.slotOf(makerId);
    const { book } = this.#history;
    const makerSide = slot === 0 ? 'BID' : book.sideOf(slot);
    if (!this.#own.has(takerId)) {
      this.#offer({ ...trade, makerSide }, atMicros);
      return;
    }
    if (slot === 0) return;
    const left = subtractLots(book.volumeOf(slot), volume);
    this.#offer(
      left > 0 ? { kind: 'resize', id: makerId, volume: left } : { kind: 'delete', id: makerId },
      atMicros,
    );
  }

  #resync(orders: readonly RestingOrder[], atMicros: number): void {
    const others = orders.filter(({ id }) => !this.#own.has(id));
    for (const change of changesTo(this.#history, others))
      this.#offer(
        change.kind === 'create' ? { kind: 'create', ...change.order } : change,
        atMicros,
      );
  }

  #offer(row: RowWithoutPlace, atMicros: number): void {
    const placed = { ...row, sequence: ++this.#rows, atMicros, endsMessage: true };
    this.#lastMicros = atMicros;
    applyFlowRow(this.#history, placed);
    this.#options.offer(placed);
  }
}
