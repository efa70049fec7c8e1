/**
 * The same store in memory: for simulations, and a second opinion on the durable one.
 *
 * Invariants: as the durable store: all or nothing, references and uniqueness checked, histories
 * never changed. A batch is written with its undo beside it and taken back as a whole if it fails.
 */
import { StoreError } from '../../src/domain/errors.ts';
import type { OrderRow, Restored, Store, StoreRecord, Witness } from '../../src/domain/records.ts';
import type { RowCodec } from '../../src/store/row-codec.ts';
import { fillCodec, ledgerCodec } from '../../src/store/row-codecs.ts';
import type { StoreReports } from '../../src/store/store-reports.ts';
import { checkRecord } from './check-record.ts';
import { createMemoryReports, restoreFromMemory } from './memory-reports.ts';
import { createMemoryTables, tradeKeyOf } from './memory-tables.ts';

const fixedTerms = [
  'strategyId',
  'key',
  'pair',
  'side',
  'price',
  'volume',
  'timeInForce',
  'postOnly',
  'baseAccountId',
  'counterAccountId',
  'clientOrderId',
  'createdMs',
] as const satisfies readonly (keyof OrderRow)[];

export class MemoryStore implements Store {
  readonly reports: StoreReports;
  readonly #tables = createMemoryTables();
  readonly #intentIdByKey = new Map<string, number>();
  readonly #intentIdByClientOrderId = new Map<string, number>();
  #undo: (() => void)[] = [];
  #commitNumber = 0;
  #failed = false;

  constructor() {
    this.reports = createMemoryReports(this.#tables);
  }

  /** The number of the last commit; 0 before the first. */
  get commitNumber(): number {
    return this.#commitNumber;
  }

  /**
   * See {@link Store}. Throws StoreError; then nothing of the batch is kept and no other is taken.
   */
  commit(records: readonly StoreRecord[], commitNumber: number): void {
    this.#writeAll(records, commitNumber, this.#commitNumber + 1);
  }

  explain(records: readonly StoreRecord[]): void {
    this.#writeAll(records, this.#commitNumber, this.#commitNumber);
  }

  #writeAll(records: readonly StoreRecord[], commitNumber: number, numberMin: number): void {
    if (this.#failed) throw new StoreError('a commit failed before; the run must end');
    this.#undo = [];
    try {
      if (!Number.isSafeInteger(commitNumber) || commitNumber < numberMin)
        throw new RangeError(`commit number must be above ${numberMin - 1}`);
      for (const record of records) {
        checkRecord(record);
        this.#write(record);
      }
      for (const record of records) this.#checkReferences(record);
      this.#commitNumber = commitNumber;
    } catch (cause) {
      for (const undo of this.#undo.reverse()) undo();
      this.#failed = true;
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new StoreError(
        `commit ${commitNumber} of ${records.length} records failed: ${message}`,
        { cause },
      );
    }
  }

  restore(nowMs: number): Restored {
    return restoreFromMemory(this.#tables, nowMs);
  }

  /** Does nothing: the results stay readable. */
  close(): void {}

  #write(record: StoreRecord): void {
    const tables = this.#tables;
    switch (record.kind) {
      case 'order':
        this.#writeOrder(record.row);
        break;
      case 'fill': {
        const key = tradeKeyOf(record.row);
        this.#setOnce(tables.fills, key, record.row, fillCodec);
        if (!tables.witnesses.has(key)) this.#set(tables.witnesses, key, new Set<Witness>());
        break;
      }
      case 'witness': {
        const key = tradeKeyOf(record);
        const seen = tables.witnesses.get(key);
        if (seen?.has(record.witness)) break;
        this.#set(tables.witnesses, key, new Set<Witness>([...(seen ?? []), record.witness]));
        break;
      }
      case 'ledger-row': {
        const key = `${record.row.accountId}\0${record.row.rowIndex}`;
        this.#setOnce(tables.ledger, key, record.row, ledgerCodec);
        break;
      }
      case 'attempt': {
        const key = attemptKeyOf(record);
        if (tables.attempts.has(key)) throw new RangeError(`attempt ${key} is there already`);
        this.#set(tables.attempts, key, record);
        break;
      }
      case 'idle': {
        const key = `${record.strategyId}\0${record.pair}`;
        if (tables.latestIdle.get(key)?.reason === record.reason) break;
        this.#set(tables.latestIdle, key, record);
        this.#append(tables.idleReasons, record);
        break;
      }
      case 'strategy-state':
        this.#set(tables.strategyStates, record.strategyId, record.state);
        break;
      case 'evidence':
        this.#append(tables.evidence, record);
        break;
      case 'decision':
        this.#append(tables.decisions, record);
        break;
      case 'outcome':
        this.#append(tables.outcomes, record);
        break;
      case 'incident':
        this.#append(tables.incidents, record.incident);
        break;
      case 'risk-state':
        this.#set(tables.riskStates, record.name, record.state);
        break;
      case 'limits':
        if (!tables.limitsVersions.has(record.hash))
          this.#set(tables.limitsVersions, record.hash, record);
        break;
      case 'approval':
        this.#append(tables.approvals, record);
        break;
      case 'trading-state':
        this.#append(tables.tradingStates, record);
        break;
      case 'market-sample':
        this.#append(tables.marketSamples, record);
        break;
      case 'fill-mids':
        this.#set(tables.fillMids, tradeKeyOf(record.row), record.row);
        break;
      case 'operator-command':
        this.#append(tables.operatorCommands, record);
        break;
    }
  }

  #writeOrder(row: OrderRow): void {
    const before = this.#tables.orders.get(row.intentId);
    if (before === undefined) {
      this.#claim(this.#intentIdByKey, `${row.strategyId}\0${row.key}`, row.intentId);
      this.#claim(this.#intentIdByClientOrderId, row.clientOrderId, row.intentId);
    } else if (
      fixedTerms.some((term) => row[term] !== before[term]) ||
      (before.orderId !== undefined && row.orderId === undefined)
    ) {
      throw new RangeError('the terms of an order never change');
    }
    this.#set(this.#tables.orders, row.intentId, row);
  }

  #claim(owners: Map<string, number>, name: string, intentId: number): void {
    const owner = owners.get(name);
    if (owner !== undefined) throw new RangeError(`"${name}" belongs to intent ${owner} already`);
    this.#set(owners, name, intentId);
  }

