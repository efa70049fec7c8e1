/**
 * Holds each trade's fills against the ledger rows that it made: the ledger is dense, so a trade
 * whose rows and fills are equal to the last digit is proven, and a row without a fill is a fill
 * that we miss.
 *
 * A buy credits `base − fee_base` and debits `counter + fee_counter`; a sell debits `base +
 * fee_base` and credits `counter − fee_counter`. Trading with ourselves makes two fills of one
 * sequence.
 */

import type { Side } from '../domain/market.ts';
import { Decimal } from '../domain/money.ts';
import type { Sums } from './tracked-order.ts';

type Amounts = { readonly base: Decimal; readonly counter: Decimal };
type Proof = {
  readonly pair: string;
  readonly sequence: string;
  readonly sinceMs: number;
  /** The oldest time of the trade that any witness gave. */
  tradedMs: number;
  fills: Amounts;
  rows: Amounts;
  readonly fillKeys: Set<string>;
};

const nothing: Amounts = { base: new Decimal(0), counter: new Decimal(0) };

/** Returns what a fill changes in the base and the counter account. */
export function ledgerDeltaOf(side: Side, sums: Sums): Amounts {
  return side === 'BID'
    ? { base: sums.base.minus(sums.feeBase), counter: sums.counter.plus(sums.feeCounter).neg() }
    : { base: sums.base.plus(sums.feeBase).neg(), counter: sums.counter.minus(sums.feeCounter) };
}

export class TradeProofs {
  /** Trades that are not proven yet, by pair and sequence. */
  readonly #open = new Map<string, Proof>();

  /** Adds one of our fills; `key` names it in what {@link addRow} and this return as proven. */
  addFill(fill: {
    readonly pair: string;
    readonly sequence: string;
    readonly key: string;
    readonly side: Side;
    readonly sums: Sums;
    readonly tradedMs: number;
    readonly nowMs: number;
  }): readonly string[] {
    const proof = this.#proof(fill);
    proof.fillKeys.add(fill.key);
    proof.fills = plus(proof.fills, ledgerDeltaOf(fill.side, fill.sums));
    return this.#settle(proof);
  }

  /** Adds what a ledger row says of a trade, in one of its two currencies. */
  addRow(row: {
    readonly pair: string;
    readonly sequence: string;
    readonly isBase: boolean;
    readonly delta: Decimal;
    readonly tradedMs: number;
    readonly nowMs: number;
  }): readonly string[] {
    const proof = this.#proof(row);
    const amounts = row.isBase
      ? { ...nothing, base: row.delta }
      : { ...nothing, counter: row.delta };
    proof.rows = plus(proof.rows, amounts);
    return this.#settle(proof);
  }

  /** Number of trades whose fills and ledger rows are not equal yet. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Whether something of this trade was seen and not everything adds up yet. */
  isOpen(pair: string, sequence: string): boolean {
    return this.#open.has(`${pair}|${sequence}`);
  }

  /** The oldest trade of a pair that the ledger shows and our fills do not explain. */
  oldestUnexplainedMs(pair: string): number | undefined {
    let oldest: number | undefined;
    for (const proof of this.#open.values()) {
      if (proof.pair !== pair || !isShownByLedger(proof)) continue;
      oldest = Math.min(oldest ?? proof.tradedMs, proof.tradedMs);
    }
    return oldest;
  }

  /** Trades that are open for longer than `ageMs`, in words. */
  overdue(nowMs: number, ageMs: number): readonly string[] {
    return [...this.#open.values()]
      .filter((proof) => nowMs - proof.sinceMs > ageMs)
      .map(
        ({ pair, sequence, fills, rows }) =>
          `${pair} trade ${sequence}: fills ${textOf(fills)}, ledger ${textOf(rows)}`,
      );
  }

  #proof(of: {
    readonly pair: string;
    readonly sequence: string;
    readonly tradedMs: number;
    readonly nowMs: number;
  }): Proof {
    const key = `${of.pair}|${of.sequence}`;
    let proof = this.#open.get(key);
    if (proof === undefined) {
      proof = {
        pair: of.pair,
        sequence: of.sequence,
        sinceMs: of.nowMs,
        tradedMs: of.tradedMs,
        fills: nothing,
        rows: nothing,
        fillKeys: new Set(),
      };
      this.#open.set(key, proof);
    }
    proof.tradedMs = Math.min(proof.tradedMs, of.tradedMs);
    return proof;
  }

  #settle(proof: Proof): readonly string[] {
    if (!isShownByLedger(proof) || proof.fillKeys.size === 0) return [];
    if (!proof.fills.base.eq(proof.rows.base) || !proof.fills.counter.eq(proof.rows.counter))
      return [];
    this.#open.delete(`${proof.pair}|${proof.sequence}`);
    return [...proof.fillKeys];
  }
}

function isShownByLedger(proof: Proof): boolean {
  return !proof.rows.base.isZero() || !proof.rows.counter.isZero();
}

function plus(a: Amounts, b: Amounts): Amounts {
  return { base: a.base.plus(b.base), counter: a.counter.plus(b.counter) };
}

function textOf({ base, counter }: Amounts): string {
  return `${base.toFixed()} / ${counter.toFixed()}`;
}
