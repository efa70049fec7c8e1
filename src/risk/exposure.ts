/**
 * The account's exposure, assuming the worst of every order: one that is approved, sent or of
 * unknown outcome counts as open and may fill completely.
 *
 * The executor updates it and the gate reads it. Amounts are integers in units of 10^-18. A
 * position is what a strategy's fills bought minus what they sold, minus fees, so it starts at zero
 * and is negative for a strategy that sold from the account's initial balance.
 *
 * Invariant: hold and approval happen in one step, so two intents never use the same part of a
 * limit.
 */
import { type Amount, fitsAmount } from '../domain/amount.ts';
import { assert } from '../domain/errors.ts';
import type { Market, Side } from '../domain/market.ts';
import type { Lots } from '../domain/money.ts';
import { CollarBudget } from './collar-budget.ts';
import { CurrencyUnits } from './currency-units.ts';
import { DayCount } from './day-count.ts';
import { ExposureBounds } from './exposure-bounds.ts';
import { fillFlowsOf, storedAmountOf } from './fill-flows.ts';
import { type Balance, Funds, type HoldClaim, type Mark, type Receipt } from './funds.ts';
import type { Share } from './gate-limits.ts';
import {
  addOrder,
  type HeldOrder,
  noteFill,
  type OpenOrder,
  OpenOrders,
  removeOrder,
} from './open-orders.ts';
import { AccountActivity } from './strategy-activity.ts';
import { type StrategyExposure, type WorstPosition, worstOf } from './strategy-exposure.ts';
import { TradeRecord } from './trade-record.ts';
import { type UnitAmount, unitAmountOf } from './unit-amount.ts';
import { timesUnits, type UnitCount, unitProduct } from './unit-count.ts';

