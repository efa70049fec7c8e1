/** Records of commits, for the tests of what the status makes of them. */
import type { StoreRecord } from '../../../../src/domain/records.ts';

export { fill, fillRow, ledger, noonMs, order } from '../../store/store-samples.ts';

/** A decision of the gate that refused an order, with these codes. */
export function refused(strategyId: string, codes: readonly string[], atMs: number): StoreRecord {
  const refusals = codes.map((code) => ({ code, observed: '2', limit: '1', unit: 'XBT' }));
  return {
    ...{ kind: 'decision', atMs, strategyId, pair: 'XBTZAR', key: 'k', intentId: undefined },
    ...{ verdict: 'refused', refusals: JSON.stringify(refusals), inputs: '{}', limitsHash: '' },
  };
}

/** What proved a state of an order. */
export function evidence(intentId: number, state: 'open' | 'rejected', proof: string): StoreRecord {
  return { kind: 'evidence', intentId, atMs: 1, state, proof };
}
