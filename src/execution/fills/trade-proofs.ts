/**
 * Compares each trade's fills with its ledger rows. The ledger has no gaps, so a trade whose rows
 * and fills are exactly equal is proven, and a row without a fill shows that a fill is missing.
 *
 * A buy credits `base − fee_base` and debits `counter + fee_counter`; a sell debits `base +
 * fee_base` and credits `counter − fee_counter`. Trading with ourselves makes two fills of one
 * sequence. Trades of others on the account are compared too, so that every row is explained.
 *
 * Invariant: `ownOf` is computed from ledger rows and listed trades, independently of the
 * positions.
 */

import { type Amount, formatAmount, type Sums } from '../../domain/amount.ts';
import type { Side } from '../../domain/market.ts';
import { TextTable } from '../../domain/text-table.ts';
import type { Receipt } from '../../risk/funds.ts';

export type Amounts = { readonly base: Amount; readonly counter: Amount };
/** One of a pair's two accounts. */
export type Leg = keyof Amounts;

/** A trade whose fills and rows are not complete yet. */
type Proof = {
  readonly pair: string;
  readonly sequence: string;
  readonly sinceMs: number;
  /** The earliest time of the trade by any source. */
  tradedMs: number;
  fills: Amounts;
  /** The part of `fills` that is not from our orders. */
  foreign: Amounts;
  rows: Amounts;
  baseRows: number;
  counterRows: number;
  readonly fillKeys: string[];
  /** Our fills whose movements no rows have shown yet. */
  readonly own: OwnFill[];
};

type OwnFill = {
  readonly key: string;
  /** The leg that it brought; it paid with the other. */
  readonly received: Leg;
  readonly receipt: Receipt | undefined;
};

/** Told when rows show what a fill of ours moved; the balance of that currency includes it. */
export type RowListener = {
  include(receipt: Receipt): void;
  forgetSpend(fillKey: string): void;
};

/** A fill to be compared with its rows. */
export type ProvenFill = {
  readonly pair: string;
  readonly sequence: string;
  readonly key: string;
  readonly side: Side;
  readonly sums: Sums;
  readonly isOwn: boolean;
  /** The receipt for what it brought, if no ledger row shows that yet. */
  readonly receipt?: Receipt | undefined;
  readonly tradedMs: number;
  readonly nowMs: number;
};

const nothing: Amounts = { base: 0n, counter: 0n };
const noKeys: readonly string[] = [];
const noProofs: readonly Proof[] = [];
const legs = ['base', 'counter'] as const;

/** Returns the changes of the base and counter accounts by a fill. */
export function ledgerDeltaOf(side: Side, sums: Sums): Amounts {
  return side === 'BID'
    ? { base: sums.base - sums.feeBase, counter: -(sums.counter + sums.feeCounter) }
    : { base: -(sums.base + sums.feeBase), counter: sums.counter - sums.feeCounter };
}

export class TradeProofs {
  /**
   * Trades that are not proven yet, by pair, then by sequence. A map would put the text of each
   * sequence into V8's table of all names.
   */
  readonly #open = new Map<string, TextTable<Proof>>();
  #openCount = 0;
  readonly #listener: RowListener;
  /** Changes of each pair's accounts by the rows of proven trades and by restored fills. */
  readonly #proven = new Map<string, Amounts>();
  /** Legs of each pair whose ledger cannot be read; they are not compared. */
  readonly #unreadable = new Map<string, ReadonlySet<Leg>>();

  constructor(listener: RowListener) {
    this.#listener = listener;
  }

