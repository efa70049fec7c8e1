/**
 * What the account can still spend, per currency: the exchange's last word, less everything of
 * ours that it cannot have counted yet.
 *
 * A balance is only as new as the moment at which it was asked for. Marks say what came first: an
 * order is inside `available` if it was confirmed before the balance was asked for, and a fill is
 * inside `balance` if the ledger had shown it before.
 */
import type { CurrencyUnits } from './currency-units.ts';
import { sumOfUnits, type UnitCount } from './unit-count.ts';
import { safe, unitsAbove, unitsSurelyBelow } from './whole-units.ts';

export type Mark = number;

/** What one order can still spend, or one fill has spent. */
type Claim = { readonly funds: CurrencyFunds; confirmedAt: Mark | undefined };
/** `units`: what the order can still spend, in whole units of the currency. */
export type HoldClaim = Claim & { units: UnitCount };
type Spend = {
  readonly claim: Claim;
  readonly amount: bigint;
  /** The same in whole units, rounded up; NaN if that does not fit 2^53. */
  readonly units: number;
  settledAt: Mark | undefined;
};
/** What the exchange said: in atoms, and bounds in whole units that are not above it. */
type Balance = {
  readonly balance: bigint;
  readonly available: bigint;
  readonly balanceUnits: number;
  readonly availableUnits: number;
  readonly mark: Mark;
};
/** What is known of one currency. What an order may spend is worked out when it is asked for. */
type CurrencyFunds = {
  readonly amountPerUnit: bigint;
  readonly claims: HoldClaim[];
  told: Balance | undefined;
  isAmountOld: boolean;
  amount: bigint;
  areUnitsOld: boolean;
  units: number;
};

export class Funds {
  readonly #units: CurrencyUnits;
  readonly #currencies = new Map<string, CurrencyFunds>();
  readonly #spends = new Map<string, Spend>();
  #mark: Mark = 0;
  #changes = 0;

  constructor(units: CurrencyUnits) {
    this.#units = units;
  }

  /** Returns a mark of now, to be taken when a balance is asked for; never the same one twice. */
  mark(): Mark {
    this.#mark += 1;
    return this.#mark;
  }

  /** Takes what the exchange said, unless an answer to a later question came first. */
  setBalance(
    currency: string,
    { balance, available, mark }: Pick<Balance, 'balance' | 'available' | 'mark'>,
  ): void {
    const funds = this.#of(currency);
    if (mark < (funds.told?.mark ?? 0)) return;
    const { amountPerUnit } = funds;
    const balanceUnits = unitsSurelyBelow(balance, amountPerUnit);
    const availableUnits = unitsSurelyBelow(available, amountPerUnit);
    funds.told = { balance, available, balanceUnits, availableUnits, mark };
    for (const [key, spend] of this.#spends) {
      if (spend.claim.funds !== funds || spend.settledAt === undefined) continue;
      if (spend.settledAt <= mark) this.#spends.delete(key);
    }
    this.#note(funds);
  }

  /** Holds `units` until {@link drop}. */
  claim(currency: string, units: UnitCount): HoldClaim {
    const funds = this.#of(currency);
    const claim: HoldClaim = { funds, units, confirmedAt: undefined };
    funds.claims.push(claim);
    this.#note(funds);
    return claim;
  }

  /** A part of what a claim holds was spent. */
  lower(claim: HoldClaim, units: UnitCount): void {
    claim.units = units;
    this.#note(claim.funds);
  }

  /** The exchange has the order: a balance that is asked for from now on has its reservation. */
  confirm(claim: HoldClaim): void {
    if (claim.confirmedAt !== undefined) return;
    this.#mark += 1;
    claim.confirmedAt = this.#mark;
  }

  drop(claim: HoldClaim): void {
    const { claims } = claim.funds;
    const place = claims.indexOf(claim);
    const last = claims.pop();
    // Their order means nothing, so the last one takes the place.
    if (last !== undefined && last !== claim && place !== -1) claims[place] = last;
    this.#note(claim.funds);
  }

  /** Whether a fill counts that a balance may have by now: one more balance tells. */
  get hasSpends(): boolean {
    return this.#spends.size > 0;
  }

  /** Returns whether a fill of this key is already counted and not yet settled. */
  hasSpend(fillKey: string): boolean {
    return this.#spends.has(fillKey);
  }

