/**
 * Properties of fills over candles for any bars and orders at any times: fills stay within the
 * share of each bar, a resting order fills only if the bar traded beyond it, never both sides of
 * one bar, and no price is better than the rules allow. SEED reruns one seed.
 */
import { expect, test } from 'vitest';
import type { ModelEvent } from '../../../src/replay-exchange/fill-models/fill-event.ts';
import type { OwnOrder } from '../../../src/replay-exchange/fill-models/own-order.ts';
import {
  type BarValues,
  barMicros,
  barRow,
  candlesBench,
  halfSpread,
} from '../../support/coarse-market.ts';
import { request } from '../../support/replay-market.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

type Fill = Extract<ModelEvent, { kind: 'filled' }>;

const share = 0.25;

function randomBar(random: SeededRandom, open: number): BarValues {
  const [one, other, close] = [0, 0, 0].map(() => open + random.integer(-8, 8));
  const all = [open, one ?? open, other ?? open, close ?? open];
  return [open, Math.max(...all), Math.min(...all), close ?? open, random.integer(0, 60)];
}

class Run {
  readonly random: SeededRandom;
  readonly bench = candlesBench(share * 1e6);
  /** The arrival time of each order. */
  readonly placed = new Map<OwnOrder, number>();
  fills = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
  }

  /** Places or cancels something around `middle`. */
  act(atMicros: number, middle: number): void {
    const { random, bench } = this;
    if (this.placed.size > 0 && random.fraction() < 0.3) {
      bench.model.cancel(random.pick([...this.placed.keys()]), atMicros);
      return;
    }
    const side = random.fraction() < 0.5 ? 'BID' : 'ASK';
    const price = middle + random.integer(-12, 12);
    const timeInForce = random.pick(['GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const);
    const before = bench.events.length;
    bench.model.place(request(side, price, random.integer(1, 9), { timeInForce }), atMicros);
    const accepted = bench.events.slice(before).find((event) => event.kind === 'accepted');
    if (accepted) this.placed.set(accepted.order, atMicros);
  }

  /** Plays a bar and checks its fills. */
  play(startMicros: number, bar: BarValues): void {
    const { bench } = this;
    const before = bench.events.length;
    bench.apply(barRow(startMicros, bar));
    const fills = bench.events.slice(before).filter((event) => event.kind === 'filled');
    const total = fills.reduce((sum, { base }) => sum + base, 0);
    expect(total).toBeLessThanOrEqual(Math.floor(bar[4] * share));
    const makers = fills.filter(({ isMaker }) => isMaker);
    expect(new Set(makers.map(({ order }) => order.side)).size).toBeLessThanOrEqual(1);
    for (const fill of fills) this.hold(fill, startMicros, bar);
    this.fills += fills.length;
  }

  hold(fill: Fill, startMicros: number, [, high, low, close]: BarValues): void {
    const { order, price, isMaker } = fill;
    const { side, price: limit } = order;
    const atMicros = this.placed.get(order) ?? 0;
    const isBid = side === 'BID';
    const hasLost = isBid ? close < price : close > price;
    if (isMaker) {
      expect(price).toBe(limit);
      expect(isBid ? low : -high).toBeLessThan(isBid ? price : -price);
      if (atMicros > startMicros) expect(hasLost).toBe(true);
      return;
    }
    const worst = isBid ? high + halfSpread : low - halfSpread;
    expect(isBid ? price : -price).toBeLessThanOrEqual(isBid ? limit : -limit);
    if (price !== worst) expect([price, hasLost]).toEqual([limit, true]);
  }
}

test('fills over candles keep to their rules over any bars and orders', () => {
  const given = process.env['SEED'];
  const seeds = given ? [Number.parseInt(given, 10)] : Array.from({ length: 60 }, (_, i) => i + 1);
  let fills = 0;
  for (const seed of seeds) {
    const run = new Run(seed);
    let [startMicros, open] = [0, 1_000];
    for (let count = 0; count < 80; count++) {
      const bar = randomBar(run.random, open);
      run.play(startMicros, bar);
      open = bar[3];
      startMicros += barMicros;
      const { intervals } = run.bench;
      const isQuiet = run.random.fraction() < 0.1;
      // Before the bar, at its beginning, and within it.
      for (const after of [-1, 0, 1, barMicros / 2])
        if (run.random.fraction() < 0.7) run.act(startMicros + after, open);
      if (!isQuiet) continue;
      // An interval without a bar: waiting requests are answered at its end.
      if (intervals.dueMicros < Infinity) intervals.pass(intervals.dueMicros);
      startMicros += barMicros;
    }
    run.bench.intervals.end(startMicros);
    expect(run.bench.intervals.dueMicros).toBe(Infinity);
    fills += run.fills;
  }
  // A run without fills would prove nothing.
  expect(fills).toBeGreaterThan(10 * seeds.length);
});