  /** Whether no ledger row shows the trade's leg yet, and one will. */
  isRowAhead(pair: string, sequence: string, leg: Leg): boolean {
    if (this.#unreadable.get(pair)?.has(leg) === true) return false;
    const proof = this.#open.get(pair)?.get(sequence);
    return proof === undefined || (leg === 'base' ? proof.baseRows : proof.counterRows) === 0;
  }

  /**
   * Adds a fill of ours or of others on the account. Returns the keys of fills that are proven now,
   * as {@link addRow} does.
   */
  addFill(fill: ProvenFill): readonly string[] {
    const proof = this.#proof(fill);
    const delta = ledgerDeltaOf(fill.side, fill.sums);
    proof.fillKeys.push(fill.key);
    proof.fills = proof.fills === nothing ? delta : plus(proof.fills, delta);
    if (fill.isOwn) {
      const received = fill.side === 'BID' ? 'base' : 'counter';
      proof.own.push({ key: fill.key, received, receipt: fill.receipt });
      this.#noteShown(proof, received === 'base' ? 'counter' : 'base');
    } else proof.foreign = plus(proof.foreign, delta);
    return this.#settle(proof);
  }

  /** Adds a ledger row of a trade, in one of its two currencies. */
  addRow(row: {
    readonly pair: string;
    readonly sequence: string;
    readonly isBase: boolean;
    readonly delta: Amount;
    readonly tradedMs: number;
    readonly nowMs: number;
  }): readonly string[] {
    const proof = this.#proof(row);
    const { base, counter } = proof.rows;
    if (row.isBase) {
      proof.rows = { base: base + row.delta, counter };
      proof.baseRows++;
    } else {
      proof.rows = { base, counter: counter + row.delta };
      proof.counterRows++;
    }
    const leg = row.isBase ? 'base' : 'counter';
    this.#include(proof, leg);
    this.#noteShown(proof, leg);
    return this.#settle(proof);
  }

  /** Counts fills that are proven in the store; `sign` −1 subtracts them. */
  restoreProven(pair: string, side: Side, sums: Sums, sign: 1 | -1 = 1): void {
    const delta = ledgerDeltaOf(side, sums);
    this.#addProven(pair, sign === 1 ? delta : negated(delta));
  }

  /**
   * Returns the changes of a pair's two accounts by our fills: from ledger rows if proven, else
   * from the list of trades.
   */
  ownOf(pair: string): Amounts {
    let own = this.#proven.get(pair) ?? nothing;
    for (const proof of this.#openOf(pair)) own = plus(own, minus(proof.fills, proof.foreign));
    return own;
  }

  /**
   * Marks a leg's ledger as no longer readable; returns the keys of fills that are proven without
   * it.
   */
  markUnreadable(pair: string, leg: Leg): readonly string[] {
    this.#unreadable.set(pair, new Set([...(this.#unreadable.get(pair) ?? []), leg]));
    return [...this.#openOf(pair)].flatMap((proof) => {
      // Its balance is read by other means, which may include the trade already.
      this.#include(proof, leg);
      return this.#settle(proof);
    });
  }

  #include({ own }: Proof, leg: Leg): void {
    for (const { received, receipt } of own)
      if (received === leg && receipt !== undefined) this.#listener.include(receipt);
  }

