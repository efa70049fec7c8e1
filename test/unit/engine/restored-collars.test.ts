/** Orders of an earlier run count in the collar budget, also if their decision was lost. */
import { expect, test } from 'vitest';
import type { Limits, PairLimits } from '../../../src/domain/declared-limits.ts';
import { nothingRestored, type OrderRow, type Restored } from '../../../src/domain/records.ts';
import { FillHistory } from '../../../src/engine/account/fill-history.ts';
import type { EngineContext } from '../../../src/engine/engine-context.ts';
import type { EngineStart } from '../../../src/engine/engine-start.ts';
import { restoreState } from '../../../src/engine/restore-state.ts';
import { isNear } from '../../../src/risk/checks/price-collar-check.ts';
import { distance2Of } from '../../../src/risk/collar-budget.ts';
import { type GateSettings, gateLimitsOf } from '../../../src/risk/gate-limits.ts';
import { ExecutionFixture, market, startMs } from '../execution/execution-fixture.ts';
import { settings, ticks } from '../risk/open-gate.ts';
import { orderRow } from '../store/store-samples.ts';

const price = 99_000_000;
const lots = 100;

function settingsWith(collar: string): GateSettings {
  const { limits } = settings;
  const pair = limits?.pairs['XBTZAR'] as PairLimits;
  const pairs = { XBTZAR: { ...pair, collar } };
  return { ...settings, limits: { ...(limits as Limits), pairs } };
}

/** Returns the deviation of one restored order, in half ticks for its whole volume. */
function restoredWith(
  collar: string,
  judgedMids: Restored['judgedMids'] = [],
  stop: Partial<OrderRow> = {},
): number {
  const fixture = new ExecutionFixture();
  const row = orderRow(1, { price: '990000', volume: '0.0100', state: 'filled', ...stop });
  const start = {
    restored: { ...nothingRestored, orders: [{ ...row, createdMs: startMs }], judgedMids },
    settings: settingsWith(collar),
    markets: [{ market }],
  } as unknown as EngineStart;
  const { executor, fills, exposure } = fixture;
  const context = fixture as unknown as EngineContext;
  restoreState(start, { context, executor, fills, history: new FillHistory([]) });
  const perHalfTick = 10n ** BigInt(18 - market.priceScale - market.volumeScale) * BigInt(lots);
  const twice = exposure.units.of('ZAR').amount(exposure.collars.of('ZAR').twiceAt(startMs));
  return Number(twice / perHalfTick);
}

test('an order counts at its distance from the mid at which it was judged', () => {
  expect(restoredWith('0.02', [{ intentId: 1, mid2: 2 * price + 300 }])).toBe(300);
});

test('an order with a stop counts at its distance from the stop price', () => {
  const stop = { stopDirection: 'ABOVE', stopPrice: '988000' } as const;
  const judgedMids = [{ intentId: 1, mid2: 180_000_000 }];
  expect(restoredWith('0.02', judgedMids, stop)).toBe(2 * (price - 98_800_000));
});

test('an order whose decision was lost counts no less than the gate allowed', () => {
  for (const collar of ['0.0001', '0.02', '0.3', '0.5', '0.99']) {
    const counted = restoredWith(collar);
    const share = gateLimitsOf(settingsWith(collar)).pairs.get('XBTZAR')?.collar;
    const isAllowed = (mid2: number): boolean => isNear(ticks(price), mid2, share);
    expect(isAllowed(2 * price + counted - 1)).toBe(true);
    expect(isAllowed(2 * price + counted + 1)).toBe(false);
    const lowest2 = Math.ceil((2 * price) / (1 + Number(collar)));
    expect(isAllowed(lowest2 - 1)).toBe(false);
    expect(distance2Of(ticks(price), lowest2)).toBeLessThanOrEqual(counted);
  }
});

test('a collar of 100 % bounds nothing, so the order uses up any budget', () => {
  expect(restoredWith('1')).toBeGreaterThanOrEqual(Number.MAX_SAFE_INTEGER / 2);
});
