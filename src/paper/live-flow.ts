/**
 * Plays a live market stream to the replay exchange as order-by-order history: the same rows to
 * which a capture of the stream compiles, a block for each message.
 */
import type { BookMessage } from '../domain/book-message.ts';
import { DecodeError } from '../domain/errors.ts';
import type { Market, Side } from '../domain/market.ts';
import { subtractLots } from '../domain/ticks-and-lots.ts';
import { FlowCursor } from '../market/flow/flow-cursor.ts';
import { StreamFlow } from '../recording/capture/stream-flow.ts';
import { BlockEncoder } from '../recording/file/block-encoder.ts';
import type { FlowItem, FlowTrade } from '../recording/file/flow-item.ts';
import type { ReplayMarket } from '../replay-exchange/fill-models/replay-market.ts';

export type LiveFlowOptions = {
  readonly market: Market;
  readonly replay: Pick<ReplayMarket, 'apply'>;
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
  readonly #encoder = new BlockEncoder();
  readonly #cursor = new FlowCursor();
  readonly #own: ReadonlyMap<string, Side>;

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
    // A gap begins after the last message.
    for (const item of this.#flow.taken())
      if (item.kind === 'gap') this.#encoder.add({ ...item, atMicros: this.#encoder.lastMicros });
      else this.#encode({ ...item, atMicros });
    const { replay } = this.#options;
    const built = this.#encoder.take();
    if (built === undefined) return;
    this.#cursor.load(built.block);
    while (this.#cursor.next()) replay.apply(this.#cursor);
  }

  #encode(item: FlowItem): void {
    const own = this.#own;
    if (item.kind === 'trade') this.#encodeTrade(item);
    else if (item.kind === 'snapshot')
      this.#encoder.add({ ...item, orders: item.orders.filter(({ id }) => !own.has(id)) });
    else if (!('id' in item && own.has(item.id))) this.#encoder.add(item);
  }

  #encodeTrade(trade: FlowTrade): void {
    const { makerId, takerId = '', price, volume, sequence, atMicros, endsMessage } = trade;
    const row = { id: makerId, sequence, atMicros, endsMessage };
    const side = this.#own.get(makerId);
    if (side !== undefined) this.#encoder.add({ ...row, kind: 'create', side, price, volume });
    if (!this.#own.has(takerId)) {
      this.#encoder.add(trade);
      return;
    }
    const { orders } = this.#encoder;
    const slot = orders.slotOf(makerId);
    if (slot === 0) return;
    const left = subtractLots(orders.book.volumeOf(slot), volume);
    this.#encoder.add(
      left > 0 ? { ...row, kind: 'resize', volume: left } : { ...row, kind: 'delete' },
    );
  }
}
