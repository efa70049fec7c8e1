/** Measures the time from an order's attempt to its answer, over the newest attempts of a run. */
import type { LatencyFigures } from '../../domain/bot-status.ts';
import type { ExchangePort } from '../../engine/exchange-port.ts';
import type { Clock } from '../../runtime/clock.ts';

/** Attempts that the figures are computed from. */
const attemptsKept = 1_000;

export class OrderLatency {
  readonly #clock: Pick<Clock, 'monotonicMicros'>;
  /** When each attempt without an answer left, by request. */
  readonly #leftMicros = new Map<number, number>();
  readonly #micros = new Float64Array(attemptsKept);
  #attempts = 0;
  #figures: LatencyFigures | null = null;

  constructor(clock: Pick<Clock, 'monotonicMicros'>) {
    this.#clock = clock;
  }

  /** Returns a port that does what `exchange` does, and measures its orders. */
  measured(exchange: ExchangePort): ExchangePort {
    return {
      ...exchange,
      open: (sink) =>
        exchange.open((event) => {
          if (event.kind === 'reply') this.#noteReply(event.request);
          sink(event);
        }),
      request: (effect) => {
        if (effect.call.kind === 'place')
          this.#leftMicros.set(effect.request, this.#clock.monotonicMicros());
        exchange.request(effect);
      },
    };
  }

  /** The figures of the newest attempts; null before the first answer. */
  get figures(): LatencyFigures | null {
    if (this.#attempts > 0 && this.#figures?.attempts !== this.#attempts)
      this.#figures = this.#compute();
    return this.#figures;
  }

  #noteReply(request: number): void {
    const leftMicros = this.#leftMicros.get(request);
    if (leftMicros === undefined) return;
    this.#leftMicros.delete(request);
    this.#micros[this.#attempts % attemptsKept] = this.#clock.monotonicMicros() - leftMicros;
    this.#attempts++;
  }

  #compute(): LatencyFigures {
    const sorted = this.#micros.slice(0, Math.min(this.#attempts, attemptsKept)).sort();
    const at = (share: number): number => {
      const micros = sorted[Math.ceil(share * sorted.length) - 1] as number;
      return Math.round(micros / 10) / 100;
    };
    return { attempts: this.#attempts, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
  }
}
