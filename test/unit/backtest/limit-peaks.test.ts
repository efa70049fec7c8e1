/** The highest use of each limit, from orders and fills of known sizes. */
import { expect, test } from 'vitest';
import { LimitPeaks } from '../../../src/backtest/metrics/limit-peaks.ts';
import type { StrategySettings } from '../../../src/domain/bot-settings.ts';
import type { Limits } from '../../../src/domain/declared-limits.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { Exposure } from '../../../src/risk/exposure.ts';
import { replayMarket } from '../../support/replay-market.ts';

const { pair } = replayMarket;
const strategies = [
  { id: 'mm', pairs: [pair], budget: { XBT: '4', EUR: '1000' } },
] as unknown as readonly StrategySettings[];
const rates = { ordersPerSecondMax: 10, ordersPerMinuteMax: 100 };
const limits = {
  account: {
    ...{ ...rates, ordersOpenMax: 8, openNotionalMax: { EUR: '1000' } },
    ...{ turnoverDayMax: { EUR: '2000' }, lossDayMax: { EUR: '50' }, drawdownMax: { EUR: '0' } },
    collarBudgetMax: { EUR: '20' },
  },
  eachStrategy: { ...rates, openNotionalMax: { EUR: '500' } },
  pairs: { [pair]: { orderBaseMax: '2', positionBaseMax: '4' } },
} as unknown as Limits;

test('is that of the worst moment, with its time', () => {
  const exposure = new Exposure([replayMarket]);
  // A mid of 100.00.
  const peaks = new LimitPeaks({ limits, strategies }, exposure, () => 20_000);
  const hold = (side: 'BID' | 'ASK', price: number, volume: number, atMs: number) => {
    const terms = { side, price: price as Ticks, volume: volume as Lots, level: undefined };
    const order = { strategyId: 'mm', pair, ...terms } as unknown as Parameters<
      Exposure['hold']
    >[0];
    const held = exposure.hold(order, atMs);
    peaks.noteOrder(pair, volume, atMs);
    return held;
  };
  const first = hold('BID', 10_000, 10_000, 1_000);
  hold('BID', 9_000, 15_000, 1_500);
  exposure.release(hold('ASK', 11_000, 20_000, 70_000));
  exposure.fill({
    ...{ key: 'x', hold: first, strategyId: 'mm', pair, side: 'BID' },
    ...{ volume: 10_000 as Lots, value: 110_000_000, feeBase: 0n, feeCounter: 0n, timeMs: 80_000 },
  });
  peaks.noteFill(80_000);
  const found = Object.fromEntries(
    peaks.peaks.map(({ key, scope, used, share, atMs }) => [
      `${key} ${scope}`,
      [used, share, atMs],
    ]),
  );
  expect(found).toEqual({
    [`limits.pairs.${pair}.orderBaseMax ${pair}`]: ['2', 1, 70_000],
    // Both bids fill, or the ask.
    [`limits.pairs.${pair}.positionBaseMax ${pair}`]: ['2.5', 0.625, 1_500],
    'limits.account.ordersOpenMax bot': ['3', 0.375, 70_000],
    'limits.account.ordersPerSecondMax bot': ['2', 0.2, 1_500],
    'limits.account.ordersPerMinuteMax bot': ['2', 0.02, 1_500],
    // 100 + 135 + 220.
    'limits.account.openNotionalMax.EUR bot': ['455', 0.455, 70_000],
    'limits.account.turnoverDayMax.EUR bot': ['455', 0.2275, 70_000],
    // Bought at 110, worth 100.
    'limits.account.lossDayMax.EUR bot': ['10', 0.2, 80_000],
    'limits.account.drawdownMax.EUR bot': ['10', null, 80_000],
    'limits.account.collarBudgetMax.EUR bot': ['0', 0, null],
    'limits.eachStrategy.ordersPerSecondMax mm': ['2', 0.2, 1_500],
    'limits.eachStrategy.ordersPerMinuteMax mm': ['2', 0.02, 1_500],
    'limits.eachStrategy.openNotionalMax.EUR mm': ['455', 0.91, 70_000],
    'strategies.mm.budget.XBT mm': ['2.5', 0.625, 1_500],
    // Open bids.
    'strategies.mm.budget.EUR mm': ['235', 0.235, 1_500],
  });
});
