/**
 * The account's exposure, assuming the worst of every order: one that is approved, sent or of
 * unknown outcome counts as open and may fill completely.
 *
 * The executor updates it and the gate reads it. A position is what a strategy's fills bought minus
 * what they sold, minus fees, so it starts at zero and is negative for a strategy that sold from
 * the account's initial balance.
 *
 * Invariant: hold and approval happen in one step, so two intents never use the same part of a
 * limit.
 */
import { type Amount, fitsAmount } from '../domain/amount.ts';
import { assert } from '../domain/errors.ts';
import type { Market, Side } from '../domain/market.ts';
import type { Lots } from '../domain/money.ts';
import { CollarBudget } from './collar-budget.ts';
import { type CurrencyUnit, CurrencyUnits, type Exact } from './currency-unit.ts';
import { DayCount } from './day-count.ts';
import { ExposureBounds } from './exposure-bounds.ts';
import { type FillFlows, fillFlowsOf, storedAmountOf } from './fill-flows.ts';
import { Funds, type HoldClaim, type Receipt } from './funds.ts';
import {
  addOrder,
  type HeldOrder,
  noteFill,
  type OpenOrder,
  OpenOrders,
  removeOrder,
  triggerOrder,
} from './open-orders.ts';
import { AccountActivity } from './strategy-activity.ts';
import {
  paidIn,
  type StrategyExposure,
  type StrategyTotals,
  valueIn,
  volumeIn,
  type WorstPosition,
  worstOf,
} from './strategy-exposure.ts';
import { TradeRecord } from './trade-record.ts';
import type { Whole } from './whole-numbers.ts';

export type ExposureFill = {
  /** Unique per fill; {@link Funds.settle} takes the same key. */
  readonly key: string;
  /** The order's hold, which may be released: a fill is accepted in every state. */
  readonly hold: Hold | undefined;
  readonly strategyId: string;
  readonly pair: string;
  readonly side: Side;
  readonly volume: Lots;
  /** Ticks × lots. */
  readonly value: Whole;
  /** Negative for a rebate. */
  readonly feeBase: Amount;
  readonly feeCounter: Amount;
  readonly timeMs: number;
  /** Whether what it brought is certainly in no balance yet. */
  readonly isReceiptOpen?: boolean;
};

/** What an order may still use of the limits, until it is released; whoever owns it keeps it. */
export type Hold = {
  readonly order: OpenOrder;
  readonly exposure: StrategyExposure;
  /** In lots. */
  remaining: number;
  readonly claim: HoldClaim;
  isReleased: boolean;
};

type Mid2Of = (pair: string) => number | undefined;

export class Exposure {
  readonly units: CurrencyUnits;
  readonly activity = new AccountActivity();
  readonly trades: TradeRecord;
  readonly orders = new OpenOrders();
  readonly days: DayCount;
  readonly collars: CollarBudget;
  readonly funds: Funds;
  readonly #markets = new Map<string, Market>();
  readonly #strategies = new Map<string, Map<string, StrategyExposure>>();
  /** The one used last: most calls follow one for the same strategy and pair. */
  #last: StrategyExposure | undefined = undefined;
  /** By name, such as `flow mm XBT`. */
  readonly #bounds = new Map<string, ExposureBounds>();
  #ordersOpen = 0;