  /** Counts what a fill has spent until the ledger shows it. Without a claim it counts fully. */
  spend(
    fillKey: string,
    spent: { readonly currency: string; readonly amount: bigint },
    claim: HoldClaim | undefined,
  ): void {
    const funds = this.#of(spent.currency);
    this.#spends.set(fillKey, {
      claim: claim ?? { funds, confirmedAt: undefined },
      amount: spent.amount,
      units: unitsAbove(spent.amount, funds.amountPerUnit),
      settledAt: undefined,
    });
    this.#note(funds);
  }

  /** The ledger shows the fill: a balance that is asked for from now on has it. */
  settle(fillKey: string): void {
    const spend = this.#spends.get(fillKey);
    if (spend === undefined || spend.settledAt !== undefined) return;
    this.#mark += 1;
    spend.settledAt = this.#mark;
  }

  /** Returns at most what an order may spend in whole units; NaN if that is not known. */
  freeUnits(currency: string): number {
    const funds = this.#currencies.get(currency);
    if (funds?.told === undefined) return Number.NaN;
    if (funds.areUnitsOld) {
      funds.units = safe(this.#workOutUnits(funds, funds.told));
      funds.areUnitsOld = false;
    }
    return funds.units;
  }

  /** Counts everything that may have changed what is free of any currency. */
  get changes(): number {
    return this.#changes;
  }

  /** Returns what an order may spend, in atoms, or undefined if the exchange told no balance. */
  free(currency: string): bigint | undefined {
    const funds = this.#currencies.get(currency);
    if (funds?.told === undefined) return undefined;
    if (funds.isAmountOld) {
      funds.amount = this.#workOut(funds, funds.told);
      funds.isAmountOld = false;
    }
    return funds.amount;
  }

  #of(currency: string): CurrencyFunds {
    let funds = this.#currencies.get(currency);
    if (funds === undefined) {
      funds = {
        amountPerUnit: this.#units.amountPerUnit(currency),
        claims: [],
        told: undefined,
        isAmountOld: true,
        amount: 0n,
        areUnitsOld: true,
        units: Number.NaN,
      };
      this.#currencies.set(currency, funds);
    }
    return funds;
  }

  #note(funds: CurrencyFunds): void {
    this.#changes++;
    funds.isAmountOld = true;
    funds.areUnitsOld = true;
  }

  /**
   * The lower of two views: `available` less what it has not reserved yet, and `balance` less all
   * orders. What was confirmed or settled since the balance was asked for changes neither.
   */
  #workOut(funds: CurrencyFunds, told: Balance): bigint {
    let unreserved: UnitCount = 0;
    let held: UnitCount = 0;
    for (const claim of funds.claims) {
      held = sumOfUnits(held, claim.units);
      if (!isInside(claim, told)) unreserved = sumOfUnits(unreserved, claim.units);
    }
    let fromAvailable = told.available - BigInt(unreserved) * funds.amountPerUnit;
    let fromBalance = told.balance - BigInt(held) * funds.amountPerUnit;
    for (const { claim, amount } of this.#spends.values()) {
      if (claim.funds !== funds) continue;
      fromBalance -= amount;
      // The reservation that paid for it was inside `available`, and it still is, as reserved or
      // as spent.
      if (!isInside(claim, told)) fromAvailable -= amount;
    }
    return fromAvailable < fromBalance ? fromAvailable : fromBalance;
  }

  /** As {@link #workOut}, in whole units and never above it; not a safe integer if not known. */
  #workOutUnits(funds: CurrencyFunds, told: Balance): number {
    let fromAvailable = told.availableUnits;
    let fromBalance = told.balanceUnits;
    for (const claim of funds.claims) {
      const units = typeof claim.units === 'number' ? claim.units : Number.NaN;
      fromBalance -= units;
      if (!isInside(claim, told)) fromAvailable -= units;
    }
    for (const { claim, units } of this.#spends.values()) {
      if (claim.funds !== funds) continue;
      fromBalance -= units;
      if (!isInside(claim, told)) fromAvailable -= units;
    }
    return Math.min(fromAvailable, fromBalance);
  }
}

/** Whether the exchange had counted what the claim holds when it told the balance. */
function isInside({ confirmedAt }: Claim, { mark }: Balance): boolean {
  return confirmedAt !== undefined && confirmedAt <= mark;
}
