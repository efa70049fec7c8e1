/**
 * Records the total profit of several markets with the same counter currency. The total is updated
 * whenever the profit of one of them changes.
 *
 * Samples are bounded like those of {@link RunRecorder}; the worst drawdown is tracked at every
 * change.
 */
import { type Amount, formatAmount } from '../../domain/amount.ts';
import { sharedSpans, type TimeSpans } from '../../market/flow/time-spans.ts';
import type { RunRecorder } from './run-recorder.ts';

const samplesMax = 3_000;

export type AccountMetrics = {
  readonly currency: string;
  readonly profit: string;
  readonly drawdownMax: string;
  readonly drawdownSeconds: number;
};

export class AccountRecorder {
  readonly currency: string;
  readonly #recorders: readonly RunRecorder[];
  readonly #drawdown = { worst: 0n, peakMs: 0, lowMs: 0 };
  #samples: { readonly atMs: number; readonly profit: Amount }[] = [];
  #spacingMicros = 1_000_000;
  #nextSampleMicros: number;
  #profit = 0n;
  #peak = 0n;
  #peakMs: number;

  /** `currency`: the counter currency of all the markets. */
  constructor(recorders: readonly RunRecorder[], currency: string, startMicros: number) {
    this.#recorders = recorders;
    this.currency = currency;
    this.#nextSampleMicros = startMicros;
    this.#peakMs = Math.floor(startMicros / 1000);
  }

  /** Samples, oldest first. */
  get samples(): readonly { readonly atMs: number; readonly profit: Amount }[] {
    return this.#samples;
  }

  /** The times in which none of the markets was recorded. */
  get unwatched(): TimeSpans {
    return sharedSpans(this.#recorders.map(({ unwatched }) => unwatched));
  }

  get metrics(): AccountMetrics {
    const { worst, peakMs, lowMs } = this.#drawdown;
    return {
      currency: this.currency,
      profit: formatAmount(this.#profit),
      drawdownMax: formatAmount(worst),
      drawdownSeconds: this.unwatched.outside(peakMs * 1_000, lowMs * 1_000) / 1e6,
    };
  }

  /** To be called after a market's recorder was updated; times do not go back. */
  note(atMicros: number): void {
    const profit = this.#recorders.reduce((total, recorder) => total + recorder.profit, 0n);
    if (profit !== this.#profit) this.#value(profit, atMicros);
    if (atMicros >= this.#nextSampleMicros) this.#sample(atMicros);
  }

  /** Takes the last sample. */
  finish(atMicros: number): void {
    this.note(atMicros);
    this.#sample(atMicros);
  }

  #value(profit: Amount, atMicros: number): void {
    this.#profit = profit;
    const atMs = Math.floor(atMicros / 1000);
    if (profit >= this.#peak) {
      this.#peak = profit;
      this.#peakMs = atMs;
    } else if (this.#peak - profit > this.#drawdown.worst) {
      this.#drawdown.worst = this.#peak - profit;
      this.#drawdown.peakMs = this.#peakMs;
      this.#drawdown.lowMs = atMs;
    }
  }

  #sample(atMicros: number): void {
    // Thinning before adding always keeps the first sample and the newest.
    if (this.#samples.length >= samplesMax) {
      this.#samples = this.#samples.filter((_, index) => index % 2 === 0);
      this.#spacingMicros *= 2;
    }
    this.#samples.push({ atMs: Math.floor(atMicros / 1000), profit: this.#profit });
    this.#nextSampleMicros = atMicros + this.#spacingMicros;
  }
}
