/** The input of a check and the form of its refusals. */
import { spendOf } from '../domain/market-order.ts';
import { type CheckContext, checkContextOf } from './check-context.ts';
import type { CurrencyUnit, Exact } from './currency-unit.ts';
import type { GateFacts, PairFacts } from './gate-facts.ts';
import type { GateLimits, PairLimitAmounts, StrategyLimits } from './gate-limits.ts';
import type { Proposal } from './proposal.ts';
import { productOf } from './whole-numbers.ts';

/**
 * One reason to refuse an order: the observed value, the limit and the unit of both. Amounts are
 * exact; an unknown value or limit is `missing`. Stored with the decision as JSON.
 */
export type Refusal = {
  readonly code: string;
  readonly observed: string;
  readonly limit: string;
  readonly unit: string;
};

/** The order and the facts about it. An undefined member is missing, which refuses the order. */
export type CheckInput = {
  readonly proposal: Proposal;
  readonly facts: GateFacts;
  readonly limits: GateLimits;
  readonly context: CheckContext;
  readonly strategy: StrategyLimits | undefined;
  readonly pair: PairFacts | undefined;
  readonly pairLimits: PairLimitAmounts | undefined;
  /** The order's volume and value; undefined unless its terms are whole positive numbers. */
  readonly volume: Exact | undefined;
  readonly value: Exact | undefined;
  /**
   * Told of each rule that the order keeps, with the values that a refusal would have. Undefined
   * while a bot runs: only who explains a judgement asks.
   */
  readonly passed: Refuse | undefined;
};

export type Refuse = (code: string, observed: string, limit: string, unit: string) => void;

/** One rule. It calls `refuse` once for each violation. */
export type Check = (input: CheckInput, refuse: Refuse) => void;

/** Returns the input of the checks; reuses the context `known` while it is current. */
export function checkInputOf(
  proposal: Proposal,
  facts: GateFacts,
  limits: GateLimits,
  known?: CheckContext,
): CheckInput {
  const context = isCurrent(known, proposal, facts)
    ? known
    : checkContextOf(proposal.strategyId, proposal.pair, facts, limits);
  const { price, volume } = proposal;
  const { market, isCounted, base, counter } = context;
  const isWhole =
    Number.isSafeInteger(price) && Number.isSafeInteger(volume) && price > 0 && volume > 0;
  const counted = isWhole && isCounted ? market : undefined;
  const spend = proposal.pays === undefined ? undefined : spendOf(proposal);
  const decimals = counted === undefined ? 0 : counted.priceScale + counted.volumeScale;
  return {
    proposal,
    facts,
    limits,
    context,
    strategy: context.strategy,
    pair: context.pair,
    pairLimits: context.pairLimits,
    passed: undefined,
    volume: counted && base.scaled(volume, counted.volumeScale),
    value:
      counted &&
      (spend === undefined
        ? counter.scaled(productOf(price, volume), decimals)
        : counter.of(spend)),
  };
}

function isCurrent(
  known: CheckContext | undefined,
  { pair }: Proposal,
  facts: GateFacts,
): known is CheckContext {
  if (known === undefined || known.exposure !== facts.exposure) return false;
  return known.pair === facts.pairs.get(pair) && known.market === known.pair?.market;
}

/** Refuses unless `observed` and `limit` are known and `observed` is at most `limit`. */
export function refuseAbove(
  refuse: Refuse,
  code: string,
  unit: CurrencyUnit,
  {
    passed,
    observed,
    limit,
  }: Pick<CheckInput, 'passed'> & {
    readonly observed: Exact | undefined;
    readonly limit: Exact | undefined;
  },
): void {
  const isWithin = observed !== undefined && limit !== undefined && unit.isAtMost(observed, limit);
  const tell = isWithin ? passed : refuse;
  tell?.(code, amountText(unit, observed), amountText(unit, limit), unit.currency);
}

/** Returns an amount as text, or `missing`. */
export function amountText(unit: CurrencyUnit, value: Exact | undefined): string {
  return value === undefined ? 'missing' : unit.text(value);
}

/** Returns `a + b`; undefined if one is not known. */
export function plus(unit: CurrencyUnit, a: Exact | undefined, b: Exact | undefined) {
  return a === undefined || b === undefined ? undefined : unit.plus(a, b);
}

/** Returns a number as text, or `missing`. */
export function textOf(value: number | undefined): string {
  return value === undefined ? 'missing' : String(value);
}
