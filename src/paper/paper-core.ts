/**
 * The exchange of paper mode: the live stream of each market feeds the replay exchange of
 * backtests, and our orders have places in its queues. All markets share one account. It has no
 * clock of its own.
 *
 *     markets ──feed──▶ us, and the replay exchange
 *     us ──request + feed──▶ the replay exchange ──answer − feed──▶ us
 *
 * The replay exchange receives market data as late as we do, by `feed`, so its time is our time
 * minus `feed`. A request sent at t meets the market as of t + request, which arrives here another
 * `feed` later. Its outcome is reported when the real exchange would report it, at t + request +
 * answer, or as soon as it is known. Given a captured stream, it fills like a backtest over that
 * capture with the same latencies.
 *
 * Invariants: a request meets all rows that reached the exchange before it and no later ones, in
 * every market, however late timers fire; what is due in one market happens before a later message
 * of another; nothing is reported before `onReport` has made it durable.
 */
import type { BookMessage } from '../domain/book-message.ts';
import { assert } from '../domain/errors.ts';
import type { Market } from '../domain/market.ts';
import type { FeeRates, Latency } from '../domain/trading-conditions.ts';
import type { Effect } from '../engine/event.ts';
import type { EventSink } from '../engine/exchange-port.ts';
import type {
  AccountChange,
  AccountSnapshot,
} from '../replay-exchange/account/account-snapshot.ts';
import type { ReplayAccount } from '../replay-exchange/account/replay-account.ts';
import { answerRequest } from '../replay-exchange/account/replay-answers.ts';
import {
  ReplayExchange,
  type ReplayExchangeOptions,
} from '../replay-exchange/port/replay-exchange.ts';
import type { VenueReply } from '../venue/venue-reply.ts';
import type { ReadRequest } from '../venue/venue-request.ts';
import { LiveFlow, type LiveFlowOptions } from './live-flow.ts';

export type PaperLatencies = {
  /** The real latency of the stream, in microseconds; it is not added. */
  readonly feedUs: number;
  readonly request: Latency;
  readonly answer: Latency;
};

export type PaperMarket = { readonly market: Market; readonly fees: FeeRates };

export type PaperCoreOptions = {
  /** The rules of the exchange. */
  readonly profile: ReplayExchangeOptions['profile'];
  /** With all markets in which the account had orders before; none if it only watches. */
  readonly markets: readonly PaperMarket[];
  /**
   * The start balance in each currency; ignored for currencies that the account already has. The
   * ledger accounts are numbered in this order.
   */
  readonly balances: Readonly<Record<string, string>>;
  readonly latencies: PaperLatencies;
  readonly seed: number;
  readonly before?: AccountSnapshot | undefined;
  readonly onChange?: ((change: AccountChange) => void) | undefined;
  /** Called before each report to the bot; all changes must be durable when it returns. */
  readonly onReport?: (() => void) | undefined;
  readonly onWarning: (message: string) => void;
  /** See {@link LiveFlowOptions}. */
  readonly own?: LiveFlowOptions['own'];
  readonly nowMicros: () => number;
};

export class PaperCore {
  readonly #options: PaperCoreOptions;
  readonly #port: ReplayExchange;
  /** By pair. */
  readonly #live: ReadonlyMap<string, LiveFlow>;
  readonly #feedUs: number;

  /** Throws RangeError for an invalid latency. */
  constructor(options: PaperCoreOptions) {
    const { latencies, nowMicros, markets } = options;
    const { feedUs } = latencies;
    this.#options = options;
    this.#feedUs = feedUs;
    this.#port = new ReplayExchange({
      ...options,
      markets: markets.map(({ market, fees }) => ({ market, rates: fees })),
      latencies: {
        feed: { kind: 'fixed', us: 0 },
        request: shifted(latencies.request, feedUs),
        answer: shifted(latencies.answer, -feedUs),
      },
      nowMicros: () => nowMicros() - feedUs,
    });
    this.#live = new Map(
      [...this.account.markets].map(([pair, { market, replay }]) => [
        pair,
        new LiveFlow({
          ...{ market, replay, own: options.own },
          onWarning: (text) => options.onWarning(`${pair}: ${text}`),
        }),
      ]),
    );
  }

  /** Whether a market is one of the account, not one that is only watched. */
  has(pair: string): boolean {
    return this.#live.has(pair);
  }

  get account(): ReplayAccount {
    return this.#port.account;
  }

  /** When the next known event is due, in our time; Infinity if there is none. */
  get nextDueMicros(): number {
    return this.#port.nextDueMicros + this.#feedUs;
  }

  /** Opens the user stream; the caller opens the market streams. */
  open(sink: EventSink): void {
    this.#port.open((event) => {
      if (event.kind === 'market-opened') return;
      this.#options.onReport?.();
      sink(event);
    });
  }

  request(effect: Extract<Effect, { kind: 'request' }>): void {
    this.#port.request(effect);
  }

  /** Answers a query about the account without latency: for reports, not for trading. */
  async ask<Request extends ReadRequest>(request: Request): Promise<VenueReply<Request['kind']>> {
    return answerRequest(this.account, request, this.#options.nowMicros() - this.#feedUs);
  }

  /** Takes a market message that reaches us now; its fills are reported before this returns. */
  message(pair: string, message: BookMessage): void {
    const atMicros = this.#options.nowMicros() - this.#feedUs;
    this.#runUntil(atMicros);
    this.#liveOf(pair).take(message, atMicros);
    this.#runUntil(atMicros + 1);
  }

  /** Notes that a market's stream has ended. */
  lost(pair: string): void {
    const atMicros = this.#options.nowMicros() - this.#feedUs;
    this.#runUntil(atMicros);
    this.#liveOf(pair).lose(atMicros);
  }

  /** Processes everything that is due by now. */
  runDue(): void {
    this.#runUntil(this.#options.nowMicros() - this.#feedUs + 1);
  }

  #liveOf(pair: string): LiveFlow {
    const live = this.#live.get(pair);
    assert(live !== undefined, `${pair} must be a market of the paper account`);
    return live;
  }

  /** Processes everything that is due before `limitMicros` in the exchange's time. */
  #runUntil(limitMicros: number): void {
    while (this.#port.nextDueMicros < limitMicros) this.#port.deliverNext();
  }
}

/** Returns the latency with `us` added to each value, at least 0. */
function shifted(latency: Latency, us: number): Latency {
  const shift = (value: number): number => Math.max(0, value + us);
  switch (latency.kind) {
    case 'fixed':
      return { kind: 'fixed', us: shift(latency.us) };
    case 'between':
      return { kind: 'between', fromUs: shift(latency.fromUs), toUs: shift(latency.toUs) };
    case 'measured':
    case 'in-order':
      return { ...latency, samplesUs: latency.samplesUs.map(shift) };
  }
}
