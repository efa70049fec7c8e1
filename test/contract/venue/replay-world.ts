/**
 * The replay exchange behind the engine's port, without latencies. Somebody else is its history:
 * an order of theirs is a row, and meets ours as the fill model decides.
 */
import { type MarketStatus, opposite, parseLots, parseTicks } from '../../../src/domain/market.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import type { DelayedFeed } from '../../../src/replay-exchange/port/delayed-feed.ts';
import { ReplayExchange } from '../../../src/replay-exchange/port/replay-exchange.ts';
import { replayPropertiesOf } from '../../../src/replay-exchange/replay-properties.ts';
import type { VenueReader } from '../../../src/venue/venue-reader.ts';
import type { VenueReply } from '../../../src/venue/venue-reply.ts';
import type { VenueReport } from '../../../src/venue/venue-report.ts';
import type { VenueRequest } from '../../../src/venue/venue-request.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { type EncodedHistory, historyOf } from '../../support/encoded-history.ts';
import { row } from '../../support/replay-market.ts';
import { quietSettings, startMicros } from '../../support/simulated-exchange.ts';
import type { PlacedOrder, VenueUnderTest, VenueWorld } from './venue-world.ts';

export const replayUnderTest: VenueUnderTest = {
  name: 'replay',
  lacks: ['calls', 'candles', 'last-trade'],
  open: () => new ReplayWorld(),
};

const none = { kind: 'fixed', us: 0 } as const;

class ReplayWorld implements VenueWorld {
  readonly market = quietSettings.markets[0] as (typeof quietSettings.markets)[number];
  readonly #port: ReplayExchange;
  readonly #feed: DelayedFeed;
  readonly #history: EncodedHistory;
  readonly #replies = new Map<number, VenueReply>();
  #reports: VenueReport[] = [];
  #timeMicros = startMicros;
  #rows = 0;
  #requests = 0;
  readonly reader: VenueReader = {
    properties: replayPropertiesOf(lunoProfile),
    ask: async (request) => this.#answerTo(request),
  };

  constructor() {
    const rates = { maker: '0.0005', taker: '0.0010' };
    this.#port = new ReplayExchange({
      profile: lunoProfile,
      markets: quietSettings.markets.map((market) => ({ market, rates })),
      balances: { XBT: '10', ZAR: '10000000', ETH: '100' },
      latencies: { feed: none, request: none, answer: none },
      seed: 1,
      nowMicros: () => this.#timeMicros,
    });
    this.#feed = this.#port.feeds[0] as DelayedFeed;
    this.#history = historyOf(this.#feed.accountMarket);
    this.#port.open((event) => {
      if (event.kind === 'reply') this.#replies.set(event.request, event.reply);
      if (event.kind === 'report') this.#reports.push(event.report);
    });
  }

  get nowMs(): number {
    return Math.floor(this.#timeMicros / 1000);
  }

  async ask<Request extends VenueRequest>(request: Request): Promise<VenueReply<Request['kind']>> {
    return this.#answerTo(request);
  }

  reports(): readonly VenueReport[] {
    const reports = this.#reports;
    this.#reports = [];
    return reports;
  }

  place({ side, price, volume, clientOrderId = '', timeInForce = 'GTC' }: PlacedOrder): string {
    const { market } = this;
    const idOf = (currency: string) => this.#port.account.accounts.get(currency)?.id ?? '';
    const reply = this.#answerTo({
      ...{ kind: 'place', pair: market.pair, side, clientOrderId, timeInForce, postOnly: false },
      price: parseTicks(price, market) as Ticks,
      volume: parseLots(volume, market) as Lots,
      baseAccountId: idOf(market.base),
      counterAccountId: idOf(market.counter),
      ...{ timestampMs: this.nowMs, ttlMs: 10_000 },
    });
    if (reply.kind !== 'ok') throw new Error(`it was refused: ${JSON.stringify(reply)}`);
    return reply.value.orderId;
  }

  placeAsOther({ side, price, volume }: PlacedOrder): string {
    const { market } = this;
    const id = `history${++this.#rows}`;
    const ticks = parseTicks(price, market) as Ticks;
    const lots = parseLots(volume, market) as Lots;
    // What meets ours does not rest: in the market that was recorded, it met somebody else's.
    const { accountMarket } = this.#feed;
    const own = accountMarket.replay.bestOwnPrice(opposite(side));
    const meets = own !== undefined && (side === 'BID' ? own <= ticks : own >= ticks);
    this.#offer(row.create(id, meets ? opposite(side) : side, ticks, lots));
    if (meets) this.#offer(row.trade(id, opposite(side), ticks, lots));
    return id;
  }

  tradeOfOthers(price: string): void {
    const { market } = this;
    const id = `history${++this.#rows}`;
    const ticks = parseTicks(price, market) as Ticks;
    const lots = parseLots('0.001', market) as Lots;
    this.#offer(row.create(id, 'ASK', ticks, lots));
    this.#offer(row.trade(id, 'ASK', ticks, lots));
  }

  cancel(orderId: string): void {
    this.#answerTo({ kind: 'cancel', orderId });
  }

  advance(ms: number): void {
    this.#timeMicros += ms * 1000;
    this.#run();
  }

  setStatus(status: MarketStatus): void {
    this.#feed.accountMarket.replay.history.status = status;
  }

  failingReader(): never {
    throw new Error('requests to the replay exchange do not leave the process');
  }

  #answerTo<Request extends VenueRequest>(call: Request): VenueReply<Request['kind']> {
    const request = ++this.#requests;
    this.#port.request({ kind: 'request', request, call, deadlineMs: 4_000 });
    this.#run();
    const reply = this.#replies.get(request);
    if (reply === undefined) throw new Error(`${call.kind} was not answered`);
    // Of the kind that was asked.
    return reply as VenueReply<Request['kind']>;
  }

  #offer(one: ReturnType<typeof row.delete>): void {
    this.#history.apply({ ...one, atMicros: this.#timeMicros });
    this.#run();
  }

  #run(): void {
    while (this.#port.nextDueMicros <= this.#timeMicros) this.#port.deliverNext();
  }
}
