/** What a check is given, and how it says no. */
import type { Market } from '../domain/market.ts';
import { atomsOfOrder, atomsOfVolume, fitsAtoms, formatAtoms } from './amount.ts';
import type { GateFacts, PairFacts } from './gate-facts.ts';
import type { GateLimits, PairLimitsInAtoms, StrategyLimits } from './gate-limits.ts';
import type { Proposal } from './proposal.ts';

/**
 * One reason against an order: what was seen, what is allowed, and in what unit. Amounts are
 * exact.
 */
export type Refusal = {
  readonly code: string;
  readonly observed: string;
  readonly limit: string;
  readonly unit: string;
};

/**
 * The order with all that is known about it. An undefined member is missing, and missing denies.
 */
export type Question = {
  readonly proposal: Proposal;
  readonly facts: GateFacts;
  readonly limits: GateLimits;
  readonly strategy: StrategyLimits | undefined;
  readonly pair: PairFacts | undefined;
  readonly pairLimits: PairLimitsInAtoms | undefined;
  /**
   * Undefined when price or volume is not a whole positive number or the market's scales are
   * impossible.
   */
  readonly amounts: { readonly volume: bigint; readonly value: bigint } | undefined;
};

export type Refuse = (code: string, observed: string, limit: string, unit: string) => void;

/** One rule. It calls `refuse` once for each way in which the order breaks it. */
export type Check = (question: Question, refuse: Refuse) => void;

/** Returns the question that the checks answer. */
export function questionOf(proposal: Proposal, facts: GateFacts, limits: GateLimits): Question {
  const pair = facts.pairs.get(proposal.pair);
  return {
    proposal,
    facts,
    limits,
    strategy: limits.strategies.get(proposal.strategyId),
    pair,
    pairLimits: limits.pairs.get(proposal.pair),
    amounts: pair === undefined ? undefined : amountsOf(proposal, pair.market),
  };
}

function amountsOf({ price, volume }: Proposal, market: Market): Question['amounts'] {
  if (!Number.isSafeInteger(price) || !Number.isSafeInteger(volume)) return undefined;
  if (price <= 0 || volume <= 0 || !fitsAtoms(market)) return undefined;
  return {
    volume: atomsOfVolume(volume, market),
    value: atomsOfOrder(price, volume, market),
  };
}

/** Refuses unless `observed` is known and at most `limit`, which must be known too. In atoms. */
export function refuseAbove(
  refuse: Refuse,
  code: string,
  unit: string,
  {
    observed,
    limit,
  }: { readonly observed: bigint | undefined; readonly limit: bigint | undefined },
): void {
  if (observed !== undefined && limit !== undefined && observed <= limit) return;
  const text = (atoms: bigint | undefined) =>
    atoms === undefined ? 'missing' : formatAtoms(atoms);
  refuse(code, text(observed), text(limit), unit);
}
