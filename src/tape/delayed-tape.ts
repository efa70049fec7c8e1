/**
 * The tape exchange at a distance: three fixed latencies, each in microseconds.
 *
 *     exchange  ───row──────────feed──────────▶  us
 *     exchange  ◀──request──────request────────  us
 *     exchange  ───event────────answer────────▶  us
 *
 * One clock runs through all of it: the recording's. At equal times the exchange first takes all
 * rows of history, then our requests; then events reach us, then rows. So with zero latencies a
 * request made on a row comes after every other row of that microsecond.
 *
 * Invariant: nothing reaches us before its time, and the exchange never knows a request before its
 * time.
 */
import type { OrderFlowRow } from '../market/order-flow-row.ts';
import { DueQueue } from './due-queue.ts';
import type { TapeEvent, TapeRequest } from './tape-event.ts';
import { TapeExchange, type TapeOptions } from './tape-exchange.ts';

export type TapeLatencies = {
  /** From a row of history to us. */
  readonly feedMicros: number;
  /** From us to the exchange. */
  readonly requestMicros: number;
  /** From the exchange's answer, or a fill, to us. */
  readonly answerMicros: number;
};

/** What reaches us, at our time; both may place and cancel. */
export type TapeReceiver = {
  readonly receiveRow: (row: OrderFlowRow, atMicros: number) => void;
  readonly receiveEvent: (event: TapeEvent, atMicros: number) => void;
};

export type DelayedTapeOptions = Omit<TapeOptions, 'listener'> & {
  readonly latencies: TapeLatencies;
  readonly receiver: TapeReceiver;
};

export class DelayedTape {
  /** For questions only. */
  readonly exchange: TapeExchange;
  readonly #latencies: TapeLatencies;
  readonly #receiver: TapeReceiver;
  readonly #requests = new DueQueue<(atMicros: number) => void>();
  readonly #events = new DueQueue<TapeEvent>();
  readonly #rows = new DueQueue<OrderFlowRow>();

  /** Throws RangeError for a latency that is not an integer of 0 or more. */
  constructor(options: DelayedTapeOptions) {
    const { latencies, receiver, market, rates } = options;
    for (const [name, value] of Object.entries(latencies))
      if (!Number.isSafeInteger(value) || value < 0)
        throw new RangeError(`${name} must be an integer of 0 or more, was ${value}`);
    this.#latencies = latencies;
    this.#receiver = receiver;
    this.exchange = new TapeExchange({
      market,
      rates,
      listener: (event) => this.#events.push(event.atMicros + latencies.answerMicros, event),
    });
  }

  /** When the next thing happens that is already known, Infinity if there is none. */
  get nextDueMicros(): number {
    return Math.min(this.#requests.dueMicros, this.#events.dueMicros, this.#rows.dueMicros);
  }

  /** Sends an order at our time `sentMicros`, which does not go back. */
  place(request: TapeRequest, sentMicros: number): void {
    this.#requests.push(sentMicros + this.#latencies.requestMicros, (atMicros) =>
      this.exchange.place(request, atMicros),
    );
  }

  /** Sends a cancel at our time `sentMicros`, which does not go back. */
  cancel(orderId: string, sentMicros: number): void {
    this.#requests.push(sentMicros + this.#latencies.requestMicros, (atMicros) =>
      this.exchange.cancel(orderId, atMicros),
    );
  }

  /** Lets everything happen that is due before the row, then gives the row to the exchange. */
  offer(row: OrderFlowRow): void {
    this.advance(row.atMicros);
    this.exchange.apply(row);
    this.#rows.push(row.atMicros + this.#latencies.feedMicros, row);
  }

  /** Lets everything happen that is due before `untilMicros`; Infinity ends the recording. */
  advance(untilMicros: number): void {
    for (;;) {
      const dueMicros = this.nextDueMicros;
      if (dueMicros >= untilMicros) return;
      if (this.#requests.dueMicros === dueMicros) this.#requests.shift()(dueMicros);
      else if (this.#events.dueMicros === dueMicros)
        this.#receiver.receiveEvent(this.#events.shift(), dueMicros);
      else this.#receiver.receiveRow(this.#rows.shift(), dueMicros);
    }
  }
}
