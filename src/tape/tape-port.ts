/**
 * The tape exchange behind the engine's port: the account's desk at a distance of three latencies.
 *
 *     exchange  ───rows, user stream──feed──────▶  us
 *     exchange  ◀──request────────────request───  us
 *     exchange  ───reply──────────────answer────▶  us
 *
 * One clock runs through all of it: the recording's. At equal times the exchange first takes all
 * rows of history, ends an interval of candles, then takes our requests; then replies reach us,
 * then the user stream, then rows.
 *
 * Invariants: nothing reaches us before its time, the exchange never knows a request before its
 * time, and every request is answered once.
 */
import type { BookSnapshot } from '../domain/book-message.ts';
import type { Latency } from '../domain/scenario-settings.ts';
import type { Effect, EngineEvent } from '../engine/event.ts';
import type { EventSink, ExchangePort } from '../engine/exchange-port.ts';
import type { Reply } from '../interface/reply.ts';
import type { UserMessage } from '../interface/user-stream.ts';
import type { FlowBlock } from '../market/flow-block.ts';
import type { FlowCursor } from '../market/flow-cursor.ts';
import type { OrderFlowRow } from '../market/order-flow-row.ts';
import { DelayedFlow } from './delayed-flow.ts';
import { DueQueue } from './due-queue.ts';
import { Way } from './latency.ts';
import { answerRequest } from './tape-answers.ts';
import { TapeDesk, type TapeDeskOptions } from './tape-desk.ts';
import type { TapeIntervals } from './tape-model.ts';

export type PortLatencies = {
  /** From the exchange to us: rows of history and the user stream. */
  readonly feed: Latency;
  /** From us to the exchange. */
  readonly request: Latency;
  /** From the exchange's answer to us. */
  readonly answer: Latency;
};

