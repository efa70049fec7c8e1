/**
 * Simulated participants of a market, driven by one seed: a mean-reverting fair value, which may
 * follow those of other markets, liquidity on both sides that follows it, informed takers, random
 * takers, and sweeps of several levels.
 *
 * They act in steps, every 50 to 150 ms. Only addition, multiplication, division and square root
 * are used, which every machine rounds in the same way, so a stored market continues identically on
 * any machine.
 *
 * Invariant: each side keeps at most `ordersPerSide` resting orders of participants.
 */
import { acceptsMakers, acceptsTakers, opposite, type Side } from '../../../../domain/market.ts';
import type { Lots, Ticks } from '../../../../domain/money.ts';
import { lotsOf, maxLots, ticksOf } from '../../../../domain/ticks-and-lots.ts';
import { meetsBook } from '../../../../exchange-accounts/order-crossing.ts';
import { createSeededRandom, type SeededRandom } from '../../../../runtime/seeded-random.ts';
import type { Exchange } from '../core/exchange.ts';
import { houseUserId, type MarketState } from '../core/exchange-state.ts';
import { cancelOrder, executeOrder } from '../core/matching-engine.ts';
import type { ParticipantsState } from '../core/participants-state.ts';
import type { SimulatedOrder } from '../core/simulated-order.ts';
import type { ParticipantSettings } from '../core/simulator-settings.ts';

const stepMicrosMin = 50_000;
const stepMicrosMax = 150_000;
/** Average time until a resting order is cancelled at random. */
const orderSecondsMean = 20;
const createdPerStepMax = 6;

/** Lets the participants of a market act once, and sets when they act next. */
export function runParticipants(
  exchange: Exchange,
  market: MarketState,
  state: ParticipantsState,
): void {
  const random = createSeededRandom(0);
  random.restore(state.random);
  const micros = random.integer(stepMicrosMin, stepMicrosMax);
  new ParticipantStep({ exchange, market, state, random, seconds: micros / 1e6 }).run();
  state.nextBeatMicros += micros;
  state.random = random.state();
}

type StepContext = {
  readonly exchange: Exchange;
  readonly market: MarketState;
  readonly state: ParticipantsState;
  readonly random: SeededRandom;
  readonly seconds: number;
};

class ParticipantStep {
  readonly #context: StepContext;
  readonly #settings: ParticipantSettings;

  constructor(context: StepContext) {
    this.#context = context;
    this.#settings = context.state.settings;
  }

  run(): void {
    const { status } = this.#context.market.market;
    this.#moveFairValue();
    if (!acceptsMakers(status)) return;
    if (acceptsTakers(status)) this.#takeMispriced();
    this.#cancelSome();
    this.#refill('BID');
    this.#refill('ASK');
    if (acceptsTakers(status)) this.#takeAtRandom();
  }

