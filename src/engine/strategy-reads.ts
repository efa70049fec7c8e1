/**
 * What one strategy can read about one pair and its account. A value stays the same object until
 * one of its inputs changes: a strategy may read at every event, and most events change nothing.
 */
import { type Amount, amountOf, amountOfVolume, wholeLotsOf } from '../domain/amount.ts';
import { decimalOfAmount } from '../domain/amount-decimal.ts';
import { assert } from '../domain/errors.ts';
import type { Market, Side } from '../domain/market.ts';
import type { Candle, Top } from '../domain/market-view.ts';
import { Decimal, type Lots, type Ticks } from '../domain/money.ts';
import { addLots, noLots, subtractLots } from '../domain/ticks-and-lots.ts';
import type { Positions } from '../execution/fills/positions.ts';
import type { OrderTracker } from '../execution/orders/order-tracker.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import type { CurrencyUnit, Exact } from '../risk/currency-unit.ts';
import type { Exposure } from '../risk/exposure.ts';
import type { ExposureBounds } from '../risk/exposure-bounds.ts';
import { valueWithin } from '../risk/fee-buffer.ts';
import type { PairLimitAmounts } from '../risk/gate-limits.ts';
import { marketPriceOf } from '../risk/market-price.ts';
import type { Share } from '../risk/share.ts';
import type { StrategyExposure } from '../risk/strategy-exposure.ts';
import type { AccountReads } from '../strategy/account/account-reads.ts';
import type { BookPrices } from '../strategy/market/market-book.ts';
import type { MarketAccess } from '../strategy/market-context.ts';
import type { OwnOrder, Position } from '../strategy/own-views.ts';
import type { Bound } from '../strategy/room.ts';
import type { FillHistory } from './account/fill-history.ts';
import { StrategyAccount } from './account/strategy-account.ts';
import type { EngineMarket } from './engine-market.ts';
import { isOwnOrderOf, ownOrderOf } from './strategy-order.ts';

export type StrategyReadsOptions = {
  readonly strategyId: string;
  /** Decimal texts, by currency. */
  readonly budget: Readonly<Record<string, string>>;
  readonly market: EngineMarket;
  readonly tracker: OrderTracker;
  readonly exposure: Exposure;
  /** What a bid keeps free for its fee, and the currencies that the strategy's bids pay with. */
  readonly feeBuffer: Share;
  readonly pairLimits:
    | Pick<PairLimitAmounts, 'orderBaseMax' | 'positionBaseMax' | 'collar'>
    | undefined;
  readonly counters: ReadonlySet<string>;
  readonly history: readonly Candle[];
  readonly positions: Positions;
  readonly fills: FillHistory;
};

/** The available amount of a currency, and the inputs from which it was computed. */
type Available = {
  readonly unit: CurrencyUnit;
  readonly budget: Exact;
  /** Undefined for a currency that no bid of the strategy pays with. */
  readonly feeBuffer: Share | undefined;
  /** The strategy's net flow of the currency; undefined if none of its pairs has it. */
  readonly flow: ExposureBounds | undefined;
  flowChanges: number;
  fundsChanges: number;
  exact: Exact;
  value: Decimal;
};

const nothing = new Decimal(0);
/** As a bound of an order; see {@link Bound}. */
const account = 'the balance';

export class StrategyReads implements MarketAccess {
  readonly market: Market;
  readonly fees: { readonly maker: number; readonly taker: number };
  readonly history: readonly Candle[];
  readonly account: AccountReads;
  readonly #options: StrategyReadsOptions;
  readonly #strategyExposure: StrategyExposure;
  readonly #available = new Map<string, Available>();
  #orders: readonly OwnOrder[] = Object.freeze([]);
  #position: Position | undefined;
  #positionChanges = 0;
  #provisional = noLots;
  #holding = nothing;
  #holdingAmount = 0n;

  constructor(options: StrategyReadsOptions) {
    const { strategyId, market, exposure, history } = options;
    this.market = market.market;
    this.fees = market.fees;
    this.history = history;
    this.#options = options;
    this.#strategyExposure = exposure.strategyExposure(strategyId, market.market.pair);
    this.account = this.#makeAccount();
  }