  #checkReferences(record: StoreRecord): void {
    const { orders, attempts } = this.#tables;
    const intentId =
      record.kind === 'fill'
        ? record.row.intentId
        : record.kind === 'evidence' || record.kind === 'attempt' || record.kind === 'decision'
          ? record.intentId
          : undefined;
    if (intentId !== undefined && !orders.has(intentId)) {
      throw new RangeError(`${record.kind} names intent ${intentId}, which is not stored`);
    }
    if (record.kind === 'outcome' && !attempts.has(attemptKeyOf(record))) {
      throw new RangeError(`outcome names attempt ${attemptKeyOf(record)}, which is not stored`);
    }
  }

  #setOnce<Row>(table: Map<string, Row>, key: string, row: Row, codec: RowCodec<Row>): void {
    const before = table.get(key);
    if (before === undefined) {
      this.#set(table, key, row);
    } else if (codec.differences(before, row).length > 0) {
      throw new RangeError('a row of a history is never changed');
    }
  }

  #set<Key, Value>(table: Map<Key, Value>, key: Key, value: Value): void {
    const had = table.has(key);
    const before = table.get(key) as Value;
    this.#undo.push(() => {
      if (had) table.set(key, before);
      else table.delete(key);
    });
    table.set(key, value);
  }

  #append<Row>(table: Row[], row: Row): void {
    this.#undo.push(() => void table.pop());
    table.push(row);
  }
}

function attemptKeyOf(attempt: { readonly intentId: number; readonly number: number }): string {
  return `${attempt.intentId}/${attempt.number}`;
}
