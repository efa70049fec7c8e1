/**
 * The gate: the only maker of {@link Approved}, which is all that the executor's place takes.
 *
 * Invariants: every check runs on every order; a missing fact or limit denies; there is no switch
 * that lets an order pass unjudged. Cancels never come here.
 */
import { assert } from '../domain/errors.ts';
import { type Question, questionOf, type Refusal } from './check.ts';
import { type CheckEntry, checkTable } from './check-table.ts';
import type { GateFacts } from './gate-facts.ts';
import { type GateLimits, type GateSettings, gateLimitsOf } from './gate-limits.ts';
import type { Proposal } from './proposal.ts';

declare const approved: unique symbol;

/** A proposal that the gate let through, frozen. Only {@link Gate.judge} makes one. */
export type Approved = Proposal & { readonly [approved]: true };

export type Verdict =
  | { readonly kind: 'approved'; readonly approved: Approved }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

// The type stops an honest mistake; the set also stops a cast, and a copy with one member changed.
const minted = new WeakSet<Proposal>();

export class Gate {
  readonly #limits: GateLimits;

  constructor(settings: GateSettings) {
    this.#limits = gateLimitsOf(settings);
  }

  /**
   * Judges one order by all checks. The caller holds an approved order in the exposure before it
   * judges the next one; an approval says nothing about the facts of a later step.
   */
  judge(proposal: Proposal, facts: GateFacts): Verdict {
    const copy: Proposal = {
      strategyId: proposal.strategyId,
      pair: proposal.pair,
      side: proposal.side,
      price: proposal.price,
      volume: proposal.volume,
      timeInForce: proposal.timeInForce,
      postOnly: proposal.postOnly,
      baseAccountId: proposal.baseAccountId,
      counterAccountId: proposal.counterAccountId,
    };
    const refusals = refusalsBy(checkTable, questionOf(copy, facts, this.#limits));
    if (refusals.length > 0) return { kind: 'refused', refusals };
    Object.freeze(copy);
    minted.add(copy);
    return { kind: 'approved', approved: copy as Approved };
  }

  /**
   * Returns the codes against sending an order again that was approved before and whose room in the
   * limits is held; none if it may be. REDUCING is a reason: nothing is repeated into trouble.
   */
  judgeAgain(proposal: Proposal, facts: GateFacts): readonly string[] {
    const table = checkTable.filter(({ position }) => judgedAgain.has(position));
    const codes = refusalsBy(table, questionOf(proposal, facts, this.#limits))
      .map(({ code }) => code)
      .filter((code) => code !== notJudgedAgain);
    const { global, strategies, pairs } = facts.tradingState;
    const states = [global, strategies.get(proposal.strategyId), pairs.get(proposal.pair)];
    return states.includes('REDUCING') ? [...codes, 'REDUCE_ONLY'] : codes;
  }
}

/**
 * Checks by position that judge an order again which is held already: what the world is like. Those
 * that weigh its room in the limits counted it when it was approved, and it is counted still.
 */
const judgedAgain: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 9, 22, 23]);
/** An unknown outcome is no reason against the sending that ends it. */
const notJudgedAgain = 'UNKNOWN_ORDERS';

/** Returns every reason that the checks of `table` have against the order. */
export function refusalsBy(table: readonly CheckEntry[], question: Question): readonly Refusal[] {
  const refusals: Refusal[] = [];
  for (const { check } of table) {
    check(question, (code, observed, limit, unit) => {
      refusals.push({ code, observed, limit, unit });
    });
  }
  return refusals;
}

/** Throws InvariantError unless the gate itself made `order`; for the executor, before it sends. */
export function assertApproved(order: Approved): void {
  assert(minted.has(order), `order on ${order.pair} was not approved by the gate`);
}
