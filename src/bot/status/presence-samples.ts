/**
 * How much of the time each strategy has orders at the exchange and at the best price, by side.
 * From samples, which cost the trading loop nothing that an order could wait for.
 */
import type { Presence } from '../../domain/bot-status.ts';
import type { Engine } from '../../engine/engine.ts';

/** Not a divisor of a second: strategies often act once a second, and each at the same moment. */
export const sampledEveryMs = 230;

type Counts = {
  samples: number;
  bid: number;
  ask: number;
  both: number;
  bidAtTouch: number;
  askAtTouch: number;
};

export class PresenceSamples {
  readonly #engine: Pick<Engine, 'orders' | 'markets' | 'parts'>;
  /** By strategy and pair. */
  readonly #counts = new Map<string, Counts>();

  constructor(engine: Pick<Engine, 'orders' | 'markets' | 'parts'>) {
    this.#engine = engine;
  }

  /** Takes a sample; call it every {@link sampledEveryMs}. */
  sample(): void {
    for (const { settings, host } of this.#engine.parts.hosts)
      if (host.status === 'running')
        for (const pair of settings.pairs) this.#sampleOne(settings.id, pair);
  }

  #sampleOne(strategyId: string, pair: string): void {
    const { orders, markets } = this.#engine;
    let highestBid = Number.NEGATIVE_INFINITY;
    let lowestAsk = Number.POSITIVE_INFINITY;
    for (const { strategyId: owner, pair: on, state, terms } of orders.tracker.live) {
      if (owner !== strategyId || on !== pair || state !== 'open') continue;
      if (terms.pays !== undefined) continue;
      if (terms.side === 'BID') highestBid = Math.max(highestBid, terms.price);
      else lowestAsk = Math.min(lowestAsk, terms.price);
    }
    const hasBid = highestBid !== Number.NEGATIVE_INFINITY;
    const hasAsk = lowestAsk !== Number.POSITIVE_INFINITY;
    const top = markets.get(pair)?.top;
    const counts = this.#countsOf(strategyId, pair);
    counts.samples++;
    if (hasBid) counts.bid++;
    if (hasAsk) counts.ask++;
    if (hasBid && hasAsk) counts.both++;
    // In paper trading our orders are in no book, and may be better than its best price.
    if (hasBid && top?.bid !== undefined && highestBid >= top.bid) counts.bidAtTouch++;
    if (hasAsk && top?.ask !== undefined && lowestAsk <= top.ask) counts.askAtTouch++;
  }

  of(strategyId: string, pair: string): Presence {
    const { samples, bid, ask, both, bidAtTouch, askAtTouch } = this.#countsOf(strategyId, pair);
    const share = (count: number): number =>
      samples === 0 ? 0 : Math.round((count * 10_000) / samples) / 10_000;
    return {
      sampledEveryMs,
      seconds: Math.round((samples * sampledEveryMs) / 100) / 10,
      bidQuoted: share(bid),
      askQuoted: share(ask),
      bothQuoted: share(both),
      bidAtTouch: share(bidAtTouch),
      askAtTouch: share(askAtTouch),
    };
  }

  #countsOf(strategyId: string, pair: string): Counts {
    const key = `${strategyId} ${pair}`;
    let counts = this.#counts.get(key);
    if (counts === undefined) {
      counts = { samples: 0, bid: 0, ask: 0, both: 0, bidAtTouch: 0, askAtTouch: 0 };
      this.#counts.set(key, counts);
    }
    return counts;
  }
}
