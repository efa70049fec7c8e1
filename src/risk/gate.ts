/**
 * The gate: the only maker of {@link Approved}, which is all that the executor's place takes.
 *
 * Invariants: every check runs on every order; a missing fact or limit denies; there is no switch
 * that lets an order pass unjudged. Cancels never come here.
 */
import type { TimeInForce } from '../domain/bot-settings.ts';
import { assert } from '../domain/errors.ts';
import type { Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import { type Question, questionOf, type Refusal } from './check.ts';
import { type CheckEntry, checkTable } from './check-table.ts';
import type { GateFacts } from './gate-facts.ts';
import { type GateLimits, type GateSettings, gateLimitsOf } from './gate-limits.ts';
import { inputsOf } from './inputs.ts';
import type { Route } from './limit-route.ts';
import { onlyReducesHeld } from './only-reduces.ts';
import type { Proposal } from './proposal.ts';

declare const approved: unique symbol;

/** A proposal that the gate let through, frozen. Only {@link Gate.judge} makes one. */
export type Approved = Proposal & { readonly [approved]: true };

export type Verdict =
  | { readonly kind: 'approved'; readonly approved: Approved }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

const mintKey = Symbol('mint');

// The type stops an honest mistake; the private member also stops a cast, and a copy with one
// member changed: only this module can make one, since only it has the key.
class Minted implements Proposal {
  readonly #isMinted = true;
  readonly strategyId: string;
  readonly pair: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
  readonly createdMs: number;

  constructor(key: symbol, proposal: Proposal) {
    assert(key === mintKey, 'only the gate approves orders');
    this.strategyId = proposal.strategyId;
    this.pair = proposal.pair;
    this.side = proposal.side;
    this.price = proposal.price;
    this.volume = proposal.volume;
    this.timeInForce = proposal.timeInForce;
    this.postOnly = proposal.postOnly;
    this.reduceOnly = proposal.reduceOnly;
    this.baseAccountId = proposal.baseAccountId;
    this.counterAccountId = proposal.counterAccountId;
    this.createdMs = proposal.createdMs;
  }

  static is(order: object): boolean {
    return #isMinted in order && order.#isMinted && Object.isFrozen(order);
  }
}

export class Gate {
  readonly limits: GateLimits;
  readonly #routes = new Map<string, Map<string, Route>>();
  /** The route that was asked for last; most orders follow one of the same strategy. */
  #last: { readonly strategyId: string; readonly pair: string; readonly route: Route } | undefined;

  constructor(settings: GateSettings) {
    this.limits = gateLimitsOf(settings);
  }

  /**
   * Judges one order by all checks. The caller holds an approved order in the exposure before it
   * judges the next one; an approval says nothing about the facts of a later step.
   */
  judge(proposal: Proposal, facts: GateFacts): Verdict {
    const copy = new Minted(mintKey, proposal);
    const refusals = refusalsBy(checkTable, this.#question(copy, facts));
    if (refusals.length > 0) return { kind: 'refused', refusals };
    // Frozen only when it passed: until then nobody else has it.
    Object.freeze(copy);
    return { kind: 'approved', approved: copy as Proposal as Approved };
  }

  /** Returns the numbers that the checks look at, as JSON, for the decision's record. */
  inputs(proposal: Proposal, facts: GateFacts): string {
    return inputsOf(this.#question(proposal, facts));
  }

  #question(proposal: Proposal, facts: GateFacts): Question {
    const { strategyId, pair } = proposal;
    const last = this.#last;
    const isLast = last !== undefined && last.strategyId === strategyId && last.pair === pair;
    const known = isLast ? last.route : this.#routes.get(strategyId)?.get(pair);
    const question = questionOf(proposal, facts, this.limits, known);
    // Only what is configured is kept, so that strange names cannot fill the memory.
    if (
      question.route !== known &&
      question.strategy !== undefined &&
      question.pair !== undefined
    ) {
      this.#last = { strategyId, pair, route: question.route };
      const routes = this.#routes.get(strategyId) ?? new Map<string, Route>();
      this.#routes.set(strategyId, routes.set(pair, question.route));
    }
    return question;
  }

  /**
   * Returns the codes against sending an order again that was approved before and whose room in the
   * limits is held; none if it may be. REDUCING is a reason, as a loss is, unless the order only
   * reduces the position: nothing is repeated into trouble.
   */
  judgeAgain(proposal: Proposal, facts: GateFacts): readonly string[] {
    const table = checkTable.filter(({ position }) => judgedAgain.has(position));
    const isExit = onlyReducesHeld(proposal, facts.exposure);
    const codes = refusalsBy(table, questionOf(proposal, facts, this.limits))
      .map(({ code }) => code)
      .filter((code) => code !== notJudgedAgain && !(isExit && lossCodes.includes(code)));
    const { global, strategies, pairs } = facts.tradingState;
    const states = [global, strategies.get(proposal.strategyId), pairs.get(proposal.pair)];
    return states.includes('REDUCING') && !isExit ? [...codes, 'REDUCE_ONLY'] : codes;
  }
}

const noRefusals: readonly Refusal[] = Object.freeze([]);

/**
 * Checks by position that judge an order again which is held already: what the world is like. Those
 * that weigh its room in the limits counted it when it was approved, and it is counted still. Its
 * age is the executor's to judge: the fence alone takes longer than a new wish may wait.
 */
const judgedAgain: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 9, 22]);
/** An unknown outcome is no reason against the sending that ends it. */
const notJudgedAgain = 'UNKNOWN_ORDERS';
/** Of the check of losses, which takes an order that is held already for one on top of it. */
const lossCodes: readonly string[] =
  checkTable.find(({ position }) => position === 22)?.codes ?? [];

/** Returns every reason that the checks of `table` have against the order. */
export function refusalsBy(table: readonly CheckEntry[], question: Question): readonly Refusal[] {
  found.length = 0;
  for (const entry of table) entry.check(question, find);
  return found.length === 0 ? noRefusals : found.splice(0);
}

/** What the judgement that is being made has found. One is made at a time, start to end. */
const found: Refusal[] = [];
const find = (code: string, observed: string, limit: string, unit: string): void => {
  found.push({ code, observed, limit, unit });
};

/** Throws InvariantError unless the gate itself made `order`; for the executor, before it sends. */
export function assertApproved(order: Approved): void {
  assert(Minted.is(order), `order on ${order.pair} was not approved by the gate`);
}
