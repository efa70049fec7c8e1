/**
 * What the account is exposed to, with every order that may exist counted at its worst: an
 * approved, sent or unknown order is open and could fill wholly.
 *
 * The executor keeps it current; the gate reads it; nothing else writes. Amounts are atoms
 * (10^-18). A position is what a strategy's fills bought less what they sold, less fees, so it
 * begins at zero and is negative for a strategy that sold of the account's stock.
 *
 * Invariant: hold and approval happen in one step, so two intents can never use the same room.
 */
import { amountOfValue, amountOfVolume, fitsAmount, parseAmount } from '../domain/amount.ts';
import { assert } from '../domain/errors.ts';
import type { Market, Side } from '../domain/market.ts';
import type { Lots } from '../domain/money.ts';
import { CollarBudget } from './collar-budget.ts';
import { CurrencyUnits } from './currency-units.ts';
import { DayCount } from './day-count.ts';
import { ExposureBounds } from './exposure-bounds.ts';
import { type Line, type WorstPosition, worstOf } from './exposure-line.ts';
import { Funds, type HoldClaim, type Mark } from './funds.ts';
import { type HeldOrder, OpenOrders } from './open-orders.ts';
import { StrategyActivity } from './strategy-activity.ts';
import { TradeRecord } from './trade-record.ts';
import { timesUnits, type UnitCount, unitProduct } from './unit-count.ts';

export type ExposureFill = {
  /** Unique per fill; the same key is given to {@link Exposure.settle}. */
  readonly key: string;
  /** The order's hold; it may be released already, since a fill is accepted in any state. */
  readonly holdId: string;
  readonly strategyId: string;
  readonly pair: string;
  readonly side: Side;
  readonly volume: Lots;
  /** Ticks × lots. */
  readonly value: number | bigint;
  /** Decimal strings; negative for a rebate. */
  readonly feeBase: string;
  readonly feeCounter: string;
  readonly timeMs: number;
};

type Hold = {
  readonly order: HeldOrder;
  readonly line: Line;
  remaining: number;
  readonly claim: HoldClaim;
};

export class Exposure {
  readonly units: CurrencyUnits;
  readonly conduct = new StrategyActivity();
  readonly trades: TradeRecord;
  readonly orders = new OpenOrders();
  readonly days: DayCount;
  readonly collars: CollarBudget;
  readonly #markets = new Map<string, Market>();
  readonly #lines = new Map<string, Map<string, Line>>();
  /** Tallies by what they are of, such as `flow mm XBT`. */
  readonly #tallies = new Map<string, ExposureBounds>();
  readonly #holds = new Map<string, Hold>();
  readonly #funds: Funds;

