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
import type { CurrencyUnit, CurrencyUnits, Exact } from './currency-unit.ts';
import { valueWithin } from './fee-buffer.ts';
import type { Share } from './share.ts';

/** How much of a fill's key is hashed: the fills of one order differ before its id. */
const fillKeyHashed = 40;

/** A logical time: increases with every balance, confirmation, cancel and settlement. */
export type Mark = number;

/** What one order may still spend, or one fill has spent. */
type Claim = { readonly funds: CurrencyFunds; confirmedAt: Mark | undefined };
/** `value`: what the order may still spend. */
export type HoldClaim = Claim & { value: Exact; withdrawnAt: Mark | undefined };
/** `flow`: what it moved, negative. `hash`: of its key in the table of spends. */
type Spend = {
  readonly claim: Claim;
  readonly flow: Exact;
  settledAt: Mark | undefined;
  hash: number;
};
/** A balance in 10^-18; `mark` and `askedMs`: when it was requested. */
export type Balance = {
  readonly balance: bigint;
  readonly available: bigint;
  readonly mark: Mark;
  readonly askedMs: number;
};
/** What a fill brought, which is in no balance yet. */
export type Receipt = { readonly funds: CurrencyFunds; readonly flow: Exact };
/** What the end of an order freed that the bot had cancelled, and when the end was known. */
type Release = { readonly freed: Exact; readonly mark: Mark };
type Reported = {
  readonly balance: Exact;
  readonly available: Exact;
  readonly mark: Mark;
  readonly askedMs: number;
};
/** All of a currency, with what fills have changed since its balance was requested. */
type KnownTotal = { readonly total: Exact; readonly askedMs: number };
/** The funds of one currency. */
type CurrencyFunds = {
  readonly unit: CurrencyUnit;
  readonly claims: HoldClaim[];
  readonly receipts: Receipt[];
  readonly spends: Spend[];
  reported: Reported | undefined;
  /** Since when nothing has happened to the account that `reported` would show. */
  receivedAt: Mark;
  /** When an order was last confirmed. */
  confirmedAt: Mark;
  /** What cancels have freed that were requested after `receivedAt`. */
  releases: Release[];
  /** Computed when it is read. */
  free: Exact | undefined;
};

