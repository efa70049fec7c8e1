/**
 * What the account can still spend, per currency: the exchange's last balance, minus our orders and
 * fills that it may not include yet.
 *
 * A balance is only as recent as its request. Marks order the events: `available` includes an
 * order's reservation if the order was confirmed before the balance was requested, and `balance`
 * includes a fill if the ledger showed it before the request. A balance that was received before
 * the bot cancelled an order does not include what that cancel freed, so that is added to it. What
 * a fill brought is added too, until the ledger row that the balance comes from includes it.
 */
import { TextTable } from '../domain/text-table.ts';
import type { CurrencyUnits } from './currency-units.ts';
import { unitsWithFeeBuffer, valueWithin } from './fee-buffer.ts';
import type { Share } from './gate-limits.ts';
import { type UnitParts, UnitSum } from './unit-amount.ts';
import { sumOfUnits, type UnitCount } from './unit-count.ts';
import { unitsAbove, unitsBelow } from './whole-units.ts';

/** How much of a fill's key is hashed: the fills of one order differ before its id. */
const fillKeyHashed = 40;

/** A logical time: increases with every balance, confirmation, cancel and settlement. */
export type Mark = number;

/** What one order may still spend, or one fill has spent. */
type Claim = { readonly funds: CurrencyFunds; confirmedAt: Mark | undefined };
/** `units`: what the order may still spend, in whole units of the currency. */
export type HoldClaim = Claim & { units: UnitCount; withdrawnAt: Mark | undefined };
/** `flow`: what it moved, negative. `hash`: of its key in the table of spends. */
type Spend = {
  readonly claim: Claim;
  readonly flow: UnitParts;
  settledAt: Mark | undefined;
  hash: number;
};
/** A reported balance; `mark`: when it was requested. */
export type Balance = { readonly balance: bigint; readonly available: bigint; readonly mark: Mark };
/** What a fill brought, which is in no balance yet. */
export type Receipt = { readonly funds: CurrencyFunds; readonly flow: UnitParts };
/** What the end of an order freed that the bot had cancelled, and when the end was known. */
type Release = { readonly freed: UnitParts; readonly mark: Mark };
/** The funds of one currency. The free amount is computed when it is read. */
type CurrencyFunds = {
  readonly amountPerUnit: bigint;
  readonly claims: HoldClaim[];
  readonly receipts: Receipt[];
  reported: Balance | undefined;
  /** Since when nothing has happened to the account that `reported` would show. */
  receivedAt: Mark;
  /** When an order was last confirmed. */
  confirmedAt: Mark;
  /** What cancels have freed that were requested after `receivedAt`. */
  releases: Release[];
  /** The reported amounts, with these, less the fills that they may not include. */
  readonly balance: UnitSum;
  readonly available: UnitSum;
  /**
   * Whether something has changed since the sums above and the free amount were computed, and its
   * units were.
   */
  areSumsOld: boolean;
  isAmountOld: boolean;
  areUnitsOld: boolean;
  /** The free amount, and the same in whole units, rounded down. */
  amount: bigint;
  units: number;
};

export class Funds {
  readonly #units: CurrencyUnits;
  readonly #currencies = new Map<string, CurrencyFunds>();
  /** By key. Not a map, for which V8 first looks up each new text in its table of all texts. */
  readonly #spendsByKey = new TextTable<Spend>(fillKeyHashed);
  /** The same, in no order that matters. */
  readonly #spends: Spend[] = [];
  #mark: Mark = 0;
  #changes = 0;

  constructor(units: CurrencyUnits) {
    this.#units = units;
  }

  /** Returns a new mark, to be taken when a balance is requested. */
  mark(): Mark {
    this.#mark += 1;
    return this.#mark;
  }

  /** Takes a reported balance, unless the response to a later request came first. */
  setBalance(currency: string, balance: Balance): void {
    const funds = this.#of(currency);
    const { mark } = balance;
    if (mark < (funds.reported?.mark ?? 0)) return;
    const before = funds.reported;
    funds.reported = balance;
    const isSame = before !== undefined && isUnchanged(funds, before, balance);
    if (!isSame) funds.receivedAt = this.mark();
    if (funds.releases.length > 0)
      funds.releases = isSame ? funds.releases.filter((release) => release.mark >= mark) : [];
    this.#forgetSettled(funds, mark);
    funds.areSumsOld = true;
    this.#note(funds);
  }

