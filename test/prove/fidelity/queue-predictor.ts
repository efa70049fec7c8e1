/**
 * The model under test: the queue fill model of backtests, over a history without the shadow order.
 *
 * Without the shadow order an aggressor would have taken other orders. So its whole volume is
 * matched again with the queue that is left, first in, first out, and the fill model receives those
 * trades. Nothing that it receives was caused by the shadow order.
 */
import { type Market, opposite } from '../../../src/domain/market.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { addLots, minLots, movedBy, subtractLots } from '../../../src/domain/ticks-and-lots.ts';
import type { OrderFlowRow } from '../../../src/market/flow/order-flow-row.ts';
import { ReplayMarket } from '../../../src/replay-exchange/fill-models/replay-market.ts';
import { EncodedHistory } from '../../support/encoded-history.ts';
import {
  type FillPredictor,
  FillProgress,
  type LevelEvent,
  type ShadowOrderTerms,
} from './fill-predictor.ts';

/** Small, because a level has few orders and each shadow order has a fill model of its own. */
const bookOptions = { windowBits: 6, ordersExpected: 8 };
const noFees = { maker: '0', taker: '0' };
/** An order that represents all the liquidity behind the level. */
const behindId = 'behind';

type Placed = 'sequence' | 'atMicros' | 'endsMessage';
type BareRow = OrderFlowRow extends infer Row
  ? Row extends unknown
    ? Omit<Row, Placed>
    : never
  : never;

export class QueuePredictor implements FillPredictor {
  readonly progress: FillProgress;
  readonly #shadow: ShadowOrderTerms;
  readonly #history: EncodedHistory;
  /** The other orders at the level, in queue order. */
  readonly #queue: Map<string, Lots>;

  constructor(market: Market, shadow: ShadowOrderTerms) {
    const { side, price, volume, createdMicros, ahead } = shadow;
    this.progress = new FillProgress(volume);
    this.#shadow = shadow;
    this.#queue = new Map(ahead.map((order) => [order.id, order.volume]));
    const model = new ReplayMarket({
      market,
      rates: noFees,
      data: { kind: 'orders', book: bookOptions },
      listener: (event) => {
        if (event.kind === 'filled') this.progress.fill(event.base, event.atMicros);
      },
    });
    this.#history = new EncodedHistory((row) => model.apply(row), bookOptions);
    for (const order of ahead)
      this.#applyRow(createdMicros, { kind: 'create', ...order, side, price });
    const terms = { side, price, volume, timeInForce: 'GTC', postOnly: false } as const;
    model.place({ clientOrderId: '', ...terms }, createdMicros);
  }

  apply(event: LevelEvent): void {
    const { atMicros } = event;
    const { side, price } = this.#shadow;
    switch (event.kind) {
      case 'joined': {
        const { id, volume } = event;
        if (this.#queue.has(id)) return;
        this.#queue.set(id, volume);
        this.#applyRow(atMicros, { kind: 'create', id, side, price, volume });
        return;
      }
      case 'left':
        // Without the shadow order it may have been filled before it could leave.
        if (!this.#queue.delete(event.id)) return;
        this.#applyRow(atMicros, { kind: 'delete', id: event.id });
        return;
      case 'shrunk': {
        const { id, volume } = event;
        if (volume >= (this.#queue.get(id) ?? 0)) return;
        this.#queue.set(id, volume);
        this.#applyRow(atMicros, { kind: 'resize', id, volume });
        return;
      }
      case 'traded':
        this.#match(addLots(event.atPrice, event.through), atMicros);
        return;
      case 'met': {
        const { id, volume } = event;
        this.#applyRow(atMicros, { ...event, kind: 'create', id, side: opposite(side), volume });
        this.#applyRow(atMicros, { kind: 'delete', id });
        return;
      }
    }
  }

  /** Lets an aggressor take `volume` from the queue, and the rest behind the level. */
  #match(volume: Lots, atMicros: number): void {
    const { side, price } = this.#shadow;
    let left = volume;
    for (const [id, resting] of this.#queue) {
      if (left === 0) return;
      const taken = minLots(left, resting);
      left = subtractLots(left, taken);
      if (taken === resting) this.#queue.delete(id);
      else this.#queue.set(id, subtractLots(resting, taken));
      this.#trade(id, taken, price, atMicros);
    }
    if (left === 0) return;
    const worse = movedBy(price, side === 'BID' ? -1 : 1);
    const rest = { id: behindId, side, price: worse, volume: left };
    this.#applyRow(atMicros, { kind: 'create', ...rest });
    this.#trade(behindId, left, worse, atMicros);
  }

  #trade(makerId: string, volume: Lots, price: Ticks, atMicros: number): void {
    const { side: makerSide } = this.#shadow;
    const trade = { makerId, takerId: undefined, makerSide, price, volume };
    this.#applyRow(atMicros, { kind: 'trade', ...trade });
  }

  #applyRow(atMicros: number, row: BareRow): void {
    this.#history.apply({ ...row, sequence: 0, atMicros, endsMessage: true });
  }
}
