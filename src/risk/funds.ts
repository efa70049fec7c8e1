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
import { unitsBelow } from './whole-units.ts';

export type Mark = number;

/** What one order can still spend, or one fill has spent. */
type Claim = { readonly funds: CurrencyFunds; confirmedAt: Mark | undefined };
/** `units`: what the order can still spend, in whole units of the currency. */
export type HoldClaim = Claim & { units: UnitCount };
type Spend = { readonly claim: Claim; readonly amount: bigint; settledAt: Mark | undefined };
type Balance = { readonly balance: bigint; readonly available: bigint; readonly mark: Mark };
/** What is known of one currency. What an order may spend is worked out when it is asked for. */
type CurrencyFunds = {
  readonly amountPerUnit: bigint;
  readonly claims: HoldClaim[];
  told: Balance | undefined;
  /** Whether something has changed since the free amount was worked out. */
  isOld: boolean;
  /** What is free, and the same in whole units, rounded down. */
  amount: bigint;
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
  setBalance(currency: string, balance: Balance): void {
    const funds = this.#of(currency);
    const { mark } = balance;
    if (mark < (funds.told?.mark ?? 0)) return;
    funds.told = balance;
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
    if (place !== -1) claims.splice(place, 1);
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
    return this.#current(currency)?.units ?? Number.NaN;
  }

  /** Counts everything that may have changed what is free of any currency. */
  get changes(): number {
    return this.#changes;
  }

  /** Returns what an order may spend, in atoms, or undefined if the exchange told no balance. */
  free(currency: string): bigint | undefined {
    return this.#current(currency)?.amount;
  }

  /** Returns what is known of a currency as of now; undefined before its first balance. */
  #current(currency: string): CurrencyFunds | undefined {
    const funds = this.#currencies.get(currency);
    if (funds?.told === undefined) return undefined;
    if (!funds.isOld) return funds;
    funds.amount = this.#workOut(funds, funds.told);
    funds.units = unitsBelow(funds.amount, funds.amountPerUnit);
    funds.isOld = false;
    return funds;
  }

  #of(currency: string): CurrencyFunds {
    let funds = this.#currencies.get(currency);
    if (funds === undefined) {
      funds = {
        amountPerUnit: this.#units.amountPerUnit(currency),
        claims: [],
        told: undefined,
        isOld: true,
        amount: 0n,
        units: Number.NaN,
      };
      this.#currencies.set(currency, funds);
    }
    return funds;
  }

  #note(funds: CurrencyFunds): void {
    this.#changes++;
    funds.isOld = true;
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
}

/** Whether the exchange had counted what the claim holds when it told the balance. */
function isInside({ confirmedAt }: Claim, { mark }: Balance): boolean {
  return confirmedAt !== undefined && confirmedAt <= mark;
}