export class Funds {
  readonly #units: CurrencyUnits;
  readonly #currencies = new Map<string, CurrencyFunds>();
  /** By key. Not a map, for which V8 first looks up each new text in its table of all texts. */
  readonly #spendsByKey = new TextTable<Spend>(fillKeyHashed);
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
    const { mark, askedMs } = balance;
    const before = funds.reported;
    if (mark < (before?.mark ?? 0)) return;
    const { unit } = funds;
    const reported = {
      balance: unit.of(balance.balance),
      available: unit.of(balance.available),
      mark,
      askedMs,
    };
    funds.reported = reported;
    const isSame = before !== undefined && isUnchanged(funds, before, reported);
    if (!isSame) funds.receivedAt = this.mark();
    if (funds.releases.length > 0)
      funds.releases = isSame ? funds.releases.filter((release) => release.mark >= mark) : [];
    this.#forgetSettled(funds, mark);
    this.#note(funds);
  }

  /** Forgets the spends that the ledger had before `mark`. */
  #forgetSettled({ spends }: CurrencyFunds, mark: Mark): void {
    for (let at = spends.length - 1; at >= 0; at--) {
      const spend = spends[at] as Spend;
      const { settledAt, hash } = spend;
      if (settledAt === undefined || settledAt > mark) continue;
      this.#spendsByKey.remove(hash, spend);
      removeAt(spends, at);
    }
  }

  /** Holds `value` until {@link drop}. */
  claim(currency: string, value: Exact): HoldClaim {
    const funds = this.#of(currency);
    const claim: HoldClaim = { funds, value, confirmedAt: undefined, withdrawnAt: undefined };
    funds.claims.push(claim);
    this.#note(funds);
    return claim;
  }

  /** Reduces what a claim holds, after a part of it was spent. */
  lower(claim: HoldClaim, value: Exact): void {
    claim.value = value;
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
    const { funds, value, withdrawnAt } = claim;
    const { claims, reported, receivedAt } = funds;
    const place = claims.indexOf(claim);
    if (place !== -1) removeAt(claims, place);
    if (reported !== undefined && withdrawnAt !== undefined && withdrawnAt > receivedAt)
      if (isIncluded(claim, reported)) {
        this.#mark += 1;
        funds.releases.push({ freed: value, mark: this.#mark });
      }
    this.#note(funds);
  }

  /** Whether fills count that the balances may not include yet; a new balance can clear them. */
  get hasSpends(): boolean {
    return this.#spendsByKey.size > 0;
  }

  /** Returns whether a fill with this key is counted and not yet included in a balance. */
  hasSpend(fillKey: string): boolean {
    return this.#spendsByKey.has(fillKey);
  }

  /**
   * Counts a fill's `flow`, which is negative, until a balance includes it. Without a claim it
   * counts in full.
   */
  spend(fillKey: string, currency: string, flow: Exact, claim: HoldClaim | undefined): void {
    const funds = this.#of(currency);
    const of = claim ?? { funds, confirmedAt: undefined };
    const spend: Spend = { claim: of, flow, settledAt: undefined, hash: 0 };
    spend.hash = this.#spendsByKey.set(fillKey, spend);
    funds.spends.push(spend);
    this.#note(funds);
  }

  /** Counts what a fill brought, until {@link include}. */
  receive(currency: string, flow: Exact): Receipt {
    const funds = this.#of(currency);
    const receipt = { funds, flow };
    funds.receipts.push(receipt);
    this.#note(funds);
    return receipt;
  }

  /** Notes that the balance which is set next includes what a fill brought. */
  include(receipt: Receipt): void {
    const { funds } = receipt;
    const place = funds.receipts.indexOf(receipt);
    if (place === -1) return;
    removeAt(funds.receipts, place);
    this.#note(funds);
  }

  /** Notes that the balance, or the one which is set next, includes the fill. */
  forgetSpend(fillKey: string): void {
    const spend = this.#spendsByKey.get(fillKey);
    if (spend === undefined) return;
    this.#spendsByKey.remove(spend.hash, spend);
    const { funds } = spend.claim;
    removeAt(funds.spends, funds.spends.indexOf(spend));
    this.#note(funds);
  }

  /** Notes that the ledger has the fill: balances requested from now on include it. */
  settle(fillKey: string): void {
    const spend = this.#spendsByKey.get(fillKey);
    if (spend === undefined || spend.settledAt !== undefined) return;
    this.#mark += 1;
    spend.settledAt = this.#mark;
  }

  /** Number of changes that may have affected the free amount of any currency. */
  get changes(): number {
    return this.#changes;
  }

  /** Returns what orders may spend, or undefined before the first balance. */
  free(currency: string): Exact | undefined {
    const funds = this.#currencies.get(currency);
    if (funds?.reported === undefined) return undefined;
    funds.free ??= freeOf(funds, funds.reported);
    return funds.free;
  }

  /** Returns all of a currency; undefined before the first balance. */
  total(currency: string): KnownTotal | undefined {
    const funds = this.#currencies.get(currency);
    if (funds?.reported === undefined) return undefined;
    const { balance, askedMs } = funds.reported;
    const { unit, receipts, spends } = funds;
    let total = balance;
    for (const { flow } of receipts) total = unit.plus(total, flow);
    for (const { flow } of spends) total = unit.plus(total, flow);
    return { total, askedMs };
  }

  /**
   * Returns how much of `value` an order may use: what is free, and less with a `feeBuffer`.
   * Returns 0 before the first balance.
   */
  spendable(currency: string, value: Exact, feeBuffer: Share | undefined): Exact {
    const free = this.free(currency) ?? 0;
    const unit = this.#units.of(currency);
    const most = feeBuffer === undefined ? free : valueWithin(unit, free, feeBuffer);
    return unit.isAtMost(value, most) ? value : most;
  }

  #of(currency: string): CurrencyFunds {
    let funds = this.#currencies.get(currency);
    if (funds === undefined) {
      funds = {
        unit: this.#units.of(currency),
        ...{ claims: [], receipts: [], spends: [], releases: [] },
        ...{ reported: undefined, receivedAt: 0, confirmedAt: 0, free: undefined },
      };
      this.#currencies.set(currency, funds);
    }
    return funds;
  }

  #note(funds: CurrencyFunds): void {
    this.#changes++;
    funds.free = undefined;
  }
}

/**
 * Returns the lower of two estimates: `available` minus the orders that it does not include, and
 * `balance` minus all orders. A confirmation or settlement after the balance was requested
 * changes neither.
 */
function freeOf(funds: CurrencyFunds, reported: Reported): Exact {
  const { unit } = funds;
  let { balance, available } = reported;
  for (const { freed } of funds.releases) available = unit.plus(available, freed);
  for (const { flow } of funds.receipts) {
    balance = unit.plus(balance, flow);
    available = unit.plus(available, flow);
  }
  for (const { claim, flow } of funds.spends) {
    balance = unit.plus(balance, flow);
    // If `available` includes the order's reservation, it already excludes what the fill spent.
    if (!isIncluded(claim, reported)) available = unit.plus(available, flow);
  }
  for (const claim of funds.claims) {
    balance = unit.minus(balance, claim.value);
    if (!isIncluded(claim, reported)) available = unit.minus(available, claim.value);
  }
  return unit.isAtMost(balance, available) ? balance : available;
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
function isUnchanged(funds: CurrencyFunds, before: Reported, reported: Reported): boolean {
  return (
    before.balance === reported.balance &&
    before.available === reported.available &&
    funds.confirmedAt <= before.mark
  );
}

/** Returns whether the exchange had reserved for the claim when the balance was requested. */
function isIncluded({ confirmedAt }: Claim, { mark }: Reported): boolean {
  return confirmedAt !== undefined && confirmedAt <= mark;
}
