/**
 * What a backtest keeps of its results: sums, and short rows of orders and fills, most of which
 * are in a temporary file. It is not durable: nothing is restored from it.
 *
 * Invariant: memory is bounded, however long the run is.
 */
import type { Amount, Sums } from '../../domain/amount.ts';
import type { FillRow, OrderRow, StoreRecord } from '../../domain/records.ts';
import type { SeriesPoint } from '../../domain/strategy-output.ts';
import type { MoveCounts } from '../../engine/quoting/waiting-moves.ts';
import type { RunResults } from '../../execution/orders/run-results.ts';
import type { TrackedOrder } from '../../execution/orders/tracked-order.ts';
import type { RecordOf } from '../../store/row-codecs.ts';
import { RowSpill } from '../../store/row-spill.ts';
import type { EnteredState } from '../../store/store-reports.ts';
import type { LimitPeaks } from '../metrics/limit-peaks.ts';
import { RunEvents } from '../metrics/run-events.ts';
import { RunSeries, type RunSeriesResult } from '../metrics/run-series.ts';
import { RunTags } from '../metrics/run-tags.ts';
import { type SendingFigures, SendingSums } from '../metrics/sending-sums.ts';
import { RowTexts } from './row-text.ts';

/** Precedes the code of a refusal in the JSON of a list; inside a text, quotes are escaped. */
const codeStart = '{"code":"';

class FillSums {
  count = 0;
  maker = 0;
  base: Amount = 0n;
  counter: Amount = 0n;
  feeBase: Amount = 0n;
  feeCounter: Amount = 0n;

  add(maker: boolean, { base, counter, feeBase, feeCounter }: Sums): void {
    this.count++;
    if (maker) this.maker++;
    this.base += base;
    this.counter += counter;
    this.feeBase += feeBase;
    this.feeCounter += feeCounter;
  }
}

export class BacktestStore implements RunResults {
  /** A sample of what happened, for charts. */
  readonly events = new RunEvents();
  readonly tags = new RunTags();
  /** Set before the run begins; it reads the engine's limits. */
  limits: LimitPeaks | undefined;
  readonly #fillSums = new Map<string, FillSums>();
  /** How often each check of the gate refused, by strategy and code. */
  readonly #refusals = new Map<string, Map<string, number>>();
  readonly #incidents = new Map<string, number>();
  /** The first entry into each state, by scope and state. */
  readonly #restrictions = new Map<string, EnteredState>();
  readonly #sending = new SendingSums();
  readonly #series = new RunSeries();
  readonly #orders = new RowSpill();
  readonly #fills = new RowSpill();
  readonly #texts = new RowTexts();
  #newest = 0;
  #orderCount = 0;
  #refusedCount = 0;
  #fillCount = 0;

  get orderCount(): number {
    return this.#orderCount;
  }

  /** The number of refused requests; one that is repeated for the same reasons counts once. */
  get refusedCount(): number {
    return this.#refusedCount;
  }

