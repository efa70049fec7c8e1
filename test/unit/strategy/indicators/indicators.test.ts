/** The indicators: when they have a value, which, what they refuse, and as operators. */
import { of, toArray } from 'rxjs';
import { describe, expect, it, test } from 'vitest';
import {
  atr,
  bollinger,
  donchian,
  ema,
  type Indicator,
  indicate,
  macd,
  orderFlowImbalance,
  realisedVolatility,
  rsi,
  sma,
  tradeIntensity,
  vwap,
  zScore,
} from '../../../../src/index.ts';
import { compareIndicators } from '../../../support/indicator-references.ts';
import { ticks } from '../host-fixture.ts';

const candle = (price: number) => ({ high: price + 1, low: price - 1, close: price });
const lots = (volume: number) => volume as never;

/** Each indicator with inputs of its kind. */
const made: Readonly<
  Record<string, readonly [Indicator<never, unknown>, (price: number) => unknown]>
> = {
  sma: [sma(3), Number],
  ema: [ema(3), Number],
  macd: [macd(2, 4, 3), Number],
  rsi: [rsi(3), Number],
  atr: [atr(3), candle],
  bollinger: [bollinger(3, 2), Number],
  zScore: [zScore(3), Number],
  donchian: [donchian(3), candle],
  realisedVolatility: [realisedVolatility(3), Number],
  vwap: [vwap(3), (price) => ({ price, volume: 2 })],
  tradeIntensity: [tradeIntensity(3), (timeMs) => ({ timeMs })],
  orderFlowImbalance: [
    orderFlowImbalance(3),
    (price) => ({ bid: price, bidVolume: 1, ask: price + 1, askVolume: 1 }),
  ],
};

describe.each(Object.entries(made))('%s', (name, [indicator, inputOf]) => {
  it('has no value before its warm-up, and one from then on', () => {
    expect(indicator.value).toBeUndefined();
    for (let count = 1; count < indicator.warmUp; count++)
      expect(indicator.add(inputOf(100 + count) as never)).toBeUndefined();
    expect(indicator.add(inputOf(200) as never)).toBeDefined();
    expect(indicator.value).toBeDefined();
  });

  it.each([undefined, null, Number.NaN, Infinity, '1', {}])('refuses %s, by name', (input) => {
    const before = indicator.value;
    expect(() => indicator.add(input as never)).toThrow(
      new RegExp(`^${name}: input\\S* must be (a finite number|an object with .*), was `, 'u'),
    );
    expect(indicator.value).toEqual(before);
  });
});

test.each([
  ['sma', sma],
  ['ema', ema],
  ['rsi', rsi],
  ['atr', atr],
  ['donchian', donchian],
  ['realisedVolatility', realisedVolatility],
  ['vwap', vwap],
  ['tradeIntensity', tradeIntensity],
  ['orderFlowImbalance', orderFlowImbalance],
  ['zScore', zScore],
  ['bollinger', (period: number) => bollinger(period, 2)],
] as const)('%s refuses a period that counts nothing', (name, make) => {
  const least = name === 'zScore' || name === 'bollinger' ? 2 : 1;
  for (const period of [0, -1, 1.5, Number.NaN, undefined, '3', 100_001])
    expect(() => make(period as number)).toThrow(
      `${name}: period must be a whole number from ${least} to 100000, was ${
        typeof period === 'string' ? `"${period}"` : period
      }`,
    );
});

