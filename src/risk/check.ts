/**
 * What a check is given, and how it says no.
 *
 * A comparison of amounts is made in whole units first, where what does not fit 2^53 or is missing
 * is NaN; NaN compares as false, and then the same is decided exactly, in atoms.
 */
import { amountOfOrder, amountOfVolume, fitsAmount, formatAmount } from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';
import type { GateFacts, PairFacts } from './gate-facts.ts';
import type { GateLimits, PairLimitAmounts, StrategyLimits } from './gate-limits.ts';
import { type Route, routeOf } from './limit-route.ts';
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
  readonly route: Route;
  readonly strategy: StrategyLimits | undefined;
  readonly pair: PairFacts | undefined;
  readonly pairLimits: PairLimitAmounts | undefined;
  /** The order's volume and value in whole units of their currencies, or NaN. */
  readonly volumeUnits: number;
  readonly valueUnits: number;
};

export type Refuse = (code: string, observed: string, limit: string, unit: string) => void;

/** One rule. It calls `refuse` once for each way in which the order breaks it. */
export type Check = (question: Question, refuse: Refuse) => void;

/** Returns the question that the checks answer, with a route that was found before, if it fits. */
export function questionOf(
  proposal: Proposal,
  facts: GateFacts,
  limits: GateLimits,
  known?: Route,
): Question {
  const route = isStill(known, proposal, facts)
    ? known
    : routeOf(proposal.strategyId, proposal.pair, facts, limits);
  const { price, volume } = proposal;
  const isWhole =
    Number.isSafeInteger(price) && Number.isSafeInteger(volume) && price > 0 && volume > 0;
  const volumeUnits = isWhole ? volume * route.unitsPerLot : Number.NaN;
  const valueUnits = isWhole ? price * volume * route.unitsPerValue : Number.NaN;
  return {
    proposal,
    facts,
    limits,
    route,
    strategy: route.strategy,
    pair: route.pair,
    pairLimits: route.pairLimits,
    volumeUnits: volumeUnits <= Number.MAX_SAFE_INTEGER ? volumeUnits : Number.NaN,
    valueUnits: valueUnits <= Number.MAX_SAFE_INTEGER ? valueUnits : Number.NaN,
  };
}

function isStill(known: Route | undefined, { pair }: Proposal, facts: GateFacts): known is Route {
  if (known === undefined || known.exposure !== facts.exposure) return false;
  return known.pair === facts.pairs.get(pair) && known.market === known.pair?.market;
}

/**
 * The order's volume and value in atoms; undefined when price or volume is not a whole positive
 * number or the market's scales are impossible.
 */
export function amountsOf({
  proposal,
  pair,
}: Question): { readonly volume: bigint; readonly value: bigint } | undefined {
  const { price, volume } = proposal;
  const market: Market | undefined = pair?.market;
  if (!Number.isSafeInteger(price) || !Number.isSafeInteger(volume)) return undefined;
  if (price <= 0 || volume <= 0 || market === undefined || !fitsAmount(market)) return undefined;
  return {
    volume: amountOfVolume(volume, market),
    value: amountOfOrder(price, volume, market),
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
  refuse(code, amountText(observed), amountText(limit), unit);
}

/** Returns an exact amount as text, or that it is missing. */
export function amountText(atoms: bigint | undefined): string {
  return atoms === undefined ? 'missing' : formatAmount(atoms);
}

/** Returns a number as text, or that it is missing. */
export function textOf(value: number | undefined): string {
  return value === undefined ? 'missing' : String(value);
}
