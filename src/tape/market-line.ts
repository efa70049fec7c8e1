/**
 * One market's stream on its way from the tape exchange to us: its rows are applied to the tape at
 * once and reach us a feed's latency later.
 */
import type { Latency } from '../domain/scenario-settings.ts';
import type { FlowBlock } from '../market/flow-block.ts';
import type { FlowCursor } from '../market/flow-cursor.ts';
import type { OrderFlowRow } from '../market/order-flow-row.ts';
import { DelayedFlow } from './delayed-flow.ts';
import { DueQueue } from './due-queue.ts';
import { Way } from './latency.ts';
import type { TapeDesk } from './tape-desk.ts';

export class MarketLine {
  readonly desk: TapeDesk;
  /** Rows that the exchange has had and we have not. */
  readonly rows = new DueQueue<OrderFlowRow>();
  /** The same, of history in columns. */
  readonly flow = new DelayedFlow();
  readonly #way: Way;

  /** `name` and `seed` are of the latency's draws. Throws RangeError for one that cannot be. */
  constructor(desk: TapeDesk, name: string, latency: Latency, seed: number) {
    this.desk = desk;
    this.#way = new Way(name, latency, seed);
  }

  get pair(): string {
    return this.desk.market.pair;
  }

  /** The longest that a row is on its way to us. */
  get longestMicros(): number {
    return this.#way.longestMicros;
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
    if (row.endsMessage) this.flow.note(row.atMicros, dueMicros);
  }
}
