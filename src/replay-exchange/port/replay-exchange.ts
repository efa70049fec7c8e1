/**
 * The tape exchange behind the engine's port: an account holder at a distance of three latencies,
 * with a stream of each market and one of its own.
 *
 *     exchange  ───rows, user stream──feed──────▶  us
 *     exchange  ◀──request────────────request───  us
 *     exchange  ───reply──────────────answer────▶  us
 *
 * One clock runs through all of it: the recording's. At equal times the exchange first takes all
 * rows of history, ends an interval of candles, then takes our requests; then replies reach us,
 * then the user stream, then rows; rows of several markets in the order of the markets as given.
 *
 * Invariants: nothing reaches us before its time, the exchange never knows a request before its
 * time, and every request is answered once.
 */
import type { BookSnapshot } from '../../domain/book-message.ts';
import { assert } from '../../domain/errors.ts';
import type { Latency } from '../../domain/trading-conditions.ts';
import type { Effect, EngineEvent } from '../../engine/event.ts';
import type { EventSink, ExchangePort } from '../../engine/exchange-port.ts';
import type { UserMessage } from '../../exchange-api/user-messages.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { OrderFlowRow } from '../../market/flow/order-flow-row.ts';
import type { TradedMarket } from '../account/account-market.ts';
import { ReplayAccount, type ReplayAccountOptions } from '../account/replay-account.ts';
import { answerRequest } from '../account/replay-answers.ts';
import { DelayedFeed } from './delayed-feed.ts';
import { DueQueue } from './due-queue.ts';
import { LatencyModel } from './latency-model.ts';

export type PortLatencies = {
  /** From the exchange to us: rows of history and the user stream. */
  readonly feed: Latency;
  /** From us to the exchange. */
  readonly request: Latency;
  /** From the exchange's answer to us. */
  readonly answer: Latency;
};

/** A market at the port: what is traded, and how its history is told to us. */
export type PortMarket = TradedMarket & {
  /** The book when the recording begins, unless it is told by `flow`. */
  readonly snapshot: BookSnapshot | undefined;
  /** Hears a row when it reaches us. */
  readonly onRow: (row: OrderFlowRow) => void;
  /** Hears of history in columns instead. */
  readonly flow?: FlowListener | undefined;
};

export type ReplayExchangeOptions = Pick<
  ReplayAccountOptions,
  'balances' | 'before' | 'keptMs' | 'onChange'
> & {
  /** At least one. */
  readonly markets: readonly PortMarket[];
  readonly latencies: PortLatencies;
  /** Of the latencies. */
  readonly seed: number;
  /** Our time, which does not go back; it begins at the recording's. */
  readonly nowMicros: () => number;
  /** Called at the exchange's time when our orders may have changed between two rows. */
  readonly onOrders?: ((atMicros: number) => void) | undefined;
};

export type FlowListener = {
  /** Both streams are open; now the book when the recording begins. */
  started(): void;
  /**
   * A message reaches us, which ended at `endMicros`: the cursor stands before its first row and
   * must be left at its last.
   */
  message(row: FlowCursor, endMicros: number): void;
};

type Request = Extract<Effect, { kind: 'request' }>;

/** A request on its way, and when it left us. */
type Sent = { readonly request: Request; readonly sentMicros: number };

export class ReplayExchange implements ExchangePort {
  readonly account: ReplayAccount;
  /** The streams of the markets, in their order. */
  readonly feeds: readonly DelayedFeed[] = [];
  /** How often the exchange refused, by code; a question that it cannot answer is none. */
  readonly refusals = {
    postorder: new Map<string, number>(),
    stoporder: new Map<string, number>(),
  };
  /** How many answers came while somebody waited for them, and how many later. */
  readonly answers = { inTime: 0, late: 0 };
  readonly #feedLatency: LatencyModel;
  readonly #requestLatency: LatencyModel;
  readonly #answerLatency: LatencyModel;
  readonly #options: ReplayExchangeOptions;
  readonly #requests = new DueQueue<Sent>();
  readonly #replies = new DueQueue<Extract<EngineEvent, { kind: 'reply' }>>();
  readonly #messages = new DueQueue<UserMessage>();
  #queuesDueMicros = Infinity;
  /** Whether a model answers some requests when an interval of history has ended. */
  readonly #hasIntervals: boolean;
  #isOver = false;
  #sink: EventSink = () => {};

