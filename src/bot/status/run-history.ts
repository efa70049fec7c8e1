/**
 * What the status shows of the past: the newest fills and notices, the newest ledger row of each
 * account, and the refusals of this run. It begins with the store and follows the records that are
 * committed.
 *
 * Invariant: the records of a commit are only kept until {@link RunHistory.catchUp}, so that no
 * order waits for what is made of them.
 */
import {
  type BalanceState,
  type DatedNotice,
  type FillState,
  type RefusalCount,
  recentFillsMax,
  recentNoticesMax,
} from '../../domain/bot-status.ts';
import { fillStateOf } from '../../domain/fill-state.ts';
import type { Market } from '../../domain/market.ts';
import type { Notice } from '../../domain/notice.ts';
import type { FillRow, LedgerRow, StoreRecord } from '../../domain/records.ts';
import { refusalText } from '../../domain/refusal-text.ts';
import type { StoreReports } from '../../store/store-reports.ts';

type Refusal = Parameters<typeof refusalText>[0];
type Decision = Extract<StoreRecord, { readonly kind: 'decision' }>;

export class RunHistory {
  #pending: (readonly StoreRecord[])[] = [];
  /** Newest last. */
  readonly #notices: DatedNotice[] = [];
  /** Newest last, by the time of the trade. */
  #fills: FillRow[];
  /** By account. */
  readonly #ledger = new Map<string, LedgerRow>();
  readonly #refusals = new Map<string, RefusalCount>();
  readonly #markets: ReadonlyMap<string, Market>;

  readonly #onFill: (fill: FillRow) => void;

  /** `onFill` is called with each fill of this run. */
  constructor(
    markets: ReadonlyMap<string, Market>,
    reports: Pick<StoreReports, 'recentFills' | 'ledgerLatest'>,
    onFill: (fill: FillRow) => void,
  ) {
    this.#markets = markets;
    this.#onFill = onFill;
    this.#fills = newestOf(
      [...markets.keys()].flatMap((pair) => reports.recentFills(pair, recentFillsMax)),
    );
    for (const row of reports.ledgerLatest()) this.#ledger.set(row.accountId, row);
  }

  noteCommitted(records: readonly StoreRecord[]): void {
    this.#pending.push(records);
  }

  noteNotice(notice: Notice, atMs: number): void {
    // The text has the fields of a line, too.
    const { logged: _, ...shown } = notice;
    this.#notices.push({ ...shown, atMs });
    if (this.#notices.length > recentNoticesMax) this.#notices.shift();
  }

  /** Looks through the records that were committed; call it regularly. */
  catchUp(): void {
    const batches = this.#pending;
    if (batches.length === 0) return;
    this.#pending = [];
    for (const records of batches) this.#take(records);
  }

  /** Newest first. */
  get notices(): readonly DatedNotice[] {
    return this.#notices.toReversed();
  }

  /** Newest first. */
  get fills(): readonly FillState[] {
    return this.#fills.map((row) => fillStateOf(row, this.#markets.get(row.pair))).reverse();
  }

  /** By currency. */
  get balances(): readonly BalanceState[] {
    return [...this.#ledger.values()]
      .map(({ currency, balance, available }) => ({ currency, balance, available }))
      .sort((a, b) => (a.currency < b.currency ? -1 : 1));
  }

  /** The most frequent first. */
  get refusals(): readonly RefusalCount[] {
    return [...this.#refusals.values()].sort((a, b) => b.count - a.count || b.lastMs - a.lastMs);
  }

  #take(records: readonly StoreRecord[]): void {
    const fills: FillRow[] = [];
    for (const record of records) {
      if (record.kind === 'fill') {
        fills.push(record.row);
        this.#onFill(record.row);
      } else if (record.kind === 'ledger-row') this.#noteLedgerRow(record.row);
      else if (record.kind === 'decision' && record.verdict === 'refused')
        this.#noteRefused(record);
      else if (record.kind === 'evidence' && record.state === 'rejected') {
        const { intentId, atMs, proof: text } = record;
        this.#count(
          { strategyId: strategyOf(intentId, records), by: 'exchange' },
          text,
          text,
          atMs,
        );
      }
    }
    if (fills.length > 0) this.#fills = newestOf([...this.#fills, ...fills]);
  }

  #noteLedgerRow(row: LedgerRow): void {
    const known = this.#ledger.get(row.accountId);
    if (known === undefined || known.rowIndex < row.rowIndex) this.#ledger.set(row.accountId, row);
  }

  #noteRefused(decision: Decision): void {
    const { strategyId, atMs } = decision;
    for (const refusal of JSON.parse(decision.refusals) as readonly Refusal[])
      this.#count({ strategyId, by: 'gate' }, refusal.code, refusalText(refusal, decision), atMs);
  }

  #count(
    { strategyId, by }: Pick<RefusalCount, 'strategyId' | 'by'>,
    code: string,
    text: string,
    lastMs: number,
  ): void {
    const isNew = !this.#refusals.has(keyOf(strategyId, by, code));
    // An exchange may put a number into each text.
    const name = isNew && this.#refusals.size >= refusalsMax ? 'other' : code;
    const key = keyOf(strategyId, by, name);
    const count = (this.#refusals.get(key)?.count ?? 0) + 1;
    this.#refusals.set(key, { strategyId, code: name, by, count, lastMs, text });
  }
}

/** Beyond as many codes and texts, those of a strategy count together. */
const refusalsMax = 100;

function keyOf(strategyId: string, by: string, code: string): string {
  return `${by} ${strategyId} ${code}`;
}

/** An order and the evidence of its state are in one commit. */
function strategyOf(intentId: number, records: readonly StoreRecord[]): string {
  for (const record of records)
    if (record.kind === 'order' && record.row.intentId === intentId) return record.row.strategyId;
  return '';
}

function newestOf(fills: readonly FillRow[]): FillRow[] {
  return fills.toSorted((a, b) => a.tradedMs - b.tradedMs).slice(-recentFillsMax);
}
