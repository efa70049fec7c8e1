/**
 * One market's stream on its way from the tape exchange to us: its rows are applied to the tape at
 * once and reach us a feed's latency later.
 */
import type { Latency } from '../../domain/trading-conditions.ts';
import { type FlowBlock, rowKind } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { OrderFlowRow } from '../../market/flow/order-flow-row.ts';
import type { AccountMarket } from '../account/account-market.ts';
import type { FillIntervals } from '../fill-models/fill-model.ts';
import { DelayedFlow } from './delayed-flow.ts';
import { DueQueue } from './due-queue.ts';
import { Way } from './latency.ts';

export class DelayedFeed {
  readonly desk: AccountMarket;
  /** Rows that the exchange has had and we have not. */
  readonly rows = new DueQueue<OrderFlowRow>();
  /** The same, of history in columns. */
  readonly flow = new DelayedFlow();
  /** Of a model that answers some requests when an interval of history has ended. */
  readonly intervals: FillIntervals | undefined;
  readonly #way: Way;
  #loudUntilMicros = Number.NEGATIVE_INFINITY;

  /** `name` and `seed` are of the latency's draws. Throws RangeError for one that cannot be. */
  constructor(desk: AccountMarket, name: string, latency: Latency, seed: number) {
    this.desk = desk;
    this.intervals = desk.tape.intervals;
    this.#way = new Way(name, latency, seed);
  }

  get pair(): string {
    return this.desk.market.pair;
  }

  /** Whether a message on its way ends in a gap or a crossed book, which nobody may miss. */
  get isLoud(): boolean {
    return this.flow.dueMicros <= this.#loudUntilMicros;
  }

  /** Takes the next row of history. */
  offer(row: OrderFlowRow): void {
    this.desk.tape.apply(row);
    this.rows.push(this.#way.dueMicros(row.atMicros), row);
  }

  /** The rows that are offered next are those of `block`. */
  begin(block: FlowBlock): void {
    this.flow.add(block);
  }

  /** As {@link offer}, with the row that the cursor is at. */
  offerFlow(row: FlowCursor): void {
    this.desk.tape.applyFlow(row);
    // Each row has its own latency; a message is there when its last row is.
    const dueMicros = this.#way.dueMicros(row.atMicros);
    if (!row.endsMessage) return;
    this.flow.note(row.atMicros, dueMicros);
    if (row.kind === rowKind.gap || this.desk.tape.book.isCrossed())
      this.#loudUntilMicros = dueMicros;
  }
}
