/** The shipped strategies that hold, each against what is known of it. */
import { describe, expect, test } from 'vitest';
import { fakeContext } from '../../../src/testing.ts';
import bollingerReversion from '../../../strategies/bollinger-reversion/strategy.ts';
import donchian from '../../../strategies/donchian/strategy.ts';
import imbalanceTaker from '../../../strategies/imbalance-taker/strategy.ts';
import rebalance from '../../../strategies/rebalance/strategy.ts';
import rsiReversion from '../../../strategies/rsi-reversion/strategy.ts';

const size = '0.01';
const top = { bid: '999', ask: '1001' };
const still = ['a', { a: top }] as const;
const closes = (...prices: readonly number[]) => prices.map((close) => ({ close: `${close}` }));

/** One character a candle: its close is 1000 and what stands for it. */
const candles = (diagram: string) =>
  [
    diagram,
    Object.fromEntries(
      [...'0123456789'].map((digit) => [digit, { close: `${1000 + Number(digit)}` }]),
    ),
  ] as const;

type Script = Parameters<typeof fakeContext>[1];
const placed = (run: ReturnType<typeof fakeContext>) =>
  run.lines.filter((line) => line.includes(' place '));

describe('bollinger-reversion', () => {
  const run = (diagram: string, position = '0') =>
    placed(
      fakeContext(bollingerReversion, {
        parameters: { size, period: 4, deviations: 1.5 },
        ...{ top: still, history: closes(1005, 1005, 1005), position, candles: candles(diagram) },
      }),
    );

  test('buys below the band, and not at it', () => {
    // Of 5, 5, 5, 0 the last is 1.73 standard deviations below the average.
    expect(run('0').join()).toMatch(/BID 0\.01 .*closed below the band/u);
    // Of 5, 5, 5, 5 it is 0; of 5, 5, 5, 4 it is 1.73, and what is missing is ordered again.
    expect(run('5')).toEqual([]);
    expect([run('4').length, run('44').length]).toEqual([1, 2]);
  });

  test('sells when a candle closes at the average, and not before', () => {
    expect(run('5', '0.01').join()).toMatch(/ASK 0\.01 .*closed back at the average/u);
    expect(run('4', '0.01')).toEqual([]);
  });
});

describe('donchian', () => {
  const run = (diagram: string, position = '0') =>
    placed(
      fakeContext(donchian, {
        parameters: { size, entry: 3, exit: 2 },
        ...{ top: still, history: closes(1003, 1005, 1004), position, candles: candles(diagram) },
      }),
    );

  test('buys above all highs before, and not at the highest', () => {
    expect(run('6').join()).toMatch(/BID 0\.01 .*closed above 3 candles/u);
    expect(run('5')).toEqual([]);
  });

  test('sells below the lows of fewer candles, and not at the lowest', () => {
    expect(run('3', '0.01').join()).toMatch(/ASK 0\.01 .*closed below 2 candles/u);
    expect(run('4', '0.01')).toEqual([]);
  });
});

describe('rsi-reversion', () => {
  const parameters = { size, period: 2, low: 30, high: 100, stop: '1%', target: '1%', slip: '1%' };
  // Rises and falls in turn: the index is at about 33 or 67.
  const history = closes(...Array.from({ length: 20 }, (_, index) => 1000 + (index % 2)));
  const run = (script: Script) =>
    placed(fakeContext(rsiReversion, { parameters, top: still, history, ...script }));
  const twoMinutes = ['a 60s b 60s a', { a: top, b: { bid: '998', ask: '1000' } }] as const;

  test('buys in the candle after the one in which the index falls to low, and not later', () => {
    const script = { top: twoMinutes, candles: ['c', { c: { close: '990' } }], for: '3m' } as const;
    expect(run(script)).toEqual([expect.stringMatching(/^1m.*BID 0\.01 .*has fallen to low/u)]);
    const falling = closes(...Array.from({ length: 20 }, (_, index) => 1020 - index));
    expect(run({ history: falling })).toEqual([]);
  });

  test('sells at a high index', () => {
    const held = {
      position: '0.01',
      averagePrice: '1000',
      parameters: { ...parameters, high: 60 },
    };
    expect(run(held).join()).toMatch(/ASK 0\.01 .*the index is high/u);
  });

  test.each([
    ['990', '988', /ASK 0\.01 .*the loss is at the stop/u],
    ['1012', '1010', /ASK 0\.01 .*the gain is at the target/u],
  ])('with an ask of %s it sells what it bought at 1000', (ask, bid, expected) => {
    const held = { position: '0.01', averagePrice: '1000' };
    const moved = ['a 5s b', { a: top, b: { bid, ask } }] as const;
    expect(run({ ...held, top: moved }).join()).toMatch(expected);
    expect(run(held)).toEqual([]);
  });

  test('after a sale it waits for a candle before it buys again', () => {
    const script = {
      ...{ position: '0.01', averagePrice: '1000', for: '3m' },
      candles: ['c', { c: { close: '990' } }],
      top: ['a 57s b--c', { a: top, b: { bid: '988', ask: '990' }, c: { bid: '987', ask: '989' } }],
      fills: ['--- 55s f', { f: {} }],
    } as const;
    expect(run(script).filter((line) => line.includes('BID'))).toEqual([]);
  });
});

describe('imbalance-taker', () => {
  const run = (bidVolume: string, script: Script = {}) =>
    placed(
      fakeContext(imbalanceTaker, {
        parameters: { size, trigger: 0.5, gain: '40bps', levels: 1, slip: '1%' },
        fees: { maker: 0, taker: 0.001 },
        top: ['a', { a: { bid: '9999', ask: '10001', bidVolume, askVolume: '1' } }],
        ...script,
      }),
    );

  test('buys when the bids press, once, and not below the trigger', () => {
    expect(run('4').join()).toMatch(/BID 0\.01 .*bids press/u);
    expect(run('4')).toHaveLength(1);
    expect(run('2')).toEqual([]);
  });

  test('sends nothing when the expected rise does not pay the taker fee', () => {
    expect(run('4', { fees: { maker: 0, taker: 0.0024 } })).toEqual([]);
  });

  test('sells when the asks press', () => {
    expect(run('0.1', { position: '0.01' }).join()).toMatch(/ASK 0\.01 .*asks press/u);
  });
});

describe('rebalance', () => {
  const run = (position: string, target = '50%') =>
    fakeContext(rebalance, {
      parameters: { size: '1.5', target, band: '2%' },
      ...{ top: still, position, budget: { XBT: '2', ZAR: '2000' } },
    }).lines.join();

  test('trades back to its target from outside the band', () => {
    expect(run('0')).toMatch(/BID 1 at 999 .*the share is 0\.00 %/u);
  });

  test('places nothing within the band', () => {
    expect(run('1', '32%')).not.toMatch(/BID|ASK/u);
    expect(run('1', '36%')).toMatch(/BID/u);
  });
});