  /**
   * Moves the fair value by an Ornstein-Uhlenbeck step. The sum of twelve uniform draws
   * approximates the normal distribution.
   */
  #moveFairValue(): void {
    const { state, random, seconds } = this.#context;
    let normal = -6;
    for (let i = 0; i < 12; i++) normal += random.next();
    const { volatility, reversion } = this.#settings;
    state.deviation +=
      volatility * Math.sqrt(seconds) * normal - reversion * seconds * state.deviation;
  }

  /** Informed takers trade with resting orders that are mispriced against the fair value. */
  #takeMispriced(): void {
    const { exchange, market, random } = this.#context;
    const book = exchange.bookOf(market.market.pair).book;
    for (const side of ['BID', 'ASK'] as const) {
      const best = book.bestPrice(opposite(side));
      if (best === undefined || random.next() > 0.6) continue;
      const limit = this.#priceAt(side, 0);
      const isMispriced = side === 'BID' ? best < limit : best > limit;
      if (isMispriced) this.#take(side, limit, this.#volume(0.5, 2));
    }
  }

  /** Cancels orders too near to the fair value or too far from it, and a few at random. */
  #cancelSome(): void {
    const { exchange, seconds, random } = this.#context;
    const { halfSpread, depth } = this.#settings;
    for (const side of ['BID', 'ASK'] as const) {
      const nearest = this.#priceAt(side, -halfSpread / 2);
      const farthest = this.#priceAt(side, -depth * 1.5);
      this.#keep(side, (order) => {
        const [low, high] = side === 'BID' ? [farthest, nearest] : [nearest, farthest];
        const isWanted = order.price >= low && order.price <= high;
        if (isWanted && random.next() > seconds / orderSecondsMean) return true;
        cancelOrder(exchange, order);
        return false;
      });
    }
  }

  #refill(side: Side): void {
    const { exchange, market, random } = this.#context;
    const { ordersPerSide, halfSpread, depth } = this.#settings;
    const book = exchange.bookOf(market.market.pair).book;
    const ids = this.#idsOf(side);
    const missing = ordersPerSide - ids.length;
    // At the start and after a sweep, all missing orders come at once.
    const count = missing > ordersPerSide / 2 ? missing : Math.min(missing, createdPerStepMax);
    for (let i = 0; i < count; i++) {
      const draw = random.next();
      const distance = halfSpread + (depth - halfSpread) * draw * draw * draw;
      const order = {
        side,
        price: this.#priceAt(side, -distance),
        volume: this.#volume(0.3 + draw, 1.5 + draw),
      };
      // Liquidity providers never take: they wait until the other side has moved.
      if (!this.#isAllowed(order) || meetsBook(order, book)) continue;
      ids.push(this.#send(order, 'GTC').id);
    }
  }

  #takeAtRandom(): void {
    const { random, seconds } = this.#context;
    const { takersPerSecond, sweepsPerSecond, ordersPerSide } = this.#settings;
    if (random.next() < takersPerSecond * seconds) {
      const side = random.next() < 0.5 ? 'BID' : 'ASK';
      this.#take(side, this.#priceAt(side, 0.006), this.#volume(0.3, 2.5));
    }
    if (random.next() < sweepsPerSecond * seconds) {
      const side = random.next() < 0.5 ? 'BID' : 'ASK';
      const distance = 0.0015 + 0.003 * random.next();
      this.#take(side, this.#priceAt(side, distance), lotsOf(this.#volume(0.3, 1) * ordersPerSide));
    }
  }

  #take(side: Side, price: Ticks, volume: Lots): void {
    const order = { side, price, volume };
    const { exchange, market } = this.#context;
    // A taker that sees no acceptable price sends no order.
    if (!this.#isAllowed(order) || !meetsBook(order, exchange.bookOf(market.market.pair).book))
      return;
    this.#send(order, 'IOC');
  }

  #send(
    terms: { readonly side: Side; readonly price: Ticks; readonly volume: Lots },
    timeInForce: 'GTC' | 'IOC',
  ): SimulatedOrder {
    const { exchange, market } = this.#context;
    const { pair, base, counter } = market.market;
    const accounts = exchange.userOf(houseUserId).accountIds;
    return executeOrder(exchange, {
      ...terms,
      pair,
      timeInForce,
      userId: houseUserId,
      clientOrderId: '',
      baseAccountId: accounts.get(base) as string,
      counterAccountId: accounts.get(counter) as string,
    });
  }

  /**
   * Returns the price at `distance`, a fraction, from the fair value: on the aggressive side if
   * positive, on the passive side if negative.
   */
  #priceAt(side: Side, distance: number): Ticks {
    const fair = this.#fairValue();
    // Bids are rounded down and asks up, so that rounding never gives both sides the same price.
    return ticksOf(
      side === 'BID' ? Math.floor(fair * (1 + distance)) : Math.ceil(fair * (1 - distance)),
    );
  }

  #fairValue(): number {
    const { exchange, state } = this.#context;
    const { startPrice, follows = [] } = this.#settings;
    let fair = startPrice * (1 + state.deviation);
    for (const pair of follows)
      fair *= 1 + (exchange.state.markets.get(pair)?.participants?.deviation ?? 0);
    return fair;
  }

  #volume(factorMin: number, factorMax: number): Lots {
    const { orderVolume } = this.#settings;
    const factor = factorMin + (factorMax - factorMin) * this.#context.random.next();
    return maxLots(this.#context.market.market.volumeMin, lotsOf(Math.round(orderVolume * factor)));
  }

  #isAllowed(order: { readonly price: Ticks; readonly volume: Lots }): boolean {
    const { priceMin, priceMax, volumeMax } = this.#context.market.market;
    return order.price >= priceMin && order.price <= priceMax && order.volume <= volumeMax;
  }

  #idsOf(side: Side): string[] {
    return side === 'BID' ? this.#context.state.bidIds : this.#context.state.askIds;
  }

  /** Drops the ids of orders that no longer rest, or that `isKept` rejects. */
  #keep(side: Side, isKept: (order: SimulatedOrder) => boolean): void {
    const { exchange, state } = this.#context;
    const kept = this.#idsOf(side).filter((id) => {
      const order = exchange.orderOf(houseUserId, id);
      return order !== undefined && isKept(order);
    });
    if (side === 'BID') state.bidIds = kept;
    else state.askIds = kept;
  }
}
