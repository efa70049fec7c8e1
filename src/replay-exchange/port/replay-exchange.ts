/**
 * The replay exchange behind the engine's port: an account behind three latencies, with a stream of
 * each market and one of reports.
 *
 *     exchange  ───rows, reports──────feed──────▶  us
 *     exchange  ◀──request────────────request───  us
 *     exchange  ───reply──────────────answer────▶  us
 *
 * All times are in the recording's time. At equal times the exchange first applies all rows of
 * history, ends an interval of candles, then processes our requests; then replies reach us, then
 * reports, then rows, those of several markets in the given order of the markets.
 *
 * Invariants: nothing reaches us or the exchange before its time, and every request is answered
 * once.
 */
import { assert } from '../../domain/errors.ts';
import type { ExchangeProfile } from '../../domain/exchange-profile.ts';
import type { Latency } from '../../domain/trading-conditions.ts';
import type { Effect, EngineEvent } from '../../engine/event.ts';
import type { EventSink, ExchangePort } from '../../engine/exchange-port.ts';
import type { ReplyEvent } from '../../engine/stepping/step-input.ts';
import type { DelayedMessages } from '../../market/feed/delayed-messages.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { VenueReply } from '../../venue/venue-reply.ts';
import type { VenueReport } from '../../venue/venue-report.ts';
import type { ExchangeRules, TradedMarket } from '../account/account-market.ts';
import { ReplayAccount, type ReplayAccountOptions } from '../account/replay-account.ts';
import { answerRequest } from '../account/replay-answers.ts';
import { refusalOf } from '../account/replay-refusals.ts';
import { CallMeter } from './call-meter.ts';
import { DelayedFeed } from './delayed-feed.ts';
import { DueQueue } from './due-queue.ts';
import { LatencyModel } from './latency-model.ts';

export type PortLatencies = {
  /** From the exchange to us: rows of history and reports. */
  readonly feed: Latency;
  /** From us to the exchange. */
  readonly request: Latency;
  /** From the exchange to us: replies. */
  readonly answer: Latency;
};

/** A market at the port, and how its history reaches us. */
export type PortMarket = TradedMarket & {
  /** Receives what is offered; absent where market data reach us by another way. */
  readonly flow?: FlowListener | undefined;
};

export type ReplayExchangeOptions = Pick<
  ReplayAccountOptions,
  'balances' | 'before' | 'keptMs' | 'tradesKeptMs' | 'announcesOrders' | 'onChange'
> & {
  /** The rules of the exchange. */
  readonly profile: ExchangeRules & Pick<ExchangeProfile, 'calls'>;
  /** At least one. */
  readonly markets: readonly PortMarket[];
  readonly latencies: PortLatencies;
  /** The seed of drawn latencies. */
  readonly seed: number;
  /** Returns our time, which begins at the start of the recording and does not go back. */
  readonly nowMicros: () => number;
  /** Called when our orders may have changed between two rows, with the exchange's time. */
  readonly onOrders?: ((atMicros: number) => void) | undefined;
  /**
   * Called with the replies that reach us at the same time. Without it, each is an event of its
   * own.
   */
  readonly onReplies?: ((replies: readonly ReplyEvent[]) => void) | undefined;
};

export type FlowListener = {
  /** Called when the streams are open, to load the book at the beginning of the recording. */
  started(): void;
  /**
   * Called when the first message of `flow` reaches us. It must be skipped, or taken and its rows
   * read.
   */
  message(flow: DelayedMessages): void;
};

type Request = Extract<Effect, { kind: 'request' }>;

/** A request on its way to the exchange, and when it was sent. */
type Sent = { readonly request: Request; readonly sentMicros: number };

export class ReplayExchange implements ExchangePort {
  readonly account: ReplayAccount;
  /** The feeds of the markets, in the order of the markets. */
  readonly feeds: readonly DelayedFeed[] = [];
  /** How often the exchange refused order and cancel requests, by code. */
  readonly refusals = { place: new Map<string, number>(), cancel: new Map<string, number>() };
  /** How many answers arrived before and after the request's deadline. */
  readonly answers = { inTime: 0, late: 0 };
  readonly #feedLatency: LatencyModel;
  readonly #requestLatency: LatencyModel;
  readonly #answerLatency: LatencyModel;
  readonly #options: ReplayExchangeOptions;
  readonly #requests = new DueQueue<Sent>();
  readonly #replies = new DueQueue<ReplyEvent>();
  readonly #reports = new DueQueue<VenueReport>();
  #queuesDueMicros = Infinity;
  /** Whether a fill model answers some requests at the end of an interval of history. */
  readonly #hasIntervals: boolean;
  /** Undefined at an exchange that does not limit calls. */
  readonly #meter: CallMeter | undefined;
  #isOver = false;
  #sink: EventSink = () => {};

