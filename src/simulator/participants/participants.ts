/**
 * The other people in a market, from one seed: a fair value that wanders and returns, liquidity on
 * both sides that follows it, takers who know it, takers who do not, and sweeps of several levels.
 *
 * One beat every 50 to 150 ms. Only addition, multiplication, division and square root are used,
 * which every machine rounds alike, so that a stored market goes on identically anywhere.
 *
 * Invariant: each side keeps at most `ordersPerSide` resting orders of participants.
 */
import { opposite, type Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { lotsOf, maxLots, ticksOf } from '../../domain/ticks-and-lots.ts';
import { meetsBook } from '../../exchange-accounts/order-crossing.ts';
import { createSeededRandom, type SeededRandom } from '../../runtime/seeded-random.ts';
import type { Exchange } from '../core/exchange.ts';
import { houseUserId, type MarketState } from '../core/exchange-state.ts';
import { cancelOrder, executeOrder } from '../core/matching-engine.ts';
import type { ParticipantsState } from '../core/participants-state.ts';
import type { SimulatedOrder } from '../core/simulated-order.ts';
import type { ParticipantSettings } from '../core/simulator-settings.ts';

const beatMicrosMin = 50_000;
const beatMicrosMax = 150_000;
/** How long a resting order stays on average before its owner thinks again. */
const orderSecondsMean = 20;
const createdPerBeatMax = 6;

/** Lets the participants of a market act once, and sets when they act next. */
export function beat(exchange: Exchange, market: MarketState, state: ParticipantsState): void {
  const random = createSeededRandom(0);
  random.restore(state.random);
  const micros = random.integer(beatMicrosMin, beatMicrosMax);
  new Beat({ exchange, market, state, random, seconds: micros / 1e6 }).run();
  state.nextBeatMicros += micros;
  state.random = random.state();
}

type BeatContext = {
  readonly exchange: Exchange;
  readonly market: MarketState;
  readonly state: ParticipantsState;
  readonly random: SeededRandom;
  readonly seconds: number;
};

class Beat {
  readonly #context: BeatContext;
  readonly #settings: ParticipantSettings;

  constructor(context: BeatContext) {
    this.#context = context;
    this.#settings = context.state.settings;
  }

  run(): void {
    const { status } = this.#context.market.market;
    this.#wander();
    if (status === 'DISABLED' || status === 'UNKNOWN') return;
    if (status === 'ACTIVE') this.#takeWhatIsMispriced();
    this.#withdraw();
    this.#refill('BID');
    this.#refill('ASK');
    if (status === 'ACTIVE') this.#takeAtRandom();
  }

  /**
   * Moves the fair value: an Ornstein-Uhlenbeck step, with the sum of twelve draws as the normal
   * one.
   */
  #wander(): void {
    const { state, random, seconds } = this.#context;
    let normal = -6;
    for (let i = 0; i < 12; i++) normal += random.next();
    const { volatility, reversion } = this.#settings;
    state.deviation +=
      volatility * Math.sqrt(seconds) * normal - reversion * seconds * state.deviation;
  }

  /** Takers who know the fair value hit orders that the market has left behind. */
  #takeWhatIsMispriced(): void {
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

  /** Takes back orders that are too near or too far, and a few at random. */
  #withdraw(): void {
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
    // After a sweep, and at the start, everybody comes at once.
    const count = missing > ordersPerSide / 2 ? missing : Math.min(missing, createdPerBeatMax);
    for (let i = 0; i < count; i++) {
      const draw = random.next();
      const distance = halfSpread + (depth - halfSpread) * draw * draw * draw;
      const order = {
        side,
        price: this.#priceAt(side, -distance),
        volume: this.#volume(0.3 + draw, 1.5 + draw),
      };
      // Liquidity never takes; it waits until the other side has moved.
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
      const reach = 0.0015 + 0.003 * random.next();
      this.#take(side, this.#priceAt(side, reach), lotsOf(this.#volume(0.3, 1) * ordersPerSide));
    }
  }

  #take(side: Side, price: Ticks, volume: Lots): void {
    const order = { side, price, volume };
    const { exchange, market } = this.#context;
    // Nothing to meet: a taker who sees no price sends no order.
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
   * Returns the price at `distance` beyond the fair value for a taker of this side, negative before
   * it.
   */
  #priceAt(side: Side, distance: number): Ticks {
    const fair = this.#settings.startPrice * (1 + this.#context.state.deviation);
    // A bid is rounded down and an ask up, so that both sides never share a price by rounding.
    return ticksOf(
      side === 'BID' ? Math.floor(fair * (1 + distance)) : Math.ceil(fair * (1 - distance)),
    );
  }

  #volume(least: number, most: number): Lots {
    const { orderVolume } = this.#settings;
    const factor = least + (most - least) * this.#context.random.next();
    return maxLots(this.#context.market.market.volumeMin, lotsOf(Math.round(orderVolume * factor)));
  }

  #isAllowed(order: { readonly price: Ticks; readonly volume: Lots }): boolean {
    const { priceMin, priceMax, volumeMax } = this.#context.market.market;
    return order.price >= priceMin && order.price <= priceMax && order.volume <= volumeMax;
  }

  #idsOf(side: Side): string[] {
    return side === 'BID' ? this.#context.state.bidIds : this.#context.state.askIds;
  }

  /** Keeps the orders that are still there and that `isKept` wants. */
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
