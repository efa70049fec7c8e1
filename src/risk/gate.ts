/**
 * The gate: the only place that creates an {@link Approved} order, and the executor places only
 * those.
 *
 * Invariants: every check runs on every order; a missing fact or limit refuses the order; no switch
 * lets an order pass without the checks. Cancels do not go through the gate.
 */
import type { TimeInForce } from '../domain/bot-settings.ts';
import type { CheckVerdict } from '../domain/check-verdict.ts';
import { assert } from '../domain/errors.ts';
import type { StopCondition } from '../domain/limit-order.ts';
import type { Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import { type CheckInput, checkInputOf, type Refusal } from './check.ts';
import type { CheckContext } from './check-context.ts';
import { type CheckEntry, checkTable } from './check-table.ts';
import { explainBy } from './explain.ts';
import type { GateFacts } from './gate-facts.ts';
import { type GateLimits, type GateSettings, gateLimitsOf } from './gate-limits.ts';
import { inputsOf } from './inputs.ts';
import { countsForEnough } from './market-price.ts';
import { onlyReducesHeld } from './only-reduces.ts';
import type { Proposal } from './proposal.ts';

declare const approved: unique symbol;

/** A proposal that passed the gate, frozen. Only {@link Gate.judge} creates one. */
export type Approved = Proposal & { readonly [approved]: true };

export type Verdict =
  | { readonly kind: 'approved'; readonly approved: Approved }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

const mintKey = Symbol('mint');

// The type prevents an honest mistake. The private member also detects a cast, or a copy with one
// member changed: only this module has the key and can create an instance.
class Minted implements Proposal {
  #isApproved = false;
  readonly strategyId: string;
  readonly pair: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly stop: StopCondition | undefined;
  readonly pays: string | undefined;
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
    this.stop = proposal.stop;
    this.pays = proposal.pays;
    this.reduceOnly = proposal.reduceOnly;
    this.baseAccountId = proposal.baseAccountId;
    this.counterAccountId = proposal.counterAccountId;
    this.createdMs = proposal.createdMs;
  }

  /** Freezes it; from now on {@link isApproved} holds. */
  approve(): void {
    this.#isApproved = true;
    Object.freeze(this);
  }

  static isApproved(order: object): boolean {
    return #isApproved in order && order.#isApproved;
  }
}

export class Gate {
  readonly limits: GateLimits;
  readonly #contexts = new Map<string, Map<string, CheckContext>>();
  /** The context used last: most orders follow one of the same strategy and pair. */
  #last:
    | { readonly strategyId: string; readonly pair: string; readonly context: CheckContext }
    | undefined;

  constructor(settings: GateSettings) {
    this.limits = gateLimitsOf(settings);
  }

  /**
   * Judges one order by all checks. The caller must hold an approved order in the exposure before
   * it judges the next one. An approval is valid only in the same step, for the same facts.
   */
  judge(proposal: Proposal, facts: GateFacts): Verdict {
    const copy = new Minted(mintKey, proposal);
    const refusals = refusalsBy(checkTable, this.#inputOf(copy, facts));
    if (refusals.length > 0) return { kind: 'refused', refusals };
    // Nothing else has a reference to it before it passes, so it is frozen only then.
    copy.approve();
    return { kind: 'approved', approved: copy as Proposal as Approved };
  }

  /** Returns the values that the checks compare, as JSON, for the record of the decision. */
  inputs(proposal: Proposal, facts: GateFacts): string {
    return inputsOf(this.#inputOf(proposal, facts));
  }

  /** Returns what each check says about an order, for a debugger; it approves nothing. */
  explain(proposal: Proposal, facts: GateFacts): readonly CheckVerdict[] {
    return explainBy(checkTable, this.#inputOf(proposal, facts));
  }

  #inputOf(proposal: Proposal, facts: GateFacts): CheckInput {
    const { strategyId, pair } = proposal;
    const last = this.#last;
    const isLast = last !== undefined && last.strategyId === strategyId && last.pair === pair;
    const known = isLast ? last.context : this.#contexts.get(strategyId)?.get(pair);
    const input = checkInputOf(proposal, facts, this.limits, known);
    // Only configured strategies and pairs are cached, so that unknown names cannot fill memory.
    if (input.context !== known && input.strategy !== undefined && input.pair !== undefined) {
      this.#last = { strategyId, pair, context: input.context };
      const contexts = this.#contexts.get(strategyId) ?? new Map<string, CheckContext>();
      this.#contexts.set(strategyId, contexts.set(pair, input.context));
    }
    return input;
  }

  /**
   * Returns the refusal codes for sending an order later than it was approved, or again, while it
   * is held in the exposure; an empty list if it may be sent. REDUCING and the loss limits refuse
   * it unless the order only reduces the position.
   */
  judgeAgain(proposal: Proposal, facts: GateFacts): readonly string[] {
    const isMarket = proposal.pays !== undefined;
    const table = checkTable.filter(
      ({ position }) => judgedAgain.has(position) || (isMarket && position === depthPosition),
    );
    const isExit = onlyReducesHeld(proposal, facts.exposure);
    const book = facts.pairs.get(proposal.pair)?.book;
    const codes = refusalsBy(table, checkInputOf(proposal, facts, this.limits))
      .map(({ code }) => code)
      .filter(
        (code) =>
          code !== notJudgedAgain &&
          !(isExit && lossCodes.includes(code)) &&
          !(code === 'MARKET_PRICE' && countsForEnough(proposal, book)),
      );
    const { global, strategies, pairs } = facts.tradingState;
    const states = [global, strategies.get(proposal.strategyId), pairs.get(proposal.pair)];
    return states.includes('REDUCING') && !isExit ? [...codes, 'REDUCE_ONLY'] : codes;
  }
}

const noRefusals: readonly Refusal[] = Object.freeze([]);

/**
 * Positions of the checks that judge a held order again: those about the state of the bot and of
 * the market. The checks of amounts counted the order when it was approved, and it still counts.
 * The executor judges its age: the wait before a repeat alone exceeds the age limit of an intent.
 */
const judgedAgain: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 9, 22]);
/** A limit order is held by its price, a market order only by what the book has now. */
const depthPosition = 11;
/** Sending the order again resolves its unknown outcome, so this code does not apply. */
const notJudgedAgain = 'UNKNOWN_ORDERS';
/** Codes of the loss check, whose own test for exits would count the held order twice. */
const lossCodes: readonly string[] =
  checkTable.find(({ position }) => position === 22)?.codes ?? [];

/** Returns every refusal of the order by the checks of `table`. */
export function refusalsBy(table: readonly CheckEntry[], input: CheckInput): readonly Refusal[] {
  // Only a check that threw leaves refusals behind.
  if (found.length > 0) found.length = 0;
  for (const entry of table) entry.check(input, collect);
  return found.length === 0 ? noRefusals : found.splice(0);
}

/** Refusals of the judgement in progress; a judgement runs to its end before the next one. */
const found: Refusal[] = [];
const collect = (code: string, observed: string, limit: string, unit: string): void => {
  found.push({ code, observed, limit, unit });
};

/** Throws InvariantError unless the gate created `order`; the executor calls it before it sends. */
export function assertApproved(order: Approved): void {
  if (Minted.isApproved(order)) return;
  assert(false, `order on ${order.pair} was not approved by the gate`);
}