  /** Throws RangeError for an invalid latency. */
  constructor(options: ReplayExchangeOptions) {
    const { latencies, seed, markets, profile } = options;
    const { calls } = profile;
    this.#meter = calls === 'unlimited' ? undefined : new CallMeter(calls.perMinute);
    // Each stream has its own latency model: a draw for one stream does not delay another.
    this.#feedLatency = new LatencyModel('feed', latencies.feed, seed + 1);
    this.#requestLatency = new LatencyModel('request', latencies.request, seed);
    this.#answerLatency = new LatencyModel('answer', latencies.answer, seed);
    this.#options = options;
    // A restored account immediately reports the orders that ended with its earlier process.
    this.account = new ReplayAccount({
      ...options,
      startedMs: Math.floor(options.nowMicros() / 1000),
      onReport: (report, atMicros) => {
        const dueMicros = this.#feedLatency.dueMicros(atMicros);
        this.#reports.push(dueMicros, report);
        this.#noteDue(dueMicros);
      },
    });
    this.feeds = markets.map(({ market: { pair } }) => {
      const accountMarket = this.account.markets.get(pair);
      assert(accountMarket !== undefined, `${pair} must be a market of the account`);
      // The draws of a market do not depend on its place among the markets.
      const name = markets.length === 1 ? 'feed' : `feed of ${pair}`;
      return new DelayedFeed(accountMarket, name, latencies.feed, seed);
    });
    this.#hasIntervals = this.feeds.some(({ intervals }) => intervals !== undefined);
  }

  /** When the next known event is due; Infinity if there is none. */
  get nextDueMicros(): number {
    const feeds = this.feeds;
    let nextMicros = this.#queuesDueMicros;
    for (let index = 0; index < feeds.length; index++) {
      const { dueMicros } = (feeds[index] as DelayedFeed).flow;
      if (dueMicros < nextMicros) nextMicros = dueMicros;
    }
    return nextMicros;
  }

  /** When the first event other than a market message is due; Infinity if there is none. */
  get queuesDueMicros(): number {
    return this.#queuesDueMicros;
  }

