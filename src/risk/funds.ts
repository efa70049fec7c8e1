/**
 * What the account can still spend, per currency: the exchange's last word, less everything of
 * ours that it cannot have counted yet.
 *
 * A balance is only as new as the moment at which it was asked for. Marks say what came first: an
 * order is inside `available` if it was confirmed before the balance was asked for, and a fill is
 * inside `balance` if the ledger had shown it before.
 */

import type { CurrencyUnits } from './currency-units.ts';
import { unitsBelow } from './whole-units.ts';

export type Mark = number;

/** What one order can still spend, or one fill has spent. */
type Claim = { readonly currency: string; confirmedAt: Mark | undefined };
export type HoldClaim = Claim & { amount: bigint };
type Spend = { readonly claim: Claim; readonly amount: bigint; settledAt: Mark | undefined };
type Balance = { readonly balance: bigint; readonly available: bigint; readonly mark: Mark };

export class Funds {
  readonly #units: CurrencyUnits;
  /** What is free as of the last change, and the same in whole units, rounded down. */
  readonly #free = new Map<string, bigint>();
  readonly #freeUnits = new Map<string, number>();
  readonly #balances = new Map<string, Balance>();
  readonly #claims = new Set<HoldClaim>();
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
    if (balance.mark < (this.#balances.get(currency)?.mark ?? 0)) return;
    this.#balances.set(currency, balance);
    for (const [key, spend] of this.#spends) {
      if (spend.claim.currency !== currency || spend.settledAt === undefined) continue;
      if (spend.settledAt <= balance.mark) this.#spends.delete(key);
    }
    this.#refresh(currency);
  }

  /** Holds `amount` until {@link drop}. */
  claim(currency: string, amount: bigint): HoldClaim {
    const claim: HoldClaim = { currency, amount, confirmedAt: undefined };
    this.#claims.add(claim);
    this.#refresh(currency);
    return claim;
  }

  /** A part of what a claim holds was spent. */
  lower(claim: HoldClaim, amount: bigint): void {
    claim.amount = amount;
    this.#refresh(claim.currency);
  }

  /** The exchange has the order: a balance that is asked for from now on has its reservation. */
  confirm(claim: HoldClaim): void {
    if (claim.confirmedAt !== undefined) return;
    this.#mark += 1;
    claim.confirmedAt = this.#mark;
  }

  drop(claim: HoldClaim): void {
    this.#claims.delete(claim);
    this.#refresh(claim.currency);
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
    this.#spends.set(fillKey, {
      claim: claim ?? { currency: spent.currency, confirmedAt: undefined },
      amount: spent.amount,
      settledAt: undefined,
    });
    this.#refresh(spent.currency);
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
    return this.#freeUnits.get(currency) ?? Number.NaN;
  }

  /** How often what is free of any currency was worked out. */
  get changes(): number {
    return this.#changes;
  }

  /** Returns what an order may spend, in atoms, or undefined if the exchange told no balance. */
  free(currency: string): bigint | undefined {
    return this.#free.get(currency);
  }

  #refresh(currency: string): void {
    const free = this.#workOut(currency);
    if (free === undefined) return;
    this.#changes++;
    this.#free.set(currency, free);
    this.#freeUnits.set(currency, unitsBelow(free, this.#units.amountPerUnit(currency)));
  }

  /**
   * The lower of two views: `available` less what it has not reserved yet, and `balance` less all
   * orders. What was confirmed or settled since the balance was asked for changes neither.
   */
  #workOut(currency: string): bigint | undefined {
    const known = this.#balances.get(currency);
    if (known === undefined) return undefined;
    let fromAvailable = known.available;
    let fromBalance = known.balance;
    const isInside = (claim: Claim) =>
      claim.confirmedAt !== undefined && claim.confirmedAt <= known.mark;
    for (const claim of this.#claims) {
      if (claim.currency !== currency) continue;
      fromBalance -= claim.amount;
      if (!isInside(claim)) fromAvailable -= claim.amount;
    }
    for (const { claim, amount } of this.#spends.values()) {
      if (claim.currency !== currency) continue;
      fromBalance -= amount;
      // The reservation that paid for it was inside `available`, and it still is, as reserved or
      // as spent.
      if (!isInside(claim)) fromAvailable -= amount;
    }
    return fromAvailable < fromBalance ? fromAvailable : fromBalance;
  }
}
