/**
 * What the account can still spend, per currency: the exchange's last word, less everything of
 * ours that it cannot have counted yet.
 *
 * A balance is only as new as the moment at which it was asked for. Marks say what came first: an
 * order is inside `available` if it was confirmed before the balance was asked for, and a fill is
 * inside `balance` if the ledger had shown it before.
 */
import { assert } from '../domain/errors.ts';
import type { CurrencyUnits } from './currency-units.ts';
import { unitsBelow } from './whole-units.ts';

export type Mark = number;

/** What one order can still spend, or one fill has spent. */
type Claim = { readonly currency: string; confirmedAt: Mark | undefined };
export type HoldClaim = Claim & { amount: bigint };
type Spend = { readonly claim: Claim; readonly amount: bigint; settledAt: Mark | undefined };
/** What an order may spend, and that in whole units, rounded down; worked out when asked for. */
type Free = { isOld: boolean; amount: bigint; units: number };
type Balance = { readonly balance: bigint; readonly available: bigint; readonly mark: Mark };

export class Funds {
  readonly #units: CurrencyUnits;
  /** By currency, of each whose balance is known. */
  readonly #free = new Map<string, Free>();
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
    if (!this.#free.has(currency))
      this.#free.set(currency, { isOld: true, amount: 0n, units: Number.NaN });
    for (const [key, spend] of this.#spends) {
      if (spend.claim.currency !== currency || spend.settledAt === undefined) continue;
      if (spend.settledAt <= balance.mark) this.#spends.delete(key);
    }
    this.#note(currency);
  }

  /** Holds `amount` until {@link drop}. */
  claim(currency: string, amount: bigint): HoldClaim {
    const claim: HoldClaim = { currency, amount, confirmedAt: undefined };
    this.#claims.add(claim);
    this.#note(currency);
    return claim;
  }

  /** A part of what a claim holds was spent. */
  lower(claim: HoldClaim, amount: bigint): void {
    claim.amount = amount;
    this.#note(claim.currency);
  }

  /** The exchange has the order: a balance that is asked for from now on has its reservation. */
  confirm(claim: HoldClaim): void {
    if (claim.confirmedAt !== undefined) return;
    this.#mark += 1;
    claim.confirmedAt = this.#mark;
  }

  drop(claim: HoldClaim): void {
    this.#claims.delete(claim);
    this.#note(claim.currency);
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
    this.#note(spent.currency);
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

  #note(currency: string): void {
    this.#changes++;
    const free = this.#free.get(currency);
    if (free !== undefined) free.isOld = true;
  }

  #current(currency: string): Free | undefined {
    const free = this.#free.get(currency);
    if (free?.isOld !== true) return free;
    const known = this.#balances.get(currency);
    assert(known !== undefined, `${currency} must have a balance`);
    free.amount = this.#workOut(currency, known);
    free.units = unitsBelow(free.amount, this.#units.amountPerUnit(currency));
    free.isOld = false;
    return free;
  }

  /**
   * The lower of two views: `available` less what it has not reserved yet, and `balance` less all
   * orders. What was confirmed or settled since the balance was asked for changes neither.
   */
  #workOut(currency: string, known: Balance): bigint {
    let fromAvailable = known.available;
    let fromBalance = known.balance;
    for (const claim of this.#claims) {
      if (claim.currency !== currency) continue;
      fromBalance -= claim.amount;
      if (!isInside(claim, known)) fromAvailable -= claim.amount;
    }
    for (const { claim, amount } of this.#spends.values()) {
      if (claim.currency !== currency) continue;
      fromBalance -= amount;
      // The reservation that paid for it was inside `available`, and it still is, as reserved or
      // as spent.
      if (!isInside(claim, known)) fromAvailable -= amount;
    }
    return fromAvailable < fromBalance ? fromAvailable : fromBalance;
  }
}

/** Whether the exchange had counted what the claim holds when it told the balance. */
function isInside({ confirmedAt }: Claim, { mark }: Balance): boolean {
  return confirmedAt !== undefined && confirmedAt <= mark;
}