  /** Throws InvariantError for a market whose values are finer than an atom. */
  constructor(markets: readonly Market[]) {
    for (const market of markets) {
      assert(fitsAmount(market), `scales of ${market.pair} must add up to at most 18`);
      this.#markets.set(market.pair, market);
      this.#lines.set(market.pair, new Map());
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
   * Takes an approved order's room, in the step that approved it. `nowMs` counts for the order
   * rate.
   */
  hold(holdId: string, order: HeldOrder, nowMs: number): void {
    assert(!this.#holds.has(holdId), `hold ${holdId} exists already`);
    const market = this.#market(order.pair);
    const currency = order.side === 'BID' ? market.counter : market.base;
    const line = this.line(order.strategyId, order.pair);
    const claim = this.#funds.claim(currency, unitsToPay(order, order.volume, line));
    const hold: Hold = { order, line, remaining: order.volume, claim };
    this.#holds.set(holdId, hold);
    this.#moveOpen(hold, order.volume);
    this.orders.add(holdId, order, nowMs);
    this.conduct.noteOrder(order.strategyId, nowMs);
  }

  /**
   * The exchange has the order. Its reservation is inside every balance that is asked for from
   * now on.
   */
  confirm(holdId: string): void {
    const hold = this.#holds.get(holdId);
    if (hold !== undefined) this.#funds.confirm(hold.claim);
  }

  /** The order is being cancelled. It counts in full until it is released. */
  withdraw(holdId: string, nowMs: number): void {
    const hold = this.#holds.get(holdId);
    if (hold === undefined) return;
    this.orders.withdraw(holdId, hold.order.pair);
    this.conduct.of(hold.order.strategyId).cancels.add(nowMs);
  }

  /**
   * Counts a fill once: the caller tells fills apart. Moves position, day and funds, and shrinks
   * the hold.
   */
  fill(fill: ExposureFill): void {
    assert(!this.#funds.hasSpend(fill.key), `fill ${fill.key} is counted already`);
    const market = this.#market(fill.pair);
    const flows = this.#flowsOf(fill);
    const line = this.line(fill.strategyId, fill.pair);
    this.#moveHeld(line, flows);
    const hold = this.#holds.get(fill.holdId);
    if (hold !== undefined) this.#shrink(hold, fill.volume);
    const spent =
      fill.side === 'BID'
        ? { currency: market.counter, amount: -flows.counter }
        : { currency: market.base, amount: -flows.base };
    this.#funds.spend(fill.key, spent, hold?.claim);
    this.days.add(market, { timeMs: fill.timeMs, ...flows });
    this.trades.add({ ...fill, market, ...flows });
    this.conduct.of(fill.strategyId).fills.add(fill.timeMs);
    this.orders.noteFill(fill.strategyId, fill.pair);
  }

  /** The ledger shows the fill, so a balance that is asked for from now on has it. */
  settle(fillKey: string): void {
    this.#funds.settle(fillKey);
  }

  /** The order can never fill again, or never existed. Unknown ids are ignored. */
  release(holdId: string): void {
    const hold = this.#holds.get(holdId);
    if (hold === undefined) return;
    this.#moveOpen(hold, -hold.remaining);
    this.#funds.drop(hold.claim);
    this.#holds.delete(holdId);
    this.orders.remove(holdId, hold.order.pair);
  }

  /**
   * Returns a mark to take when a balance is asked for and to hand to {@link setBalance} with the
   * answer.
   */
  mark(): Mark {
    return this.#funds.mark();
  }

  /**
   * Sets what the exchange says of a currency. Decimal strings; throws InvariantError if they are
   * not.
   */
  setBalance(
    currency: string,
    told: { readonly balance: string; readonly available: string; readonly mark: Mark },
  ): void {
    const balance = storedAmountOf(told.balance);
    this.#funds.setBalance(currency, {
      balance,
      available: storedAmountOf(told.available),
      mark: told.mark,
    });
  }

  /**
   * Sets what a strategy's stored fills add up to, fees included: bought is positive base,
   * negative counter.
   */
  setPosition(
    strategyId: string,
    pair: string,
    sums: { readonly base: string; readonly counter: string },
  ): void {
    const line = this.line(strategyId, pair);
    this.#moveHeld(line, {
      base: storedAmountOf(sums.base) - line.position.held,
      counter: storedAmountOf(sums.counter) - line.gained,
    });
  }