  /** To be called when an item was taken from a queue or an interval has ended. */
  #updateQueuesDue(): void {
    let dueMicros = this.#requests.dueMicros;
    if (this.#replies.dueMicros < dueMicros) dueMicros = this.#replies.dueMicros;
    if (this.#reports.dueMicros < dueMicros) dueMicros = this.#reports.dueMicros;
    const feeds = this.feeds;
    for (let index = 0; index < feeds.length; index++) {
      const { intervals } = feeds[index] as DelayedFeed;
      if (intervals !== undefined && intervals.dueMicros < dueMicros)
        dueMicros = intervals.dueMicros;
    }
    this.#queuesDueMicros = dueMicros;
  }

  /** To be called when an item that is due at `dueMicros` was added to a queue. */
  #noteDue(dueMicros: number): void {
    if (dueMicros < this.#queuesDueMicros) this.#queuesDueMicros = dueMicros;
  }

  /** Opens all streams without latency: the first books are known on both sides. */
  open(sink: EventSink): void {
    this.#sink = sink;
    sink({ kind: 'user-opened' });
    for (const { market, flow } of this.#options.markets) {
      sink({ kind: 'market-opened', pair: market.pair });
      flow?.started();
    }
  }

  request(request: Request): void {
    const sentMicros = this.#options.nowMicros();
    const dueMicros = this.#requestLatency.dueMicros(sentMicros);
    this.#requests.push(dueMicros, { request, sentMicros });
    this.#noteDue(dueMicros);
  }

  /** Does nothing: the rows of a recording simply continue and make the book usable again. */
  reconnect(): void {}

  async close(): Promise<void> {}

  /**
   * Adds a market's next rows, see {@link DelayedFeed.offer}; everything due before their time must
   * have been delivered.
   */
  offer(feed: DelayedFeed, row: FlowCursor): number {
    const { intervals } = feed;
    // A bar ends the interval for which requests wait, and may trigger an order that then waits.
    const hadWaiting = intervals !== undefined && intervals.dueMicros !== Infinity;
    const rows = feed.offer(row);
    if (hadWaiting || (intervals !== undefined && intervals.dueMicros !== Infinity))
      this.#updateQueuesDue();
    return rows;
  }

  /**
   * Ends history: requests that wait for the end of an interval are answered, later orders are
   * refused, and later refusals are not counted.
   */
  endFlow(atMicros: number): void {
    for (const { intervals, accountMarket } of this.feeds) {
      intervals?.end(atMicros);
      accountMarket.replay.history.status = 'DISABLED';
    }
    this.#isOver = true;
    this.#updateQueuesDue();
  }

  /** Delivers what is due next, see {@link deliverDue}. Our time must be that time. */
  deliverNext(): void {
    this.deliverDue(this.nextDueMicros);
  }

  /**
   * As {@link deliverNext}, for a caller that knows {@link nextDueMicros}. Requests, replies or
   * reports that are due at the same time pass together, unless others come between them.
   */
  deliverDue(dueMicros: number): void {
    if (dueMicros < this.#queuesDueMicros) this.#deliverFlow(dueMicros);
    else if (this.#passInterval(dueMicros)) this.#options.onOrders?.(dueMicros);
    else if (this.#requests.dueMicros === dueMicros) this.#answerRequests(dueMicros);
    else if (this.#replies.dueMicros === dueMicros) this.#deliverReplies(dueMicros);
    else this.#deliverReports(dueMicros);
  }

  #answerRequests(dueMicros: number): void {
    const requests = this.#requests;
    do this.#answer(requests.shift(), dueMicros);
    while (requests.dueMicros === dueMicros && !this.#hasIntervals);
    this.#updateQueuesDue();
  }

  #deliverReplies(dueMicros: number): void {
    const { onReplies } = this.#options;
    const replies = this.#replies;
    if (onReplies === undefined) {
      this.#deliver(replies.shift());
      return;
    }
    const due = [replies.shift()];
    while (replies.dueMicros === dueMicros) due.push(replies.shift());
    this.#updateQueuesDue();
    onReplies(due);
  }

  /** Delivers reports until something else is due first. */
  #deliverReports(dueMicros: number): void {
    const reports = this.#reports;
    do this.#deliver({ kind: 'report', report: reports.shift() });
    while (
      reports.dueMicros === dueMicros &&
      this.#requests.dueMicros > dueMicros &&
      this.#replies.dueMicros > dueMicros
    );
  }

  #deliverFlow(dueMicros: number): void {
    let index = 0;
    while (this.feeds[index]?.flow.dueMicros !== dueMicros) index++;
    const { flow } = this.feeds[index] as DelayedFeed;
    this.#options.markets[index]?.flow?.message(flow);
  }

  /** Ends the first interval that is due at `dueMicros`; returns whether there is one. */
  #passInterval(dueMicros: number): boolean {
    if (!this.#hasIntervals) return false;
    const feed = this.feeds.find(({ intervals }) => intervals?.dueMicros === dueMicros);
    if (feed === undefined) return false;
    feed.intervals?.pass(dueMicros);
    this.#updateQueuesDue();
    return true;
  }

  /** Delivers an event that was taken from a queue, which may add items to the queues. */
  #deliver(event: EngineEvent): void {
    this.#updateQueuesDue();
    this.#sink(event);
  }

  #throttled(atMicros: number): VenueReply | undefined {
    const waitMicros = this.#meter?.take(atMicros) ?? 0;
    if (waitMicros === 0) return undefined;
    const retryAfterMs = Math.ceil(waitMicros / 1_000);
    return { ...refusalOf('throttled', atMicros), retryAfterMs };
  }

  #answer({ request, sentMicros }: Sent, atMicros: number): void {
    const answeredMicros = this.#answerLatency.dueMicros(atMicros);
    const { call } = request;
    let reply = this.#throttled(atMicros) ?? answerRequest(this.account, call, atMicros);
    if (
      reply.kind === 'refused' &&
      !this.#isOver &&
      (call.kind === 'place' || call.kind === 'cancel')
    ) {
      const counts = this.refusals[call.kind];
      counts.set(reply.code, (counts.get(reply.code) ?? 0) + 1);
    }
    // After the deadline the engine no longer waits for the answer and never learns its content.
    const isLate = answeredMicros - sentMicros > request.deadlineMs * 1000;
    if (isLate) {
      this.answers.late++;
      reply = { kind: 'no-answer', why: `no answer within ${request.deadlineMs} ms` };
    } else this.answers.inTime++;
    this.#options.onOrders?.(atMicros);
    this.#replies.push(answeredMicros, { kind: 'reply', request: request.request, reply });
  }
}
