/** The replay exchange with one market behind its port, for tests of what it answers. */
import type { ExchangeProfile } from '../../src/domain/exchange-profile.ts';
import type { Latency } from '../../src/domain/trading-conditions.ts';
import type { EngineEvent } from '../../src/engine/event.ts';
import { FlowCursor } from '../../src/market/flow/flow-cursor.ts';
import type { OrderFlowRow } from '../../src/market/flow/order-flow-row.ts';
import type { DelayedFeed } from '../../src/replay-exchange/port/delayed-feed.ts';
import {
  type PortLatencies,
  ReplayExchange,
} from '../../src/replay-exchange/port/replay-exchange.ts';
import type { Answers, VenueReply } from '../../src/venue/venue-reply.ts';
import type { PlaceRequest, VenueRequest } from '../../src/venue/venue-request.ts';
import { lunoProfile } from '../../src/venues/profiles.ts';
import { EncodedHistory } from './encoded-history.ts';
import { type PlacePart, placing, replayMarket, replayRates, row } from './replay-market.ts';

export const startMicros = 1_700_000_000_000_000;
export const startMs = startMicros / 1_000;

export const us = (count: number): Latency => ({ kind: 'fixed', us: count });

type Received = { readonly atMicros: number; readonly event: EngineEvent };

/** An exchange with 10 XBT asked at 1.01, 10 bid at 0.99, and an account of 1 XBT, 100 EUR. */
export class Bench {
  readonly received: Received[] = [];
  readonly port: ReplayExchange;
  readonly feed: DelayedFeed;
  readonly #history = new EncodedHistory(() => {});
  #nowMicros = startMicros;
  #requests = 0;

  constructor(
    latencies: PortLatencies = { feed: us(10), request: us(100), answer: us(1_000) },
    profile: ExchangeProfile = lunoProfile,
  ) {
    this.port = new ReplayExchange({
      profile,
      markets: [
        {
          market: replayMarket,
          rates: replayRates,
          flow: { started: () => {}, message: (flow) => flow.skip() },
        },
      ],
      balances: { XBT: '1', EUR: '100' },
      latencies,
      seed: 1,
      nowMicros: () => this.#nowMicros,
    });
    this.feed = this.port.feeds[0] as DelayedFeed;
    this.port.open((event) => this.#receive(event));
    this.offer(row.create('a', 'ASK', 101, 100_000), row.create('b', 'BID', 99, 100_000));
  }

  get nowMicros(): number {
    return this.#nowMicros;
  }

  #receive(event: EngineEvent): void {
    this.received.push({ atMicros: this.#nowMicros - startMicros, event });
  }

  /** Processes everything up to `afterMicros` from the start. */
  runTo(afterMicros: number): void {
    while (this.port.nextDueMicros < startMicros + afterMicros) {
      this.#nowMicros = this.port.nextDueMicros;
      this.port.deliverNext();
    }
    this.#nowMicros = startMicros + afterMicros;
  }

  offer(...rows: readonly OrderFlowRow[]): void {
    const block = this.#history.block(rows.map((one) => ({ ...one, atMicros: this.#nowMicros })));
    this.feed.begin(block);
    const cursor = new FlowCursor();
    cursor.load(block);
    while (cursor.next()) this.port.offer(this.feed, cursor);
  }

  send(call: VenueRequest, deadlineMs = 4_000): number {
    const request = ++this.#requests;
    this.port.request({ kind: 'request', request, call, deadlineMs });
    return request;
  }

  /** Sends, waits, and returns the reply. */
  ask<Request extends VenueRequest>(call: Request): VenueReply<Request['kind']> {
    const request = this.send(call);
    this.runTo(this.#nowMicros - startMicros + 10_000);
    const found = this.received.find(
      ({ event }) => event.kind === 'reply' && event.request === request,
    );
    if (found?.event.kind !== 'reply') throw new Error(`no reply to ${call.kind}`);
    // Of the kind that was asked.
    return found.event.reply as VenueReply<Request['kind']>;
  }

  value<Request extends VenueRequest>(call: Request): Answers[Request['kind']] {
    const reply = this.ask(call);
    if (reply.kind !== 'ok') throw new Error(`${call.kind}: ${JSON.stringify(reply)}`);
    return reply.value;
  }

  place(part: PlacePart = {}): string {
    return this.value(maker(part)).orderId;
  }
}

export const maker = (part: PlacePart = {}): PlaceRequest => placing({ postOnly: true, ...part });
export const bid = maker({ clientOrderId: 'mine', timestampMs: startMs, ttlMs: 10_000 });