  /**
   * Counts a stored fill for the day's turnover and loss only; for the start, with {@link
   * setPosition}.
   */
  countDay(fill: Omit<ExposureFill, 'key' | 'holdId' | 'strategyId'>): void {
    this.days.add(this.#market(fill.pair), { timeMs: fill.timeMs, ...this.#flowsOf(fill) });
  }

  /** Returns a strategy's position on a pair. */
  position(strategyId: string, pair: string): WorstPosition {
    return worstOf(this.#lines.get(pair)?.get(strategyId)?.position);
  }

  /** Returns the position of all strategies together on a pair. */
  pairPosition(pair: string): WorstPosition {
    return worstOf(this.#tallies.get(`pair ${pair}`));
  }

  /**
   * Returns what a strategy has gained of a currency since its first fill, over all its pairs and
   * in both roles. `lowest`: if every open order that pays in it fills; `highest`: if every open
   * bid for it fills.
   */
  strategyFlow(strategyId: string, currency: string): WorstPosition {
    return worstOf(this.flowBounds(strategyId, currency));
  }

  /** Returns the same, kept up to date; undefined if none of its pairs has the currency. */
  flowBounds(strategyId: string, currency: string): ExposureBounds | undefined {
    return this.#tallies.get(`flow ${strategyId} ${currency}`);
  }

  /** Returns what an order may spend of a currency, or undefined before the first balance. */
  free(currency: string): bigint | undefined {
    return this.#funds.free(currency);
  }

  /** Whether fills count beside the balances, which the next ones may have. */
  get hasSpends(): boolean {
    return this.#funds.hasSpends;
  }

  /** How often what is free of any currency was worked out anew. */
  get fundsChanges(): number {
    return this.#funds.changes;
  }

  /** Returns at most the same in whole units of the currency; NaN if that is not known. */
  freeUnits(currency: string): number {
    return this.#funds.freeUnits(currency);
  }

  /** Returns the value of all open orders, bids and asks, on pairs with this counter currency. */
  openNotional(currency: string): bigint {
    return this.#tallies.get(`open ${currency}`)?.highest ?? 0n;
  }

  /** Returns the value of one strategy's open orders on pairs with this counter currency. */
  openNotionalOf(strategyId: string, currency: string): bigint {
    return this.#tallies.get(`open ${strategyId} ${currency}`)?.highest ?? 0n;
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

  /** Returns how many orders may exist that are not known to be over. */
  ordersOpen(): number {
    return this.#holds.size;
  }

  /** Returns where a strategy's orders on a pair count. */
  line(strategyId: string, pair: string): Line {
    const market = this.#market(pair);
    const lines = this.#lines.get(pair) as Map<string, Line>;
    let line = lines.get(strategyId);
    if (line === undefined) {
      const { base, counter } = market;
      line = {
        position: new ExposureBounds(this.units.amountPerUnit(base)),
        pair: this.#tally(`pair ${pair}`, base),
        base: this.#tally(`flow ${strategyId} ${base}`, base),
        counter: this.#tally(`flow ${strategyId} ${counter}`, counter),
        open: this.#tally(`open ${strategyId} ${counter}`, counter),
        openOfAll: this.#tally(`open ${counter}`, counter),
        gained: 0n,
        unitsPerLot: this.units.unitsPerLot(market),
        unitsPerValue: this.units.unitsPerValue(market),
      };
      lines.set(strategyId, line);
    }
    return line;
  }

  #tally(name: string, currency: string): ExposureBounds {
    let tally = this.#tallies.get(name);
    if (tally === undefined) {
      tally = new ExposureBounds(this.units.amountPerUnit(currency));
      this.#tallies.set(name, tally);
    }
    return tally;
  }

  /** Returns what was received less what was paid, per currency, and the value traded. */
  #flowsOf(fill: Omit<ExposureFill, 'key' | 'holdId' | 'strategyId'>): {
    readonly base: bigint;
    readonly counter: bigint;
    readonly turnover: bigint;
  } {
    const market = this.#market(fill.pair);
    const volume = amountOfVolume(fill.volume, market);
    const turnover = amountOfValue(fill.value, market);
    const sign = fill.side === 'BID' ? 1n : -1n;
    return {
      base: sign * volume - storedAmountOf(fill.feeBase),
      counter: -sign * turnover - storedAmountOf(fill.feeCounter),
      turnover,
    };
  }

  /** An exchange that fills more than was ordered leaves nothing open, not less than nothing. */
  #shrink(hold: Hold, volume: number): void {
    const taken = Math.min(volume, hold.remaining);
    hold.remaining -= taken;
    this.#moveOpen(hold, -taken);
    this.#funds.lower(hold.claim, unitsToPay(hold.order, hold.remaining, hold.line));
  }

  #moveOpen({ order, line }: Hold, lots: number): void {
    const volume = unitProduct(lots, line.unitsPerLot);
    const value = timesUnits(unitProduct(order.price, lots), line.unitsPerValue);
    line.open.addUp(value);
    line.openOfAll.addUp(value);
    if (order.side === 'BID') {
      line.position.addUp(volume);
      line.pair.addUp(volume);
      line.base.addUp(volume);
      line.counter.addDown(value);
    } else {
      line.position.addDown(volume);
      line.pair.addDown(volume);
      line.base.addDown(volume);
    }
  }

  #moveHeld(line: Line, moved: { readonly base: bigint; readonly counter: bigint }): void {
    for (const tally of [line.position, line.pair, line.base]) tally.addHeld(moved.base);
    line.counter.addHeld(moved.counter);
    line.gained += moved.counter;
  }

  #market(pair: string): Market {
    const market = this.#markets.get(pair);
    assert(market !== undefined, `pair ${pair} is not one of this account's markets`);
    return market;
  }
}

/** Returns what `lots` of an order pay, in whole units of the currency that it pays in. */
function unitsToPay(order: HeldOrder, lots: number, line: Line): UnitCount {
  if (order.side === 'ASK') return unitProduct(lots, line.unitsPerLot);
  return timesUnits(unitProduct(order.price, lots), line.unitsPerValue);
}

function storedAmountOf(text: string): bigint {
  const atoms = parseAmount(text);
  assert(
    atoms !== undefined,
    `amount must be a plain decimal of at most 18 decimals, was "${text}"`,
  );
  return atoms;
}