  /** Forgets the spends of a currency that the ledger had before `mark`. */
  #forgetSettled(funds: CurrencyFunds, mark: Mark): void {
    const spends = this.#spends;
    for (let at = spends.length - 1; at >= 0; at--) {
      const spend = spends[at] as Spend;
      const { claim, settledAt, hash } = spend;
      if (claim.funds !== funds || settledAt === undefined || settledAt > mark) continue;
      this.#spendsByKey.remove(hash, spend);
      removeAt(spends, at);
    }
  }

  /** Holds `units` until {@link drop}. */
  claim(currency: string, units: UnitCount): HoldClaim {
    const funds = this.#of(currency);
    const claim: HoldClaim = { funds, units, confirmedAt: undefined, withdrawnAt: undefined };
    funds.claims.push(claim);
    this.#note(funds);
    return claim;
  }

  /** Reduces what a claim holds, after a part of it was spent. */
  lower(claim: HoldClaim, units: UnitCount): void {
    claim.units = units;
    this.#note(claim.funds);
  }

  /** Notes that the exchange has the order: balances requested from now on reserve for it. */
  confirm(claim: HoldClaim): void {
    if (claim.confirmedAt !== undefined) return;
    this.#mark += 1;
    claim.confirmedAt = this.#mark;
    claim.funds.confirmedAt = this.#mark;
  }

  /** Notes that the bot cancels the order: balances received before do not include its end. */
  withdraw(claim: HoldClaim): void {
    this.#mark += 1;
    claim.withdrawnAt ??= this.#mark;
  }

  /** Ends a claim: its order can no longer fill, or never existed. */
  drop(claim: HoldClaim): void {
    const { funds, units, withdrawnAt } = claim;
    const { claims, reported, receivedAt } = funds;
    const place = claims.indexOf(claim);
    if (place !== -1) removeAt(claims, place);
    if (reported !== undefined && withdrawnAt !== undefined && withdrawnAt > receivedAt)
      if (isIncluded(claim, reported)) {
        this.#mark += 1;
        const freed = { units, rest: 0 };
        funds.releases.push({ freed, mark: this.#mark });
        if (!funds.areSumsOld) funds.available.add(freed);
      }
    this.#note(funds);
  }

  /** Whether fills count that the balances may not include yet; a new balance can clear them. */
  get hasSpends(): boolean {
    return this.#spends.length > 0;
  }

  /** Returns whether a fill with this key is counted and not yet included in a balance. */
  hasSpend(fillKey: string): boolean {
    return this.#spendsByKey.has(fillKey);
  }

  /**
   * Counts a fill's `flow`, which is negative, until a balance includes it. Without a claim it
   * counts in full.
   */
  spend(fillKey: string, currency: string, flow: UnitParts, claim: HoldClaim | undefined): void {
    const funds = this.#of(currency);
    const spend: Spend = {
      claim: claim ?? { funds, confirmedAt: undefined },
      flow,
      settledAt: undefined,
      hash: 0,
    };
    spend.hash = this.#spendsByKey.set(fillKey, spend);
    this.#spends.push(spend);
    const { reported } = funds;
    if (reported !== undefined && !funds.areSumsOld) deduct(spend, funds, reported);
    this.#note(funds);
  }

  /** Counts what a fill brought, until {@link include}. */
  receive(currency: string, flow: UnitParts): Receipt {
    const funds = this.#of(currency);
    const receipt = { funds, flow };
    funds.receipts.push(receipt);
    if (!funds.areSumsOld) addReceipt(receipt, funds);
    this.#note(funds);
    return receipt;
  }

  /** Notes that the balance which is set next includes what a fill brought. */
  include(receipt: Receipt): void {
    const { funds } = receipt;
    const place = funds.receipts.indexOf(receipt);
    if (place === -1) return;
    removeAt(funds.receipts, place);
    funds.areSumsOld = true;
    this.#note(funds);
  }

  /** Notes that the balance, or the one which is set next, includes the fill. */
  forgetSpend(fillKey: string): void {
    const spend = this.#spendsByKey.get(fillKey);
    if (spend === undefined) return;
    this.#spendsByKey.remove(spend.hash, spend);
    removeAt(this.#spends, this.#spends.indexOf(spend));
    spend.claim.funds.areSumsOld = true;
    this.#note(spend.claim.funds);
  }

  /** Notes that the ledger has the fill: balances requested from now on include it. */
  settle(fillKey: string): void {
    const spend = this.#spendsByKey.get(fillKey);
    if (spend === undefined || spend.settledAt !== undefined) return;
    this.#mark += 1;
    spend.settledAt = this.#mark;
  }

  /** Returns what orders may spend in whole units, rounded down; NaN if it is not known. */
  freeUnits(currency: string): number {
    const funds = this.#currencies.get(currency);
    if (funds?.reported === undefined) return Number.NaN;
    if (funds.areUnitsOld) {
      funds.units = this.#computeUnits(funds, funds.reported);
      funds.areUnitsOld = false;
    }
    return funds.units;
  }

  /** Number of changes that may have affected the free amount of any currency. */
  get changes(): number {
    return this.#changes;
  }

  /** Returns what orders may spend, or undefined before the first balance. */
  free(currency: string): bigint | undefined {
    const funds = this.#currencies.get(currency);
    if (funds?.reported === undefined) return undefined;
    if (funds.isAmountOld) {
      funds.amount = this.#computeFree(funds, funds.reported);
      funds.isAmountOld = false;
    }
    return funds.amount;
  }

  /**
   * Returns how much of `amount` an order may use: what is free, and less with a `feeBuffer`.
   * Returns 0 before the first balance. Usually the units show that all of it is free.
   */
  spendable(currency: string, amount: bigint, feeBuffer: Share | undefined): bigint {
    const funds = this.#currencies.get(currency);
    if (funds === undefined) return 0n;
    const units = unitsAbove(amount, funds.amountPerUnit);
    const needed = feeBuffer === undefined ? units : unitsWithFeeBuffer(units, feeBuffer);
    if (needed <= this.freeUnits(currency)) return amount;
    const free = this.free(currency) ?? 0n;
    const most = feeBuffer === undefined ? free : valueWithin(free, feeBuffer);
    return amount < most ? amount : most;
  }

  #of(currency: string): CurrencyFunds {
    let funds = this.#currencies.get(currency);
    if (funds === undefined) {
      const amountPerUnit = this.#units.amountPerUnit(currency);
      funds = {
        amountPerUnit,
        claims: [],
        receipts: [],
        reported: undefined,
        receivedAt: 0,
        confirmedAt: 0,
        releases: [],
        balance: new UnitSum(amountPerUnit),
        available: new UnitSum(amountPerUnit),
        areSumsOld: true,
        isAmountOld: true,
        areUnitsOld: true,
        amount: 0n,
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
   * Adds up a reported balance, what was released and the fills, when it is read after a new
   * balance; later changes are added as they come. A confirmation after the balance was requested
   * does not matter to them.
   */
  #addUp(funds: CurrencyFunds, reported: Balance): void {
    if (!funds.areSumsOld) return;
    funds.areSumsOld = false;
    funds.balance.set(reported.balance);
    funds.available.set(reported.available);
    for (const { freed } of funds.releases) funds.available.add(freed);
    for (const receipt of funds.receipts) addReceipt(receipt, funds);
    for (const spend of this.#spends)
      if (spend.claim.funds === funds) deduct(spend, funds, reported);
  }

  /** Returns the free amount in whole units, rounded down; NaN if it does not fit 2^53. */
  #computeUnits(funds: CurrencyFunds, reported: Balance): number {
    this.#addUp(funds, reported);
    const { held, unreserved } = unitsHeld(funds.claims, reported);
    if (typeof held === 'number' && typeof unreserved === 'number') {
      const least = Math.min(funds.available.below - unreserved, funds.balance.below - held);
      if (Number.isSafeInteger(least)) return least;
    }
    return unitsBelow(this.#computeFree(funds, reported), funds.amountPerUnit);
  }

  /**
   * Returns the lower of two estimates: `available` minus the orders that it does not include, and
   * `balance` minus all orders. A confirmation or settlement after the balance was requested
   * changes neither.
   */
  #computeFree(funds: CurrencyFunds, reported: Balance): bigint {
    this.#addUp(funds, reported);
    const { held, unreserved } = unitsHeld(funds.claims, reported);
    const fromAvailable = funds.available.amount - BigInt(unreserved) * funds.amountPerUnit;
    const fromBalance = funds.balance.amount - BigInt(held) * funds.amountPerUnit;
    return fromAvailable < fromBalance ? fromAvailable : fromBalance;
  }
}

/** Deducts a fill from a reported balance. */
function deduct({ claim, flow }: Spend, funds: CurrencyFunds, reported: Balance): void {
  funds.balance.add(flow);
  // If `available` includes the order's reservation, it already excludes what the fill spent.
  if (!isIncluded(claim, reported)) funds.available.add(flow);
}

function addReceipt({ flow }: Receipt, funds: CurrencyFunds): void {
  funds.balance.add(flow);
  funds.available.add(flow);
}

/** Removes an entry of a list in no order that matters: the last one takes its place. */
function removeAt<Entry>(list: Entry[], place: number): void {
  const last = list.pop() as Entry;
  if (place < list.length) list[place] = last;
}

/**
 * Returns whether a balance shows that nothing has happened to the account since the one `before`,
 * the end of an order included. An order that was confirmed since then may have reserved as much as
 * the end of another freed.
 */
function isUnchanged(funds: CurrencyFunds, before: Balance, balance: Balance): boolean {
  return (
    before.balance === balance.balance &&
    before.available === balance.available &&
    funds.confirmedAt <= before.mark
  );
}

/** What claims hold in whole units: all of them, and those that `reported` does not include. */
function unitsHeld(
  claims: readonly HoldClaim[],
  reported: Balance,
): { readonly held: UnitCount; readonly unreserved: UnitCount } {
  let held: UnitCount = 0;
  let unreserved: UnitCount = 0;
  for (const claim of claims) {
    held = sumOfUnits(held, claim.units);
    if (!isIncluded(claim, reported)) unreserved = sumOfUnits(unreserved, claim.units);
  }
  return { held, unreserved };
}

/** Returns whether the exchange had reserved for the claim when the balance was requested. */
function isIncluded({ confirmedAt }: Claim, { mark }: Balance): boolean {
  return confirmedAt !== undefined && confirmedAt <= mark;
}