  /** Throws RangeError for a latency that cannot be. */
  constructor(options: ReplayExchangeOptions) {
    const { latencies, seed, markets } = options;
    // The streams are lines of their own: what is drawn for one does not delay another.
    this.#feedLatency = new LatencyModel('feed', latencies.feed, seed + 1);
    this.#requestLatency = new LatencyModel('request', latencies.request, seed);
    this.#answerLatency = new LatencyModel('answer', latencies.answer, seed);
    this.#options = options;
    // An account that goes on tells at once what of it ended with its earlier life.
    this.account = new ReplayAccount({
      ...options,
      startedMs: Math.floor(options.nowMicros() / 1000),
      onUserMessage: (message, atMicros) => {
        const dueMicros = this.#feedLatency.dueMicros(atMicros);
        this.#messages.push(dueMicros, message);
        this.#noteDue(dueMicros);
      },
    });
    this.feeds = markets.map(({ market: { pair } }) => {
      const accountMarket = this.account.markets.get(pair);
      assert(accountMarket !== undefined, `${pair} must be a market of the account`);
      // Each market has draws of its own, whatever its place among them.
      const name = markets.length === 1 ? 'feed' : `feed of ${pair}`;
      return new DelayedFeed(accountMarket, name, latencies.feed, seed);
    });
    this.#hasIntervals = this.feeds.some(({ intervals }) => intervals !== undefined);
  }

  /** When the next thing happens that is already known, Infinity if there is none. */
  get nextDueMicros(): number {
    const feeds = this.feeds;
    let nextMicros = this.#queuesDueMicros;
    for (let index = 0; index < feeds.length; index++) {
      const { dueMicros } = (feeds[index] as DelayedFeed).flow;
      if (dueMicros < nextMicros) nextMicros = dueMicros;
    }
    return nextMicros;
  }

  /** When the first thing that is not history in columns is due. */
  get queuesDueMicros(): number {
    return this.#queuesDueMicros;
  }