export type TapePortOptions = Omit<TapeDeskOptions, 'onUserMessage' | 'startedMs'> & {
  readonly latencies: PortLatencies;
  /** Of the latencies. */
  readonly seed: number;
  /** The book when the recording begins, unless it is told by `flow`. */
  readonly snapshot: BookSnapshot | undefined;
  /** Our time, which does not go back; it begins at the recording's. */
  readonly nowMicros: () => number;
  /** Hears a row when it reaches us. */
  readonly onRow: (row: OrderFlowRow) => void;
  /** Called at the exchange's time when a request has been answered. */
  readonly onAnswered?: (atMicros: number) => void;
  /** Hears of history in columns instead. */
  readonly flow?: FlowListener | undefined;
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

type Request = Extract<Effect, { kind: 'request' }> & {
  /** When it left us. */
  readonly sentMicros: number;
};

export class TapePort implements ExchangePort {
  readonly desk: TapeDesk;
  /** How often the exchange refused with each code. */
  readonly refusals = new Map<string, number>();
  readonly #rowWay: Way;
  readonly #messageWay: Way;
  readonly #requestWay: Way;
  readonly #answerWay: Way;
  readonly #options: TapePortOptions;
  readonly #requests = new DueQueue<Request>();
  readonly #replies = new DueQueue<{ readonly request: number; readonly reply: Reply }>();
  readonly #messages = new DueQueue<UserMessage>();
  readonly #rows = new DueQueue<OrderFlowRow>();
  readonly #flow = new DelayedFlow();
  readonly #intervals: TapeIntervals | undefined;
  /** When the first thing that is not history in columns is due. */
  #queuesDueMicros = Infinity;
  #sink: EventSink = () => {};

  /** Throws RangeError for a latency that cannot be. */
  constructor(options: TapePortOptions) {
    const { latencies, seed } = options;
    // The streams are two lines: what is drawn for one does not delay the other.
    this.#rowWay = new Way('feed', latencies.feed, seed);
    this.#messageWay = new Way('feed', latencies.feed, seed + 1);
    this.#requestWay = new Way('request', latencies.request, seed);
    this.#answerWay = new Way('answer', latencies.answer, seed);
    this.#options = options;
    this.desk = new TapeDesk({
      ...options,
      startedMs: Math.floor(options.nowMicros() / 1000),
      onUserMessage: (message, atMicros) => {
        this.#messages.push(this.#messageWay.dueMicros(atMicros), message);
        this.#noteQueues();
      },
    });
    this.#intervals = this.desk.tape.intervals;
  }

  /** The longest that a row of history is on its way to us. */
  get feedMicrosMax(): number {
    return this.#rowWay.longestMicros;
  }

  /** When the next thing happens that is already known, Infinity if there is none. */
  get nextDueMicros(): number {
    const { dueMicros } = this.#flow;
    return dueMicros < this.#queuesDueMicros ? dueMicros : this.#queuesDueMicros;
  }

  /** To be called when something was put into a queue or taken out of one. */
  #noteQueues(): void {
    this.#queuesDueMicros = Math.min(
      this.#requests.dueMicros,
      this.#replies.dueMicros,
      this.#messages.dueMicros,
      this.#rows.dueMicros,
      this.#intervals?.dueMicros ?? Infinity,
    );
  }

  /** Delivers the start of both streams at once: the recording's first book is known to both. */
  open(sink: EventSink): void {
    this.#sink = sink;
    const { market, snapshot, flow } = this.#options;
    const { pair } = market;
    sink({ kind: 'user-opened' });
    sink({ kind: 'market-opened', pair });
    if (snapshot !== undefined)
      sink({ kind: 'market-frame', pair, text: '', message: { kind: 'snapshot', snapshot } });
    flow?.started();
  }

  request(effect: Omit<Request, 'sentMicros'>): void {
    const sentMicros = this.#options.nowMicros();
    this.#requests.push(this.#requestWay.dueMicros(sentMicros), { ...effect, sentMicros });
    this.#noteQueues();
  }

  /** A recording cannot be asked again; its rows go on, and the book becomes usable by them. */
  reconnect(): void {}

  async close(): Promise<void> {}

  /** Takes the next row of history; everything due before its time must have been delivered. */
  offer(row: OrderFlowRow): void {
    this.desk.tape.apply(row);
    this.#rows.push(this.#rowWay.dueMicros(row.atMicros), row);
    this.#noteQueues();
  }

  /** The rows that are offered next are those of `block`. */
  begin(block: FlowBlock): void {
    this.#flow.add(block);
  }

  /** As {@link offer}, with the row that the cursor is at. */
  offerFlow(row: FlowCursor): void {
    this.desk.tape.applyFlow(row);
    // Each row has its own latency; a message is there when its last row is.
    const dueMicros = this.#rowWay.dueMicros(row.atMicros);
    if (row.endsMessage) this.#flow.note(row.atMicros, dueMicros);
    if (this.#intervals !== undefined) this.#noteQueues();
  }

  /** History is over: no request waits for the end of an interval any more. */
  endFlow(atMicros: number): void {
    this.#intervals?.end(atMicros);
    this.#noteQueues();
  }

  /** Lets the first thing happen that is due; our time must be its time. */
  deliverNext(): void {
    const dueMicros = this.#queuesDueMicros;
    if (this.#flow.dueMicros < dueMicros) {
      const endMicros = this.#flow.take();
      this.#options.flow?.message(this.#flow.cursor, endMicros);
      return;
    }
    if (this.#intervals?.dueMicros === dueMicros) {
      this.#intervals.pass(dueMicros);
      this.#noteQueues();
    } else if (this.#requests.dueMicros === dueMicros)
      this.#answer(this.#requests.shift(), dueMicros);
    else if (this.#replies.dueMicros === dueMicros)
      this.#tell({ kind: 'reply', ...this.#replies.shift() });
    else if (this.#messages.dueMicros === dueMicros)
      this.#tell({ kind: 'user-frame', text: '', message: this.#messages.shift() });
    else {
      const row = this.#rows.shift();
      this.#noteQueues();
      this.#options.onRow(row);
    }
  }

  /** Tells what was taken out of a queue; what follows from it may fill the queues again. */
  #tell(event: EngineEvent): void {
    this.#noteQueues();
    this.#sink(event);
  }

  #answer(request: Request, atMicros: number): void {
    const answeredMicros = this.#answerWay.dueMicros(atMicros);
    let reply = answerRequest(this.desk, request, atMicros);
    if (reply.kind === 'refused')
      this.refusals.set(reply.code, (this.refusals.get(reply.code) ?? 0) + 1);
    // It comes when nobody waits for it any more; what it would have said is not known then.
    if (answeredMicros - request.sentMicros > request.deadlineMs * 1000)
      reply = { kind: 'no-answer', reason: `no answer within ${request.deadlineMs} ms` };
    this.#options.onAnswered?.(atMicros);
    this.#replies.push(answeredMicros, { request: request.request, reply });
    this.#noteQueues();
  }
}