  /** When each scope was first halted and first reduced; oldest first. */
  get restrictions(): readonly EnteredState[] {
    return [...this.#restrictions.values()];
  }

  /** How long orders waited before they were sent, and how many never were; made on each read. */
  get sending(): SendingFigures {
    return this.#sending.figuresOf(this.#orderCount);
  }

  /** The metrics and plots of the strategies; made on each read. */
  get series(): readonly RunSeriesResult[] {
    return this.#series.results;
  }

  notePoint(point: SeriesPoint): void {
    this.#series.note(point);
  }

  /** Takes the engine's counts of replaced orders of quotes. */
  noteMoves(moves: MoveCounts): void {
    this.#sending.moves = moves;
  }

  fillSumsOf(pair: string): FillSums {
    const sums = this.#fillSums.get(pair) ?? new FillSums();
    this.#fillSums.set(pair, sums);
    return sums;
  }

  /** Takes the records of a step that are neither of orders nor of fills. */
  commit(records: readonly StoreRecord[]): void {
    for (const record of records) {
      if (record.kind === 'incident') count(this.#incidents, record.incident.code);
      else if (record.kind === 'decision' && record.verdict === 'refused')
        this.#noteRefusal(record);
      else if (record.kind === 'trading-state' && record.state !== 'ACTIVE')
        this.#noteRestriction(record);
    }
  }

  /** Counts an order, and keeps it once it is final. Throws StoreError; so do the other notes. */
  noteOrder(order: TrackedOrder): void {
    // Orders are numbered in order of creation, so a higher number is a new order.
    if (order.intentId > this.#newest) {
      this.#newest = order.intentId;
      this.#orderCount++;
      this.tags.noteOrder(order);
      this.limits?.noteOrder(order.pair, order.terms.volume, order.createdMs);
    }
    if (order.isFinal) this.#putOrder(order);
  }

  noteAttempt(order: TrackedOrder, atMs: number): void {
    if (order.attempts === 1) this.#sending.add(Math.round(atMs - order.createdMs));
  }

  noteFill(row: FillRow, sums: Sums, order: TrackedOrder): void {
    this.fillSumsOf(row.pair).add(row.maker, sums);
    this.events.noteFill(row, order);
    this.tags.noteFill(row, sums, order);
    this.limits?.noteFill(row.tradedMs);
    this.#texts.addFill(this.#fills, row);
    this.#fills.end(++this.#fillCount, row.tradedMs);
  }

  /**
   * Takes the orders that are still open when the run ends, and returns what identifies all orders
   * and fills, to be hashed: it depends on what happened, and on its order.
   */
  finish(open: Iterable<TrackedOrder>): readonly Uint8Array[] {
    for (const order of open) this.#putOrder(order);
    const shared = Buffer.from(this.#texts.shared);
    return [shared, this.#orders.digest(), this.#fills.digest()];
  }

  /** Yields every order in its last state, oldest first. */
  orders(): Generator<OrderRow, void> {
    return parsed<OrderRow>(this.orderTexts());
  }

  /** As {@link orders}, as bytes: the long form of one or more rows, see `row-text.ts`. */
  orderTexts(): Generator<Uint8Array, void> {
    return this.#texts.long(this.#orders.pieces());
  }

  /** Yields every fill, oldest first; fills of the same time in the order of booking. */
  fills(): Generator<FillRow, void> {
    return parsed<FillRow>(this.fillTexts());
  }

  /** As {@link fills}, as bytes; see {@link orderTexts}. */
  fillTexts(): Generator<Uint8Array, void> {
    return this.#texts.long(this.#fills.pieces());
  }

  /** Returns how often each check of the gate refused, most frequent first. */
  refusalCounts(): readonly (readonly [strategyId: string, code: string, count: number])[] {
    return [...this.#refusals]
      .flatMap(([strategyId, codes]) =>
        [...codes].map(([code, times]) => [strategyId, code, times] as const),
      )
      .sort(([a, codeA, timesA], [b, codeB, timesB]) =>
        timesA === timesB ? compare(a, b) || compare(codeA, codeB) : timesB - timesA,
      );
  }

  /** Returns the number of incidents of each code, sorted by code. */
  incidentCounts(): readonly (readonly [code: string, count: number])[] {
    return [...this.#incidents].sort(([a], [b]) => compare(a, b));
  }

  /** Deletes the rows; they cannot be read afterwards. */
  close(): void {
    this.#orders.close();
    this.#fills.close();
  }

  #putOrder(order: TrackedOrder): void {
    this.events.noteOrder(order);
    this.#texts.addOrder(this.#orders, order);
    this.#orders.end(order.intentId);
  }

  #noteRestriction(record: RecordOf<'trading-state'>): void {
    const name = `${record.scope} ${record.state}`;
    if (!this.#restrictions.has(name)) this.#restrictions.set(name, record);
  }

  #noteRefusal(record: RecordOf<'decision'>): void {
    const { strategyId, refusals } = record;
    this.events.noteRefusal(record);
    this.#refusedCount++;
    const codes = this.#refusals.get(strategyId) ?? new Map<string, number>();
    this.#refusals.set(strategyId, codes);
    // Only the codes are read: parsing the whole text takes ten times as long.
    for (let at = refusals.indexOf(codeStart); at !== -1; at = refusals.indexOf(codeStart, at)) {
      at += codeStart.length;
      count(codes, refusals.slice(at, refusals.indexOf('"', at)));
    }
  }
}

/** Yields the rows of texts, each of which follows a comma. */
function* parsed<Row>(texts: Iterable<Uint8Array>): Generator<Row, void> {
  for (const text of texts)
    yield* JSON.parse(`[${Buffer.from(text).toString().slice(1)}]`) as readonly Row[];
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
