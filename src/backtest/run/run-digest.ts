/**
 * SHA-256 over what a run did: how each order began and ended, its attempts, fills, refusals,
 * incidents and what its strategies remembered. Records that say why, or that only a restart needs,
 * are not in it, so that a run which does not make them has the same digest.
 */
import { createHash } from 'node:crypto';
import { isFinal } from '../../domain/order.ts';
import type { FillRow, OrderRow, StoreRecord } from '../../domain/records.ts';

export class RunDigest {
  readonly #hash = createHash('sha256');
  #newestOrder = 0;

  /** Takes the records of a step, or of several in their order. */
  add(records: readonly StoreRecord[]): void {
    let text = '';
    for (const record of records) text += this.#textOf(record);
    if (text !== '') this.#hash.update(text);
  }

  /** Returns the digest over all records and `result`, hexadecimal; once. */
  finish(result: object): string {
    return this.#hash.update(JSON.stringify(result)).digest('hex');
  }

  #textOf(record: StoreRecord): string {
    switch (record.kind) {
      case 'order': {
        const { row } = record;
        const isNew = row.intentId > this.#newestOrder;
        if (isNew) this.#newestOrder = row.intentId;
        return (isNew ? beginOf(row) : '') + (isFinal(row.state) ? endOf(row) : '');
      }
      case 'fill':
        return fillOf(record.row);
      case 'attempt':
        return `attempt ${record.intentId} ${record.number} ${record.atMs} ${record.timestampMs}\n`;
      case 'decision':
        return record.verdict === 'refused' ? `${JSON.stringify(record)}\n` : '';
      case 'evidence':
      case 'outcome':
      case 'witness':
      case 'ledger-row':
      case 'risk-state':
        return '';
      default:
        return `${JSON.stringify(record)}\n`;
    }
  }
}

function beginOf(row: OrderRow): string {
  const { intentId, strategyId, key, side, price, volume, timeInForce, postOnly } = row;
  const terms = `${row.pair} ${side} ${price} ${volume} ${timeInForce} ${postOnly}`;
  return `order ${intentId} ${strategyId} ${key} ${terms} ${row.createdMs} ${row.clientOrderId}\n`;
}

function endOf(row: OrderRow): string {
  const sums = `${row.base} ${row.counter} ${row.feeBase} ${row.feeCounter}`;
  return `end ${row.intentId} ${row.state} ${row.orderId} ${row.attempts} ${row.cancelRequestedMs} ${row.completedMs} ${sums}\n`;
}

function fillOf(row: FillRow): string {
  const sums = `${row.base} ${row.counter} ${row.feeBase} ${row.feeCounter}`;
  return `fill ${row.intentId} ${row.sequence} ${row.price} ${row.volume} ${sums} ${row.tradedMs} ${row.maker}\n`;
}