  /** To be called when something was taken out of a queue, or an interval has ended. */
  #noteQueues(): void {
    let dueMicros = this.#requests.dueMicros;
    if (this.#replies.dueMicros < dueMicros) dueMicros = this.#replies.dueMicros;
    if (this.#messages.dueMicros < dueMicros) dueMicros = this.#messages.dueMicros;
    const feeds = this.feeds;
    for (let index = 0; index < feeds.length; index++) {
      const { rows, intervals } = feeds[index] as DelayedFeed;
      if (rows.dueMicros < dueMicros) dueMicros = rows.dueMicros;
      if (intervals !== undefined && intervals.dueMicros < dueMicros)
        dueMicros = intervals.dueMicros;
    }
    this.#queuesDueMicros = dueMicros;
  }

  /** To be called when something that is due then was put into a queue. */
  #noteDue(dueMicros: number): void {
    if (dueMicros < this.#queuesDueMicros) this.#queuesDueMicros = dueMicros;
  }

  /** Delivers the start of all streams at once: the recordings' first books are known to both. */
  open(sink: EventSink): void {
    this.#sink = sink;
    sink({ kind: 'user-opened' });
    for (const { market, snapshot, flow } of this.#options.markets) {
      const { pair } = market;
      sink({ kind: 'market-opened', pair });
      if (snapshot !== undefined)
        sink({ kind: 'market-frame', pair, text: '', message: { kind: 'snapshot', snapshot } });
      flow?.started();
    }
  }

  request(request: Request): void {
    const sentMicros = this.#options.nowMicros();
    const dueMicros = this.#requestLatency.dueMicros(sentMicros);
    this.#requests.push(dueMicros, { request, sentMicros });
    this.#noteDue(dueMicros);
  }

  /** A recording cannot be asked again; its rows go on, and the book becomes usable by them. */
  reconnect(): void {}

  async close(): Promise<void> {}

  /** Takes a market's next row; everything due before its time must have been delivered. */
  offer(feed: DelayedFeed, row: OrderFlowRow): void {
    feed.offer(row);
    this.#noteQueues();
  }

  /** As {@link offer}, with the row that the line's cursor is at. */
  offerFlow(feed: DelayedFeed, row: FlowCursor): void {
    feed.offerFlow(row);
    // An interval ends with a message.
    if (feed.intervals !== undefined && row.endsMessage) this.#noteQueues();
  }

  /**
   * History is over: no request waits for the end of an interval any more, no order is taken that
   * comes later, and what is refused then is no figure of the run.
   */
  endFlow(atMicros: number): void {
    for (const { intervals, accountMarket } of this.feeds) {
      intervals?.end(atMicros);
      accountMarket.fillModel.status = 'DISABLED';
    }
    this.#isOver = true;
    this.#noteQueues();
  }

  /** Lets the first thing happen that is due; our time must be its time. */
  deliverNext(): void {
    const dueMicros = this.nextDueMicros;
    if (dueMicros < this.#queuesDueMicros) this.#deliverFlow(dueMicros);
    else if (this.#passInterval(dueMicros)) this.#options.onOrders?.(dueMicros);
    else if (this.#requests.dueMicros === dueMicros)
      this.#answer(this.#requests.shift(), dueMicros);
    else if (this.#replies.dueMicros === dueMicros) this.#tell(this.#replies.shift());
    else if (this.#messages.dueMicros === dueMicros)
      this.#tell({ kind: 'user-frame', text: '', message: this.#messages.shift() });
    else this.#deliverRow(dueMicros);
  }

  #deliverFlow(dueMicros: number): void {
    let index = 0;
    while (this.feeds[index]?.flow.dueMicros !== dueMicros) index++;
    const { flow } = this.feeds[index] as DelayedFeed;
    const endMicros = flow.take();
    this.#options.markets[index]?.flow?.message(flow.cursor, endMicros);
  }

  /** Ends the first interval that ends then; returns whether there is one. */
  #passInterval(dueMicros: number): boolean {
    if (!this.#hasIntervals) return false;
    const feed = this.feeds.find(({ intervals }) => intervals?.dueMicros === dueMicros);
    if (feed === undefined) return false;
    feed.intervals?.pass(dueMicros);
    this.#noteQueues();
    return true;
  }

  #deliverRow(dueMicros: number): void {
    const index = this.feeds.findIndex(({ rows }) => rows.dueMicros === dueMicros);
    const row = (this.feeds[index] as DelayedFeed).rows.shift();
    this.#noteQueues();
    this.#options.markets[index]?.onRow(row);
  }

  /** Tells what was taken out of a queue; what follows from it may fill the queues again. */
  #tell(event: EngineEvent): void {
    this.#noteQueues();
    this.#sink(event);
  }

  #answer({ request, sentMicros }: Sent, atMicros: number): void {
    const answeredMicros = this.#answerLatency.dueMicros(atMicros);
    let reply = answerRequest(this.account, request, atMicros);
    const { operation } = request;
    const isOfOrder = operation === 'postorder' || operation === 'stoporder';
    if (reply.kind === 'refused' && isOfOrder && !this.#isOver) {
      const counts = this.refusals[operation];
      counts.set(reply.code, (counts.get(reply.code) ?? 0) + 1);
    }
    // It comes when nobody waits for it any more; what it would have said is not known then.
    const isLate = answeredMicros - sentMicros > request.deadlineMs * 1000;
    if (isLate) {
      this.answers.late++;
      reply = { kind: 'no-answer', reason: `no answer within ${request.deadlineMs} ms` };
    } else this.answers.inTime++;
    this.#options.onOrders?.(atMicros);
    this.#replies.push(answeredMicros, { kind: 'reply', request: request.request, reply });
    this.#noteQueues();
  }
}
