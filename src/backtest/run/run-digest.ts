/**
 * SHA-256 over what a run did: its orders with their terms and final states, fills, refusals,
 * incidents and the saved state of strategies. Records that only explain, or that only a restart
 * needs, are excluded, so that the digest does not depend on whether a run makes them.
 */
import { createHash } from 'node:crypto';
import { isFinal } from '../../domain/order.ts';
import type { FillRow, OrderRow, StoreRecord } from '../../domain/records.ts';
import { TextHash } from './text-hash.ts';

/** How many numbers are hashed together. */
const numbersMax = 2_048;

export class RunDigest {
  // Two hashes, so that the digest does not depend on which rows are hashed together. Formatting
  // numbers as text would cost more than hashing them.
  readonly #texts = new TextHash();
  readonly #values = createHash('sha256');
  readonly #numbers = new Float64Array(numbersMax);
  readonly #bytes = new Uint8Array(this.#numbers.buffer);
  #count = 0;

  /** Adds the records of one or more steps, in order. */
  add(records: readonly StoreRecord[]): void {
    for (const record of records) this.#take(record);
  }

  /**
   * Returns the digest over all records, the orders that are still open, and `result`, in
   * hexadecimal. May be called once.
   */
  finish(open: Iterable<OrderRow>, result: object): string {
    for (const row of open) this.#takeOrder(row);
    this.#texts.add(JSON.stringify(result));
    this.#flush();
    return this.#texts.finish(this.#values.digest());
  }

  #take(record: StoreRecord): void {
    switch (record.kind) {
      case 'order':
        if (isFinal(record.row.state)) this.#takeOrder(record.row);
        return;
      case 'fill':
        this.#takeFill(record.row);
        return;
      case 'decision':
        if (record.verdict === 'refused') this.#takeWhole(record);
        return;
      case 'evidence':
      case 'attempt':
      case 'outcome':
      case 'witness':
      case 'ledger-row':
      case 'risk-state':
        return;
      default:
        this.#takeWhole(record);
    }
  }

  #takeWhole(record: StoreRecord): void {
    this.#texts.add(JSON.stringify(record));
    this.#texts.add('\n');
  }

  #takeOrder(row: OrderRow): void {
    const texts = this.#texts;
    texts.add('order');
    texts.addWord(row.strategyId);
    texts.addWord(row.key);
    texts.addWord(row.pair);
    texts.addWord(row.side);
    texts.addWord(row.price);
    texts.addWord(row.volume);
    texts.addWord(row.timeInForce);
    texts.addWord(row.postOnly ? 'true' : 'false');
    texts.addWord(row.state);
    texts.addWord(row.orderId ?? 'undefined');
    texts.addWord(row.base);
    texts.addWord(row.counter);
    texts.addWord(row.feeBase);
    texts.addWord(row.feeCounter);
    texts.add('\n');
    this.#takeNumber(row.intentId);
    this.#takeNumber(row.createdMs);
    this.#takeNumber(row.attempts);
    this.#takeNumber(row.lastTimestampMs);
    this.#takeNumber(row.cancelRequestedMs);
    this.#takeNumber(row.completedMs);
  }

  #takeFill(row: FillRow): void {
    const texts = this.#texts;
    texts.add('fill');
    texts.addWord(row.sequence);
    texts.addWord(row.price);
    texts.addWord(row.volume);
    texts.addWord(row.base);
    texts.addWord(row.counter);
    texts.addWord(row.feeBase);
    texts.addWord(row.feeCounter);
    texts.addWord(row.maker ? 'true' : 'false');
    texts.add('\n');
    this.#takeNumber(row.intentId);
    this.#takeNumber(row.tradedMs);
  }

  #takeNumber(value: number | undefined): void {
    // No number of a row is negative, so -1 represents a missing one.
    this.#numbers[this.#count++] = value ?? -1;
    if (this.#count === numbersMax) this.#flush();
  }

  #flush(): void {
    if (this.#count > 0) this.#values.update(this.#bytes.subarray(0, this.#count * 8));
    this.#count = 0;
  }
}