  #makeAccount(): AccountReads {
    const { strategyId, exposure, positions, ...options } = this.#options;
    const { market } = this;
    const { pair } = market;
    const fills = options.fills.fillsOf(strategyId, pair);
    const placed = options.fills.placedOf(strategyId);
    assert(fills !== undefined && placed !== undefined, `no fills of ${strategyId} on ${pair}`);
    return new StrategyAccount({
      ...{ market, fills, placed },
      holding: () => positions.holding(strategyId, pair),
      costOf: (held) => exposure.trades.costOf(strategyId, pair, held),
      top: () => this.top(),
      orders: () => this.orders(),
      balance: (currency) => exposure.balance(currency),
    });
  }

  top(): Top | undefined {
    return this.#options.market.top;
  }

  book(): BookPrices | undefined {
    return this.#options.market.prices;
  }

  position(): Position {
    const { changes } = this.#strategyExposure.position;
    const provisional = this.#provisionalLots();
    if (
      this.#position === undefined ||
      changes !== this.#positionChanges ||
      provisional !== this.#provisional
    ) {
      this.#positionChanges = changes;
      this.#provisional = provisional;
      this.#position = Object.freeze(this.#makePosition(provisional));
    }
    return this.#position;
  }

  holding(): Decimal {
    const amount = this.#heldAmount();
    if (amount !== this.#holdingAmount) {
      this.#holdingAmount = amount;
      this.#holding = decimalOfAmount(amount);
    }
    return this.#holding;
  }

  isDust(): boolean {
    const amount = this.#heldAmount();
    if (amount === 0n) return false;
    const smallest = amountOfVolume(this.market.volumeMin, this.market);
    return amount < smallest && amount > -smallest;
  }

  #heldAmount(): bigint {
    const { unit, held } = this.#strategyExposure.position;
    return unit.amount(held) + amountOfVolume(this.#provisionalLots(), this.market);
  }

  orders(): readonly OwnOrder[] {
    const known = this.#orders;
    const { live } = this.#options.tracker;
    let count = 0;
    let isSame = true;
    for (let index = 0; index < live.length; index++) {
      const order = live[index] as TrackedOrder;
      if (!this.#isOwn(order)) continue;
      const before = known[count++];
      isSame &&= before !== undefined && isOwnOrderOf(before, order);
    }
    if (!isSame || count !== known.length) this.#orders = Object.freeze(this.#makeOrders(count));
    return this.#orders;
  }

  available(currency: string): Decimal {
    const known = this.#availableOf(currency);
    if (known === undefined) return nothing;
    const { funds } = this.#options.exposure;
    const { unit, budget, flow, feeBuffer } = known;
    const flowChanges = flow?.changes ?? 0;
    if (known.flowChanges === flowChanges && known.fundsChanges === funds.changes)
      return known.value;
    known.flowChanges = flowChanges;
    known.fundsChanges = funds.changes;
    const exact = funds.spendable(currency, unit.plus(budget, flow?.lowest ?? 0), feeBuffer);
    if (exact === known.exact) return known.value;
    known.exact = exact;
    known.value = exact > 0 ? decimalOfAmount(unit.amount(exact)) : nothing;
    return known.value;
  }

  bounds(side: Side): readonly Bound[] {
    const { pair, base, counter } = this.#strategyExposure;
    const { pairLimits, feeBuffer, exposure } = this.#options;
    const { orderBaseMax = 0n, positionBaseMax = 0n } = pairLimits ?? {};
    const isBid = side === 'BID';
    const ofPosition = (positionMax: Amount, held: ExposureBounds): Bound => {
      const beyond = isBid ? -held.unit.amount(held.highest) : held.unit.amount(held.lowest);
      return { name: { positionMax }, of: 'base', left: positionMax + beyond };
    };
    const budgetOfCounter = this.#budgetIn(this.market.counter);
    const bounds: Bound[] = [
      { name: 'the limit of an order', of: 'base', left: orderBaseMax, isOfEach: true },
      { name: 'the budget', of: 'counter', left: budgetOfCounter, isOfEach: true },
      ofPosition(positionBaseMax, pair),
      ofPosition(this.#budgetIn(this.market.base), base),
    ];
    if (!isBid)
      return [...bounds, { name: account, of: 'base', left: exposure.free(this.market.base) }];
    const { unit, lowest } = counter;
    return [
      ...bounds,
      { name: 'the budget', of: 'counter', left: budgetOfCounter + unit.amount(lowest) },
      {
        ...{ name: account, of: 'counter', left: exposure.free(this.market.counter) },
        within: (left) => unit.amount(valueWithin(unit, unit.of(left), feeBuffer)),
      },
    ];
  }

  marketPrice(side: Side): Ticks | undefined {
    const { market, pairLimits } = this.#options;
    const { bid, ask } = market.top ?? {};
    const mid2 = bid === undefined || ask === undefined ? undefined : bid + ask;
    return marketPriceOf(side, mid2, pairLimits?.collar, this.market);
  }

  #budgetIn(currency: string): Amount {
    const known = this.#availableOf(currency);
    return known === undefined ? 0n : known.unit.amount(known.budget);
  }

  /** Returns undefined for a currency without a budget that is in none of the strategy's pairs. */
  #availableOf(currency: string): Available | undefined {
    const known = this.#available.get(currency);
    if (known !== undefined) return known;
    const { exposure, strategyId, feeBuffer, counters } = this.#options;
    const budget = new Map(Object.entries(this.#options.budget)).get(currency);
    // The exposure has an entry for each pair of the strategy before the strategy runs.
    const flow = exposure.flowBounds(strategyId, currency);
    if (budget === undefined && flow === undefined) return undefined;
    const unit = exposure.units.of(currency);
    const first = {
      ...{ unit, budget: unit.of(amountOf(budget ?? '0')), flow },
      feeBuffer: counters.has(currency) ? feeBuffer : undefined,
      ...{ flowChanges: -1, fundsChanges: -1, exact: 0, value: nothing },
    };
    this.#available.set(currency, first);
    return first;
  }

  #makePosition(provisional: Lots): Position {
    const { exposure, strategyId } = this.#options;
    const { market } = this;
    const { unit, held, highest, lowest } = this.#strategyExposure.position;
    const lots = (value: Exact): Lots => wholeLotsOf(unit.amount(value), market);
    const booked = lots(held);
    const averagePrice =
      booked === 0
        ? undefined
        : exposure.trades.averagePrice(strategyId, market.pair, unit.amount(held));
    const bounds = {
      base: addLots(booked, provisional),
      highest: lots(highest),
      lowest: lots(lowest),
    };
    return averagePrice === undefined ? bounds : { ...bounds, averagePrice };
  }

  /** Keeps the objects of unchanged orders. `count` is how many orders there are. */
  #makeOrders(count: number): readonly OwnOrder[] {
    const orders = new Array<OwnOrder>(count);
    const { live } = this.#options.tracker;
    let made = 0;
    for (let index = 0; index < live.length; index++) {
      const order = live[index] as TrackedOrder;
      if (!this.#isOwn(order)) continue;
      const known = this.#known(order);
      // The view shares the terms with our order.
      if (known === undefined) Object.freeze(order.terms);
      orders[made++] = known ?? Object.freeze(ownOrderOf(order));
    }
    return orders;
  }

  /** Returns the object that was made for an order, if nothing has changed. */
  #known(order: TrackedOrder): OwnOrder | undefined {
    const known = this.#orders;
    for (let index = 0; index < known.length; index++) {
      const own = known[index] as OwnOrder;
      if (isOwnOrderOf(own, order)) return own;
    }
    return undefined;
  }

  /** The sum of fills that only a stream has reported so far; sells are negative. */
  #provisionalLots(): Lots {
    const { live } = this.#options.tracker;
    let lots = noLots;
    for (let index = 0; index < live.length; index++) {
      const order = live[index] as TrackedOrder;
      if (!this.#isOwn(order)) continue;
      const unbooked = subtractLots(order.filledLots, order.bookedLots);
      lots = order.terms.side === 'BID' ? addLots(lots, unbooked) : subtractLots(lots, unbooked);
    }
    return lots;
  }

  #isOwn(order: TrackedOrder): boolean {
    return order.strategyId === this.#options.strategyId && order.pair === this.market.pair;
  }
}