export type ExposureFill = {
  /** Unique per fill; {@link Exposure.settle} takes the same key. */
  readonly key: string;
  /** The order's hold, which may be released: a fill is accepted in every state. */
  readonly hold: Hold | undefined;
  readonly strategyId: string;
  readonly pair: string;
  readonly side: Side;
  readonly volume: Lots;
  /** Ticks × lots. */
  readonly value: number | bigint;
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

export class Exposure {
  readonly units: CurrencyUnits;
  readonly activity = new AccountActivity();
  readonly trades: TradeRecord;
  readonly orders = new OpenOrders();
  readonly days: DayCount;
  readonly collars: CollarBudget;
  readonly #markets = new Map<string, Market>();
  readonly #strategies = new Map<string, Map<string, StrategyExposure>>();
  /** The one used last: most calls follow one for the same strategy and pair. */
  #last: StrategyExposure | undefined = undefined;
  /** By name, such as `flow mm XBT`. */
  readonly #bounds = new Map<string, ExposureBounds>();
  readonly #funds: Funds;
  #ordersOpen = 0;

  /** Throws InvariantError for a market whose values need more than 18 decimals. */
  constructor(markets: readonly Market[]) {
    for (const market of markets) {
      assert(fitsAmount(market), `scales of ${market.pair} must add up to at most 18`);
      this.#markets.set(market.pair, market);
      this.#strategies.set(market.pair, new Map());
    }
    this.units = new CurrencyUnits(markets);
    this.trades = new TradeRecord(this.#markets, this.units);
    this.days = new DayCount(this.#markets, this.units);
    this.collars = new CollarBudget(this.units);
    this.#funds = new Funds(this.units);
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
    const claim = this.#funds.claim(currency, unitsToPay(order, order.volume, exposure));
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
    if (hold !== undefined && !hold.isReleased) this.#funds.confirm(hold.claim);
  }

  /**
   * Notes that the order is being cancelled. It counts in full until it is released. `nowMs` counts
   * for the share of cancels, unless that has already counted this one (`isCounted`).
   */
  withdraw(hold: Hold | undefined, nowMs: number, isCounted = false): void {
    if (hold === undefined || hold.isReleased) return;
    hold.order.isWithdrawn = true;
    this.#funds.withdraw(hold.claim);
    if (!isCounted) hold.exposure.activity.cancels.add(nowMs);
  }

  /**
   * Counts a fill. The caller must pass each fill once. Updates position, day totals and funds, and
   * reduces the hold. Returns the receipt for {@link include}, if it is open.
   */
  fill(fill: ExposureFill): Receipt | undefined {
    if (this.#funds.hasSpend(fill.key)) assert(false, `fill ${fill.key} is counted already`);
    const market = this.#market(fill.pair);
    const flows = fillFlowsOf(fill, market, this.units);
    const exposure = this.strategyExposure(fill.strategyId, fill.pair);
    this.#moveHeld(exposure, flows);
    const hold = fill.hold?.isReleased === false ? fill.hold : undefined;
    if (hold !== undefined) this.#shrink(hold, fill.volume);
    const isBid = fill.side === 'BID';
    const spent = isBid ? flows.counter : flows.base;
    const currency = isBid ? market.counter : market.base;
    this.#funds.spend(fill.key, currency, spent, hold?.claim);
    const { timeMs } = fill;
    const { turnover, base, counter, value } = flows;
    this.days.add(market, { timeMs, turnover, base, counter });
    const { strategyId, side, volume } = fill;
    this.trades.add({ strategyId, market, side, volume, base, counter, value, timeMs });
    exposure.activity.fills.add(timeMs);
    noteFill(exposure.orders, strategyId);
    if (fill.isReceiptOpen !== true) return undefined;
    return isBid
      ? this.#funds.receive(market.base, base)
      : this.#funds.receive(market.counter, counter);
  }

  /** See {@link Funds.forgetSpend}. */
  forgetSpend(fillKey: string): void {
    this.#funds.forgetSpend(fillKey);
  }

  /** See {@link Funds.include}. */
  include(receipt: Receipt): void {
    this.#funds.include(receipt);
  }

  /** Notes that the ledger has the fill: balances requested from now on include it. */
  settle(fillKey: string): void {
    this.#funds.settle(fillKey);
  }

  /** Ends the hold of an order that can no longer fill or never existed; once. */
  release(hold: Hold | undefined): void {
    if (hold === undefined || hold.isReleased) return;
    hold.isReleased = true;
    this.#ordersOpen--;
    this.#moveOpen(hold, -hold.remaining);
    this.#funds.drop(hold.claim);
    removeOrder(hold.exposure.orders, hold.order);
  }

  /**
   * Returns the mark of a balance request, to be passed to {@link setBalance} with the response.
   */
  mark(): Mark {
    return this.#funds.mark();
  }

  /** Sets a currency's balance as the exchange reported it. */
  setBalance(currency: string, reported: Balance): void {
    this.#funds.setBalance(currency, reported);
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
    const gainedBase = storedAmountOf(sums.base) - exposure.position.held;
    const gainedCounter = storedAmountOf(sums.counter) - exposure.gained;
    this.#moveHeld(exposure, {
      base: unitAmountOf(gainedBase, this.units.amountPerUnit(base)),
      counter: unitAmountOf(gainedCounter, this.units.amountPerUnit(counter)),
    });
  }

  /**
   * Counts a stored fill for the day's turnover and loss only; used at start, with
   * {@link setPosition}.
   */
  countDay(fill: Omit<ExposureFill, 'key' | 'hold' | 'strategyId' | 'isReceiptOpen'>): void {
    const market = this.#market(fill.pair);
    const { turnover, base, counter } = fillFlowsOf(fill, market, this.units);
    this.days.add(market, { timeMs: fill.timeMs, turnover, base, counter });
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
  free(currency: string): bigint | undefined {
    return this.#funds.free(currency);
  }

  /** See {@link Funds.spendable}. */
  spendable(currency: string, amount: bigint, feeBuffer: Share | undefined): bigint {
    return this.#funds.spendable(currency, amount, feeBuffer);
  }

  /** Whether fills count that the balances may not include yet. */
  get hasSpends(): boolean {
    return this.#funds.hasSpends;
  }

  /** Number of changes to the free amount of any currency. */
  get fundsChanges(): number {
    return this.#funds.changes;
  }

  /** Returns {@link free} in whole units, rounded down; NaN if it is not known. */
  freeUnits(currency: string): number {
    return this.#funds.freeUnits(currency);
  }

  /** Returns the value of all open orders, bids and asks, on pairs with this counter currency. */
  openNotional(currency: string): bigint {
    return this.#bounds.get(`open ${currency}`)?.highest ?? 0n;
  }

  /** Returns the value of one strategy's open orders on pairs with this counter currency. */
  openNotionalOf(strategyId: string, currency: string): bigint {
    return this.#bounds.get(`open ${strategyId} ${currency}`)?.highest ?? 0n;
  }

  /** See {@link DayCount.turnoverOf}. */
  turnoverDay(currency: string, nowMs: number): bigint {
    return this.days.turnoverOf(currency, nowMs);
  }

  /** See {@link DayCount.lossOf}. */
  lossDay(
    currency: string,
    nowMs: number,
    mid2Of: (pair: string) => number | undefined,
  ): bigint | undefined {
    return this.days.lossOf(currency, nowMs, mid2Of);
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
    const { base, counter } = market;
    const exposure: StrategyExposure = {
      strategyId,
      market,
      orders: this.orders.at(pair),
      activity: this.activity.of(strategyId),
      position: new ExposureBounds(this.units.amountPerUnit(base)),
      pair: this.#boundsOf(`pair ${pair}`, base),
      base: this.#boundsOf(`flow ${strategyId} ${base}`, base),
      counter: this.#boundsOf(`flow ${strategyId} ${counter}`, counter),
      open: this.#boundsOf(`open ${strategyId} ${counter}`, counter),
      openOfAll: this.#boundsOf(`open ${counter}`, counter),
      gained: 0n,
      unitsPerLot: this.units.unitsPerLot(market),
      unitsPerValue: this.units.unitsPerValue(market),
    };
    this.#strategies.get(pair)?.set(strategyId, exposure);
    return exposure;
  }

  #boundsOf(name: string, currency: string): ExposureBounds {
    let bounds = this.#bounds.get(name);
    if (bounds === undefined) {
      bounds = new ExposureBounds(this.units.amountPerUnit(currency));
      this.#bounds.set(name, bounds);
    }
    return bounds;
  }

  /** Reduces the hold, at most to zero, even if the exchange fills more than was ordered. */
  #shrink(hold: Hold, volume: number): void {
    const taken = Math.min(volume, hold.remaining);
    hold.remaining -= taken;
    this.#moveOpen(hold, -taken);
    this.#funds.lower(hold.claim, unitsToPay(hold.order, hold.remaining, hold.exposure));
  }

  #moveOpen({ order, exposure }: Hold, lots: number): void {
    const volume = unitProduct(lots, exposure.unitsPerLot);
    const value = timesUnits(unitProduct(order.price, lots), exposure.unitsPerValue);
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
    moved: { readonly base: UnitAmount; readonly counter: UnitAmount },
  ): void {
    exposure.position.addHeld(moved.base);
    exposure.pair.addHeld(moved.base);
    exposure.base.addHeld(moved.base);
    exposure.counter.addHeld(moved.counter);
    exposure.gained += moved.counter.amount;
  }

  #market(pair: string): Market {
    const market = this.#markets.get(pair);
    if (market === undefined) assert(false, `pair ${pair} is not a market of this bot`);
    return market;
  }
}

/** Returns what `lots` of an order cost, in whole units of the currency that it pays with. */
function unitsToPay(order: HeldOrder, lots: number, exposure: StrategyExposure): UnitCount {
  if (order.side === 'ASK') return unitProduct(lots, exposure.unitsPerLot);
  return timesUnits(unitProduct(order.price, lots), exposure.unitsPerValue);
}
