/**
 * Crossing averages: holds `size` while the average of the last `fast` closes is above that of the
 * last `slow`, and nothing otherwise. Decides when a candle closes, with taker orders.
 *
 * Invariants: never short; one order at a time; at most one order per candle.
 */
import {
  amount,
  type Candle,
  defineStrategy,
  type Intent,
  type Lots,
  type MarketContext,
  type Side,
  share,
  span,
} from 'millrace';
import { defer, EMPTY, map } from 'rxjs';
import { z } from 'zod';

const closes = z.int().min(1).max(1_000);

const parameters = z
  .strictObject({
    candle: span.default(60_000),
    fast: closes,
    slow: closes,
    size: amount,
    slip: share.refine((fraction) => fraction < 1, { error: 'must be below 100%' }).default(0.001),
  })
  .refine(({ fast, slow }) => fast < slow, {
    path: ['fast'],
    error: 'must be less than slow',
  });

type Parameters = z.infer<typeof parameters>;

/** The last `slow` closes. Their sums are kept instead of added anew for each candle. */
class Closes {
  /** How many closes are known, at most `slow`. */
  known = 0;
  readonly #fast: number;
  readonly #slow: number;
  /** A ring, with 0 for a close that is not known. */
  readonly #prices: number[];
  #next = 0;
  #fastSum = 0;
  #slowSum = 0;

  constructor({ fast, slow }: Pick<Parameters, 'fast' | 'slow'>) {
    this.#fast = fast;
    this.#slow = slow;
    this.#prices = new Array<number>(slow).fill(0);
  }

  add(price: number): void {
    const next = this.#next;
    const beforeFast = next < this.#fast ? next - this.#fast + this.#slow : next - this.#fast;
    this.#fastSum += price - (this.#prices[beforeFast] ?? 0);
    this.#slowSum += price - (this.#prices[next] ?? 0);
    this.#prices[next] = price;
    this.#next = next + 1 === this.#slow ? 0 : next + 1;
    if (this.known < this.#slow) this.known++;
  }

  /** Whether the average of the last `fast` closes is above that of the last `slow`, exactly. */
  get isAbove(): boolean {
    return this.#fastSum * this.#slow > this.#slowSum * this.#fast;
  }
}

function idle({ pair }: MarketContext, reason: string): Intent {
  return { kind: 'idle', pair, reason };
}

/** Returns an order that trades at once, up to `slip` worse than the best price, or idle. */
function take(side: Side, volume: Lots, { parameters, market, candle }: Moment): Intent {
  const { pair, rules, top } = market;
  const best = side === 'BID' ? top?.ask : top?.bid;
  if (best === undefined) return idle(market, 'the other side of the book is empty');
  const { slip } = parameters;
  const price =
    side === 'BID'
      ? market.round(best * (1 + slip), 'down')
      : market.round(best * (1 - slip), 'up');
  if (price < rules.priceMin || price > rules.priceMax)
    return idle(market, "the price is outside the market's range");
  return {
    kind: 'place',
    pair,
    // The key makes at most one order per candle, also after a restart.
    key: String(candle.startMs),
    terms: { side, price, volume, timeInForce: 'IOC' },
    reason: side === 'BID' ? 'the fast average is above' : 'the fast average is not above',
  };
}

type Moment = {
  readonly parameters: Parameters;
  readonly market: MarketContext;
  /** The candle that has just closed. */
  readonly candle: Candle;
};

function decide(closes: Closes, moment: Moment): Intent {
  const { parameters, market } = moment;
  const { position, rules } = market;
  const { slow, size } = parameters;
  if (closes.known < slow) return idle(market, `${closes.known} of ${slow} candles`);
  if (market.orders.length > 0) return idle(market, 'an order is open');
  const isLong = position.base >= rules.volumeMin;
  if (closes.isAbove) {
    if (isLong) return idle(market, 'stays long');
    // Dust of the last position, too small to sell alone, is part of the new one.
    const missing = (market.lots(size) - position.base) as Lots;
    return take('BID', missing < rules.volumeMin ? rules.volumeMin : missing, moment);
  }
  if (isLong) return take('ASK', position.base, moment);
  return idle(
    market,
    market.isDust ? `stays out, with a remainder of ${market.holding} ${market.base}` : 'stays out',
  );
}

export default defineStrategy<Parameters>({
  name: 'ma-cross',
  parameters,
  pairs: 1,
  needs: ({ size }) => ({ sides: ['BID', 'ASK'], timeInForce: ['IOC'], postOnly: false, size }),
  warmUp: ({ candle, slow }) => ({ intervalMs: candle, candles: slow }),
  run(context) {
    const market = context.pairs[0];
    if (market === undefined) return EMPTY;
    const { parameters } = context;
    const { candle: intervalMs, size } = parameters;
    const { volumeMin, volumeMax } = market.rules;
    const lots = market.lots(size);
    if (lots < volumeMin || lots > volumeMax) {
      throw new RangeError(
        `size must be ${market.amountOf(volumeMin)} to ${market.amountOf(volumeMax)} ` +
          `${market.base}, was ${size}`,
      );
    }
    return defer(() => {
      const closes = new Closes(parameters);
      for (const { close } of market.history) closes.add(close);
      return market.candle$(intervalMs).pipe(
        map((candle) => {
          closes.add(candle.close);
          return decide(closes, { parameters, market, candle });
        }),
      );
    });
  },
});
