/**
 * Tells where the gaps of a table of order flow end. A market's stream begins anew with its book
 * and status; a table has only the rows that make the book right again, so the status as it was is
 * told behind them, in their message. Without it the tape would believe for ever that it does not
 * know the book.
 *
 *     gap · rows of the first time after it ─▶ gap · the same rows · status
 *
 * A status that the table itself has there ends the gap instead.
 */
import type { MarketStatus } from '../../domain/market.ts';
import type { FlowItem, FlowRow } from '../file/flow-item.ts';

/** What a table of order flow has after the book at its beginning. */
export type TableItem = FlowRow | Extract<FlowItem, { kind: 'status' | 'gap' }>;

export class GapEnd {
  #status: MarketStatus = 'ACTIVE';
  /** The rows since a gap that has not ended. */
  #rows: FlowRow[] | undefined;

  /** Returns what can be told now; rows after a gap wait until it is known where it ends. */
  take(item: TableItem): readonly FlowItem[] {
    const last = this.#rows?.at(-1);
    const isLater = last?.endsMessage === true && last.atMicros !== item.atMicros;
    const told = isLater || item.kind === 'gap' ? this.rest() : [];
    if (item.kind === 'gap') this.#rows = [];
    else if (item.kind === 'status') {
      const rows = this.#rows ?? [];
      this.#rows = undefined;
      this.#status = item.status;
      return [...told, ...rows, item];
    } else if (this.#rows !== undefined) {
      this.#rows.push(item);
      return told;
    }
    return [...told, item];
  }

  /** Returns what still waits, with the end of its gap; for after the last item, too. */
  rest(): readonly FlowItem[] {
    const rows = this.#rows ?? [];
    this.#rows = undefined;
    const last = rows.pop();
    if (last === undefined) return [];
    const { atMicros } = last;
    const status = { kind: 'status', atMicros, status: this.#status } as const;
    return [...rows, { ...last, endsMessage: false }, status];
  }
}
