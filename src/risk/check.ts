/**
 * The input of a check and the form of its refusals.
 *
 * Amounts are first compared as numbers of whole units. An amount that is missing or does not fit
 * 2^53 is NaN there, and compares as false; then the exact amounts decide.
 */
import { amountOfOrder, amountOfVolume, fitsAmount, formatAmount } from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';
import { type CheckContext, checkContextOf } from './check-context.ts';
import type { GateFacts, PairFacts } from './gate-facts.ts';
import type { GateLimits, PairLimitAmounts, StrategyLimits } from './gate-limits.ts';
import type { Proposal } from './proposal.ts';

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
  /** The order's volume and value in whole units of their currencies, or NaN. */
  readonly volumeUnits: number;
  readonly valueUnits: number;
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
  const isWhole =
    Number.isSafeInteger(price) && Number.isSafeInteger(volume) && price > 0 && volume > 0;
  const volumeUnits = isWhole ? volume * context.unitsPerLot : Number.NaN;
  const valueUnits = isWhole ? price * volume * context.unitsPerValue : Number.NaN;
  return {
    proposal,
    facts,
    limits,
    context,
    strategy: context.strategy,
    pair: context.pair,
    pairLimits: context.pairLimits,
    volumeUnits: volumeUnits <= Number.MAX_SAFE_INTEGER ? volumeUnits : Number.NaN,
    valueUnits: valueUnits <= Number.MAX_SAFE_INTEGER ? valueUnits : Number.NaN,
    passed: undefined,
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

/**
 * Returns the order's exact volume and value; undefined if price or volume is not a whole positive
 * number or the market's scales do not fit an amount.
 */
export function amountsOf({
  proposal,
  pair,
}: CheckInput): { readonly volume: bigint; readonly value: bigint } | undefined {
  const { price, volume } = proposal;
  const market: Market | undefined = pair?.market;
  if (!Number.isSafeInteger(price) || !Number.isSafeInteger(volume)) return undefined;
  if (price <= 0 || volume <= 0 || market === undefined || !fitsAmount(market)) return undefined;
  return {
    volume: amountOfVolume(volume, market),
    value: amountOfOrder(price, volume, market),
  };
}

/** Refuses unless `observed` and `limit` are known and `observed` is at most `limit`. */
export function refuseAbove(
  refuse: Refuse,
  code: string,
  unit: string,
  {
    passed,
    observed,
    limit,
  }: Pick<CheckInput, 'passed'> & {
    readonly observed: bigint | undefined;
    readonly limit: bigint | undefined;
  },
): void {
  const isWithin = observed !== undefined && limit !== undefined && observed <= limit;
  const tell = isWithin ? passed : refuse;
  tell?.(code, amountText(observed), amountText(limit), unit);
}

/** Returns an amount as text, or `missing`. */
export function amountText(amount: bigint | undefined): string {
  return amount === undefined ? 'missing' : formatAmount(amount);
}

/** Returns a number as text, or `missing`. */
export function textOf(value: number | undefined): string {
  return value === undefined ? 'missing' : String(value);
}
