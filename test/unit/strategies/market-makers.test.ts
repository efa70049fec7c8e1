/** The shipped market makers, each against what is known of it. */
import { describe, expect, test } from 'vitest';
import { fakeContext } from '../../../src/testing.ts';
import avellanedaStrategy, { avellaneda } from '../../../strategies/avellaneda/strategy.ts';
import glftStrategy, { glft } from '../../../strategies/glft/strategy.ts';
import imbalanceMm from '../../../strategies/imbalance-mm/strategy.ts';
import pingPong from '../../../strategies/ping-pong/strategy.ts';
import pmm from '../../../strategies/pmm/strategy.ts';

const size = '0.01';
const top = { bid: '999000', ask: '1001000' };
const still = ['a', { a: top }] as const;

/** The prices of the orders that are open at the end, by level. */
function openOf(run: ReturnType<typeof fakeContext>) {
  return Object.fromEntries(
    (run.orders['XBTZAR'] ?? []).map(({ level, terms }) => [level, Number(terms.price)]),
  );
}

describe('avellaneda', () => {
  // Table 1 and 2 of the paper: sigma 2, k 1.5, over a time of 1.
  test.each([
    [0.1, 1.49],
    [0.01, 1.35],
  ])('has with gamma %d the average spread of the paper, %d', (gamma, spread) => {
    const steps = 1_000;
    const halves = Array.from(
      { length: steps },
      (_, step) => avellaneda(0, 2, 1.5, gamma, (step + 0.5) / steps).half,
    );
    const average = (2 * halves.reduce((sum, half) => sum + half, 0)) / steps;
    expect(average).toBeCloseTo(spread, 2);
  });

  test('its reservation price is q gamma sigma squared away, against the position', () => {
    expect(avellaneda(3, 2, 1.5, 0.1, 0.5).shift).toBeCloseTo(-3 * 0.1 * 4 * 0.5, 12);
    expect(avellaneda(-3, 2, 1.5, 0.1, 0.5).shift).toBeCloseTo(0.6, 12);
  });

  test('without aversion it is symmetric, at the distance of the best trades', () => {
    const { shift, half } = avellaneda(5, 2, 1.5, 1e-9, 1);
    expect(shift).toBeCloseTo(0, 6);
    expect(half).toBeCloseTo(1 / 1.5, 6);
  });

  const parameters = { size, gamma: 0.01, window: 2, leastHalfSpread: '1bps' };

  test('does not quote before its estimates have enough', () => {
    const { lines } = fakeContext(avellanedaStrategy, { parameters, top: still, for: '9s' });
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/too little is known yet/u);
  });

  test('quotes at the distance that the formula says', () => {
    // Trades 10 bps from the mid: k is 0.1 per bps, and a still market has no volatility.
    const trades = ['--tt', { t: { price: '1001000' } }] as const;
    const run = fakeContext(avellanedaStrategy, { parameters, top: still, trades, for: '9s' });
    const distance = 100 * Math.log(1.1);
    expect(openOf(run)).toEqual({
      bid: Math.floor(1_000_000 - 100 * distance),
      ask: Math.ceil(1_000_000 + 100 * distance),
    });
  });

  test('quotes lower with a position, higher the wider the market moves', () => {
    const moving = ['abababab', { a: top, b: { bid: '998500', ask: '1000500' } }] as const;
    const trades = ['--tttt', { t: { price: '1001000' } }] as const;
    const at = (position: string) =>
      openOf(fakeContext(avellanedaStrategy, { parameters, top: moving, trades, position }));
    const [none, some] = [at('0'), at('0.01')];
    expect(some['bid']).toBeLessThan(none['bid'] as number);
    expect(some['ask']).toBeLessThan(none['ask'] as number);
    const spread = (none['ask'] as number) - (none['bid'] as number);
    expect(spread).toBeGreaterThan(2 * 100 * 100 * Math.log(1.1));
  });
});

/**
 * The exact distances of the paper for a position of q: its control problem has the solution
 * `ln(f(q) / f(q + 1)) / k + ln(1 + gamma / k) / gamma`, with the eigenvector `f` of the smallest
 * eigenvalue of a matrix with `alpha q²` on its diagonal and `-eta` beside it.
 */
function exactBid(q: number, sigma: number, k: number, gamma: number, rate: number): number {
  const most = 30;
  const alpha = (k / 2) * gamma * sigma ** 2;
  const eta = rate * (1 + gamma / k) ** -(1 + k / gamma);
  const diagonal = Array.from({ length: 2 * most + 1 }, (_, index) => alpha * (index - most) ** 2);
  const shift = alpha * most ** 2 + 2 * eta;
  let f = diagonal.map(() => 1);
  for (let round = 0; round < 50_000; round++) {
    const next = f.map(
      (one, index) =>
        (shift - (diagonal[index] as number)) * one +
        eta * ((f[index - 1] ?? 0) + (f[index + 1] ?? 0)),
    );
    const largest = Math.max(...next);
    f = next.map((one) => one / largest);
  }
  const ratio = (f[q + most] as number) / (f[q + 1 + most] as number);
  return Math.log(ratio) / k + Math.log1p(gamma / k) / gamma;
}

