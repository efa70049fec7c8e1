/**
 * Profit, drawdown and changes of a minute equal those of a model that computes every amount.
 *
 * Method: random positions and mids, also positions that are not in whole lots, as fees leave them,
 * or not in any unit, values beyond what a number holds exactly, and scales at which a lot times
 * half a tick is no whole amount.
 */
import { expect, test } from 'vitest';
import { ProfitTrack } from '../../../src/backtest/metrics/profit-track.ts';
import { amountScale, powerOfTen } from '../../../src/domain/amount.ts';
import { createSeededRandom } from '../../../src/runtime/seeded-random.ts';

type Scales = {
  readonly priceScale: number;
  readonly volumeScale: number;
  readonly feeScale: number;
};

/** Computes every amount at every change. */
class Model {
  profit = 0n;
  worst = 0n;
  peakMs = 0;
  lowMs = 0;
  gained = { base: 0n, counter: 0n };
  #high = 0n;
  #highMs: number;
  #minute = 0n;
  readonly #halfTicks: bigint;

  constructor({ priceScale }: Scales, startMs: number) {
    this.#halfTicks = 2n * powerOfTen(priceScale);
    this.#highMs = startMs;
  }

  move(mid2: number, atMs: number): void {
    this.profit = this.gained.counter + (this.gained.base * BigInt(mid2)) / this.#halfTicks;
    if (this.profit >= this.#high) {
      this.#high = this.profit;
      this.#highMs = atMs;
    } else if (this.#high - this.profit > this.worst) {
      this.worst = this.#high - this.profit;
      this.peakMs = this.#highMs;
      this.lowMs = atMs;
    }
  }

  takeChange(): number {
    const change = Number(this.profit - this.#minute) / 1e18;
    this.#minute = this.profit;
    return change;
  }
}

test.each([
  [{ priceScale: 2, volumeScale: 6, feeScale: 6 }, 1_000, 0, 18],
  [{ priceScale: 2, volumeScale: 6, feeScale: 8 }, 1_000, 0.2, 18],
  [{ priceScale: 2, volumeScale: 6, feeScale: 8 }, 1_000, 0.5, 8],
  [{ priceScale: 8, volumeScale: 6, feeScale: 10 }, 1_000, 0.5, 10],
  [{ priceScale: 2, volumeScale: 6, feeScale: 2 }, 2 ** 40, 0.1, 18],
  [{ priceScale: 2, volumeScale: 6, feeScale: 8 }, 2 ** 40, 0.1, 8],
  [{ priceScale: 8, volumeScale: 10, feeScale: 10 }, 1_000_000, 0, 18],
  [{ priceScale: 7, volumeScale: 10, feeScale: 10 }, 1_000_000, 0, 18],
  [{ priceScale: 0, volumeScale: 0, feeScale: 0 }, 2 ** 45, 0.01, 18],
])(
  'scales %o, positions up to %d lots, a share of %d with %d decimals',
  (scales, lots, parts, decimals) => {
    const random = createSeededRandom(7);
    const perLot = powerOfTen(amountScale - scales.volumeScale);
    const partSize = powerOfTen(amountScale - decimals);
    for (let run = 0; run < 40; run++) {
      const track = new ProfitTrack(scales, 5);
      const model = new Model(scales, 5);
      let mid2 = random.integer(1_000, 1_000_000);
      for (let atMs = 10; atMs < 400; atMs++) {
        if (random.integer(0, 9) === 0) {
          const base = BigInt(random.integer(-lots, lots)) * perLot;
          const part = random.integer(0, 99) < parts * 100 ? partSize : 0n;
          model.gained = {
            base: random.integer(0, 3) === 0 ? 0n : base + part,
            counter: model.gained.counter + BigInt(random.integer(-lots, lots)) * perLot + part,
          };
          track.hold(model.gained);
        }
        // Also far, so that values come back from beyond what a number holds exactly.
        if (random.integer(0, 15) === 0) mid2 = random.integer(2, 1_000_000);
        mid2 = Math.max(2, mid2 + random.integer(-40, 40));
        track.move(mid2, atMs);
        model.move(mid2, atMs);
        if (random.integer(0, 1) === 0) expect(track.profit).toBe(model.profit);
        if (random.integer(0, 4) === 0) expect(track.takeChange()).toBe(model.takeChange());
        if (random.integer(0, 20) > 0) continue;
        const { worst, peakMs, lowMs } = model;
        expect(track.drawdown).toEqual({ worst, peakMs, lowMs });
      }
      const { worst, peakMs, lowMs } = model;
      expect(track.drawdown).toEqual({ worst, peakMs, lowMs });
    }
  },
);
