/** Records of a small and of a long history, for the tests of the page's server. */
import type { StoreRecord } from '../../src/domain/records.ts';
import { fill, ledger, noonMs, order } from '../unit/store/store-samples.ts';
import { script } from './page-world.ts';

/** Three orders, two of them filled, an incident, a refusal and a halt. */
export function pageRecords(): readonly StoreRecord[] {
  const filled = { state: 'filled', base: '0.001', completedMs: noonMs + 60_000 } as const;
  return [
    order(1, { ...filled, reason: script }),
    order(2, { ...filled, side: 'ASK', orderId: 'BX2', createdMs: noonMs + 1_000 }),
    order(3, { state: 'open', createdMs: noonMs + 2_000, level: 'inner' }),
    { kind: 'evidence', intentId: 1, atMs: noonMs + 60_000, state: 'filled', proof: script },
    fill('1'),
    fill('2', {
      ...{ orderId: 'BX2', intentId: 2, side: 'ASK', price: '1001000', volume: '0.0005' },
      ...{ base: '0.0005', counter: '500.5', feeBase: '0', feeCounter: '0.5' },
      tradedMs: noonMs + 5_000,
    }),
    ledger(1),
    ledger(1, { accountId: '13', currency: 'ZAR', balance: '1000', available: '900' }),
    { kind: 'incident', incident: { atMs: noonMs, code: 'LEDGER_GAP', text: script } },
    {
      ...{ kind: 'decision', atMs: Date.now(), strategyId: 'mm', pair: 'XBTZAR', key: script },
      ...{ intentId: undefined, verdict: 'refused', inputs: '{}', limitsHash: 'h' },
      refusals: JSON.stringify([{ code: 'BOOK_TOO_OLD', observed: '9000', limit: '5000' }]),
    },
    {
      ...{ kind: 'trading-state', atMs: noonMs, scope: 'pair:XBTZAR' },
      ...{ state: 'HALTED', reason: script },
    },
  ];
}

/** `count` fills of as many orders, one a second up to now, along a price that moves. */
export function longHistory(count: number): readonly StoreRecord[] {
  const startMs = Date.now() - count * 1_000;
  return Array.from({ length: count }, (_, index): readonly StoreRecord[] => {
    const tradedMs = startMs + index * 1_000;
    const price = String(1_000_000 + Math.round(50_000 * Math.sin(index / 5_000)));
    const side = index % 2 === 0 ? 'BID' : 'ASK';
    const intentId = index + 1;
    const orderId = `BX${intentId}`;
    const base = '0.00100000';
    const counter = String(Number(price) / 1_000);
    return [
      order(intentId, {
        ...{ side, price, orderId, state: 'filled', base, counter },
        ...{ createdMs: tradedMs - 500, completedMs: tradedMs },
      }),
      fill(String(intentId), {
        ...{ intentId, orderId, side, price, volume: base, base, counter, tradedMs },
        ...{ feeBase: '0', feeCounter: '0.2' },
      }),
    ];
  }).flat();
}
