/**
 * The pretended exchange of paper mode: the live stream of each market goes into the tape exchange
 * that backtests use, and our orders stand in its queues, without a clock of its own. All markets
 * are traded on one account.
 *
 *     markets ──feed──▶ us, and the tape
 *     us ──request, and feed──▶ the tape ──answer, less feed──▶ us
 *
 * The tape hears of a market as late as we do, by `feed`. So its time is ours less `feed`: what
 * we send at t meets the market as it is at t + request, which is here another `feed` later; and
 * what becomes of it is told when the exchange would, at t + request + answer, or as soon as it is
 * known. Fed with what was captured, it fills as a backtest of it does with the same latencies.
 *
 * Invariants: a request meets all rows that reached the exchange before it and none after it, in
 * whatever market, however late timers fire; what is due in one market is done before a later
 * message of another; nothing is told before `onTelling` has made it durable.
 */
import { assert } from '../domain/errors.ts';
import type { Market } from '../domain/market.ts';
import type { FeeRates, Latency } from '../domain/trading-conditions.ts';
import type { Effect } from '../engine/event.ts';
import type { EventSink } from '../engine/exchange-port.ts';
import type { OperationName } from '../exchange-api/operations.ts';
import type { Reply } from '../exchange-api/reply.ts';
import { encodeUserFrame } from '../exchange-api/user-messages.ts';
import type {
  AccountChange,
  AccountSnapshot,
} from '../replay-exchange/account/account-snapshot.ts';
import type { ReplayAccount } from '../replay-exchange/account/replay-account.ts';
import { answerRequest } from '../replay-exchange/account/replay-answers.ts';
import { ReplayExchange } from '../replay-exchange/port/replay-exchange.ts';
import { type BookMessage, LiveFlow, type LiveFlowOptions } from './live-flow.ts';

export type PaperLatencies = {
  /** How late the stream reaches us, in microseconds; it has that by itself. */
  readonly feedUs: number;
  readonly request: Latency;
  readonly answer: Latency;
};

/** A market of the account, and what trading there costs. */
export type PaperMarket = { readonly market: Market; readonly fees: FeeRates };

export type PaperCoreOptions = {
  /** At least one, and all in which the account had orders before. */
  readonly markets: readonly PaperMarket[];
  /**
   * What the account begins with in each currency; not looked at where it has been there before.
   * The accounts are numbered in this order.
   */
  readonly balances: Readonly<Record<string, string>>;
  readonly latencies: PaperLatencies;
  /** Of latencies that are drawn. */
  readonly seed: number;
  readonly before?: AccountSnapshot | undefined;
  readonly onChange?: ((change: AccountChange) => void) | undefined;
  /** Called before anything is told; what changed must be durable when it returns. */
  readonly onTelling?: (() => void) | undefined;
  readonly onWarning: (message: string) => void;
  /** See {@link LiveFlowOptions}. */
  readonly own?: LiveFlowOptions['own'];
  /** Our time. */
  readonly nowMicros: () => number;
};

export class PaperCore {
  readonly #options: PaperCoreOptions;
  readonly #port: ReplayExchange;
  /** By pair. */
  readonly #live: ReadonlyMap<string, LiveFlow>;
  readonly #feedUs: number;

  /** Throws RangeError for a latency that cannot be. */
  constructor(options: PaperCoreOptions) {
    const { latencies, nowMicros, markets } = options;
    const { feedUs } = latencies;
    this.#options = options;
    this.#feedUs = feedUs;
    this.#port = new ReplayExchange({
      ...options,
      markets: markets.map(({ market, fees }) => ({
        market,
        rates: fees,
        snapshot: undefined,
        onRow: () => {},
      })),
      latencies: {
        feed: { kind: 'fixed', us: 0 },
        request: shifted(latencies.request, feedUs),
        answer: shifted(latencies.answer, -feedUs),
      },
      nowMicros: () => nowMicros() - feedUs,
    });
    this.#live = new Map(
      this.#port.feeds.map((feed) => [
        feed.pair,
        new LiveFlow({
          market: feed.accountMarket.market,
          fillModel: feed.accountMarket.fillModel,
          offer: (row) => this.#port.offer(feed, row),
          onWarning: (text) => options.onWarning(`${feed.pair}: ${text}`),
          own: options.own,
        }),
      ]),
    );
  }

  /** The account, with a desk for each market. */
  get account(): ReplayAccount {
    return this.#port.account;
  }

  /** When the next thing happens that is known already, in our time; Infinity if there is none. */
  get nextDueMicros(): number {
    return this.#port.nextDueMicros + this.#feedUs;
  }

  /** Opens the user stream; the markets' are opened by whoever feeds them. */
  open(sink: EventSink): void {
    this.#port.open((event) => {
      if (event.kind === 'market-opened') return;
      this.#options.onTelling?.();
      if (event.kind !== 'user-frame') return sink(event);
      const { message } = event;
      if (
        message.kind === 'order-status' ||
        message.kind === 'order-fill' ||
        message.kind === 'balance'
      )
        sink({ ...event, text: encodeUserFrame(message) });
    });
  }

  request(effect: Extract<Effect, { kind: 'request' }>): void {
    this.#port.request(effect);
  }

  /** Answers a question about the account at once: for reports, not for trading. */
  ask(operation: OperationName, parameters: object): Reply {
    const atMicros = this.#options.nowMicros() - this.#feedUs;
    return answerRequest(this.account, { operation, parameters }, atMicros);
  }

  /** A message of a market reaches us now; what it fills is told before this returns. */
  message(pair: string, message: BookMessage): void {
    const atMicros = this.#options.nowMicros() - this.#feedUs;
    this.#runUntil(atMicros);
    this.#liveOf(pair).take(message, atMicros);
    this.#runUntil(atMicros + 1);
  }

  /** A market's stream has ended. */
  lost(pair: string): void {
    const atMicros = this.#options.nowMicros() - this.#feedUs;
    this.#runUntil(atMicros);
    this.#liveOf(pair).lose(atMicros);
  }

  /** Lets everything happen that is due by now. */
  runDue(): void {
    this.#runUntil(this.#options.nowMicros() - this.#feedUs + 1);
  }

  #liveOf(pair: string): LiveFlow {
    const live = this.#live.get(pair);
    assert(live !== undefined, `${pair} must be a market of the pretended account`);
    return live;
  }

  /** Before `limitMicros` of the exchange's time. */
  #runUntil(limitMicros: number): void {
    while (this.#port.nextDueMicros < limitMicros) this.#port.deliverNext();
  }
}

/** Returns the latency with `us` added to all of it, at least 0. */
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
