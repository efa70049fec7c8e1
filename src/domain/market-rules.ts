/** A market's rules as a file gives them: amounts are decimal strings, rules may be missing. */
import { formatLots, formatTicks, type Market, parseLots, parseTicks } from './market.ts';

export type MarketRules = {
  readonly base: string;
  readonly counter: string;
  readonly priceScale: number;
  readonly volumeScale: number;
  readonly feeScale: number;
  readonly priceMin: string;
  readonly priceMax: string;
  readonly volumeMin: string;
  readonly volumeMax: string;
};

/** Rules of which some may be missing. */
export type GivenRules = { readonly [Name in keyof MarketRules]?: MarketRules[Name] | undefined };

/** Returns the market, with status ACTIVE, or undefined if a rule is missing or does not fit. */
export function marketOfRules(pair: string, rules: GivenRules): Market | undefined {
  const { base, counter, priceScale, volumeScale, feeScale } = rules;
  if (base === undefined || counter === undefined || feeScale === undefined) return undefined;
  if (priceScale === undefined || volumeScale === undefined) return undefined;
  const scales = { priceScale, volumeScale };
  const priceMin = parseTicks(rules.priceMin ?? '', scales);
  const priceMax = parseTicks(rules.priceMax ?? '', scales);
  const volumeMin = parseLots(rules.volumeMin ?? '', scales);
  const volumeMax = parseLots(rules.volumeMax ?? '', scales);
  if (priceMin === undefined || priceMax === undefined) return undefined;
  if (volumeMin === undefined || volumeMax === undefined) return undefined;
  return {
    pair,
    base,
    counter,
    ...scales,
    feeScale,
    ...{ priceMin, priceMax, volumeMin, volumeMax },
    status: 'ACTIVE',
  };
}

/** Returns the market's rules in the form that {@link marketOfRules} accepts. */
export function rulesOf(market: Market): MarketRules {
  const { base, counter, priceScale, volumeScale, feeScale } = market;
  return {
    ...{ base, counter, priceScale, volumeScale, feeScale },
    priceMin: formatTicks(market.priceMin, market),
    priceMax: formatTicks(market.priceMax, market),
    volumeMin: formatLots(market.volumeMin, market),
    volumeMax: formatLots(market.volumeMax, market),
  };
}
