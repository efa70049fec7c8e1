/**
 * Keeps the fills of one pair complete from the list of trades.
 *
 * The list may lag and may show rows out of order, so every pass looks again at an overlap: from
 * the oldest order that is not done, or the oldest ledger row that no fill explains, and a minute
 * more; at least once a minute, and whenever everything is compared, ten minutes back. A moving
 * watermark would lose fills.
 */
import type { UserTrade } from '../interface/operations/orders.ts';
import { Demand } from './demand.ts';
import type { Executor } from './executor.ts';
import type { FillBook } from './fill-book.ts';
import { call, type Procedure, wait } from './procedure.ts';

const overlapMs = 600_000;
const marginMs = 60_000;
/** How often the whole overlap is read, whether anything asks for a pass or not. */
const wholePeriodMs = 60_000;
const debounceMs = 100;
const spacingMs = 700;
const pageSize = 1000;

export class TradesSync {
  readonly #demand = new Demand();
  readonly #executor: Executor;
  readonly #fills: FillBook;
  readonly #pair: string;
  #wholeMs = Number.NEGATIVE_INFINITY;

  constructor(executor: Executor, fills: FillBook, pair: string) {
    this.#executor = executor;
    this.#fills = fills;
    this.#pair = pair;
  }

  /** Asks for a pass soon. */
  request(): void {
    this.#demand.ask();
  }

  /** Runs for ever: a pass whenever one is asked for, and one a minute anyway. */
  *run(): Procedure {
    for (;;) {
      yield* this.#demand.next(wholePeriodMs);
      // Several fills often come together; one pass books them all.
      yield* wait(debounceMs);
      const { nowMs } = this.#executor.desk;
      if (nowMs - this.#wholeMs >= wholePeriodMs) yield* this.pass();
      else yield* this.#read(0);
      yield* wait(spacingMs);
    }
  }

  /** Reads the whole overlap once; returns whether it was read to its end. */
  *pass(): Procedure<boolean> {
    const { nowMs } = this.#executor.desk;
    const isRead = yield* this.#read(overlapMs);
    if (isRead) this.#wholeMs = nowMs;
    return isRead;
  }

  *#read(overlap: number): Procedure<boolean> {
    const since = this.#since(overlap);
    let afterSequence: string | undefined;
    for (;;) {
      const from = afterSequence;
      const reply = yield* call({
        lane: 'read',
        operation: 'listtrades',
        parameters: () => ({ pair: this.#pair, since, after_seq: from, limit: pageSize }),
      });
      if (reply.kind !== 'ok') return false;
      const { trades } = reply.body as { readonly trades: readonly UserTrade[] };
      for (const trade of trades) this.#fills.book(trade);
      if (trades.length < pageSize) return true;
      const last = trades.reduce(
        (highest, trade) => (BigInt(trade.sequence) > highest ? BigInt(trade.sequence) : highest),
        0n,
      );
      // The page after begins with the last sequence, since after_seq includes it.
      if (from === last.toString()) return true;
      afterSequence = last.toString();
    }
  }

  #since(overlap: number): number {
    const { desk, tracker } = this.#executor;
    let oldest = desk.nowMs - overlap;
    for (const order of tracker.live)
      if (order.pair === this.#pair) oldest = Math.min(oldest, order.createdMs);
    oldest = Math.min(oldest, this.#fills.proofs.oldestUnexplainedMs(this.#pair) ?? oldest);
    return Math.max(0, Math.trunc(oldest - marginMs));
  }
}