describe('glft', () => {
  // The figures of the paper: sigma 0.3, A 0.9, k 0.3, gamma 0.01.
  const [sigma, k, gamma, rate] = [0.3, 0.3, 0.01, 0.9];

  test.each([-3, -2, -1, 0, 1, 2, 3])(
    'is within 1 %% of the exact solution of the paper with a position of %d',
    (q) => {
      const { shift, half } = glft(q, sigma, k, gamma, rate);
      const bid = half - shift;
      expect(Math.abs(bid / exactBid(q, sigma, k, gamma, rate) - 1)).toBeLessThan(0.01);
    },
  );

  test('its middle moves against the position, by equal steps', () => {
    const shifts = [-1, 0, 1, 2].map((q) => glft(q, sigma, k, gamma, rate).shift);
    expect(shifts[0]).toBeCloseTo(-(shifts[2] as number), 12);
    expect(shifts[1]).toBeCloseTo(0, 12);
    expect(shifts[3]).toBeCloseTo(2 * (shifts[2] as number), 12);
    expect(shifts[2]).toBeLessThan(0);
  });

  test('does not quote before its estimates have enough, and then on both sides', () => {
    const parameters = { size, gamma: 0.01, window: 2, leastHalfSpread: '1bps' };
    const early = fakeContext(glftStrategy, { parameters, top: still, for: '9s' });
    for (const line of early.lines) expect(line).toMatch(/too little is known yet/u);
    const trades = ['--tttt', { t: { price: '1001000' } }] as const;
    const run = fakeContext(glftStrategy, { parameters, top: still, trades, for: '9s' });
    expect(Object.keys(openOf(run)).sort()).toEqual(['ask', 'bid']);
  });
});

describe('imbalance-mm', () => {
  const volumes = (bidVolume: string) => ({ ...top, bidVolume, askVolume: '1' });
  const book = ['abababc', { a: volumes('1'), b: volumes('1.1'), c: volumes('9') }] as const;
  const given = { size, window: 3, refresh: '1s', tolerance: '0bps', gain: '2bps', skew: '5bps' };

  test('quotes higher when bids press, and lower with a position', () => {
    const at = (position: string, parameters: object) =>
      openOf(
        fakeContext(imbalanceMm, {
          parameters: { ...given, ...parameters },
          ...{ top: book, position, for: '7s' },
        }),
      );
    const [without, pressed] = [at('0', { gain: '0bps' }), at('0', {})];
    expect(without).toEqual({ bid: 998_000, ask: 1_002_000 });
    // The last of three is the root of two above their average.
    expect(pressed['bid']).toBe(998_000 + Math.floor(200 * Math.SQRT2));
    expect(at('0.01', { gain: '0bps' })).toEqual({ bid: 997_500, ask: 1_001_500 });
  });

  test('does not quote before it has seen the whole window', () => {
    const early = ['ab', { a: volumes('1'), b: volumes('2') }] as const;
    const { lines } = fakeContext(imbalanceMm, { parameters: given, top: early, for: '2s' });
    for (const line of lines) expect(line).toMatch(/too little is known yet/u);
  });
});

describe('ping-pong', () => {
  const parameters = { size, width: '20bps' };

  test('bids while it holds nothing, and then only asks', () => {
    expect(openOf(fakeContext(pingPong, { parameters, top: still }))).toEqual({ bid: 998_000 });
    const fills = ['--f', { f: { level: 'bid' } }] as const;
    expect(openOf(fakeContext(pingPong, { parameters, top: still, fills, for: '3s' }))).toEqual({
      ask: 1_002_000,
    });
  });

  test('never asks for less than it paid, with the fees of both trades', () => {
    const held = {
      position: '0.01',
      averagePrice: '1005000',
      fees: { maker: 0.001, taker: 0.002 },
    };
    const run = fakeContext(pingPong, { parameters, top: still, ...held });
    expect(openOf(run)).toEqual({ ask: 1_005_000 + 2 * 1_005 });
  });
});

describe('pmm', () => {
  const parameters = { size, halfSpread: '20bps', levels: 3, levelStep: '10bps' };

  test('quotes its levels on both sides, no closer than fee and least profit', () => {
    expect(openOf(fakeContext(pmm, { parameters, top: still }))).toEqual({
      ...{ bid: 998_000, 'bid.2': 997_000, 'bid.3': 996_000 },
      ...{ ask: 1_002_000, 'ask.2': 1_003_000, 'ask.3': 1_004_000 },
    });
    const fees = { maker: 0.002, taker: 0.003 };
    const wide = { ...parameters, leastProfit: '10bps' };
    expect(openOf(fakeContext(pmm, { parameters: wide, top: still, fees }))['bid']).toBe(997_000);
  });

  test('waits after a fill, as long as it says', () => {
    const fills = ['--f', { f: { level: 'bid' } }] as const;
    const given = { parameters: { ...parameters, refresh: '1s', fillDelay: '10s' }, top: still };
    expect(openOf(fakeContext(pmm, { ...given, fills, for: '11s' }))).toEqual({});
    expect(Object.keys(openOf(fakeContext(pmm, { ...given, fills, for: '13s' })))).toHaveLength(6);
  });

  test.each([
    ['0.4', ['bid', 'bid.2', 'bid.3']],
    ['0.5', ['ask', 'ask.2', 'ask.3', 'bid', 'bid.2', 'bid.3']],
    ['0.6', ['ask', 'ask.2', 'ask.3']],
  ])('with %s of a budget of 1 it quotes the sides that its band allows', (position, levels) => {
    const run = fakeContext(pmm, {
      parameters: { ...parameters, target: '50%', band: '5%' },
      ...{ top: still, position, budget: { XBT: '1', ZAR: '1000000' } },
    });
    expect(Object.keys(openOf(run)).sort()).toEqual(levels);
  });
});
