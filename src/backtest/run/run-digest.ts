/**
 * SHA-256 over what a run did: its orders with their terms and final states, fills, refusals,
 * incidents and the saved state of strategies. Records that only explain, or that only a restart
 * needs, are excluded, so that the digest does not depend on whether a run makes them.
 */
import { createHash } from 'node:crypto';
import type { StoreRecord } from '../../domain/records.ts';

export class RunDigest {
  readonly #hash = createHash('sha256');

  add(records: readonly StoreRecord[]): void {
    for (const record of records)
      if (isAction(record)) this.#hash.update(`${JSON.stringify(actionOf(record))}\n`);
  }

  /**
   * Returns the digest over all records, what identifies the orders and fills, and `result`, in
   * hexadecimal. May be called once.
   */
  finish(rows: readonly Uint8Array[], result: object): string {
    for (const part of rows) this.#hash.update(part);
    return this.#hash.update(JSON.stringify(result)).digest('hex');
  }
}

/** The inputs of a refusal only explain it. */
function actionOf(record: StoreRecord): object {
  return record.kind === 'decision' ? { ...record, inputs: undefined } : record;
}

function isAction(record: StoreRecord): boolean {
  switch (record.kind) {
    case 'limits':
    case 'approval':
    case 'incident':
    case 'strategy-state':
    case 'trading-state':
      return true;
    case 'decision':
      return record.verdict === 'refused';
    default:
      return false;
  }
}