test('the other arguments are checked, too', () => {
  expect(() => macd(26, 12, 9)).toThrow('macd: fast must be less than slow, 12, was 26');
  expect(() => macd(12, 26, 0)).toThrow('macd: signal must be a whole number from 1');
  expect(() => bollinger(20, 0)).toThrow('bollinger: deviations must be a finite number above 0');
  expect(() => sma(3, 5 as never)).toThrow('sma: history must be a list of earlier inputs, was 5');
  expect(() => sma(3, [1, Number.NaN])).toThrow('sma: history must be a finite number, was NaN');
  expect(() => realisedVolatility(3, [0])).toThrow('input must be a price above 0, was 0');
  expect(() => vwap(1).add({ price: 1, volume: -1 })).toThrow('input.volume must be at least 0');
  const top = { bid: Number.NaN as never, bidVolume: lots(1), ask: ticks(2), askVolume: lots(1) };
  expect(() => orderFlowImbalance(1).add(top)).toThrow(
    'input.bid must be a finite number, was NaN',
  );
  expect(() => indicate(sma(3) as never)).toThrow(
    'indicate: make must be a function that returns an indicator, was an object',
  );
});

test('history seeds an indicator as if its values had been added', () => {
  const seeded = rsi(3, [1, 2, 3, 2, 4]);
  const added = rsi(3);
  for (const price of [1, 2, 3, 2, 4]) added.add(price);
  expect(seeded.value).toBe(added.value);
  expect(seeded.add(5)).toBe(added.add(5));
});

test('as an operator it emits its value, undefined in the warm-up, anew for each subscriber', () => {
  const average$ = of(1, 2, 3, 4).pipe(
    indicate(() => sma(2)),
    toArray(),
  );
  for (let count = 0; count < 2; count++) {
    let seen: unknown;
    average$.subscribe((values) => {
      seen = values;
    });
    expect(seen).toEqual([undefined, 1.5, 2.5, 3.5]);
  }
});

test('equal prices make no index of their own: 50, and a z-score of 0', () => {
  const flat = [7, 7, 7, 7, 7];
  expect(rsi(3, flat).value).toBe(50);
  expect(zScore(3, flat).value).toBe(0);
  expect(rsi(3, [1, 2, 3, 4]).value).toBe(100);
  expect(rsi(3, [4, 3, 2, 1]).value).toBe(0);
});

test('trades without volume have no average price, and trades at one time no intensity', () => {
  const free = { price: 5, volume: 0 };
  expect(vwap(2, [free, free]).value).toBeUndefined();
  expect(tradeIntensity(1, [{ timeMs: 5 }, { timeMs: 5 }]).value).toBeUndefined();
});

describe('order-flow imbalance', () => {
  const top = (bid: number | undefined, bidVolume: number, ask: number, askVolume: number) => ({
    ...{ bid: bid === undefined ? undefined : ticks(bid), bidVolume: lots(bidVolume) },
    ...{ ask: ticks(ask), askVolume: lots(askVolume) },
  });

  it.each([
    ['a bid grows', top(10, 8, 12, 5), 3],
    ['a bid is higher', top(11, 2, 12, 5), 2],
    ['a bid is lower', top(9, 7, 12, 5), -5],
    ['an ask shrinks', top(10, 5, 12, 1), 4],
    ['an ask is higher', top(10, 5, 13, 9), 5],
    ['an ask is lower', top(10, 5, 11, 2), -2],
    ['the last bid goes', top(undefined, 0, 12, 5), -5],
  ])('counts when %s', (_, after, expected) => {
    expect(orderFlowImbalance(1, [top(10, 5, 12, 5), after]).value).toBe(expected);
  });
});

describe('against their references', () => {
  test.each(compareIndicators())(
    '$name equals $reference',
    ({ compared, maxDifference, onlyOne }) => {
      expect(compared).toBeGreaterThan(80);
      expect(onlyOne).toBe(0);
      expect(maxDifference).toBeLessThan(1e-6);
    },
  );

  test('a value that differs, and one too early, are found', () => {
    const changed = compareIndicators((name, values) =>
      name === 'ema' ? [1, ...values.slice(1, -1), 0] : values,
    ).find(({ name }) => name === 'ema');
    expect(changed?.onlyOne).toBe(1);
    expect(changed?.maxDifference).toBeGreaterThan(1e5);
  });
});