  /** Throws InvariantError for a market whose values need more than 18 decimals. */
  constructor(markets: readonly Market[]) {
    for (const market of markets) {
      assert(fitsAmount(market), `scales of ${market.pair} must add up to at most 18`);
      this.#markets.set(market.pair, market);
      this.#strategies.set(market.pair, new Map());
    }
    this.units = new CurrencyUnits(markets);
    this.trades = new TradeRecord(this.#markets);
    this.days = new DayCount(this.units);
    this.collars = new CollarBudget(this.units);
    this.funds = new Funds(this.units);
  }

  /** Every market by its pair. */
  get markets(): ReadonlyMap<string, Market> {
    return this.#markets;
  }

  /**
   * Counts an approved order against the limits, in the step that approved it. `nowMs` counts for
   * the order rate, unless the rate has already counted the order (`isCounted`).
   */
  hold(order: HeldOrder, nowMs: number, isCounted = false): Hold {
    const { strategyId, pair } = order;
    const exposure = this.strategyExposure(strategyId, pair);
    const { base, counter } = exposure.market;
    const currency = order.side === 'BID' ? counter : base;
    const claim = this.funds.claim(currency, paidIn(exposure, order, order.volume));
    const open = addOrder(exposure.orders, order, nowMs);
    const remaining = order.volume;
    const hold: Hold = { order: open, exposure, remaining, claim, isReleased: false };
    this.#ordersOpen++;
    this.#moveOpen(hold, remaining);
    if (!isCounted) this.activity.noteOrder(exposure.activity, nowMs);
    return hold;
  }

  /**
   * Notes that the exchange has the order: balances that are requested from now on include its
   * reservation.
   */
  confirm(hold: Hold | undefined): void {
    if (hold !== undefined && !hold.isReleased) this.funds.confirm(hold.claim);
  }

  /** Notes that a stop order has become a limit order: from now on our orders may trade with it. */
  trigger(hold: Hold | undefined): void {
    if (hold !== undefined && !hold.isReleased) triggerOrder(hold.exposure.orders, hold.order);
  }

  /**
   * Notes that the order is being cancelled. It counts in full until it is released. `nowMs` counts
   * for the share of cancels, unless that has already counted this one (`isCounted`).
   */
  withdraw(hold: Hold | undefined, nowMs: number, isCounted = false): void {
    if (hold === undefined || hold.isReleased) return;
    hold.order.isWithdrawn = true;
    this.funds.withdraw(hold.claim);
    if (!isCounted) hold.exposure.activity.cancels.add(nowMs);
  }

  /**
   * Counts a fill. The caller must pass each fill once. Updates position, day totals and funds, and
   * reduces the hold. Returns the receipt for {@link Funds.include}, if it is open.
   */
  fill(fill: ExposureFill): Receipt | undefined {
    if (this.funds.hasSpend(fill.key)) assert(false, `fill ${fill.key} is counted already`);
    const market = this.#market(fill.pair);
    const flows = fillFlowsOf(fill, market, this.units);
    const exposure = this.strategyExposure(fill.strategyId, fill.pair);
    this.#moveHeld(exposure, flows);
    const hold = fill.hold?.isReleased === false ? fill.hold : undefined;
    if (hold !== undefined) this.#shrink(hold, fill.volume);
    const isBid = fill.side === 'BID';
    const spent = isBid ? flows.counter : flows.base;
    const currency = isBid ? market.counter : market.base;
    this.funds.spend(fill.key, currency, spent, hold?.claim);
    const { timeMs } = fill;
    const { base, counter } = flows;
    this.days.add(market, flows, timeMs);
    const { strategyId, side, volume, value } = fill;
    const amounts = { base: flows.baseAmount, counter: flows.counterAmount };
    this.trades.add({ strategyId, market, side, volume, ...amounts, value, timeMs });
    exposure.activity.fills.add(timeMs);
    noteFill(exposure.orders, strategyId);
    if (fill.isReceiptOpen !== true) return undefined;
    return isBid
      ? this.funds.receive(market.base, base)
      : this.funds.receive(market.counter, counter);
  }

  /** Ends the hold of an order that can no longer fill or never existed; once. */
  release(hold: Hold | undefined): void {
    if (hold === undefined || hold.isReleased) return;
    hold.isReleased = true;
    this.#ordersOpen--;
    this.#moveOpen(hold, -hold.remaining);
    this.funds.drop(hold.claim);
    removeOrder(hold.exposure.orders, hold.order);
  }

  /**
   * Sets the sums of a strategy's stored fills, fees included: a purchase is positive in base and
   * negative in counter.
   */
  setPosition(
    strategyId: string,
    pair: string,
    sums: { readonly base: string; readonly counter: string },
  ): void {
    const exposure = this.strategyExposure(strategyId, pair);
    const { base, counter } = this.#market(pair);
    const baseUnit = this.units.of(base);
    const counterUnit = this.units.of(counter);
    this.#moveHeld(exposure, {
      base: baseUnit.minus(baseUnit.of(storedAmountOf(sums.base)), exposure.position.held),
      counter: counterUnit.minus(counterUnit.of(storedAmountOf(sums.counter)), exposure.gained),
    });
  }

  /**
   * Counts a stored fill for the day's turnover and loss only; used at start, with
   * {@link setPosition}.
   */
  countDay(fill: Omit<ExposureFill, 'key' | 'hold' | 'strategyId' | 'isReceiptOpen'>): void {
    const market = this.#market(fill.pair);
    this.days.add(market, fillFlowsOf(fill, market, this.units), fill.timeMs);
  }

  /** Returns a strategy's position on a pair. */
  position(strategyId: string, pair: string): WorstPosition {
    return worstOf(this.#strategies.get(pair)?.get(strategyId)?.position);
  }

  /** Returns the position of all strategies together on a pair. */
  pairPosition(pair: string): WorstPosition {
    return worstOf(this.#bounds.get(`pair ${pair}`));
  }

  /**
   * Returns a strategy's net flow of a currency since its first fill, over all its pairs, as base
   * and as counter currency. `lowest` assumes that every open order that pays in the currency
   * fills, `highest` that every open bid for it fills.
   */
  strategyFlow(strategyId: string, currency: string): WorstPosition {
    return worstOf(this.flowBounds(strategyId, currency));
  }

  /** Returns the live bounds of that flow; undefined if no pair of it has the currency. */
  flowBounds(strategyId: string, currency: string): ExposureBounds | undefined {
    return this.#bounds.get(`flow ${strategyId} ${currency}`);
  }

  /** Returns what orders may spend of a currency, or undefined before its first balance. */
  free(currency: string): Amount | undefined {
    return this.#amountOf(currency, this.funds.free(currency));
  }

  /** Returns all of a currency and what of it orders may spend; undefined before its balance. */
  balance(
    currency: string,
  ): { readonly total: Amount; readonly free: Amount; readonly atMs: number } | undefined {
    const known = this.funds.total(currency);
    const free = this.free(currency);
    if (known === undefined || free === undefined) return undefined;
    return { total: this.units.of(currency).amount(known.total), free, atMs: known.askedMs };
  }

  /** Returns the value of all open orders, bids and asks, on pairs with this counter currency. */
  openNotional(currency: string): Amount {
    return worstOf(this.#bounds.get(`open ${currency}`)).highest;
  }

  /** Returns the value of one strategy's open orders on pairs with this counter currency. */
  openNotionalOf(strategyId: string, currency: string): Amount {
    return worstOf(this.#bounds.get(`open ${strategyId} ${currency}`)).highest;
  }

  /** See {@link DayCount.turnoverOf}. */
  turnoverDay(currency: string, nowMs: number): Amount {
    const unit = this.units.of(currency);
    return unit.amount(this.days.turnoverOf(unit, nowMs));
  }

  /** See {@link DayCount.lossOf}. */
  lossDay(currency: string, nowMs: number, mid2Of: Mid2Of): Amount | undefined {
    return this.days.lossOf(currency, nowMs, mid2Of);
  }

  /** Returns how far the orders of the last five minutes deviate from the mid. */
  strayed(currency: string, nowMs: number): Amount {
    return this.units.of(currency).amount(this.collars.of(currency).twiceAt(nowMs)) / 2n;
  }

  #amountOf(currency: string, value: Exact | undefined): Amount | undefined {
    return value === undefined ? undefined : this.units.of(currency).amount(value);
  }

  /** Returns the number of orders that are not known to be finished. */
  ordersOpen(): number {
    return this.#ordersOpen;
  }

  /** Returns the exposure of a strategy's orders and position on a pair. */
  strategyExposure(strategyId: string, pair: string): StrategyExposure {
    const last = this.#last;
    if (last !== undefined && last.strategyId === strategyId && last.market.pair === pair)
      return last;
    this.#last = this.#strategies.get(pair)?.get(strategyId) ?? this.#newExposure(strategyId, pair);
    return this.#last;
  }

  #newExposure(strategyId: string, pair: string): StrategyExposure {
    const market = this.#market(pair);
    const base = this.units.of(market.base);
    const exposure: StrategyExposure = {
      ...{ strategyId, market, gained: 0 },
      orders: this.orders.at(pair),
      activity: this.activity.of(strategyId),
      position: new ExposureBounds(base),
      ...this.totalsOf(strategyId, pair, base, this.units.of(market.counter), true),
    };
    this.#strategies.get(pair)?.set(strategyId, exposure);
    return exposure;
  }

  /** Returns the totals that an order would count in, and stores new ones only if `isKept`. */
  totalsOf(
    strategyId: string,
    pair: string,
    base: CurrencyUnit,
    counter: CurrencyUnit,
    isKept = false,
  ): StrategyTotals {
    const at = (name: string, unit: CurrencyUnit): ExposureBounds => {
      const bounds = this.#bounds.get(name) ?? new ExposureBounds(unit);
      if (isKept) this.#bounds.set(name, bounds);
      return bounds;
    };
    return {
      pair: at(`pair ${pair}`, base),
      base: at(`flow ${strategyId} ${base.currency}`, base),
      counter: at(`flow ${strategyId} ${counter.currency}`, counter),
      open: at(`open ${strategyId} ${counter.currency}`, counter),
      openOfAll: at(`open ${counter.currency}`, counter),
    };
  }

  /** Reduces the hold, at most to zero, even if the exchange fills more than was ordered. */
  #shrink(hold: Hold, volume: number): void {
    const taken = Math.min(volume, hold.remaining);
    hold.remaining -= taken;
    this.#moveOpen(hold, -taken);
    this.funds.lower(hold.claim, paidIn(hold.exposure, hold.order, hold.remaining));
  }

  #moveOpen({ order, exposure }: Hold, lots: number): void {
    const volume = volumeIn(exposure, lots);
    const value = valueIn(exposure, order.price, lots);
    exposure.open.addUp(value);
    exposure.openOfAll.addUp(value);
    if (order.side === 'BID') {
      exposure.position.addUp(volume);
      exposure.pair.addUp(volume);
      exposure.base.addUp(volume);
      exposure.counter.addDown(value);
    } else {
      exposure.position.addDown(volume);
      exposure.pair.addDown(volume);
      exposure.base.addDown(volume);
    }
  }

  #moveHeld(
    exposure: StrategyExposure,
    { base, counter }: Pick<FillFlows, 'base' | 'counter'>,
  ): void {
    exposure.position.addHeld(base);
    exposure.pair.addHeld(base);
    exposure.base.addHeld(base);
    exposure.counter.addHeld(counter);
    exposure.gained = exposure.counter.unit.plus(exposure.gained, counter);
  }

  #market(pair: string): Market {
    const market = this.#markets.get(pair);
    if (market === undefined) assert(false, `pair ${pair} is not a market of this bot`);
    return market;
  }
}
