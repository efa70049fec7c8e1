/**
 * Marks the ends of the gaps in a table of order flow. A market's stream resumes with its book and
 * status; a table has only the rows that correct the book, so the last known status is added after
 * them, in the same message. Without it the replay exchange would treat the book as unknown for
 * the rest of the recording.
 *
 *     gap · rows of the first time after it ─▶ gap · the same rows · status
 *
 * If the table itself has a status there, that one ends the gap.
 */
import type { MarketStatus } from '../../domain/market.ts';
import type { FlowItem, FlowRow } from '../file/flow-item.ts';

/** An item of a table of order flow, after its book at the start. */
export type TableItem = FlowRow | Extract<FlowItem, { kind: 'status' | 'gap' }>;

export class GapCloser {
  #status: MarketStatus = 'ACTIVE';
  /** The rows since a gap that has not ended. */
  #rows: FlowRow[] | undefined;

  /** Returns the items that are complete; rows after a gap wait until its end is known. */
  take(item: TableItem): readonly FlowItem[] {
    const last = this.#rows?.at(-1);
    const isLater = last?.endsMessage === true && last.atMicros !== item.atMicros;
    const closed = isLater || item.kind === 'gap' ? this.rest() : [];
    if (item.kind === 'gap') this.#rows = [];
    else if (item.kind === 'status') {
      const rows = this.#rows ?? [];
      this.#rows = undefined;
      this.#status = item.status;
      return [...closed, ...rows, item];
    } else if (this.#rows !== undefined) {
      this.#rows.push(item);
      return closed;
    }
    return [...closed, item];
  }

  /** Returns the waiting rows, with the status that ends their gap. Also call it at the end. */
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
