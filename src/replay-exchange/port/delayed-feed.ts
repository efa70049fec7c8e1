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
import { LatencyModel } from './latency-model.ts';

export class DelayedFeed {
  readonly accountMarket: AccountMarket;
  /** Rows that the exchange has had and we have not. */
  readonly rows = new DueQueue<OrderFlowRow>();
  /** The same, of history in columns. */
  readonly flow = new DelayedFlow();
  /** Of a model that answers some requests when an interval of history has ended. */
  readonly intervals: FillIntervals | undefined;
  readonly #latency: LatencyModel;
  #mustNotifyUntilMicros = Number.NEGATIVE_INFINITY;

  /** `name` and `seed` are of the latency's draws. Throws RangeError for one that cannot be. */
  constructor(accountMarket: AccountMarket, name: string, latency: Latency, seed: number) {
    this.accountMarket = accountMarket;
    this.intervals = accountMarket.fillModel.intervals;
    this.#latency = new LatencyModel(name, latency, seed);
  }

  get pair(): string {
    return this.accountMarket.market.pair;
  }

  /** Whether a message on its way ends in a gap or a crossed book, which nobody may miss. */
  get mustNotify(): boolean {
    return this.flow.dueMicros <= this.#mustNotifyUntilMicros;
  }

  /** Takes the next row of history. */
  offer(row: OrderFlowRow): void {
    this.accountMarket.fillModel.apply(row);
    this.rows.push(this.#latency.dueMicros(row.atMicros), row);
  }

  /** The rows that are offered next are those of `block`. */
  begin(block: FlowBlock): void {
    this.flow.add(block);
  }

  /** As {@link offer}, with the row that the cursor is at. */
  offerFlow(row: FlowCursor): void {
    this.accountMarket.fillModel.applyFlow(row);
    // Each row has its own latency; a message is there when its last row is.
    const dueMicros = this.#latency.dueMicros(row.atMicros);
    if (!row.endsMessage) return;
    this.flow.note(row.atMicros, dueMicros);
    if (row.kind === rowKind.gap || this.accountMarket.fillModel.book.isCrossed())
      this.#mustNotifyUntilMicros = dueMicros;
  }
}