  /** A receipt ends with the first row that may show it, a spend only when all rows are there. */
  #noteShown({ own, fillKeys, fills, rows, baseRows, counterRows }: Proof, leg: Leg): void {
    if ((leg === 'base' ? baseRows : counterRows) < fillKeys.length) return;
    if (fills[leg] !== rows[leg]) return;
    for (const { key, received } of own) if (received !== leg) this.#listener.forgetSpend(key);
  }

  /** Number of trades whose fills and ledger rows are not equal yet. */
  get openCount(): number {
    return this.#openCount;
  }

  /** Whether the trade is known and not proven yet. */
  isOpen(pair: string, sequence: string): boolean {
    return this.#open.get(pair)?.has(sequence) === true;
  }

  /** Whether the known fills of an open trade add up to its rows in one of its currencies. */
  isExplained(pair: string, sequence: string, isBase: boolean): boolean {
    const proof = this.#open.get(pair)?.get(sequence);
    if (proof === undefined || proof.fillKeys.length === 0) return false;
    const leg = isBase ? 'base' : 'counter';
    return proof.fills[leg] === proof.rows[leg];
  }

  /** Returns the time of the oldest trade with ledger rows that fills do not explain. */
  oldestUnexplainedMs(pair: string): number | undefined {
    let oldest: number | undefined;
    for (const proof of this.#openOf(pair)) {
      if (!isShownByLedger(proof)) continue;
      oldest = Math.min(oldest ?? proof.tradedMs, proof.tradedMs);
    }
    return oldest;
  }

  /** Whether a trade of the pair has had ledger rows since before `beforeMs` without its fills. */
  isUnexplainedSince(pair: string, beforeMs: number): boolean {
    for (const proof of this.#openOf(pair))
      if (isShownByLedger(proof) && proof.sinceMs < beforeMs) return true;
    return false;
  }

  /** Returns the trades that have been unproven for longer than `ageMs`, as text. */
  overdue(nowMs: number, ageMs: number): readonly string[] {
    return [...this.#open.values()]
      .flatMap((proofs) => proofs.values())
      .filter((proof) => nowMs - proof.sinceMs > ageMs)
      .map(
        ({ pair, sequence, fills, rows }) =>
          `${pair} trade ${sequence}: fills ${textOf(fills)}, ledger ${textOf(rows)}`,
      );
  }

  #openOf(pair: string): Iterable<Proof> {
    return this.#open.get(pair)?.values() ?? noProofs;
  }

  #proof(of: {
    readonly pair: string;
    readonly sequence: string;
    readonly tradedMs: number;
    readonly nowMs: number;
  }): Proof {
    let proofs = this.#open.get(of.pair);
    if (proofs === undefined) {
      proofs = new TextTable();
      this.#open.set(of.pair, proofs);
    }
    let proof = proofs.get(of.sequence);
    if (proof === undefined) {
      proof = {
        pair: of.pair,
        sequence: of.sequence,
        sinceMs: of.nowMs,
        tradedMs: of.tradedMs,
        fills: nothing,
        foreign: nothing,
        rows: nothing,
        baseRows: 0,
        counterRows: 0,
        fillKeys: [],
        own: [],
      };
      proofs.set(of.sequence, proof);
      this.#openCount++;
    }
    proof.tradedMs = Math.min(proof.tradedMs, of.tradedMs);
    return proof;
  }

  #settle(proof: Proof): readonly string[] {
    const { pair, fills, foreign, fillKeys } = proof;
    if (fillKeys.length === 0) return noKeys;
    const missing = this.#unreadable.get(pair);
    if (!isShownByLedger(proof) && missing?.size !== legs.length) return noKeys;
    const lacksBase = missing?.has('base') === true;
    const lacksCounter = missing?.has('counter') === true;
    // An unreadable leg is taken from the fills, so that the other leg can still prove them.
    const rows =
      lacksBase || lacksCounter
        ? {
            base: lacksBase ? fills.base : proof.rows.base,
            counter: lacksCounter ? fills.counter : proof.rows.counter,
          }
        : proof.rows;
    // The two fills of a trade with ourselves add up to 0, as if no rows were missing.
    if (fillKeys.length > 1) {
      if (!lacksBase && proof.baseRows < fillKeys.length) return noKeys;
      if (!lacksCounter && proof.counterRows < fillKeys.length) return noKeys;
    }
    if (fills.base !== rows.base || fills.counter !== rows.counter) return noKeys;
    this.#open.get(pair)?.delete(proof.sequence);
    this.#openCount--;
    this.#addProven(pair, foreign === nothing ? rows : minus(rows, foreign));
    return fillKeys;
  }

  #addProven(pair: string, amounts: Amounts): void {
    this.#proven.set(pair, plus(this.#proven.get(pair) ?? nothing, amounts));
  }
}

function isShownByLedger({ baseRows, counterRows }: Proof): boolean {
  return baseRows > 0 || counterRows > 0;
}

function negated({ base, counter }: Amounts): Amounts {
  return { base: -base, counter: -counter };
}

function plus(a: Amounts, b: Amounts): Amounts {
  return { base: a.base + b.base, counter: a.counter + b.counter };
}

function minus(a: Amounts, b: Amounts): Amounts {
  return { base: a.base - b.base, counter: a.counter - b.counter };
}

function textOf({ base, counter }: Amounts): string {
  return `${formatAmount(base)} / ${formatAmount(counter)}`;
}
